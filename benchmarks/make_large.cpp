// marrow_make_large FILE: writes the file that reading is measured on, for other readers to be held to.
#include <cstdio>
#include <memory>

#include "large_file.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: marrow_make_large FILE.glb\n");
    return 2;
  }
  const std::vector<std::byte> bytes = marrow::bench::make_large_file();
  std::FILE* const file = std::fopen(argv[1], "wb");
  bool good = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  if (file != nullptr && std::fclose(file) != 0) good = false;
  if (!good) std::fprintf(stderr, "marrow_make_large: %s: the file cannot be written\n", argv[1]);
  return good ? 0 : 1;
}
