#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "src/model/reading.h"

#if __has_include(<sys/mman.h>) && __has_include(<fcntl.h>) && __has_include(<unistd.h>)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#define MARROW_HAS_MMAP 1
#endif

#include "src/model/imports.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

#ifdef MARROW_HAS_MMAP

// Maps a plain file; returns nothing for what cannot be mapped.
std::optional<SharedBytes> mapped(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  struct stat info {};
  std::optional<SharedBytes> out;
  if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
    const auto size = static_cast<std::size_t>(info.st_size);
    void* const memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory != MAP_FAILED) {
      const std::shared_ptr<const void> owner(memory, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
      out = SharedBytes{{static_cast<const std::byte*>(memory), size}, owner};
    }
  }
  ::close(file);
  return out;
}

#else

std::optional<SharedBytes> mapped(const std::string&) { return std::nullopt; }

#endif

}  // namespace

Error unreadable(const std::string& path, const std::string& why) {
  return {ErrorCode::unreadable, std::string(1, '"').append(path).append("\" ").append(why), ""};
}

std::string model_name(const std::string& path) { return valid_utf8(fs::path(path).stem().string()); }

Result<SharedBytes> read_file(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return unreadable(path, "does not exist");
  if (fs::is_directory(status)) return unreadable(path, "is a folder");
  if (std::optional<SharedBytes> bytes = mapped(path)) return std::move(*bytes);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (file == nullptr) return unreadable(path, "cannot be opened");
  std::vector<std::byte> bytes;
  constexpr std::size_t kStep = std::size_t{1} << 16;
  for (;;) {
    const std::size_t size = bytes.size();
    bytes.resize(size + std::max(kStep, size));
    const std::size_t got = std::fread(bytes.data() + size, 1, bytes.size() - size, file.get());
    bytes.resize(size + got);
    if (got == 0) break;
  }
  if (std::ferror(file.get()) != 0) return unreadable(path, "cannot be read");
  return share_bytes(std::move(bytes));
}

}  // namespace marrow
