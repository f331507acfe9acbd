// Run it: scripts/fuzz.sh 60 glb. A finding again: build/asan/fuzz/marrow_glb_fuzzer FILE
//
// Bytes as a .glb. What is changed is the JSON or the binary chunk; then the container is put together anew, so that
// the change is seen by what lies behind it.
#include <algorithm>
#include <bit>
#include <cstring>

#include "glb_container.h"
#include "json_mutator.h"
#include "read_and_use.h"

using namespace marrow::fuzz;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

std::span<const std::byte> as_bytes(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

// Bytes of a .glb besides the data of its chunks: the file header, two chunk headers, and the padding.
constexpr std::size_t kOverhead = 12 + 2 * 8 + 2 * 3;

// Lets libFuzzer change a part, up to a size.
template <typename Part>
void mutate_bytes(Part& part, std::size_t max_size) {
  const std::size_t size = part.size();
  part.resize(std::max<std::size_t>({max_size, size, 1}));
  part.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(part.data()), size, part.size()));
}

void mutate_text(std::string& json, std::size_t max_size, Random& random) {
  if (below(4, random) != 0 && mutate_json(json, random)) {
    while (below(2, random) != 0) mutate_json(json, random);
    return;
  }
  mutate_bytes(json, max_size);
}

constexpr float kFloats[] = {0.0f,  1.0f,   -1.0f,  0.5f,  0.70710678f, -0.0f,   1e18f,
                             1e19f, -1e19f, 1e-40f, 3e38f, 1e9f,        1.0f / 3};
constexpr std::uint32_t kWords[] = {0x7f800000u, 0x7fc00000u, 0xff800000u, 0xffffffffu, 0x00010000u, 0x80000000u};

// Changes numbers, and leaves the length as it is: the JSON states it.
void mutate_numbers(std::vector<std::byte>& binary, Random& random) {
  const std::size_t size = binary.size();
  if (size < 4 || below(3, random) == 0) {
    mutate_bytes(binary, size);
    binary.resize(size);
    return;
  }
  std::byte* const at = binary.data() + below(size / 4, random) * 4;
  std::uint32_t word = 0;
  std::memcpy(&word, at, sizeof word);
  switch (below(4, random)) {
    case 0: word = std::bit_cast<std::uint32_t>(kFloats[below(std::size(kFloats), random)]); break;
    case 1: word = kWords[below(std::size(kWords), random)]; break;
    case 2:
      word = std::bit_cast<std::uint32_t>(std::bit_cast<float>(word) + static_cast<float>(below(5, random)) - 2);
      break;
    default: std::memcpy(&word, binary.data() + below(size / 4, random) * 4, sizeof word);
  }
  std::memcpy(at, &word, sizeof word);
}

std::size_t put(const GlbFile& file, std::uint8_t* data, std::size_t max_size) {
  const std::vector<std::byte> bytes = join_glb(file);
  if (bytes.size() > max_size) return 0;
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_and_use(as_bytes(data, size));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  Random random(seed);
  std::optional<GlbFile> file = split_glb(as_bytes(data, size));
  if (!file || below(32, random) == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::size_t most = max_size - std::min(max_size, kOverhead + file->binary.size());
  if (file->binary.empty() || below(5, random) < 3) {
    mutate_text(file->json, most, random);
  } else {
    mutate_numbers(file->binary, random);
  }
  const std::size_t changed = put(*file, data, max_size);
  return changed != 0 ? changed : LLVMFuzzerMutate(data, size, max_size);
}

// The JSON of one file with the binary chunk of another.
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1,
                                                 const std::uint8_t* data2, std::size_t size2, std::uint8_t* out,
                                                 std::size_t max_size, unsigned /*seed*/) {
  std::optional<GlbFile> first = split_glb(as_bytes(data1, size1)), second = split_glb(as_bytes(data2, size2));
  if (!first || !second) return 0;
  first->binary = std::move(second->binary);
  first->has_binary = second->has_binary;
  return put(*first, out, max_size);
}
