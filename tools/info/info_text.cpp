#include <cmath>
#include <cstdio>

#include "clip_facts.h"
#include "image_size.h"
#include "info.h"
#include "node_tree.h"
#include "text.h"

namespace marrow::tool {
namespace {

using Align = Table::Align;

constexpr std::size_t kInfoIndent = 2;

class InfoText {
 public:
  InfoText(const LoadedModel& loaded, const Terminal& terminal)
      : loaded_(loaded), model_(loaded.model), terminal_(terminal), facts_(loaded.model) {}

  std::string write(const FileFacts& file) {
    header(file);
    tree();
    skins();
    clips();
    meshes();
    materials();
    images();
    warnings();
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_.append(text).append("\n"); }

  void title(const char* name, const std::string& remark = {}) {
    line("");
    line(terminal_.paint(Tone::bold, name) + (remark.empty() ? "" : terminal_.paint(Tone::dim, "  " + remark)));
  }

  void table(const Table& rows) {
    const std::vector<std::string> lines = rows.lines(kInfoIndent, terminal_.width);
    line(terminal_.paint(Tone::dim, lines[0]));
    for (std::size_t i = 1; i < lines.size(); ++i) line(lines[i]);
  }

  void header(const FileFacts& file) {
    line(terminal_.paint(Tone::bold, printable(model_.name().empty() ? file.path : model_.name())) + "  " +
         terminal_.paint(Tone::dim, bytes_text(file.bytes)));
    const Vec3 size = size_of(facts_.box);
    const auto number = [](float x) { return short_number(static_cast<double>(x)); };
    const char* const what = model_.meshes().empty() ? "between the joints" : "at rest";
    line(number(size.x) + " × " + number(size.y) + " × " + number(size.z) + " units " + what + " (x × y × z, " +
         (model_.up() == Up::z ? "z" : "y") + " up)");
    std::string counts = count_of(model_.skeleton().joint_count(), "joint");
    const auto add = [&](std::size_t count, const char* one, const char* many) {
      if (count > 0) counts += ", " + count_of(count, one, many);
    };
    add(model_.skins().size(), "skin", "skins");
    add(model_.clips().size(), "clip", "clips");
    add(model_.meshes().size(), "mesh", "meshes");
    add(facts_.vertices, "vertex", "vertices");
    add(facts_.triangles, "triangle", "triangles");
    add(model_.materials().size(), "material", "materials");
    add(model_.images().size(), "image", "images");
    line(wrapped(counts, 0, terminal_.width));
  }

  void tree() {
    if (model_.nodes().empty()) return;
    std::size_t moved = 0, still = 0, partial = 0;
    for (const ModelNode& node : model_.nodes()) {
      if (node.joint == kNone) {
        ++still;
        continue;
      }
      const std::size_t skins = facts_.skins_of_joint[static_cast<std::size_t>(node.joint)].size();
      if (skins == 0 && !model_.skins().empty()) ++moved;
      if (skins > 0 && skins < model_.skins().size()) ++partial;
    }
    std::string legend;
    const auto add = [&](const std::string& text) { legend += (legend.empty() ? "" : "   ") + text; };
    if (moved > 0) add("○ in the skeleton, but in no skin");
    if (still > 0) add("· static");
    if (partial > 0) add("{…} in these skins from here on");
    title("Nodes", legend);
    Terminal inner = terminal_;
    inner.width -= kInfoIndent;
    for (const std::string& text : node_tree(model_, facts_, inner)) line(std::string(kInfoIndent, ' ') + text);
  }

  [[nodiscard]] std::string node_name(std::size_t node) const {
    if (node >= model_.nodes().size()) return "";
    const std::string& name = model_.nodes()[node].name;
    return name.empty() ? "node " + std::to_string(node) : printable(name);
  }

