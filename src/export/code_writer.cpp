#include "src/export/code_writer.h"

#include <algorithm>
#include <cstdio>

#include "marrow/core/hash.h"
#include "marrow/core/version.h"
#include "src/export/code_text.h"
#include "src/export/imports.h"

namespace marrow {
namespace {

constexpr std::size_t kLineWidth = 110;

const char* type_name(Language language, CodeType type) {
  constexpr const char* kNames[3][7] = {
      {"u8", "u16", "u32", "u64", "i32", "f32", "&str"},
      {"uint8_t", "uint16_t", "uint32_t", "uint64_t", "int32_t", "float", "char *const"},
      {"std::uint8_t", "std::uint16_t", "std::uint32_t", "std::uint64_t", "std::int32_t", "float", "std::string_view"}};
  return kNames[static_cast<std::size_t>(language)][static_cast<std::size_t>(type)];
}

}  // namespace

CodeWriter::CodeWriter(const CodeOptions& options) : language_(options.language) {
  const std::string_view names[] = {options.name};
  if (!options.name.empty() && language_ != Language::cpp) name_ = identifiers(names, "model")[0];
  std::string origin = "Made by marrow " + std::string(library_version());
  if (!options.source.empty()) origin += " from " + std::string(options.source);
  if (!options.command.empty()) origin += ": " + std::string(options.command);
  comment(origin);
  after_origin_ = out_.size();
  if (language_ == Language::c) out_ += "#include <stdint.h>\n";
  if (language_ == Language::cpp) {
    out_ += "#include <array>\n#include <cstdint>\n#include <string_view>\n\nnamespace " +
            namespace_name(options.name) + " {\n";
  }
}

void CodeWriter::comment(std::string_view text) {
  const std::string words = comment_text(text);
  std::size_t at = 0;
  while (at < words.size()) {
    std::size_t end = words.size();
    if (end - at > kLineWidth) {
      end = words.rfind(' ', at + kLineWidth);
      if (end == std::string::npos || end <= at) end = std::min(words.find(' ', at + kLineWidth), words.size());
    }
    out_ += "// " + words.substr(at, end - at) + "\n";
    at = end + 1;
  }
}

void CodeWriter::heading(std::string_view text) {
  out_ += "\n";
  comment(text);
}

void CodeWriter::number(std::string_view name, CodeType type, std::uint64_t value) {
  std::string text = type == CodeType::u64 ? "0x" + hex_text(value) : std::to_string(value);
  if (language_ != Language::rust) text += type == CodeType::u64 ? "ULL" : "u";
  constant(name, type, text);
}

void CodeWriter::number(std::string_view name, float value) { constant(name, CodeType::f32, literal(value)); }

void CodeWriter::text(std::string_view name, std::string_view value) {
  constant(name, CodeType::text, string_literal(language_, value));
}

void CodeWriter::constant(std::string_view name, CodeType type, const std::string& value) {
  switch (language_) {
    case Language::rust:
      out_ += "#[allow(dead_code, clippy::all)]\npub const " + full_name(name) + ": " + type_name(language_, type) +
              " = " + value + ";\n";
      break;
    case Language::c: out_ += "#define " + full_name(name) + " " + value + "\n"; break;
    default:
      out_ +=
          std::string("inline constexpr ") + type_name(language_, type) + " " + full_name(name) + " = " + value + ";\n";
  }
}

void CodeWriter::begin_array(std::string_view name, CodeType type, std::size_t count) {
  const std::string size = std::to_string(count), element = type_name(language_, type);
  is_empty_ = count == 0;
  switch (language_) {
    case Language::rust:
      out_ += "#[rustfmt::skip]\n#[allow(dead_code, clippy::all)]\npub static " + full_name(name) + ": [" + element +
              "; " + size + "] = [\n";
      break;
    case Language::c:
      // C has no arrays of nothing.
      out_ += "static const " + element + " " + full_name(name) + "[" + (is_empty_ ? "1" : size) + "] = {\n";
      break;
    default: out_ += "inline constexpr std::array<" + element + ", " + size + "> " + full_name(name) + " = {\n";
  }
}

void CodeWriter::add_element(std::string_view text) {
  out_ += in_row_ ? " " : "    ";
  out_ += text;
  out_ += ',';
  in_row_ = true;
}

void CodeWriter::hex_element(std::uint8_t value) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%02x", value);
  add_element(text);
}

void CodeWriter::element(std::string_view value) { add_element(string_literal(language_, value)); }

void CodeWriter::end_row(std::string_view comment) {
  if (!comment.empty()) out_ += "  // " + comment_text(comment);
  out_ += "\n";
  in_row_ = false;
}

void CodeWriter::row_comment(std::string_view text) { out_ += "    // " + comment_text(text) + "\n"; }

void CodeWriter::end_array() {
  if (is_empty_ && language_ == Language::c) out_ += "    0,  // none\n";
  out_ += language_ == Language::rust ? "];\n" : "};\n";
}

std::string CodeWriter::finish() {
  if (language_ == Language::rust) return std::move(out_);
  if (language_ == Language::cpp) out_ += "\n}  // namespace\n";
  // By all that is in it: of two files with one guard the second would be empty, and nobody would be told.
  const std::string guard = "MARROW_" + hex_text(hash_text(out_)) + (language_ == Language::c ? "_H" : "_HPP");
  out_.insert(after_origin_, "#ifndef " + guard + "\n#define " + guard + "\n\n");
  return std::move(out_) + "\n#endif\n";
}

std::string CodeWriter::full_name(std::string_view name) const {
  return (name_.empty() ? "" : name_ + "_") + (prefix_.empty() ? "" : prefix_ + "_") + std::string(name);
}

std::string CodeWriter::literal(float value) const { return float_literal(language_, value); }

}  // namespace marrow
