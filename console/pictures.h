// Pictures of what a guest draws.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "marrow/core/result.h"
#include "marrow/guest/guest_host.h"

namespace marrow::console {

// A picture or a film in the making. The camera is put where all that is drawn is in sight, in a film at first, and
// goes along when that moves away.
class Pictures {
 public:
  // The path's extension says what it is: .png for the last frame alone, or .mp4, .webm or .gif. Fails if it is
  // another, or if there is no OpenGL or ffmpeg.
  [[nodiscard]] static Result<Pictures> make(const std::string& path, std::uint32_t width, std::uint32_t height);
  Pictures(Pictures&&) noexcept;
  Pictures& operator=(Pictures&&) = delete;
  ~Pictures();

  // Adds what was drawn in the host's frame, a sixtieth of a second after the last. `last`: there are no more.
  [[nodiscard]] Result<void> add(const GuestHost& host, bool last);

  // Leaves nothing of a film in the making behind, for a program that is about to end where it is. Any thread.
  static void abandon();

  // Writes what is not yet written. Without it no file is left.
  [[nodiscard]] Result<void> finish();

 private:
  struct Impl;
  explicit Pictures(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace marrow::console