  void skins() {
    if (model_.skins().empty()) return;
    title("Skins");
    Table rows(
        {{"", Align::right}, {"name", Align::left}, {"joints"}, {"first", Align::left}, {"worn by", Align::left}});
    for (std::size_t s = 0; s < model_.skins().size(); ++s) {
      const Skin& skin = model_.skins()[s];
      std::string nodes;
      for (const std::uint32_t node : facts_.nodes_of_skin[s]) nodes += (nodes.empty() ? "" : ", ") + node_name(node);
      rows.add({std::to_string(s), printable(skin.name()), grouped(skin.size()),
                skin.size() == 0 ? "" : node_name(facts_.node_of_joint[skin.joints()[0]]),
                nodes.empty() ? "nothing" : nodes});
    }
    table(rows);
  }

  void clips() {
    if (model_.clips().empty()) return;
    title("Clips");
    Table rows({{"", Align::right},
                {"name", Align::left},
                {"seconds"},
                {"keys/s"},
                {"tracks"},
                {"keys"},
                {"joints moved"},
                {"morph tracks"},
                {"memory"}});
    std::uint64_t tracks = 0, keys = 0, bytes = 0;
    double seconds = 0;
    for (std::size_t i = 0; i < model_.clips().size(); ++i) {
      const ClipFacts facts = clip_facts(model_.skeleton(), model_.clips()[i]);
      char text[32];
      std::snprintf(text, sizeof text, "%.2f", facts.seconds);
      rows.add({std::to_string(i), printable(model_.clips()[i].name()), text,
                facts.keys_per_second ? short_number(*facts.keys_per_second) : "–", grouped(facts.tracks),
                grouped(facts.keys), grouped(facts.moved_joints),
                facts.morph_tracks > 0 ? grouped(facts.morph_tracks) : "", bytes_text(facts.bytes)});
      tracks += facts.tracks;
      keys += facts.keys;
      bytes += facts.bytes;
      seconds += facts.seconds;
    }
    if (model_.clips().size() > 1) {
      char text[32];
      std::snprintf(text, sizeof text, "%.2f", seconds);
      rows.add({"", "in all", text, "", grouped(tracks), grouped(keys), "", "", bytes_text(bytes)});
    }
    table(rows);
  }

  void meshes() {
    if (model_.meshes().empty()) return;
    title("Meshes");
    Table rows({{"", Align::right},
                {"name", Align::left},
                {"parts"},
                {"vertices"},
                {"triangles"},
                {"lines"},
                {"points"},
                {"influences"},
                {"uvs"},
                {"morphs"},
                {"has", Align::left}});
    const auto unless_0 = [](std::size_t count) { return count == 0 ? "" : grouped(count); };
    for (std::size_t i = 0; i < model_.meshes().size(); ++i) {
      const Mesh& mesh = model_.meshes()[i];
      const MeshFacts& facts = facts_.meshes[i];
      std::string has;
      const auto add = [&](bool there, const char* what) {
        if (there) has += (has.empty() ? "" : ", ") + std::string(what);
      };
      add(facts.normals && facts.vertices > 0, "normals");
      add(facts.tangents && facts.vertices > 0, "tangents");
      add(facts.colors, "colours");
      rows.add({std::to_string(i), printable(mesh.name), grouped(mesh.parts.size()), grouped(facts.vertices),
                unless_0(facts.triangles), unless_0(facts.lines), unless_0(facts.points), unless_0(facts.influences),
                unless_0(facts.uv_sets), unless_0(mesh.morph_names.size()), has});
    }
    table(rows);
    for (std::size_t i = 0; i < model_.meshes().size(); ++i) morph_names(i);
  }

  // Many meshes of a character have the same morphs.
  void morph_names(std::size_t mesh) {
    const std::vector<std::string>& names = model_.meshes()[mesh].morph_names;
    if (names.empty() || (mesh > 0 && names == model_.meshes()[mesh - 1].morph_names)) return;
    std::size_t last = mesh;
    while (last + 1 < model_.meshes().size() && model_.meshes()[last + 1].morph_names == names) ++last;
    std::string text = std::string(kInfoIndent, ' ') + "morphs of " + std::to_string(mesh);
    if (last > mesh) text += "–" + std::to_string(last);
    text += ": ";
    const std::size_t indent = 2 * kInfoIndent;
    std::size_t used = columns_of(text);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string name = printable(names[i]) + (i + 1 < names.size() ? ", " : "");
      if (used + columns_of(name) > terminal_.width + 1 && used > indent) {
        text += "\n" + std::string(indent, ' ');
        used = indent;
      }
      text += name;
      used += columns_of(name);
    }
    line(text);
  }

