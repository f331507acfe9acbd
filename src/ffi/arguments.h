// Checks of what C callers pass, and copies of what they get. Internal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "marrow/marrow_host.h"
#include "marrow/math/types.h"
#include "src/ffi/errors.h"
#include "src/ffi/imports.h"

namespace marrow::ffi {

// ---- Numbers ---------------------------------------------------------------------------------------------------

inline bool is_finite(double x) { return x - x == 0; }

inline marrow_status check_finite(double x, const char* parameter) {
  return is_finite(x) ? MARROW_OK : fail(MARROW_ERROR_NOT_FINITE, "the number is not finite", parameter);
}

// The length of a fade.
inline marrow_status check_seconds(double x, const char* parameter) {
  MARROW_FFI_TRY(check_finite(x, parameter));
  return x >= 0 ? MARROW_OK : fail(MARROW_ERROR_INVALID_ARGUMENT, "the length of a fade is below zero", parameter);
}

// A weight of an action or of an input of a blend.
inline marrow_status check_weight(float x, const char* parameter) {
  MARROW_FFI_TRY(check_finite(static_cast<double>(x), parameter));
  if (x >= 0 && x <= 1e18f) return MARROW_OK;
  return fail(MARROW_ERROR_INVALID_ARGUMENT, "the weight is below zero or too large", parameter);
}

// A number from 0 to 1.
inline marrow_status check_share(float x, const char* parameter) {
  MARROW_FFI_TRY(check_finite(static_cast<double>(x), parameter));
  if (x >= 0 && x <= 1) return MARROW_OK;
  return fail(MARROW_ERROR_INVALID_ARGUMENT, "the number is not between 0 and 1", parameter);
}

// One of the values of an enumeration, or a truth.
inline marrow_status check_choice(std::uint32_t x, std::uint32_t last, const char* parameter) {
  return x <= last ? MARROW_OK : fail(MARROW_ERROR_INVALID_ARGUMENT, "there is no such choice", parameter);
}

inline marrow_status check_index(std::uint64_t index, std::uint64_t count, const char* parameter) {
  return index < count ? MARROW_OK : fail(MARROW_ERROR_OUT_OF_RANGE, "there is none of that number", parameter);
}

// An array of the caller's that is read or written as it lies: there, large enough and aligned.
template <typename T>
marrow_status check_array(const T* data, std::uint64_t count, std::uint64_t needed, const char* parameter) {
  if (data == nullptr && (count > 0 || needed > 0)) return null_pointer(parameter);
  if (count < needed) return fail(MARROW_ERROR_SHORT_BUFFER, "the array is too short", parameter);
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(T) == 0) return MARROW_OK;
  return fail(MARROW_ERROR_INVALID_ARGUMENT, "the array is not aligned", parameter);
}

// A text that is kept, or null.
inline marrow_status check_text(const char* text, const char* parameter) {
  if (text == nullptr || is_utf8(text)) return MARROW_OK;
  return fail(MARROW_ERROR_INVALID_ARGUMENT, "the text is not UTF-8", parameter);
}

// A mask with a value for each joint; none if it is null.
inline marrow_status check_mask(const float* mask, std::uint64_t count, std::uint64_t joint_count) {
  if (mask == nullptr && count == 0) return MARROW_OK;
  MARROW_FFI_TRY(check_array(mask, count, joint_count, "mask"));
  if (count > joint_count) return fail(MARROW_ERROR_SIZE_MISMATCH, "there are more values than joints", "mask");
  for (std::uint64_t i = 0; i < count; ++i) MARROW_FFI_TRY(check_share(mask[i], "mask"));
  return MARROW_OK;
}

// ---- Plain data ------------------------------------------------------------------------------------------------

static_assert(sizeof(marrow_transform) == sizeof(Transform) && sizeof(marrow_affine) == sizeof(Affine));

// Copies the bits of one plain type to another of the same layout.
template <typename To, typename From>
To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(static_cast<void*>(&to), &from, sizeof to);
  return to;
}

// ---- Copying out -----------------------------------------------------------------------------------------------

// Whether a result is written: a caller that passes no buffer asks for the size alone.
struct Output {
  marrow_status status;
  bool write;  // there is a buffer, and it is large enough
};

inline marrow_status short_buffer() {
  return fail(MARROW_ERROR_SHORT_BUFFER, "the buffer is too small; `count` has the size that it needs", "capacity");
}

inline Output check_output(std::uint64_t size, const void* out, std::uint64_t capacity, std::uint64_t* count) {
  if (out == nullptr && (capacity > 0 || count == nullptr)) return {null_pointer("out"), false};
  if (count != nullptr) *count = size;
  if (out == nullptr) return {MARROW_OK, false};
  if (capacity >= size) return {MARROW_OK, true};
  return {short_buffer(), false};
}

