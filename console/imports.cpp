#include "imports.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <span>

namespace marrow::console {
namespace {

struct Call {
  ImportContext& context;
  std::span<const std::byte> memory;
  const std::uint32_t* params;

  std::uint32_t operator[](std::size_t i) const { return params[i]; }
  [[nodiscard]] float number(std::size_t i) const { return std::bit_cast<float>(params[i]); }
};

struct Import {
  HostSignature signature;
  std::uint32_t (*call)(GuestHost& host, const Call& call);
};

constexpr Import kImports[] = {
    {{"load_skeleton", "ii", true},
     [](GuestHost& host, const Call& c) { return host.load_skeleton(c.memory, c[0], c[1]); }},
    {{"skeleton_bind", "i", false},
     [](GuestHost& host, const Call& c) { return host.skeleton_bind(c[0]), std::uint32_t{0}; }},
    {{"set_bones", "ii", false},
     [](GuestHost& host, const Call& c) { return host.set_bones(c.memory, c[0], c[1]), std::uint32_t{0}; }},
    {{"load_mesh", "iii", true},
     [](GuestHost& host, const Call& c) { return host.load_mesh(c.memory, c[0], c[1], c[2]); }},
    {{"load_mesh_indexed", "iiiii", true},
     [](GuestHost& host, const Call& c) { return host.load_mesh_indexed(c.memory, c[0], c[1], c[2], c[3], c[4]); }},
    {{"load_mesh_packed", "iii", true},
     [](GuestHost& host, const Call& c) { return host.load_mesh_packed(c.memory, c[0], c[1], c[2]); }},
    {{"load_mesh_packed_indexed", "iiiii", true},
     [](GuestHost& host, const Call& c) {
       return host.load_mesh_packed_indexed(c.memory, c[0], c[1], c[2], c[3], c[4]);
     }},
    {{"transform_identity", "", false},
     [](GuestHost& host, const Call&) { return host.transform_identity(), std::uint32_t{0}; }},
    {{"transform_set", "i", false},
     [](GuestHost& host, const Call& c) { return host.transform_set(c.memory, c[0]), std::uint32_t{0}; }},
    {{"transform_set_position", "fff", false},
     [](GuestHost& host, const Call& c) {
       return host.transform_set_position(c.number(0), c.number(1), c.number(2)), std::uint32_t{0};
     }},
    {{"draw_mesh", "i", false}, [](GuestHost& host, const Call& c) { return host.draw_mesh(c[0]), std::uint32_t{0}; }},
    {{"buttons", "i", true},
     [](GuestHost&, const Call& c) { return c[0] < kPlayers ? c.context.inputs[c[0]] : std::uint32_t{0}; }},
};

constexpr auto kSignatures = [] {
  std::array<HostSignature, std::size(kImports)> signatures{};
  std::ranges::transform(kImports, signatures.begin(), &Import::signature);
  return signatures;
}();

std::uint32_t dispatch(void* user, const HostCall& call) {
  ImportContext& context = *static_cast<ImportContext*>(user);
  const Call arguments{context, {call.memory, call.memory_size}, call.params};
  const Import& import = kImports[call.function];
  if (context.times.empty()) return import.call(context.host, arguments);
  const auto start = std::chrono::steady_clock::now();
  const std::uint32_t result = import.call(context.host, arguments);
  CallTime& time = context.times[call.function];
  time.microseconds += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  ++time.calls;
  return result;
}

}  // namespace

ImportContext::ImportContext(const GuestOptions& options, bool timed) : host(options) {
  if (!timed) return;
  for (const HostSignature& signature : kSignatures) times.push_back({signature.name, 0, 0});
}

HostFunctions imports_for(ImportContext& context) {
  return {kSignatures.data(), kSignatures.size(), dispatch, &context};
}

}  // namespace marrow::console
