// Calls of the C ABI as data: a function, good arguments for it, and what each of them is, so that a test can spoil one
// after another.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "marrow/marrow.h"

namespace marrow::test {

enum class Role : std::uint8_t {
  plain,            // any value will do
  handle,           // must be alive, and of its kind
  optional_handle,  // the same, or 0
  pointer,          // must not be null
  optional_pointer,
  options,   // null, or a struct with its size
  info,      // a struct with its size, to be filled in
  out,       // a buffer, its capacity and its count follow
  capacity,  // as much as is needed
  length,    // of a pointer before it: as much as is needed
  index,     // less than some number
  choice,    // one of a few
  number,    // finite
  edit,      // that of the stage which the call is made in
};

struct Argument {
  Role role = Role::plain;
  std::uint64_t value = 0;
  double number = 0;
  void* pointer = nullptr;
  std::size_t size = 0;                // of the struct
  std::vector<std::uint64_t> foreign;  // handles of its kind that are alive, and not allowed here
};

struct Call {
  std::string name;
  std::vector<Argument> arguments;
  std::function<marrow_status(const std::vector<Argument>&)> run;
};

template <typename T>
T as(const Argument& argument) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(argument.pointer);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(argument.number);
  } else {
    return static_cast<T>(argument.value);
  }
}

template <typename... Parameters, std::size_t... I>
marrow_status apply(marrow_status (*function)(Parameters...) noexcept, const std::vector<Argument>& arguments,
                    std::index_sequence<I...>) {
  return function(as<Parameters>(arguments[I])...);
}

template <typename... Parameters>
Call make_call(const char* name, marrow_status (*function)(Parameters...) noexcept,
               const std::array<Argument, sizeof...(Parameters)>& arguments) {
  return {name, std::vector<Argument>(arguments.begin(), arguments.end()),
          [function](const std::vector<Argument>& given) {
            return apply(function, given, std::index_sequence_for<Parameters...>());
          }};
}

inline Argument plain(std::uint64_t value) { return {Role::plain, value, 0, nullptr, 0, {}}; }
inline Argument handle(std::uint64_t value, std::vector<std::uint64_t> foreign = {}) {
  return {Role::handle, value, 0, nullptr, 0, std::move(foreign)};
}
inline Argument optional_handle(std::uint64_t value, std::vector<std::uint64_t> foreign = {}) {
  return {Role::optional_handle, value, 0, nullptr, 0, std::move(foreign)};
}
inline Argument pointer(const void* p) { return {Role::pointer, 0, 0, const_cast<void*>(p), 0, {}}; }
inline Argument optional_pointer(const void* p) { return {Role::optional_pointer, 0, 0, const_cast<void*>(p), 0, {}}; }
template <typename T>
Argument options(const T* p) {
  return {Role::options, 0, 0, const_cast<T*>(p), sizeof(T), {}};
}
template <typename T>
Argument info(T* p) {
  return {Role::info, 0, 0, p, sizeof(T), {}};
}
inline Argument out(void* p) { return {Role::out, 0, 0, p, 0, {}}; }
inline Argument capacity(std::uint64_t value) { return {Role::capacity, value, 0, nullptr, 0, {}}; }
inline Argument length(std::uint64_t value) { return {Role::length, value, 0, nullptr, 0, {}}; }
inline Argument index(std::uint64_t value) { return {Role::index, value, 0, nullptr, 0, {}}; }
inline Argument choice(std::uint64_t value) { return {Role::choice, value, 0, nullptr, 0, {}}; }
inline Argument number(double value) { return {Role::number, 0, value, nullptr, 0, {}}; }

// Stands for the edit of the stage that the call is made in.
inline std::byte this_edit{};
inline Argument edit() { return {Role::edit, 0, 0, &this_edit, 0, {}}; }

// A call that `in_stage` makes in a stage: in_stage(body) returns the status of body(edit).
template <typename InStage, typename... Parameters>
Call make_edit_call(const InStage& in_stage, const char* name, marrow_status (*function)(Parameters...) noexcept,
                    const std::array<Argument, sizeof...(Parameters)>& arguments) {
  Call call = make_call(name, function, arguments);
  call.run = [in_stage, run = call.run](const std::vector<Argument>& given) {
    return in_stage([&](marrow_pose_edit* edit) {
      std::vector<Argument> own = given;
      for (Argument& each : own) {
        if (each.pointer == &this_edit) each.pointer = edit;
      }
      return run(own);
    });
  };
  return call;
}

}  // namespace marrow::test
