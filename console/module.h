// Reads a module and sees that it is one that the console can run. For machine.cpp alone: it shows the interpreter.
#pragma once

#include <wabt/interp/interp.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "machine.h"

namespace marrow::console {

inline constexpr std::size_t kMaxParams = 8;  // of a function that can be imported

using EntryPoints = std::array<std::optional<std::uint32_t>, 4>;  // functions of the module, by Entry

struct GuestModule {
  wabt::interp::ModuleDesc desc;  // without its start function
  EntryPoints entries;
};

// Fails with what is wrong first.
[[nodiscard]] Result<GuestModule> read_module(const std::byte* bytes, std::size_t size, const HostFunctions& functions,
                                              std::uint32_t max_pages);

// Returns which function has a name; `count` if none has.
[[nodiscard]] std::size_t find_function(const HostFunctions& functions, std::string_view name);

[[nodiscard]] wabt::interp::FuncType type_of(const HostSignature& signature);

}  // namespace marrow::console