template <typename T, typename Out>
marrow_status copy_out(std::span<const T> values, Out* out, std::uint64_t capacity, std::uint64_t* count) {
  constexpr std::size_t kOuts = sizeof(T) / sizeof(Out);  // a vector of floats is some floats
  static_assert(kOuts * sizeof(Out) == sizeof(T));
  const Output output = check_output(values.size() * kOuts, out, capacity, count);
  if (output.write && !values.empty()) std::memcpy(static_cast<void*>(out), values.data(), values.size_bytes());
  return output.status;
}

// With a zero at the end.
inline marrow_status copy_text_out(std::string_view text, char* out, std::uint64_t capacity, std::uint64_t* count) {
  const Output output = check_output(text.size() + 1, out, capacity, count);
  if (!output.write) return output.status;
  if (!text.empty()) std::memcpy(out, text.data(), text.size());
  out[text.size()] = 0;
  return MARROW_OK;
}

// ---- Structs that may grow -------------------------------------------------------------------------------------

inline constexpr std::uint32_t kLargestStruct = 4096;

// Where the struct of the first header of this ABI version ended: behind which member. These lines stay as they are
// when a struct grows, so that programs that know less of it can go on.
template <typename T>
inline constexpr std::size_t kFirstSize = 0;
#define MARROW_FFI_FIRST_SIZE(type, last) \
  template <>                             \
  inline constexpr std::size_t kFirstSize<type> = offsetof(type, last) + sizeof(type::last)
MARROW_FFI_FIRST_SIZE(marrow_load_options, memory_limit);
MARROW_FFI_FIRST_SIZE(marrow_model_info, warning_count);
MARROW_FFI_FIRST_SIZE(marrow_node_info, rest);
MARROW_FFI_FIRST_SIZE(marrow_part_info, material);
MARROW_FFI_FIRST_SIZE(marrow_material_info, alpha_cutoff);
MARROW_FFI_FIRST_SIZE(marrow_skin_job, out_tangents);
MARROW_FFI_FIRST_SIZE(marrow_instance_options, parent);
MARROW_FFI_FIRST_SIZE(marrow_pose_stage, context);
MARROW_FFI_FIRST_SIZE(marrow_play_options, reserved);
MARROW_FFI_FIRST_SIZE(marrow_fade_options, reserved);
MARROW_FFI_FIRST_SIZE(marrow_layer_options, mask_count);
MARROW_FFI_FIRST_SIZE(marrow_root_motion_options, up);
MARROW_FFI_FIRST_SIZE(marrow_action_info, fade_remaining);
MARROW_FFI_FIRST_SIZE(marrow_host_options, log_context);

// Reads the size of a struct of the caller's, which may be older or newer than that of the library.
template <typename T>
marrow_status read_struct_size(const T* in, const char* parameter, std::uint32_t& size) {
  static_assert(kFirstSize<T> > sizeof size && kFirstSize<T> <= sizeof(T) && offsetof(T, struct_size) == 0);
  std::memcpy(&size, in, sizeof size);
  if (size >= kFirstSize<T> && size <= kLargestStruct && size % sizeof size == 0) return MARROW_OK;
  return fail(MARROW_ERROR_INVALID_ARGUMENT, "struct_size is not the size of the struct", parameter);
}

// Reads options over the defaults, which stay for what an older program does not have. What a newer one has more must
// be zero, which asks for nothing.
template <typename T>
marrow_status read_options(const T* in, T& out, const char* parameter) {
  if (in == nullptr) return MARROW_OK;
  std::uint32_t size = 0;
  MARROW_FFI_TRY(read_struct_size(in, parameter, size));
  const auto* const bytes = reinterpret_cast<const unsigned char*>(in);
  const std::size_t known = std::min<std::size_t>(size, sizeof(T));
  if (std::any_of(bytes + known, bytes + size, [](unsigned char byte) { return byte != 0; })) {
    return fail(MARROW_ERROR_UNSUPPORTED, "the options ask for what this version of the library does not know",
                parameter);
  }
  std::memcpy(&out, in, known);
  return MARROW_OK;
}

// Checks a struct that is to be filled in.
template <typename T>
marrow_status check_info(const T* info) {
  if (info == nullptr) return null_pointer("info");
  std::uint32_t size = 0;
  return read_struct_size(info, "info", size);
}

// Fills in a struct that was checked, as much of it as there is. What a newer program has more becomes zero.
template <typename T>
void write_info(T* info, T value) {
  std::uint32_t size = 0;
  std::memcpy(&size, info, sizeof size);
  value.struct_size = size;
  const std::size_t known = std::min<std::size_t>(size, sizeof value);
  std::memcpy(info, &value, known);
  std::memset(reinterpret_cast<unsigned char*>(info) + known, 0, size - known);
}

}  // namespace marrow::ffi
