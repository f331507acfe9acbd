// Makes the files of assets/: marrow_make_assets FOLDER
#include <cstdio>
#include <fstream>
#include <string>

#include "maker/character.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "marrow_make_assets FOLDER\n");
    return 2;
  }
  const auto files = marrow::character::make_assets();
  if (!files) {
    std::fprintf(stderr, "marrow_make_assets: %s\n", marrow::to_string(files.error()).c_str());
    return 1;
  }
  for (const auto& file : *files) {
    const std::string path = std::string(argv[1]) + "/" + file.name;
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(file.bytes.data()), static_cast<std::streamsize>(file.bytes.size()));
    if (!out.flush()) {
      std::fprintf(stderr, "marrow_make_assets: %s: cannot be written\n", path.c_str());
      return 1;
    }
    std::printf("%s: %zu bytes\n", path.c_str(), file.bytes.size());
  }
}
