// Files that are there whole or not at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "marrow/core/result.h"

namespace marrow::tool {

// A file beside the one that is wanted, of the same extension, until `keep` gives it that one's name. Removed if it
// does not come to that.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  [[nodiscard]] const std::string& temporary() const { return temporary_; }

  // Writes it, where nobody else does.
  [[nodiscard]] Result<void> write(std::span<const std::byte> bytes);
  [[nodiscard]] Result<void> keep();

 private:
  std::string path_, temporary_;
  bool kept_ = false;
};

}  // namespace marrow::tool
