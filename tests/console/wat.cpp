#include "console/wat.h"

#include <wabt/binary-writer.h>
#include <wabt/error-formatter.h>
#include <wabt/ir.h>
#include <wabt/stream.h>
#include <wabt/wast-lexer.h>
#include <wabt/wast-parser.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace marrow::test {

std::vector<std::byte> wasm_of(const std::string& text) {
  wabt::Errors errors;
  const auto lexer = wabt::WastLexer::CreateBufferLexer("test.wat", text.data(), text.size(), &errors);
  std::unique_ptr<wabt::Module> module;
  wabt::Features features;
  wabt::WastParseOptions options(features);
  wabt::MemoryStream stream;
  if (wabt::Failed(wabt::ParseWatModule(lexer.get(), &module, &errors, &options)) ||
      wabt::Failed(wabt::WriteBinaryModule(&stream, module.get(), wabt::WriteBinaryOptions()))) {
    std::fprintf(stderr, "%s\n%s\n", text.c_str(), errors.empty() ? "" : errors[0].message.c_str());
    std::abort();
  }
  std::vector<std::byte> bytes;
  for (const std::uint8_t byte : stream.output_buffer().data) bytes.push_back(std::byte{byte});
  return bytes;
}

}  // namespace marrow::test
