// Run it: scripts/fuzz.sh 60 mrw. A finding again: build/asan/fuzz/marrow_mrw_fuzzer FILE
//
// Bytes as a model file. What is changed is a word of a record or an array; then the size and the checksum are put
// right, so that the change is seen by what lies behind them.
#include <bit>
#include <cstring>

#include "json_mutator.h"
#include "marrow/core/hash.h"
#include "read_and_use.h"
#include "src/model/model_file_format.h"

using namespace marrow;
using namespace marrow::fuzz;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

constexpr float kFloats[] = {0.0f, 1.0f, -1.0f, 0.5f, -0.0f, 1e18f, 1e19f, 1e-40f, 3e38f, 1e9f, 2e9f};
constexpr std::uint32_t kWords[] = {0, 1, 2, 7, 8, 16, 0x7f800000u, 0x7fc00000u, 0xffffffffu, 0x00010000u, 0x80000000u};

void seal(std::uint8_t* data, std::size_t size) {
  if (size < sizeof(file::Header)) return;
  file::Header header;
  std::memcpy(&header, data, sizeof header);
  header.size = size;
  header.checksum = hash_bulk(std::as_bytes(std::span(data + file::kChecked, size - file::kChecked)));
  std::memcpy(data, &header, sizeof header);
}

void change_word(std::uint8_t* data, std::size_t size, Random& random) {
  std::uint8_t* const at = data + file::kChecked + below((size - file::kChecked) / 4, random) * 4;
  std::uint32_t word = 0;
  std::memcpy(&word, at, sizeof word);
  switch (below(6, random)) {
    case 0: word = std::bit_cast<std::uint32_t>(kFloats[below(std::size(kFloats), random)]); break;
    case 1: word = kWords[below(std::size(kWords), random)]; break;
    case 2: word += static_cast<std::uint32_t>(below(17, random)) - 8; break;
    case 3: word ^= 1u << below(32, random); break;
    case 4: word = static_cast<std::uint32_t>(below(size, random)) / 8 * 8; break;
    default: std::memcpy(&word, data + below(size / 4, random) * 4, sizeof word);
  }
  std::memcpy(at, &word, sizeof word);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_and_use(std::as_bytes(std::span(data, size)));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  Random random(seed);
  if (size < sizeof(file::Header) + 4 || below(16, random) == 0) size = LLVMFuzzerMutate(data, size, max_size);
  if (size >= sizeof(file::Header) + 4) {
    do {
      change_word(data, size, random);
    } while (below(2, random) != 0);
  }
  if (below(64, random) != 0) seal(data, size);
  return size;
}
