// Writes the arrays of generated code as bytes. Compiled with the folder of mesh.hpp and animation.hpp on the path.
#include <cstdio>
#include <string>

#include "animation.hpp"
#include "mesh.hpp"

namespace {

template <typename T>
void put(const T& value) {
  std::fwrite(&value, sizeof value, 1, stdout);
}
template <typename T, std::size_t kCount>
void put(const std::array<T, kCount>& values) {
  std::fwrite(values.data(), sizeof(T), kCount, stdout);
}
void put_text(std::string_view text) {
  const std::string ended(text.substr(0, text.find('\0')));
  std::fwrite(ended.c_str(), 1, ended.size() + 1, stdout);
}

}  // namespace

int main() {
  using namespace model;
  put(VERTEX_FORMAT);
  put(VERTEX_STRIDE);
  put(VERTEX_COUNT);
  put(VERTICES);
  put(INDEX_COUNT);
  put(INDICES);
  put(PART_COUNT);
  put(PART_FIRST_INDEX);
  put(PART_INDEX_COUNT);
  for (const std::string_view name : PART_MATERIALS) put_text(name);
  put(PART_COLORS);
  put(BONE_COUNT);
  put(SKELETON_ID);
  put(INVERSE_BIND_MATRICES);
  put(BONE_PARENTS);
  put(BONE_REST_LOCAL);
  for (const std::string_view name : BONE_NAMES) put_text(name);
  put_text(ANIMATION_NAME);
  put(ANIMATION_DURATION);
  put(ANIMATION_FRAME_COUNT);
  put(ANIMATION_FPS);
  put(ANIMATION_BONE_COUNT);
  put(ANIMATION_SKELETON_ID);
  put(ANIMATION_ERROR);
  put(ANIMATION_ERROR_RELATIVE);
  put(KEYFRAME_TIMES);
  put(KEYFRAMES);
  put(ANIMATED_BONE_COUNT);
  put(ANIMATED_BONES);
  put(INTERPOLATIONS);
}
