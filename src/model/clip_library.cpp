#include "marrow/model/clip_library.h"

namespace marrow {

Result<AddedClips> add_clips(const Model& model, const Model& library, const NameRule& rule) {
  if (model.up() != library.up()) {
    return Error{ErrorCode::invalid_argument, "the models have different axes up: load both with the same", "up"};
  }
  ModelParts parts = model.parts();
  AddedClips added{model, static_cast<std::uint32_t>(parts.clips.size()), {}};
  std::size_t tracks_before = 0, tracks_after = 0;
  for (std::size_t i = 0; i < library.clips().size(); ++i) {
    const Clip& clip = library.clips()[i];
    Result<RemappedClip> remapped = remap(library.skeleton(), clip, model.skeleton(), rule);
    if (!remapped) {
      return Error{remapped.error().code, remapped.error().message, "clips/" + std::to_string(i)};
    }
    tracks_before += clip.tracks().size();
    tracks_after += remapped->clip.tracks().size();
    parts.clips.push_back(remapped->clip);
    added.unmapped.push_back(std::move(remapped->unmapped));
  }
  if (tracks_before > 0 && tracks_after == 0) {
    return Error{ErrorCode::invalid_argument,
                 "no joint that the library's clips move has the name of one of the model's", "clips"};
  }
  Result<Model> made = Model::create(std::move(parts));
  if (!made) return made.error();
  added.model = *made;
  return added;
}

}  // namespace marrow
