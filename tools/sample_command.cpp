#include <algorithm>
#include <cstdio>

#include "commands.h"
#include "marrow/anim/sampling.h"
#include "marrow/math/affine.h"
#include "posed_model.h"
#include "src/text/text.h"
#include "text.h"

namespace marrow::tool {
namespace {

constexpr double kMaxTime = 1e9;
constexpr std::size_t kNameColumns = 32;

void write_matrix(JsonWriter& json, const Affine& matrix) {
  float columns[16];
  to_column_major(matrix, columns);
  json.values(columns);
}

void write_vertices(JsonWriter& json, const Model& model, const PosedModel& posed, std::size_t limit) {
  json.key("vertices").array();
  std::vector<Vec3> positions;
  for (std::size_t n = 0; n < model.nodes().size(); ++n) {
    if (model.nodes()[n].mesh == kNone) continue;
    const Mesh& mesh = model.meshes()[static_cast<std::size_t>(model.nodes()[n].mesh)];
    for (std::size_t p = 0; p < mesh.parts.size(); ++p) {
      posed.positions(n, p, positions);
      json.object().member("node", n).member("part", p).key("positions").array();
      for (std::size_t v = 0; v < std::min(limit, positions.size()); ++v) json.values({&positions[v].x, 3});
      json.end().end();
    }
  }
  json.end();
}

// `joint_nodes` has the file's nodes of each joint of the skeleton.
void write_sample(JsonWriter& json, const Model& model, const PosedModel& posed, double time,
                  const std::vector<std::size_t>& joint_nodes, std::size_t vertices) {
  json.object().member("time", time);
  json.key("nodes").array();
  for (std::size_t n = 0; n < model.nodes().size(); ++n) {
    json.object().member("node", n).member("name", std::string_view(model.nodes()[n].name)).key("world");
    write_matrix(json, posed.nodes()[n]);
    json.end();
  }
  json.end().key("skins").array();
  for (std::size_t s = 0; s < model.skins().size(); ++s) {
    json.object().member("skin", s).key("joints").array();
    for (const std::uint32_t joint : model.skins()[s].joints()) json.value(joint_nodes[joint]);
    json.end().key("matrices").array();
    for (const Affine& matrix : posed.palettes()[s]) write_matrix(json, matrix);
    json.end().end();
  }
  json.end().key("morphs").array();
  for (std::size_t n = 0; n < model.nodes().size(); ++n) {
    if (posed.morph_weights(n).empty()) continue;
    json.object().member("node", n).key("weights").values(posed.morph_weights(n)).end();
  }
  json.end();
  if (vertices > 0) write_vertices(json, model, posed, vertices);
  json.end();
}

void print_table(const Model& model, const PosedModel& posed, double time) {
  std::printf("at %g s\n", time);
  for (std::size_t n = 0; n < model.nodes().size(); ++n) {
    const auto& m = posed.nodes()[n].m;
    std::printf("  %4zu  %s %12.5f %12.5f %12.5f\n", n, cell_of(model.nodes()[n].name, kNameColumns).c_str(),
                static_cast<double>(m[0][3]), static_cast<double>(m[1][3]), static_cast<double>(m[2][3]));
    const std::span<const float> weights = posed.morph_weights(n);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      std::printf("%s %.5f", i == 0 ? "        morph weights" : "", static_cast<double>(weights[i]));
    }
    if (!weights.empty()) std::printf("\n");
  }
}

}  // namespace

int sample(const SampleOptions& options) {
  for (const double time : options.times) {
    if (time >= -kMaxTime && time <= kMaxTime) continue;
    std::fprintf(stderr, "marrow: sample: a time is not a number of seconds up to 1e9\n");
    return 2;
  }
  LoadOptions load;
  load.meshes = options.vertices > 0;
  load.images = false;
  const std::optional<LoadedModel> loaded = open_model(options.file, load);
  if (!loaded) return 1;
  const Model& model = loaded->model;
  const std::optional<std::int32_t> found = find_clip(options.file, model, options.clip);
  if (!found) return 1;
  const Clip* clip = *found == kNone ? nullptr : &model.clips()[static_cast<std::size_t>(*found)];
  std::vector<std::size_t> joint_nodes(model.skeleton().joint_count());
  for (std::size_t n = 0; n < model.nodes().size(); ++n) {
    if (model.nodes()[n].joint != kNone) joint_nodes[static_cast<std::size_t>(model.nodes()[n].joint)] = n;
  }

  PosedModel posed(model);
  const auto pose_at = [&](double time) {
    if (clip == nullptr) return;
    marrow::sample(*clip, time, posed.pose());
    posed.finish();
  };
  if (!options.json) {
    std::printf("%s, clip %s, %s up; node, name, position\n", printable(name_of(options.file)).c_str(),
                clip == nullptr ? "none" : in_quotes(clip->name()).c_str(), model.up() == Up::y ? "y" : "z");
    for (const double time : options.times) {
      pose_at(time);
      print_table(model, posed, time);
    }
    return 0;
  }
  JsonWriter json;
  json.object().member("up", model.up() == Up::y ? "y" : "z").key("clip");
  if (clip == nullptr) {
    json.null();
  } else {
    json.value(clip->name());
  }
  json.member("duration", clip == nullptr ? 0.0 : clip->duration()).key("samples").array();
  for (const double time : options.times) {
    pose_at(time);
    write_sample(json, model, posed, time, joint_nodes, options.vertices);
  }
  json.end().end();
  return 0;
}

}  // namespace marrow::tool
