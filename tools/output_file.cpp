#include "output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

namespace marrow::tool {
namespace {

// "out/.walk.part.png" for "out/walk.png": tools go by the extension.
std::string temporary_of(const std::string& path) {
  const std::filesystem::path whole(path);
  return (whole.parent_path() / ("." + whole.stem().string() + ".part" + whole.extension().string())).string();
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)), temporary_(temporary_of(path_)) {}

OutputFile::~OutputFile() {
  if (!kept_) std::remove(temporary_.c_str());
}

Result<void> OutputFile::write(std::span<const std::byte> bytes) {
  errno = 0;
  std::ofstream file(temporary_, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file) return {};
  return Error{ErrorCode::unreadable,
               std::string("the file cannot be written") + (errno != 0 ? ": " + std::string(std::strerror(errno)) : ""),
               {}};
}

Result<void> OutputFile::keep() {
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  if (error) return Error{ErrorCode::unreadable, "the file cannot be written: " + error.message(), {}};
  kept_ = true;
  return {};
}

}  // namespace marrow::tool
