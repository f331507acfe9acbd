// Writes the files that fuzzing starts from: marrow_make_seeds FOLDER
//
// Makes FOLDER/json, FOLDER/glb, FOLDER/gltf, FOLDER/mrw, FOLDER/ffi and FOLDER/guest, and checks each model: those
// that are whole must load, those that are broken must not. Ends with a failure if one does otherwise.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "glb_container.h"
#include "marrow/model/model_file.h"
#include "read_and_use.h"
#include "seeds.h"

using namespace marrow;
using namespace marrow::fuzz;

namespace {

class SeedWriter {
 public:
  explicit SeedWriter(std::filesystem::path folder) : folder_(std::move(folder)) {
    for (const char* target : {"json", "glb", "gltf", "mrw", "ffi", "guest"})
      std::filesystem::create_directories(folder_ / target);
  }

  void write(const char* target, const std::string& name, std::span<const std::byte> bytes) {
    const std::filesystem::path path = folder_ / target / name;
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) fail(path.string() + " cannot be written");
    ++files_;
  }

  // Writes a file of the reader's, and looks whether it loads as it should.
  void write_model(const char* target, const std::string& name, std::span<const std::byte> bytes, bool loads) {
    write(target, name, bytes);
    const Result<LoadedModel> loaded = read_gltf(bytes, standard_resolver(), fuzz_options());
    if (loaded.ok() && loads) write("mrw", name + ".mrw", write_model_file(loaded->model));
    if (loaded.ok() == loads) return;
    fail(std::string(target) + "/" + name + (loads ? ": " + to_string(loaded.error()) : " loads, but is broken"));
  }

  [[nodiscard]] int finish() const {
    std::printf("%d seeds, %d not as they should be\n", files_, failures_);
    return failures_ == 0 ? 0 : 1;
  }

 private:
  void fail(const std::string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    ++failures_;
  }

  std::filesystem::path folder_;
  int files_ = 0, failures_ = 0;
};

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: marrow_make_seeds FOLDER\n");
    return 2;
  }
  SeedWriter writer(argv[1]);
  std::vector<Seed> seeds;
  add_motion_seeds(seeds);
  add_mesh_seeds(seeds);
  add_compressed_seeds(seeds);
  add_broken_seeds(seeds);
  for (const Seed& seed : seeds) {
    const std::string text = seed.model.gltf();
    writer.write_model("glb", seed.name + ".glb", seed.model.glb(), seed.loads);
    writer.write_model("gltf", seed.name + ".gltf", bytes_of(text), seed.loads);
  }
  writer.write_model("gltf", "beside.gltf", bytes_of(standard_model().gltf_beside("model%20one.bin")), true);
  writer.write_model("gltf", "not_beside.gltf", bytes_of(standard_model().gltf_beside("missing")), false);
  writer.write_model("gltf", "outside.gltf", bytes_of(standard_model().gltf_beside("../model.bin")), false);

  const std::vector<std::byte> whole = standard_model().glb();
  writer.write_model("glb", "cut_off.glb", std::span(whole).first(whole.size() - 8), false);
  GlbFile shorter = *split_glb(whole);
  shorter.binary.resize(shorter.binary.size() / 2);
  writer.write_model("glb", "short_buffer.glb", join_glb(shorter), false);

  int number = 0;
  for (const std::string& text : json_seeds()) {
    writer.write("json", std::to_string(number++) + ".json", bytes_of(text));
  }

  // Any bytes are calls. The bytes of this generator reach more of the ABI than those of test::Random.
  std::linear_congruential_engine<std::uint32_t, 1664525, 1013904223, 0> random(1);
  for (std::size_t size = 64; size <= 4096; size *= 2) {
    std::string calls;
    while (calls.size() < size) calls.push_back(static_cast<char>(random() >> 24));
    for (const char* target : {"ffi", "guest"}) writer.write(target, std::to_string(size), bytes_of(calls));
  }

  // Calls of the ABI that add a stage, run it, and save and restore its instance. Each line is a call and what it
  // reads.
  const std::string stage = {
      0, 0, 1, 0, 16,     0, 0,  0,      0,         // add_stage: 16 bytes of state, of the first instance
      7, 0, 1,                                      // update by 1/60, whose stage makes three calls:
      3, 0, 0, 0,                                   // dt
      3, 0, 2, 0, '\xc8', 0, 64, '\xc8', 3, 32, 0,  // set_local of joint 2
      5, 6, 0, 0,                                   // joint_matrices
      0, 0, 1,                                      // no other calls; changed
      6, 7, 0, 0, 0,      0,                        // save and restore
      7, 0, 1, 0, 0,      0, 0,                     // update, whose stage does nothing
      4, 0,                                         // touch
      2, 0, 1,                                      // remove_stage
  };
  writer.write("ffi", "stage", bytes_of(stage));
  return writer.finish();
}
