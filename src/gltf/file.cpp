#include "src/gltf/file.h"

#include <algorithm>
#include <filesystem>

#include "src/gltf/uri.h"

namespace marrow {

namespace fs = std::filesystem;

Resolver files_beside(const std::string& path, bool outside) {
  const fs::path folder = fs::path(path).parent_path();
  return [folder, outside](const std::string& uri) -> Result<SharedBytes> {
    std::error_code error;
    fs::path wanted = folder / fs::path(uri);
    if (!fs::exists(wanted, error) && uri.find('\\') != std::string::npos) {
      std::string slashes = uri;  // what exporters on Windows may write
      std::replace(slashes.begin(), slashes.end(), '\\', '/');
      wanted = folder / fs::path(slashes);
    }
    if (!outside) {
      const fs::path real = fs::weakly_canonical(wanted, error);
      const fs::path home = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
      const auto [in_home, in_real] = std::mismatch(home.begin(), home.end(), real.begin(), real.end());
      if (error || in_home != home.end()) {
        return Error{ErrorCode::not_allowed, in_quotes(uri) + " is a link out of the folder of the file", ""};
      }
    }
    // A pipe or a device may never end.
    if (fs::is_other(wanted, error)) return unreadable(wanted.string(), "is no ordinary file");
    return read_file(wanted.string());
  };
}

}  // namespace marrow
