// Machine: a WASM module in the interpreter of wabt, with what it remembers laid open.
//
// wabt's headers are C++17 and no C++20. So this header is too, and machine.cpp and module.cpp are the only files that
// see the interpreter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "marrow/core/result.h"

namespace marrow::console {

// A function that modules can import from "env".
struct HostSignature {
  const char* name;
  std::string_view params;  // a letter for each: i for i32, f for f32
  bool returns;             // an i32
};

struct HostCall {
  std::size_t function;         // which of the signatures
  const std::uint32_t* params;  // the bits of each
  const std::byte* memory;      // the guest's, as it is now
  std::size_t memory_size;
};

// What a module can import. All of it outlives the machine.
struct HostFunctions {
  const HostSignature* signatures = nullptr;
  std::size_t count = 0;
  std::uint32_t (*call)(void* user, const HostCall& call) = nullptr;
  void* user = nullptr;
};

// What can be called of a module; each may be missing, but one of the last two is there.
enum class Entry : std::uint8_t { start, init, update, render };
[[nodiscard]] const char* name_of(Entry entry);

// A global variable's bits; the first half alone, but for vectors of 128 bits.
using GlobalBits = std::array<std::uint64_t, 2>;

class Machine {
 public:
  // Reads a module, sees that all is well with it and makes an instance; nothing of it runs yet. Its memory cannot grow
  // beyond `max_pages` of 64 KiB.
  [[nodiscard]] static Result<Machine> load(const std::byte* bytes, std::size_t size, const HostFunctions& functions,
                                            std::uint32_t max_pages);
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;
  ~Machine();

  // Fails with the interpreter's message if it traps; the place is the entry's name. What is missing is left out.
  [[nodiscard]] Result<void> call(Entry entry);

  // Valid until the next call.
  [[nodiscard]] const std::byte* memory() const;
  [[nodiscard]] std::size_t memory_size() const;

  // The globals that can change, exported or not.
  [[nodiscard]] std::size_t global_count() const;
  [[nodiscard]] GlobalBits global(std::size_t index) const;

  // Brings back a memory, and as many globals as there are, of a machine of the same module.
  void restore(const std::byte* memory, std::size_t memory_size, const GlobalBits* globals);

 private:
  struct Impl;
  explicit Machine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace marrow::console
