#include "module.h"

#include <wabt/binary-reader.h>
#include <wabt/interp/binary-reader-interp.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace marrow::console {
namespace {

using wabt::ExternalKind;
using wabt::Opcode;
using wabt::interp::FuncType;
using wabt::interp::ImportDesc;
using wabt::interp::ModuleDesc;
using wabt::interp::ValueTypes;

// Limits that no compiled game reaches, and that fit into memory.
constexpr std::uint64_t kMaxTableElements = 1 << 20;
constexpr std::uint64_t kMaxLocals = 10'000;
constexpr std::uint64_t kMaxResults = 16;

Error wrong(const std::string& sentence, Place place = {}) {
  return Error{ErrorCode::malformed, sentence, std::move(place)};
}

Error too_many(const std::string& what, std::uint64_t count, std::uint64_t limit) {
  return Error{ErrorCode::limit_exceeded,
               what + " " + std::to_string(count) + ", and " + std::to_string(limit) + " is the most",
               {}};
}

// "(i32, f32) -> i32".
std::string to_text(const FuncType& type) {
  const auto list = [](const ValueTypes& types) {
    std::string text;
    for (const wabt::Type value : types) text += (text.empty() ? "" : ", ") + value.GetName();
    return text;
  };
  std::string text = "(" + list(type.params) + ")";
  if (type.results.empty()) return text;
  return text + " -> " + list(type.results);
}

Result<ModuleDesc> read(const std::byte* bytes, std::size_t size) {
  static constexpr char kMagic[] = {'\0', 'a', 's', 'm'};
  if (size < sizeof kMagic || std::memcmp(bytes, kMagic, sizeof kMagic) != 0) {
    return wrong("this is not a WASM file");
  }
  wabt::ReadBinaryOptions options;
  options.fail_on_custom_section_error = false;
  wabt::Errors errors;
  ModuleDesc desc;
  const wabt::Result read = wabt::interp::ReadBinaryInterp("", bytes, size, options, &errors, &desc);
  if (wabt::Succeeded(read)) return desc;
  if (errors.empty()) return wrong("the module is not valid");
  return wrong("the module is not valid: " + errors[0].message, Place::numbered("byte", errors[0].loc.offset));
}

Result<void> check_imports(const ModuleDesc& desc, const HostFunctions& functions) {
  for (const ImportDesc& wanted : desc.imports) {
    const auto place = [&] { return Place(wanted.type.module + "." + wanted.type.name); };
    if (wanted.type.type->kind != ExternalKind::Func) {
      return wrong(std::string("the guest imports a ") + wabt::interp::GetName(wanted.type.type->kind) +
                       ", and there are only functions",
                   place());
    }
    const std::size_t function = find_function(functions, wanted.type.name);
    if (wanted.type.module != "env" || function == functions.count) {
      return wrong("the guest imports a function that does not exist", place());
    }
    const FuncType& type = *wabt::cast<FuncType>(wanted.type.type.get());
    const FuncType actual = type_of(functions.signatures[function]);
    if (type.params == actual.params && type.results == actual.results) continue;
    return wrong("the guest imports it as " + to_text(type) + ", and it is " + to_text(actual), place());
  }
  return {};
}

Result<void> find_exports(const ModuleDesc& desc, EntryPoints& out) {
  bool has_memory = false;
  for (const auto& [type, index] : desc.exports) {
    has_memory = has_memory || (type.name == "memory" && type.type->kind == ExternalKind::Memory);
    for (const Entry entry : {Entry::init, Entry::update, Entry::render}) {
      if (type.name != name_of(entry)) continue;
      if (type.type->kind != ExternalKind::Func) return wrong("it is exported, and is no function", Place(type.name));
      const FuncType& signature = *wabt::cast<FuncType>(type.type.get());
      if (!signature.params.empty() || !signature.results.empty()) {
        return wrong("it is exported as " + to_text(signature) + ", and must take and return nothing",
                     Place(type.name));
      }
      out[static_cast<std::size_t>(entry)] = index;
    }
  }
  if (!has_memory) return wrong("the guest exports no memory");
  if (!out[static_cast<std::size_t>(Entry::update)] && !out[static_cast<std::size_t>(Entry::render)]) {
    return wrong("the guest exports neither update nor render");
  }
  return {};
}

Result<void> check_sizes(ModuleDesc& desc, std::uint32_t max_pages) {
  for (auto& memory : desc.memories) {
    wabt::Limits& limits = memory.type.limits;
    if (limits.initial > max_pages) return too_many("the pages of the memory are", limits.initial, max_pages);
    limits.max = std::min<std::uint64_t>(limits.max, max_pages);
    limits.has_max = true;
  }
  std::uint64_t elements = 0;
  for (const auto& table : desc.tables) elements += table.type.limits.initial;
  if (elements > kMaxTableElements) return too_many("the elements of the tables are", elements, kMaxTableElements);
  for (const auto& type : desc.func_types) {
    if (type.results.size() > kMaxResults) {
      return too_many("the results of a function are", type.results.size(), kMaxResults);
    }
  }
  for (const auto& function : desc.funcs) {
    const std::uint64_t locals = function.locals.empty() ? 0 : function.locals.back().end;
    if (locals > kMaxLocals) return too_many("the locals of a function are", locals, kMaxLocals);
  }
  return {};
}

// Tables, segments and references are no part of a snapshot, so a guest may not keep anything in them.
Result<void> check_state(const ModuleDesc& desc) {
  for (const auto& global : desc.globals) {
    if (!global.type.type.IsRef() || global.type.mut == wabt::interp::Mutability::Const) continue;
    return Error{ErrorCode::unsupported, "the guest keeps a reference in a global, which could not be undone", {}};
  }
  for (wabt::interp::Istream::Offset at = 0; at < desc.istream.end();) {
    const Opcode op = desc.istream.Read(&at).op;
    switch (static_cast<Opcode::Enum>(op)) {
      case Opcode::DataDrop:
      case Opcode::ElemDrop:
      case Opcode::TableCopy:
      case Opcode::TableFill:
      case Opcode::TableGrow:
      case Opcode::TableInit:
      case Opcode::TableSet:
        return Error{
            ErrorCode::unsupported, std::string("the guest uses ") + op.GetName() + ", which could not be undone", {}};
      default: break;
    }
  }
  return {};
}

}  // namespace

