// Writes the arrays of an export as bytes, in the order that read_back.c, .cpp and .rs write theirs in:
//   dump FILE CLIP
#include <cstdio>
#include <cstdlib>
#include <string>

#include "marrow/export/exported.h"
#include "marrow/gltf/reader.h"

namespace {

template <typename T>
void put(const T& value) {
  std::fwrite(&value, sizeof value, 1, stdout);
}
template <typename T>
void put_all(const std::vector<T>& values) {
  std::fwrite(values.data(), sizeof(T), values.size(), stdout);
}
void put_text(const std::string& text) { std::fwrite(text.c_str(), 1, text.size() + 1, stdout); }

}  // namespace

int main(int, char** argv) {
  const marrow::Result<marrow::LoadedModel> file = marrow::load_gltf(argv[1]);
  if (!file) return 1;
  const auto mesh = marrow::export_mesh(file->model);
  const auto clip = marrow::export_animation(file->model, static_cast<std::uint32_t>(std::atoi(argv[2])));
  if (!mesh || !clip) return 1;
  put(mesh->flags);
  put(mesh->stride);
  put(mesh->vertex_count);
  put_all(mesh->vertices);
  put(static_cast<std::uint32_t>(mesh->indices.size()));
  put_all(mesh->indices);
  put(static_cast<std::uint32_t>(mesh->parts.size()));
  for (const auto& part : mesh->parts) put(part.first_index);
  for (const auto& part : mesh->parts) put(part.index_count);
  for (const auto& part : mesh->parts) put_text(part.material);
  for (const auto& part : mesh->parts) put(part.color);
  put(static_cast<std::uint32_t>(mesh->skeleton.bones.size()));
  put(mesh->skeleton.id);
  for (const auto& bone : mesh->skeleton.bones) put(bone.inverse_bind);
  for (const auto& bone : mesh->skeleton.bones) put(bone.parent);
  for (const auto& bone : mesh->skeleton.bones) put(bone.rest);
  for (const auto& bone : mesh->skeleton.bones) {
    std::string name = bone.name;
    put_text(name.substr(0, name.find('\0')));  // C ends it there
  }
  put_text(clip->name);
  put(clip->duration);
  put(static_cast<std::uint32_t>(clip->times.size()));
  put(clip->fps);
  put(static_cast<std::uint32_t>(clip->bones.size()));
  put(clip->skeleton_id);
  put(static_cast<float>(clip->error));
  put(static_cast<float>(clip->relative_error));
  put_all(clip->times);
  put_all(clip->keyframes);
  put(static_cast<std::uint32_t>(clip->animated.size()));
  put_all(clip->animated);
  put_all(clip->interpolation);
  return 0;
}
