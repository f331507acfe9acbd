// Guest: a game compiled to WASM, run by an interpreter in a sandbox of its own.
//
//   Result<Guest> guest = Guest::load(bytes, {});     // and its init()
//   ...
//   Result<void> done = guest->frame({kRight, 0});    // update() and render(), with what the players press
//   guest->host().draws();                            // what it drew
//
// The module exports its memory and any of init, update and render, and imports the functions of imports.cpp. Nothing
// in it is trusted: a module that is not as it should be is refused by name, and what goes wrong while it runs is an
// error, not the end of the program.
//
// All that a guest can remember is in its memory, its globals and the host. `save` copies that out and `restore` brings
// it back to the bit. So that this is true, a module that changes tables or drops segments is refused.
//
// One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "imports.h"
#include "inputs.h"
#include "marrow/core/result.h"
#include "marrow/guest/guest_host.h"
#include "snapshot.h"

namespace marrow::console {

class Watchdog;

struct GuestSetup {
  GuestOptions host;
  std::uint32_t max_pages = 1024;  // of 64 KiB, that the memory may grow to
  bool timed = false;              // keep CallTimes
  Watchdog* watchdog = nullptr;    // told of each call into the guest
};

// Returns the error of a frame with the frame's number.
[[nodiscard]] Error in_frame(const Error& error, std::uint64_t frame);

class Guest {
 public:
  // Reads a module, links it, and calls its init. Fails with what is wrong with the module, or with what init did.
  [[nodiscard]] static Result<Guest> load(std::span<const std::byte> module, const GuestSetup& setup = {});
  Guest(Guest&&) noexcept;
  Guest& operator=(Guest&&) noexcept;
  ~Guest();

  // Runs one frame: forgets the draws of the last, then calls update and render. Fails if one of them traps; its
  // error's place is which. The guest is then somewhere within the frame: it may be restored.
  [[nodiscard]] Result<void> frame(const Inputs& inputs);

  // Copies the state out. Memory of `out` is used again.
  void save(GuestSnapshot& out) const;

  // Brings back a state of this guest, or of another one of the same module and setup.
  void restore(const GuestSnapshot& snapshot);

  [[nodiscard]] const GuestHost& host() const;
  [[nodiscard]] std::span<const std::byte> memory() const;
  [[nodiscard]] std::span<const CallTime> call_times() const;  // of every import; empty unless timed

 private:
  struct Impl;
  explicit Guest(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace marrow::console
