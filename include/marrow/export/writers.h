// Exported arrays as source code or JSON.
//
// The text is the same for the same model on every machine: numbers are the shortest that read back to the same bits, a
// vertex, a matrix and a name each have a line. In Rust and C it is meant to be included, in C++ too; none of it makes
// a compiler warn. docs/export.md shows it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/export/exported.h"

namespace marrow {

enum class Language : std::uint8_t { rust, c, cpp, json };

// How to write it. The views need to live only for the call.
struct CodeOptions {
  Language language = Language::rust;

  // What the names begin with; in C++ the namespace. Empty for none, and in C++ for `model`.
  std::string_view name;

  std::string_view source;   // what it was made from, for the first line: a file's name
  std::string_view command;  // and how
};

// Returns a mesh and its bones as text.
[[nodiscard]] std::string mesh_code(const ExportedMesh& mesh, const CodeOptions& options = {});

// Returns clips of one model as text. The names of several each begin with that of their clip.
[[nodiscard]] std::string animation_code(std::span<const ExportedAnimation> animations,
                                         const CodeOptions& options = {});

}  // namespace marrow
