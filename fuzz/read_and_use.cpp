#include "read_and_use.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "marrow/gltf/draco_decoder.h"
#include "marrow/gltf/meshopt_decoder.h"
#include "marrow/model/clip_library.h"
#include "marrow/model/model_file.h"
#include "marrow/skin/skinning.h"
#include "require.h"
#include "src/text/text.h"

namespace marrow::fuzz {
namespace {

// Little, so that files which ask for much are refused before they cost time.
constexpr std::uint64_t kMemoryLimit = std::uint64_t{2} << 20;

// Vertices and joints that are computed for one input. What goes beyond shows nothing new.
constexpr std::size_t kMaxWork = 1 << 14;

bool is_finite(float x) { return x - x == 0; }

bool is_finite(const Transform& t) {
  const float sum = t.translation.x * 0 + t.translation.y * 0 + t.translation.z * 0 + t.rotation.x * 0 +
                    t.rotation.y * 0 + t.rotation.z * 0 + t.rotation.w * 0 + t.scale.x * 0 + t.scale.y * 0 +
                    t.scale.z * 0;
  return sum == 0;
}

bool is_unit(Quat q) {
  const double squared = double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w;
  return squared > 0.9999 && squared < 1.0001;
}

class ModelUser {
 public:
  explicit ModelUser(const Model& model)
      : model_(model),
        pose_(model.skeleton()),
        again_(model.skeleton()),
        joints_(model.skeleton().joint_count()),
        nodes_(model.nodes().size()) {}

  void use() {
    check_pose(true);
    finish_pose();
    for (const Clip& clip : model_.clips()) use_clip(clip);
  }

 private:
  // True, and the work is done with, while there is some left.
  bool spend(std::size_t work) {
    if (work > work_left_) return false;
    work_left_ -= work;
    return true;
  }

  void use_clip(const Clip& clip) {
    require(is_finite(static_cast<float>(clip.duration())) && clip.duration() >= 0, "a clip's duration is a length");
    const double end = clip.duration(), infinity = std::numeric_limits<double>::infinity();
    // A spline may swing beyond its keys, and beyond what a float holds.
    const bool bounded = std::none_of(clip.tracks().begin(), clip.tracks().end(), [](const TrackInfo& track) {
      return track.interpolation == Interpolation::cubic_spline;
    });
    Cursor cursor(clip);
    for (const double time_s : {-1.0, end + 1, 0.0, end / 3, end / 2, end, end * 0.7, -infinity, infinity}) {
      if (!spend(1 + joints_.size() + clip.morph_size())) return;
      sample(clip, time_s, cursor, pose_);
      sample(clip, time_s, again_);
      const std::span<const float> a = pose_.floats(), b = again_.floats();
      require(a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0,
              "a cursor never changes a result");
      check_pose(bounded);
      if (time_s == end / 3 || time_s == end) finish_pose();
    }
  }

  void check_pose(bool bounded) const {
    for (std::uint32_t joint = 0; joint < pose_.skeleton().joint_count(); ++joint) {
      const Transform t = pose_.transform(joint);
      if (bounded) {
        require(is_finite(t), "a sampled transform is finite");
        for (const float weight : pose_.morph_weights(joint)) require(is_finite(weight), "a sampled weight is finite");
      }
      require(is_unit(t.rotation), "a sampled rotation is of unit length");
    }
  }

  void finish_pose() {
    local_to_model(pose_, joints_);
    node_matrices(model_, joints_, nodes_);
    palettes_.resize(model_.skins().size());
    for (std::size_t i = 0; i < palettes_.size(); ++i) {
      if (!spend(model_.skins()[i].size())) return;
      palettes_[i].resize(model_.skins()[i].size());
      palette(model_.skins()[i], joints_, palettes_[i]);
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) skin_node(i);
  }

  void skin_node(std::size_t index) {
    const ModelNode& node = model_.nodes()[index];
    if (node.mesh == kNone) return;
    std::span<const float> weights;
    if (node.joint != kNone) weights = pose_.morph_weights(static_cast<std::uint32_t>(node.joint));
    for (const MeshPart& part : model_.meshes()[static_cast<std::size_t>(node.mesh)].parts) {
      const Vertices& v = *part.vertices;
      if (!spend(1 + v.positions.size() * (1 + v.influences + weights.size()))) return;
      const bool skinned = node.skin != kNone && v.influences > 0;
      const bool follows_node = v.influences == 0;
      if (!skinned && !follows_node) continue;
      positions_.resize(v.positions.size());
      normals_.resize(v.normals.size());
      tangents_.resize(v.tangents.size());
      const std::span<const Affine> palette =
          skinned ? std::span<const Affine>(palettes_[static_cast<std::size_t>(node.skin)])
                  : std::span<const Affine>(&nodes_[index], 1);
      skin_vertices(v, weights, palette, {positions_, normals_, tangents_});
    }
  }