Result<GuestModule> read_module(const std::byte* bytes, std::size_t size, const HostFunctions& functions,
                                std::uint32_t max_pages) {
  Result<ModuleDesc> desc = read(bytes, size);
  if (!desc) return desc.error();
  GuestModule module{std::move(*desc), {}};
  if (const Result<void> checked = check_imports(module.desc, functions); !checked) return checked.error();
  if (const Result<void> checked = find_exports(module.desc, module.entries); !checked) return checked.error();
  if (const Result<void> checked = check_sizes(module.desc, max_pages); !checked) return checked.error();
  if (const Result<void> checked = check_state(module.desc); !checked) return checked.error();
  if (!module.desc.starts.empty()) {
    module.entries[static_cast<std::size_t>(Entry::start)] = module.desc.starts[0].func_index;
  }
  module.desc.starts.clear();  // or it would run again whenever an instance is made
  return module;
}

std::size_t find_function(const HostFunctions& functions, std::string_view name) {
  const HostSignature* const end = functions.signatures + functions.count;
  const auto named = [name](const HostSignature& signature) { return signature.name == name; };
  return static_cast<std::size_t>(std::find_if(functions.signatures, end, named) - functions.signatures);
}

FuncType type_of(const HostSignature& signature) {
  MARROW_ASSERT(signature.params.size() <= kMaxParams, "a function has too many parameters");
  ValueTypes params, results;
  for (const char letter : signature.params) params.push_back(letter == 'f' ? wabt::Type::F32 : wabt::Type::I32);
  if (signature.returns) results.push_back(wabt::Type::I32);
  return FuncType(params, results);
}

}  // namespace marrow::console
