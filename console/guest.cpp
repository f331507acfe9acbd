#include "guest.h"

#include <string>
#include <utility>

#include "machine.h"
#include "marrow/core/assert.h"
#include "watchdog.h"

namespace marrow::console {

struct Guest::Impl {
  Result<void> call(Entry entry);

  std::unique_ptr<ImportContext> context;  // stays where it is, for the machine
  Machine machine;
  Watchdog* watchdog;
};

Result<void> Guest::Impl::call(Entry entry) {
  if (watchdog == nullptr) return machine.call(entry);
  watchdog->start(name_of(entry));
  Result<void> done = machine.call(entry);
  watchdog->stop();
  return done;
}

Guest::Guest(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Guest::Guest(Guest&&) noexcept = default;
Guest& Guest::operator=(Guest&&) noexcept = default;
Guest::~Guest() = default;

Error in_frame(const Error& error, std::uint64_t frame) {
  return {error.code, error.message, error.place.within(Place::numbered("frame", frame))};
}

Result<Guest> Guest::load(std::span<const std::byte> module, const GuestSetup& setup) {
  auto context = std::make_unique<ImportContext>(setup.host, setup.timed);
  if (setup.watchdog != nullptr) setup.watchdog->start("load");
  Result<Machine> machine = Machine::load(module.data(), module.size(), imports_for(*context), setup.max_pages);
  if (setup.watchdog != nullptr) setup.watchdog->stop();
  if (!machine) return machine.error();
  Guest guest(std::make_unique<Impl>(Impl{std::move(context), std::move(*machine), setup.watchdog}));
  for (const Entry entry : {Entry::start, Entry::init}) {
    if (const Result<void> called = guest.impl_->call(entry); !called) return called.error();
  }
  return guest;
}

Result<void> Guest::frame(const Inputs& inputs) {
  impl_->context->inputs = inputs;
  impl_->context->host.begin_frame();
  if (Result<void> called = impl_->call(Entry::update); !called) return called;
  return impl_->call(Entry::render);
}

void Guest::save(GuestSnapshot& out) const {
  const std::span<const std::byte> bytes = memory();
  out.memory.assign(bytes.begin(), bytes.end());
  out.globals.resize(impl_->machine.global_count());
  for (std::size_t i = 0; i < out.globals.size(); ++i) out.globals[i] = impl_->machine.global(i);
  impl_->context->host.save(out.host);
}

void Guest::restore(const GuestSnapshot& snapshot) {
  MARROW_ASSERT(snapshot.globals.size() == impl_->machine.global_count(), "a snapshot is of the same module");
  impl_->machine.restore(snapshot.memory.data(), snapshot.memory.size(), snapshot.globals.data());
  impl_->context->host.restore(snapshot.host);
}

const GuestHost& Guest::host() const { return impl_->context->host; }
std::span<const std::byte> Guest::memory() const { return {impl_->machine.memory(), impl_->machine.memory_size()}; }
std::span<const CallTime> Guest::call_times() const { return impl_->context->times; }

}  // namespace marrow::console
