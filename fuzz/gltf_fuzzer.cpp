// Run it: scripts/fuzz.sh 60 gltf. A finding again: build/asan/fuzz/marrow_gltf_fuzzer FILE
//
// Text as a .gltf. Whatever other file it names, it gets the same bytes: the buffer of the standard model.
#include <algorithm>
#include <cstring>

#include "json_mutator.h"
#include "read_and_use.h"
#include "seeds.h"

using namespace marrow;
using namespace marrow::fuzz;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A .glb is another target's.
  if (size > 0 && data[0] == 'g') return 0;
  read_and_use(std::as_bytes(std::span(data, size)), standard_resolver());
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  Random random(seed);
  if (below(4, random) != 0) {
    std::string text(reinterpret_cast<const char*>(data), size);
    bool changed = mutate_json(text, random);
    while (changed && below(2, random) != 0) changed = mutate_json(text, random);
    if (changed && text.size() <= max_size) {
      std::copy(text.begin(), text.end(), data);
      return text.size();
    }
  }
  return LLVMFuzzerMutate(data, size, max_size);
}
