// Arguments for calls of the C ABI, made of the bytes of an input.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "marrow/marrow.h"

namespace marrow::fuzz {

// A buffer of the size that it is said to have, so that a sanitizer sees what is written beyond.
template <typename T>
struct Buffer {
  T* data = nullptr;
  std::uint64_t size = 0;
};

class CallSource {
 public:
  CallSource(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }

  std::uint8_t byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  std::uint64_t word() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | byte();
    return value;
  }

  // Mostly a handle of a kind that was given out, alive or not; any other, or a number, else.
  std::uint64_t handle(unsigned kind) {
    const std::uint8_t choice = byte();
    if (choice == 255) return word();
    if (choice == 254) return 0;
    if (choice >= 240) kind = choice % 8 + 1;
    const std::vector<std::uint64_t>& list = handles_[kind];
    if (list.empty()) return 0;
    const std::uint64_t value = list[choice % list.size()];
    return choice < 230 ? value : value ^ std::uint64_t{1} << byte() % 64;
  }

  std::uint32_t small() {
    const std::uint8_t choice = byte();
    if (choice < 128) return choice % 4;
    if (choice < 250) return choice - 128u;
    return static_cast<std::uint32_t>(word());
  }

  double number() {
    constexpr double kNumbers[] = {0, 1.0 / 60, 0.25, 1, -1, 0.5, 2, 1e9, -1e9, 1e300, -1e300, 1e-320, 1e18};
    const std::uint8_t choice = byte();
    if (choice < 200) return kNumbers[choice % std::size(kNumbers)];
    if (choice < 240) return static_cast<double>(choice) / 255;
    return __builtin_bit_cast(double, word());
  }
  float number_f() {
    const std::uint8_t choice = byte();
    if (choice < 128) return static_cast<float>(choice) / 64;
    constexpr float kNumbers[] = {0, 1, -1, 1e18f, -1e18f, 3e38f, 1e-40f, 0.5f};
    if (choice < 240) return kNumbers[choice % std::size(kNumbers)];
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(word()));
  }

  const char* text() {
    constexpr const char* kTexts[] = {"hand_R", "hand_L", "walk", "run", "hips", "", "child", nullptr};
    const std::uint8_t choice = byte();
    if (choice < 240) return kTexts[choice % std::size(kTexts)];
    std::string own;
    for (int n = byte() % 16; n > 0; --n) own.push_back(static_cast<char>(byte()));
    texts_.push_back(std::make_unique<std::string>(std::move(own)));
    return texts_.back()->c_str();
  }

  template <typename T>
  Buffer<T> buffer(bool full = false) {
    constexpr std::uint64_t kSizes[] = {0, 1, 3, 16, 65, 67, 128, 4096};
    const std::uint8_t choice = byte();
    if (!full && choice >= 248) return {nullptr, choice % 3u};
    const std::uint64_t size = kSizes[full ? 4 + choice % 4 : choice % 8];
    memory_.push_back(std::make_unique<std::byte[]>(size * sizeof(T)));
    return {reinterpret_cast<T*>(memory_.back().get()), size};
  }
  template <typename T>
  T* one() {
    if (byte() == 255) return nullptr;
    memory_.push_back(std::make_unique<std::byte[]>(sizeof(T)));
    return reinterpret_cast<T*>(memory_.back().get());
  }
  template <typename T>
  T* info() {
    T* const out = one<T>();
    if (out != nullptr) out->struct_size = byte() >= 250 ? small() % sizeof(T) : sizeof(T);
    return out;
  }
  std::uint64_t* count() { return one<std::uint64_t>(); }

  marrow_transform transform() {
    marrow_transform t = MARROW_TRANSFORM_IDENTITY;
    if (byte() >= 128) t.translation[byte() % 3] = number_f();
    if (byte() >= 128) t.rotation[byte() % 4] = number_f();
    if (byte() >= 128) t.scale[byte() % 3] = number_f();
    return t;
  }
  marrow_transform* transform_or_null() {
    marrow_transform* const out = one<marrow_transform>();
    if (out != nullptr) *out = transform();
    return out;
  }
  marrow_pose* pose() {
    marrow_pose* const out = one<marrow_pose>();
    if (out == nullptr) return out;
    const Buffer<marrow_transform> transforms = buffer<marrow_transform>(byte() < 240);
    const Buffer<float> morphs = buffer<float>();
    const Buffer<std::uint8_t> present = buffer<std::uint8_t>();
    const marrow_transform t = transform();
    for (std::uint64_t i = 0; i < transforms.size && transforms.data != nullptr; ++i) transforms.data[i] = t;
    for (std::uint64_t i = 0; i < present.size && present.data != nullptr; ++i) present.data[i] = byte();
    *out = {transforms.data, transforms.size, morphs.data, morphs.size, present.data, present.size};
    return out;
  }
  Buffer<float> mask() {
    const Buffer<float> out = buffer<float>();
    const float value = number_f();
    for (std::uint64_t i = 0; i < out.size && out.data != nullptr; ++i) out.data[i] = value;
    return out;
  }

  // Memory for a handle that a call may return. A handle that is returned joins the others.
  std::uint64_t* given(unsigned kind) {
    given_ = 0;
    given_kind_ = kind;
    return byte() == 255 ? nullptr : &given_;
  }
  void collect() {
    if (given_ != 0) add(given_kind_, given_);
    given_ = 0;
  }
  void add(unsigned kind, std::uint64_t handle) { handles_[kind].push_back(handle); }
  [[nodiscard]] const std::vector<std::uint64_t>& handles(unsigned kind) const { return handles_[kind]; }

  // What is left of the input.
  [[nodiscard]] const std::uint8_t* rest() const { return data_; }
  [[nodiscard]] std::size_t rest_size() const { return size_; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::vector<std::uint64_t> handles_[9];
  std::vector<std::unique_ptr<std::byte[]>> memory_;
  std::vector<std::unique_ptr<std::string>> texts_;
  std::uint64_t given_ = 0;
  unsigned given_kind_ = 0;
};

}  // namespace marrow::fuzz
