#include "marrow/model/clip_library.h"

#include <string>
#include <utility>

namespace marrow {

Result<AddedClips> add_clips(const Model& model, const Model& library, const JointMap& map) {
  if (model.up() != library.up()) {
    return Error{ErrorCode::invalid_argument, "the models have different axes up: load both with the same", "up"};
  }
  if (const Result<void> checked = map.check(library.skeleton(), model.skeleton()); !checked) return checked.error();
  ModelParts parts = model.parts();
  AddedClips added{model, static_cast<std::uint32_t>(parts.clips.size()), {}};
  std::size_t tracks_before = 0, tracks_after = 0;
  for (std::size_t i = 0; i < library.clips().size(); ++i) {
    const Clip& clip = library.clips()[i];
    Result<RemappedClip> remapped = remap(library.skeleton(), clip, model.skeleton(), map);
    if (!remapped) {
      return Error{remapped.error().code, remapped.error().message, {"clips", i}};
    }
    tracks_before += clip.tracks().size();
    tracks_after += remapped->clip.tracks().size();
    parts.clips.push_back(remapped->clip);
    added.unmapped.push_back(std::move(remapped->unmapped));
  }
  if (tracks_before > 0 && tracks_after == 0) {
    return Error{ErrorCode::invalid_argument,
                 "no track of the library's clips finds a joint of the model; compare the joints' names", "clips"};
  }
  Result<Model> made = Model::create(std::move(parts));
  if (!made) return made.error();
  added.model = *made;
  return added;
}

Result<AddedClips> add_clips(const Model& model, const Model& library, const NameRule& rule) {
  return add_clips(model, library, JointMap::by_name(library.skeleton(), model.skeleton(), rule));
}

}  // namespace marrow
