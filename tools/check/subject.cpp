#include "subject.h"

namespace marrow::tool {

Subject::Subject(const Model& m, std::vector<std::vector<TrackSource>> s, std::vector<std::vector<std::uint32_t>> p)
    : model(m),
      sources(std::move(s)),
      primitives(std::move(p)),
      rest(m),
      box(rest.bounds()),
      node_of_joint(m.skeleton().joint_count(), kNone),
      in_skin(m.skeleton().joint_count(), false),
      moved(m.skeleton().joint_count(), false),
      nodes_of_skin(m.skins().size()) {
  if (diagonal_of(box) > 0) size = diagonal_of(box);
  for (std::uint32_t n = 0; n < m.nodes().size(); ++n) {
    const ModelNode& node = m.nodes()[n];
    if (node.joint != kNone) node_of_joint[static_cast<std::size_t>(node.joint)] = static_cast<std::int32_t>(n);
    if (node.skin != kNone && node.mesh != kNone) nodes_of_skin[static_cast<std::size_t>(node.skin)].push_back(n);
  }
  for (const Clip& clip : m.clips()) {
    for (const TrackInfo& track : clip.tracks()) {
      if (track.property != Property::morph && !track.constant) moved[track.joint] = true;
    }
  }
  for (const Skin& skin : m.skins()) {
    for (const std::uint32_t joint : skin.joints()) in_skin[joint] = true;
  }
}

Place Subject::joint_place(std::uint32_t joint) const {
  if (node_of_joint[joint] == kNone) return Place::document() / "skeleton" / "joints" / joint;
  return place_of("nodes", static_cast<std::size_t>(node_of_joint[joint]));
}

Place Subject::part_place(std::size_t mesh, std::size_t part) const {
  return place_of("meshes", mesh) / "primitives" / (mesh < primitives.size() ? primitives[mesh][part] : part);
}

Place Subject::track_place(std::size_t clip, std::size_t track) const {
  const std::size_t channel = clip < sources.size() ? sources[clip][track].channel : track;
  return place_of("animations", clip) / "channels" / channel;
}

Subject::Stored Subject::stored(std::size_t clip, std::size_t track) const {
  if (clip < sources.size()) return {sources[clip][track].output_bytes, sources[clip][track].output};
  const TrackInfo& track_info = model.clips()[clip].tracks()[track];
  std::uint64_t floats = track_info.property == Property::rotation ? 4 : 3;
  if (track_info.property == Property::morph) floats = model.skeleton().morph_count(track_info.joint);
  if (track_info.interpolation == Interpolation::cubic_spline) floats *= 3;
  return {track_info.key_count * floats * sizeof(float), std::uint64_t{clip} << 32 | track};
}

Place place_of(const char* table, std::size_t index) { return Place(table, index).within(Place::document()); }

}  // namespace marrow::tool
