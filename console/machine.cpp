#include "machine.h"

#include <wabt/interp/interp.h>

#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "module.h"

namespace marrow::console {

using wabt::interp::Func;
using wabt::interp::Global;
using wabt::interp::HostFunc;
using wabt::interp::Instance;
using wabt::interp::Memory;
using wabt::interp::Module;
using wabt::interp::Ref;
using wabt::interp::Store;
using wabt::interp::Thread;
using wabt::interp::Trap;
using wabt::interp::Value;
using wabt::interp::Values;

namespace {

// Floats are read as whole numbers: as floats they may lose the bits of a NaN.
GlobalBits bits_of(const Global& global) {
  const Value value = global.Get();
  switch (global.type().type) {
    case wabt::Type::I32:
    case wabt::Type::F32: return {value.Get<std::uint32_t>(), 0};
    case wabt::Type::I64:
    case wabt::Type::F64: return {value.Get<std::uint64_t>(), 0};
    default: const v128 vector = value.Get<v128>(); return {vector.u64(0), vector.u64(1)};
  }
}

Value value_of(wabt::Type type, const GlobalBits& bits) {
  switch (type) {
    case wabt::Type::I32:
    case wabt::Type::F32: return Value::Make(static_cast<std::uint32_t>(bits[0]));
    case wabt::Type::I64:
    case wabt::Type::F64: return Value::Make(bits[0]);
    default:
      v128 vector;
      vector.set_u64(0, bits[0]);
      vector.set_u64(1, bits[1]);
      return Value::Make(vector);
  }
}

}  // namespace

struct Machine::Impl {
  Result<void> instantiate();
  void discard_instance();
  HostFunc::Ptr make_function(std::size_t function);

  HostFunctions functions;
  Store store;  // outlives the pointers into it
  Module::Ptr module;
  EntryPoints entries;
  std::vector<HostFunc::Ptr> links;  // for each import of the module
  Instance::Ptr instance;
  Memory::Ptr memory;
  std::vector<Global::Ptr> globals;  // those that can change
};

HostFunc::Ptr Machine::Impl::make_function(std::size_t function) {
  const auto call = [this, function](Thread& thread, const Values& params, Values& results, Trap::Ptr* trap) {
    std::array<std::uint32_t, kMaxParams> bits{};
    for (std::size_t i = 0; i < params.size(); ++i) bits[i] = params[i].Get<std::uint32_t>();
    const auto* const bytes = reinterpret_cast<const std::byte*>(memory->UnsafeData());
    // The interpreter is compiled without exceptions: none may pass through it.
    try {
      const std::uint32_t result =
          functions.call(functions.user, {function, bits.data(), bytes, static_cast<std::size_t>(memory->ByteSize())});
      if (functions.signatures[function].returns) results[0] = Value::Make(result);
      return wabt::Result(wabt::Result::Ok);
    } catch (const std::exception& problem) {
      *trap = Trap::New(thread.store(), std::string(functions.signatures[function].name) + ": " + problem.what());
      return wabt::Result(wabt::Result::Error);
    }
  };
  return HostFunc::New(store, type_of(functions.signatures[function]), call);
}

// Makes an instance as the module has it.
Result<void> Machine::Impl::instantiate() {
  wabt::interp::RefVec imports;
  for (const HostFunc::Ptr& link : links) imports.push_back(link.ref());
  Trap::Ptr trap;
  instance = Instance::Instantiate(store, module.ref(), imports, &trap);
  if (trap) return Error{ErrorCode::malformed, "the guest cannot be loaded: " + trap->message(), {}};
  memory = store.UnsafeGet<Memory>(instance->memories().front());
  for (const Ref ref : instance->globals()) {
    Global::Ptr global = store.UnsafeGet<Global>(ref);
    if (global->type().mut == wabt::interp::Mutability::Var) globals.push_back(std::move(global));
  }
  return {};
}

void Machine::Impl::discard_instance() {
  globals.clear();
  memory.reset();
  instance.reset();
  store.Collect();
}

const char* name_of(Entry entry) {
  switch (entry) {
    case Entry::start: return "start";
    case Entry::init: return "init";
    case Entry::update: return "update";
    default: return "render";
  }
}

Machine::Machine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;
Machine::~Machine() = default;

Result<Machine> Machine::load(const std::byte* bytes, std::size_t size, const HostFunctions& functions,
                              std::uint32_t max_pages) {
  Result<GuestModule> read = read_module(bytes, size, functions, max_pages);
  if (!read) return read.error();
  auto impl = std::make_unique<Impl>();
  impl->functions = functions;
  impl->entries = read->entries;
  for (const auto& wanted : read->desc.imports) {
    impl->links.push_back(impl->make_function(find_function(functions, wanted.type.name)));
  }
  impl->module = Module::New(impl->store, std::move(read->desc));
  if (const Result<void> made = impl->instantiate(); !made) return made.error();
  return Machine(std::move(impl));
}

Result<void> Machine::call(Entry entry) {
  const std::optional<std::uint32_t> function = impl_->entries[static_cast<std::size_t>(entry)];
  if (!function) return {};
  const Func::Ptr callee = impl_->store.UnsafeGet<Func>(impl_->instance->funcs()[*function]);
  Values results;
  Trap::Ptr trap;
  try {
    if (wabt::Succeeded(callee->Call(impl_->store, {}, results, &trap))) return {};
  } catch (const std::bad_alloc&) {  // for the stack of the guest
    return Error{ErrorCode::limit_exceeded, "there is not enough memory", name_of(entry)};
  }
  Error error{ErrorCode::not_allowed, trap ? trap->message() : "it failed", name_of(entry)};
  trap.reset();
  impl_->store.Collect();
  return error;
}

const std::byte* Machine::memory() const { return reinterpret_cast<const std::byte*>(impl_->memory->UnsafeData()); }
std::size_t Machine::memory_size() const { return static_cast<std::size_t>(impl_->memory->ByteSize()); }
std::size_t Machine::global_count() const { return impl_->globals.size(); }
GlobalBits Machine::global(std::size_t index) const { return bits_of(*impl_->globals[index]); }

void Machine::restore(const std::byte* memory, std::size_t memory_size, const GlobalBits* globals) {
  // A memory only ever grows. One that was smaller is made again.
  if (impl_->memory->ByteSize() > memory_size) {
    impl_->discard_instance();
    const Result<void> made = impl_->instantiate();
    MARROW_ASSERT(made.ok(), "a module that could be instantiated once can be again");
  }
  if (impl_->memory->ByteSize() < memory_size) {
    constexpr std::size_t kPage = 65536;
    const wabt::Result grown = impl_->memory->Grow((memory_size - impl_->memory->ByteSize()) / kPage);
    MARROW_ASSERT(wabt::Succeeded(grown), "this memory is larger than that of the module may be");
  }
  if (memory_size > 0) std::memcpy(impl_->memory->UnsafeData(), memory, memory_size);
  for (std::size_t i = 0; i < impl_->globals.size(); ++i) {
    Global& global = *impl_->globals[i];
    global.UnsafeSet(value_of(global.type().type, globals[i]));
  }
}

}  // namespace marrow::console
