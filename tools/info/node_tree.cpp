#include "node_tree.h"

#include <algorithm>

#include "text.h"

namespace marrow::tool {
namespace {

constexpr std::size_t kLeavesInARow = 4;   // as many or more share lines
constexpr std::size_t kMeshesInARow = 12;  // the same for leaves of which some have meshes
constexpr std::size_t kLinesOfLeaves = 6;
constexpr std::size_t kLongestLabel = 48;

enum class Kind { joint, moved, still };

// Text and how wide it is without the colours.
struct Label {
  std::string text;
  std::size_t columns = 0;
};

class TreeDrawing {
 public:
  TreeDrawing(const Model& model, const ModelFacts& facts, const Terminal& terminal)
      : model_(model), facts_(facts), terminal_(terminal), below_(model.nodes().size(), 0) {
    const std::span<const std::uint32_t> order = model.nodes_in_order();
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      const std::int32_t parent = model.nodes()[*it].parent;
      if (parent != kNone) below_[static_cast<std::size_t>(parent)] += below_[*it] + 1;
    }
  }

  std::vector<std::string> draw() {
    draw_siblings(facts_.roots, "", true);
    return std::move(lines_);
  }

 private:
  [[nodiscard]] Kind kind_of(std::uint32_t node) const {
    if (model_.nodes()[node].joint == kNone) return Kind::still;
    return skins_of(model_.nodes()[node]).empty() && !model_.skins().empty() ? Kind::moved : Kind::joint;
  }

  [[nodiscard]] const std::vector<std::uint32_t>& skins_of(const ModelNode& node) const {
    static const std::vector<std::uint32_t> kNoSkins;
    return node.joint == kNone ? kNoSkins : facts_.skins_of_joint[static_cast<std::size_t>(node.joint)];
  }

  [[nodiscard]] std::string remarks_of(std::uint32_t index) const {
    const ModelNode& node = model_.nodes()[index];
    std::string text;
    const std::vector<std::uint32_t>& skins = skins_of(node);
    // Those of the node before it are not told again.
    if (!skins.empty() && skins.size() < model_.skins().size() &&
        (node.parent == kNone || skins_of(model_.nodes()[static_cast<std::size_t>(node.parent)]) != skins)) {
      text += " {";
      for (std::size_t i = 0; i < skins.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(skins[i]);
      text += "}";
    }
    if (node.mesh != kNone) {
      text += " [mesh " + std::to_string(node.mesh);
      if (node.skin != kNone) text += ", skin " + std::to_string(node.skin);
      const std::size_t morphs = model_.meshes()[static_cast<std::size_t>(node.mesh)].morph_names.size();
      if (morphs > 0) text += ", " + count_of(morphs, "morph");
      text += "]";
    }
    const bool parent_shown = node.parent == kNone || model_.nodes()[static_cast<std::size_t>(node.parent)].shown;
    if (!node.shown && parent_shown) text += " (not in the scene)";
    return text;
  }

  [[nodiscard]] Label label_of(std::uint32_t index) const {
    const Kind kind = kind_of(index);
    const std::string& given = model_.nodes()[index].name;
    const std::string name =
        given.empty() ? "node " + std::to_string(index) : shortened(printable(given), kLongestLabel);
    const std::string mark = kind == Kind::moved ? "○ " : kind == Kind::still ? "· " : "";
    const std::string remarks = remarks_of(index);
    return {terminal_.paint(kind == Kind::still ? Tone::dim : Tone::plain, mark + name) +
                terminal_.paint(Tone::cyan, remarks),
            columns_of(mark) + columns_of(name) + columns_of(remarks)};
  }

  // How many siblings from the first on are leaves of its kind that go on shared lines; 0 if they are too few.
  [[nodiscard]] std::size_t leaves_in_a_row(std::span<const std::uint32_t> siblings) const {
    std::size_t plain = 0, all = 0;
    for (const std::uint32_t node : siblings) {
      if (!facts_.children[node].empty() || kind_of(node) != kind_of(siblings[0])) break;
      if (plain == all && model_.nodes()[node].mesh == kNone) ++plain;
      ++all;
    }
    return all >= kMeshesInARow ? all : plain >= kLeavesInARow ? plain : 0;
  }

  void draw_siblings(const std::vector<std::uint32_t>& siblings, const std::string& prefix, bool roots) {
    for (std::size_t i = 0; i < siblings.size();) {
      const std::span<const std::uint32_t> rest = std::span(siblings).subspan(i);
      if (const std::size_t leaves = leaves_in_a_row(rest); leaves > 0) {
        draw_leaves(rest.first(leaves), prefix, roots, leaves == rest.size());
        i += leaves;
        continue;
      }
      draw_node(siblings[i], prefix, roots, i + 1 == siblings.size());
      ++i;
    }
  }

  [[nodiscard]] std::string branch(const std::string& prefix, bool root, bool last) const {
    return terminal_.paint(Tone::dim, prefix + (root ? "" : last ? "└─ " : "├─ "));
  }

  // Many leaves, side by side.
  void draw_leaves(std::span<const std::uint32_t> leaves, const std::string& prefix, bool roots, bool last) {
    const std::size_t start = columns_of(prefix) + (roots ? 0 : 3);
    std::vector<std::string> rows;
    std::size_t used = 0, at = 0;
    for (; at < leaves.size(); ++at) {
      const Label label = label_of(leaves[at]);
      if (rows.empty() || used + 2 + label.columns > terminal_.width) {
        if (rows.size() == kLinesOfLeaves) break;
        rows.emplace_back();
        used = start;
      } else {
        rows.back() += ", ";
        used += 2;
      }
      rows.back() += label.text;
      used += label.columns;
    }
    if (at < leaves.size()) rows.push_back("… and " + count_of(leaves.size() - at, "leaf", "leaves") + " more");
    for (std::size_t r = 0; r < rows.size(); ++r) {
      lines_.push_back(branch(prefix, roots, last && r + 1 == rows.size()) + rows[r]);
    }
  }

  // A node, what follows it alone, and the rest of what is below.
  void draw_node(std::uint32_t node, const std::string& prefix, bool root, bool last) {
    std::size_t used = columns_of(prefix) + (root ? 0 : 3);
    Label label = label_of(node);
    std::string line = branch(prefix, root, last) + label.text;
    used += label.columns;
    while (facts_.children[node].size() == 1) {
      label = label_of(facts_.children[node][0]);
      if (used + 3 + label.columns > terminal_.width) break;
      line += terminal_.paint(Tone::dim, " ─ ") + label.text;
      used += 3 + label.columns;
      node = facts_.children[node][0];
    }
    const std::string inner = prefix + (root ? "" : last ? "   " : "│  ");
    const bool deep = columns_of(inner) > terminal_.width / 2;
    if (deep && below_[node] > 0) line += terminal_.paint(Tone::dim, " … and " + grouped(below_[node]) + " below");
    lines_.push_back(std::move(line));
    if (!deep) draw_siblings(facts_.children[node], inner, false);
  }

  const Model& model_;
  const ModelFacts& facts_;
  const Terminal& terminal_;
  std::vector<std::size_t> below_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> node_tree(const Model& model, const ModelFacts& facts, const Terminal& terminal) {
  return TreeDrawing(model, facts, terminal).draw();
}

}  // namespace marrow::tool
