// The words of the rules.
#include <iterator>

#include "finding.h"

namespace marrow::tool {
namespace {

constexpr Severity kError = Severity::error, kWarning = Severity::warning, kNote = Severity::note;

constexpr RuleInfo kRules[] = {
    {Rule::not_finite, kError, "not-finite", "A mesh has numbers that are not finite, or beyond all measure.",
     "Zeros are used instead, so vertices are in the wrong place; export the mesh again."},
    {Rule::missing_image, kError, "missing-image", "An image cannot be read.",
     "Put it where the file says, or pack it into a .glb."},
    {Rule::duplicate_channel, kError, "duplicate-channel", "Two channels move the same property of one node.",
     "Only the first is played; remove the other, or give it a clip of its own."},
    {Rule::more_warnings, kError, "more-warnings", "There is more to warn of than is kept.",
     "It may be worse than what is listed; mend that, then check again."},
    {Rule::weights_sum, kWarning, "weights-sum", "The weights of vertices do not sum to 1.",
     "They are normalised here, but other programs may show the mesh swollen or shrunk; normalise them all before "
     "exporting."},
    {Rule::no_weights, kWarning, "no-weights", "Vertices have no weights.",
     "They follow the first joint of the skin and tear off the rest; paint weights for them."},
    {Rule::negative_weights, kWarning, "negative-weights", "Vertices have weights below zero.",
     "They count as zero here; clean the weights before exporting."},
    {Rule::skin_without_weights, kWarning, "skin-without-weights", "A mesh has a skin but no joints and weights.",
     "It does not bend; paint weights for it, or take it out of the skin."},
    {Rule::weights_without_skin, kWarning, "weights-without-skin", "A mesh has joints and weights but no skin.",
     "It does not bend; bind its node to a skin, or leave the weights out."},
    {Rule::lost_channel, kWarning, "lost-channel", "A channel moves what marrow cannot.",
     "It is left out; only the translation, rotation, scale and morph weights of nodes are played."},
    {Rule::moves_nothing, kWarning, "moves-nothing", "A clip has no channels.", "Remove it, or export it again."},
    {Rule::rotation_length, kWarning, "rotation-length", "Rotations are not of unit length.",
     "They are normalised here, but other programs may show them with scale; export them normalised."},
    {Rule::shear, kWarning, "shear", "The matrix of a node has shear.",
     "Joints cannot have any, so the nearest without it is used; apply scale and rotation before exporting."},
    {Rule::other, kWarning, "other", "Something was mended or left out while reading.",
     "Look at the place, and export the file again if what is missing matters."},
    {Rule::rotation_flip, kNote, "rotation-flip", "Rotation keys change sides between q and -q.",
     "They are turned here, but programs that do not will spin the long way round; make them continuous."},
    {Rule::extension, kNote, "extension", "An extension is not read.",
     "See that the file looks and moves as it should without it."},
    {Rule::unnamed_joint, kNote, "unnamed-joint", "Joints have no names.",
     "They get some from their place in the file, which changes with it; name what code or other clips look for."},
    {Rule::unnamed_clip, kNote, "unnamed-clip", "Clips have no names.",
     "They get some from their place in the file, which changes with it; name them."},
    {Rule::more_notes, kNote, "more-notes", "There is more of the kind than is kept.",
     "Mend what is listed, then check again."},

    {Rule::duplicate_joint_name, kWarning, "duplicate-joint-name", "Joints have the same name.",
     "Looking it up finds the first alone, and clips from other files go to them in order; give each its own."},
    {Rule::negative_scale, kNote, "negative-scale", "The scale of a joint is below zero.",
     "It mirrors all below it, which blending and most tools cannot keep apart from a turn; apply the scale."},
    {Rule::uneven_scale, kNote, "uneven-scale", "A joint with children has different scales along its axes.",
     "What turns below it is sheared, which programs show differently; scale the children instead, or evenly."},
    {Rule::zero_length_bone, kNote, "zero-length-bone", "A joint is at the place of its parent.",
     "The bone between them has no length and no direction, which IK and retargeting need; merge or move them."},

    {Rule::many_influences, kWarning, "many-influences", "Vertices follow more than four joints.",
     "GPUs are given four, so the smallest weights are dropped; limit the weights to four before exporting."},
    {Rule::too_many_joints, kWarning, "too-many-joints", "A skin has more than 341 joints.",
     "Their matrices do not fit the 16 KB of uniforms that every device has; split the mesh, or drop joints."},
    {Rule::mirrored_skin, kWarning, "mirrored-skin", "A joint turns its part of the mesh inside out at rest.",
     "Its inverse bind matrix and its scale disagree in sign; bind the mesh again."},
    {Rule::skinned_node_moved, kWarning, "skinned-node-moved", "The node of a skinned mesh has a transform of its own.",
     "A skin ignores it, so the mesh is not where it seems; apply it to the mesh, or move the root joint."},
    {Rule::skinned_node_below_joint, kNote, "skinned-node-below-joint", "A skinned mesh is below a joint of its skin.",
     "A skin ignores that, but some programs move the mesh twice; put the node beside the skeleton."},
    {Rule::many_joints, kNote, "many-joints", "A skin has more than 256 joints.",
     "Joint indices need two bytes, and engines that stop at 256 refuse it; split the mesh, or drop joints."},
    {Rule::unused_joint, kNote, "unused-joint", "Joints of a skin move no vertex.",
     "Each costs a matrix in every frame; leave them out of the skin if nothing else asks for them."},
    {Rule::unused_skin, kNote, "unused-skin", "No mesh uses a skin.", "Remove it."},
    {Rule::empty_influences, kNote, "empty-influences",
     "Joints and weights beyond the first four are there, but unused.",
     "Leave the second set of joints and weights out."},
    {Rule::bind_pose, kNote, "bind-pose", "The rest pose is not the pose that the mesh was bound in.",
     "That is legal; if clips leave joints without tracks, see that the rest pose is what these should have."},

    {Rule::missing_uvs, kWarning, "missing-uvs", "A mesh lacks the texture coordinates that its material asks for.",
     "Its texture cannot show; unwrap the mesh, or take the texture off the material."},
    {Rule::missing_normals, kNote, "missing-normals", "A mesh has no normals.",
     "It is lit flat, facet by facet; export normals if it should look smooth."},
    {Rule::degenerate_triangles, kNote, "degenerate-triangles", "Triangles have no area.",
     "They show nothing and cost a little; dissolve them."},

    {Rule::duplicate_clip_name, kWarning, "duplicate-clip-name", "Clips have the same name.",
     "Looking it up finds the first alone; give each its own."},
    {Rule::late_start, kWarning, "late-start", "The first key of a clip is later than 0.",
     "Until then it holds still, which hitches in a loop; move its keys to begin at 0."},
    {Rule::equal_times, kWarning, "equal-times", "Keys of a track are at the same time.",
     "The last of them counts here, but other programs may refuse the file; remove the rest, or use STEP for jumps."},
    {Rule::short_interval, kNote, "short-interval", "Keys are less than a millisecond apart.",
     "They are most likely doubles that differ by rounding; remove one of each two."},
    {Rule::no_length, kNote, "no-length", "A clip is a single pose.",
     "It has no length, so time does not pass in it; that is right for a pose, and a lost clip otherwise."},
    {Rule::still_clip, kNote, "still-clip", "Nothing changes in a clip.",
     "All of its tracks stay as they are, so it is a pose that takes time; see that no motion was lost."},
    {Rule::loop_seam, kNote, "loop-seam", "A clip that is named like a loop does not end where it begins.",
     "It jumps when played round and round; find_loop_seam tells where to cut it."},
    {Rule::more_loops, kNote, "more-loops", "There are more clips that are named like loops than are looked at.",
     "Whether the others end where they begin is not known; check them in files of their own."},

    {Rule::rest_track, kNote, "rest-track", "Tracks hold what the rest pose has anyway.",
     "Leave them out of the file, unless the clip must override others there."},
    {Rule::constant_track, kNote, "constant-track", "Tracks have many keys but never change.",
     "One key is enough; reduce_keys, or an exporter that optimises animations, leaves one."},
    {Rule::redundant_keys, kNote, "redundant-keys", "Keys lie where their neighbours would put them anyway.",
     "They make the file larger and sampling slower; reduce_keys removes them."},

    {Rule::units, kNote, "units", "The model is of an unlikely size for metres.",
     "Export it in metres, or scale it where it is placed; tolerances, physics and shadows count on it."},
    {Rule::no_clips, kNote, "no-clips", "The file has no clips.",
     "It shows its rest pose alone; clips can come from another file."},
    {Rule::no_skin, kNote, "no-skin", "The file has no skin.", "Its nodes move as they are, without bending any mesh."},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kRules); ++i) {
    if (static_cast<std::size_t>(kRules[i].rule) != i) return false;
  }
  return static_cast<std::size_t>(Rule::no_skin) + 1 == std::size(kRules);
}
static_assert(in_order(), "every rule has its words, in the order of the enumeration");

}  // namespace

const RuleInfo& rule_info(Rule rule) { return kRules[static_cast<std::size_t>(rule)]; }

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "note";
  }
  return "";
}

}  // namespace marrow::tool
