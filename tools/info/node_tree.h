// The nodes of a model as a tree drawn with lines.
#pragma once

#include <string>
#include <vector>

#include "model_facts.h"
#include "terminal.h"

namespace marrow::tool {

// Returns the lines of the tree. Joints of a skin stand plain, other nodes that can move after a circle, those that
// cannot after a dot. A node with one child has it on the same line, as long as that fits; leaves in a row share lines.
// What is too deep or too much is counted instead.
[[nodiscard]] std::vector<std::string> node_tree(const Model& model, const ModelFacts& facts, const Terminal& terminal);

}  // namespace marrow::tool