  const Model& model_;
  Pose pose_, again_;
  std::vector<Affine> joints_, nodes_;
  std::vector<std::vector<Affine>> palettes_;
  std::vector<Vec3> positions_, normals_;
  std::vector<Vec4> tangents_;
  std::size_t work_left_ = kMaxWork;
};

void check_materials(const Model& model) {
  for (const Material& m : model.materials()) {
    const TextureUse& t = m.base_color_texture;
    for (const float x :
         {m.base_color.x, m.base_color.y, m.base_color.z, m.base_color.w, m.emissive.x, m.emissive.y, m.emissive.z,
          m.metallic, m.roughness, m.alpha_cutoff, t.offset.x, t.offset.y, t.rotation, t.scale.x, t.scale.y}) {
      require(is_finite(x), "the numbers of a material are finite");
    }
  }
}

void check_names(const Model& model) {
  const auto check = [](std::string_view name) { require(is_utf8(name), "a name is UTF-8"); };
  check(model.name());
  for (std::uint32_t j = 0; j < model.skeleton().joint_count(); ++j) check(model.skeleton().name(j));
  for (const Skin& skin : model.skins()) check(skin.name());
  for (const Clip& clip : model.clips()) check(clip.name());
  for (const Material& material : model.materials()) check(material.name);
  for (const ModelNode& node : model.nodes()) check(node.name);
  for (const Mesh& mesh : model.meshes()) {
    check(mesh.name);
    for (const std::string& name : mesh.morph_names) check(name);
  }
}

// A model's own clips fit it.
void add_to_itself(const Model& model) {
  const Result<AddedClips> added = add_clips(model, model);
  require(added.ok(), "a model's clips can be added to it");
  require(added->model.clips().size() == 2 * model.clips().size(), "all clips are added");
  for (std::size_t i = 0; i < added->unmapped.size(); ++i) {
    require(added->unmapped[i].empty(), "every joint finds itself");
  }
}

// Names of any kind give maps that keep their laws.
void map_joints(const Skeleton& skeleton) {
  require(JointMap::by_name(skeleton, skeleton) == JointMap::identity(skeleton), "by name every joint finds itself");
  const JointMap pairs = JointMap::mirror_pairs(skeleton);
  require(pairs.check(skeleton, skeleton).ok(), "a map fits its skeleton");
  for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    const std::optional<std::uint32_t> partner = pairs.target(joint);
    require(!partner || pairs.target(*partner) == joint, "a partner leads back");
  }
}

// What is written can be read, and then is what it was.
void write_and_read(const Model& model) {
  const std::vector<std::byte> bytes = write_model_file(model);
  const Result<Model> read = read_model_file(share_bytes(bytes));
  require(read.ok(), "a model that was written can be read");
  require(write_model_file(*read) == bytes, "and written again as it was");
}

}  // namespace

LoadOptions fuzz_options() {
  LoadOptions options;
  options.thorough = true;
  options.memory_limit = kMemoryLimit;
  options.meshopt = meshopt_decoder();
  options.draco = draco_decoder();
  return options;
}

void read_and_use(std::span<const std::byte> bytes, const Resolver& resolver) {
  // A copy of its own is of just that length, so that a read behind the end is noticed.
  const std::vector<std::byte> copy(bytes.begin(), bytes.end());
  const SharedBytes file{copy, nullptr};
  LoadOptions options = fuzz_options();
  const Result<LoadedModel> loaded = read_model(file, resolver, options);
  if (!loaded) {
    require(!loaded.error().message.empty(), "an error says what is wrong");
    return;
  }
  check_materials(loaded->model);
  check_names(loaded->model);
  ModelUser(loaded->model).use();
  add_to_itself(loaded->model);
  map_joints(loaded->model.skeleton());
  write_and_read(loaded->model);

  // Less of the same file, in its own axes.
  options.up = Up::y;
  options.thorough = options.meshes = options.images = false;
  const Result<LoadedModel> motion = read_model(file, resolver, options);
  require(motion.ok(), "what loads whole also loads without its meshes");
  require(motion->model.clips().size() == loaded->model.clips().size(), "clips do not depend on meshes");
  ModelUser(motion->model).use();
}

}  // namespace marrow::fuzz