  // As people write colours: sRGB, two digits each.
  static std::string color_text(const Vec4& color) {
    const auto encoded = [](float linear) {
      const double x = std::fmin(std::fmax(static_cast<double>(linear), 0), 1);
      const double srgb = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
      return static_cast<unsigned>(std::lround(255 * srgb));
    };
    char text[32];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", encoded(color.x), encoded(color.y), encoded(color.z));
    return text;
  }

  [[nodiscard]] std::string image_name(std::size_t index) const {
    const Image& image = model_.images()[index];
    return printable(!image.name.empty() ? image.name : image.uri);
  }

  void materials() {
    if (model_.materials().empty()) return;
    title("Materials");
    Table rows({{"", Align::right},
                {"name", Align::left},
                {"colour", Align::left},
                {"alpha", Align::left},
                {"image", Align::left},
                {"is", Align::left}});
    for (std::size_t i = 0; i < model_.materials().size(); ++i) {
      const Material& material = model_.materials()[i];
      std::string alpha = material.alpha_mode == AlphaMode::opaque ? ""
                          : material.alpha_mode == AlphaMode::mask ? "mask"
                                                                   : "blend";
      if (material.alpha_mode == AlphaMode::mask)
        alpha += " " + short_number(static_cast<double>(material.alpha_cutoff));
      if (material.alpha_mode == AlphaMode::blend && material.base_color.w < 1) {
        alpha += " " + short_number(static_cast<double>(material.base_color.w));
      }
      const std::int32_t image = material.base_color_texture.image;
      std::string texture;
      if (image != kNone) texture = std::to_string(image) + " " + image_name(static_cast<std::size_t>(image));
      std::string is;
      if (material.double_sided) is = "two-sided";
      if (material.unlit) is += is.empty() ? "unlit" : ", unlit";
      rows.add({std::to_string(i), printable(material.name), color_text(material.base_color), alpha, texture, is});
    }
    table(rows);
  }

  void images() {
    if (model_.images().empty()) return;
    title("Images");
    Table rows({{"", Align::right},
                {"name", Align::left},
                {"type", Align::left},
                {"pixels", Align::right},
                {"size"},
                {"from", Align::left}});
    for (std::size_t i = 0; i < model_.images().size(); ++i) {
      const Image& image = model_.images()[i];
      const std::optional<ImageSize> size = image_size(image.bytes);
      rows.add({std::to_string(i), printable(image.name), printable(image.mime_type),
                size ? std::to_string(size->width) + " × " + std::to_string(size->height) : "",
                image.bytes.empty() ? "missing" : bytes_text(image.bytes.size()),
                image.uri.empty() ? "the file" : printable(image.uri)});
    }
    table(rows);
  }

  void warnings() {
    if (loaded_.warnings.empty()) return;
    title("Warnings", "`marrow check` says more");
    for (const Warning& warning : loaded_.warnings) {
      const std::string place = printable(to_string(warning.place)) + (warning.place.empty() ? "" : ":");
      if (!place.empty()) line(std::string(kInfoIndent, ' ') + terminal_.paint(Tone::yellow, place));
      line(std::string(2 * kInfoIndent, ' ') + wrapped(printable(warning.message), 2 * kInfoIndent, terminal_.width));
    }
  }

  const LoadedModel& loaded_;
  const Model& model_;
  const Terminal& terminal_;
  ModelFacts facts_;
  std::string out_;
};

}  // namespace

std::string info_text(const FileFacts& file, const LoadedModel& loaded, const Terminal& terminal) {
  return InfoText(loaded, terminal).write(file);
}

}  // namespace marrow::tool
