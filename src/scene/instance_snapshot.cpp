// The state of an instance as a block of bytes.
//
//   magic, version, bytes in all, stages, overrides, animator's version, animator's bytes     seven 32-bit words
//   hash of the skeleton, hash of the animator's name                                         8 bytes each
//   for each stage: hash of its name; seconds that it waits for; its version, bytes of state  8, 8, 4 and 4 bytes
//   for each override: inner node, weight, transform                                          12 words
//   the animator's block, then the state bytes of the stages, then a checksum of all before it (8 bytes)
//
// All packed, in the byte order of the machine.
#include <algorithm>
#include <cstring>
#include <string>

#include "marrow/core/hash.h"
#include "src/scene/imports.h"
#include "src/scene/scene_impl.h"

namespace marrow {
namespace {

constexpr std::uint32_t kMagic = 0x49577261u;  // "arWI"
constexpr std::uint32_t kVersion = 2;
constexpr std::size_t kChecksumBytes = 8;

Error wrong(const std::string& what) { return {ErrorCode::invalid_argument, what, "snapshot"}; }

std::uint64_t hash_of(const char* name) {
  const std::string_view text(name);
  return hash_bytes(std::as_bytes(std::span(text.data(), text.size())), 0);
}

struct Header {
  std::uint32_t magic = kMagic, version = kVersion, bytes = 0, stages = 0, overrides = 0;
  std::uint32_t animator_version = 0, animator_bytes = 0;
  std::uint64_t skeleton_hash = 0, animator_name = 0;
};

// A stage is saved as its state bytes and this.
struct StageKey {
  std::uint64_t name = 0;  // hash
  double waiting_s = 0;
  std::uint32_t version = 0, bytes = 0;
};

// These functions list what a snapshot holds. Each names all fields of its struct, so a new field does not compile
// before it is listed. A change of a list needs another kVersion.

template <typename Visit, typename HeaderType>
constexpr void each_header_field(Visit& visit, HeaderType& header) {
  auto& [magic, version, bytes, stages, overrides, animator_version, animator_bytes, skeleton_hash, animator_name] =
      header;
  visit(magic);
  visit(version);
  visit(bytes);
  visit(stages);
  visit(overrides);
  visit(animator_version);
  visit(animator_bytes);
  visit(skeleton_hash);
  visit(animator_name);
}

template <typename Visit, typename KeyType>
constexpr void each_stage_field(Visit& visit, KeyType& key) {
  auto& [name, waiting_s, version, bytes] = key;
  visit(name);
  visit(waiting_s);
  visit(version);
  visit(bytes);
}

template <typename Visit, typename OverrideType>
constexpr void each_override_field(Visit& visit, OverrideType& by) {
  auto& [inner, weight, transform] = by;
  visit(inner);
  visit(weight);
  visit(transform);
}

constexpr std::size_t kHeaderBytes =
    field_bytes<Header>([](auto& visit, auto& header) { each_header_field(visit, header); });
constexpr std::size_t kStageBytes = field_bytes<StageKey>([](auto& visit, auto& key) { each_stage_field(visit, key); });
constexpr std::size_t kOverrideBytes =
    field_bytes<Override>([](auto& visit, auto& by) { each_override_field(visit, by); });

std::size_t fixed_bytes(std::size_t stages, std::size_t overrides) {
  return kHeaderBytes + stages * kStageBytes + overrides * kOverrideBytes;
}

std::size_t state_bytes(const InstanceImpl& instance) {
  std::size_t bytes = 0;
  for (const StageSlot& slot : instance.stages) bytes += slot.stage.state_bytes;
  return bytes;
}

bool can_save(const AnimatorFunctions& animator) {
  return animator.save != nullptr && animator.restore != nullptr && animator.state_size != nullptr;
}

Error cannot_save(const AnimatorFunctions& animator) {
  return {ErrorCode::unsupported,
          "the animator \"" + std::string(animator.name) + "\" lacks one of save, restore and state_size", "animator"};
}

// Checks a block as a whole, and that it is of this instance's skeleton and animator.
Result<Header> read_header(const InstanceImpl& instance, std::span<const std::byte> block) {
  if (block.size() < kHeaderBytes + kChecksumBytes) return wrong("the block is too short to be a snapshot");
  Header h;
  ByteReader read(block.data());
  each_header_field(read, h);
  if (h.magic != kMagic) return wrong("the block is not a snapshot of an instance");
  if (h.version != kVersion) {
    return wrong("the snapshot has version " + std::to_string(h.version) + ", this library reads version " +
                 std::to_string(kVersion));
  }
  const std::uint64_t least = std::uint64_t{h.stages} * kStageBytes + std::uint64_t{h.overrides} * kOverrideBytes +
                              h.animator_bytes + kHeaderBytes + kChecksumBytes;
  if (h.bytes > block.size() || h.bytes < least) return wrong("the snapshot is cut off, or its sizes do not add up");
  std::uint64_t checksum = 0;
  ByteReader(block.data() + h.bytes - kChecksumBytes)(checksum);
  if (checksum != hash_bytes(block.first(h.bytes - kChecksumBytes), kVersion)) return wrong("the checksum is wrong");
  if (h.skeleton_hash != instance.record->model().skeleton().hash()) return wrong("it is of another skeleton");
  const char* const name = instance.has_animator() ? instance.animator.functions->name : "";
  const std::uint32_t version = instance.has_animator() ? instance.animator.functions->version : 0;
  if (h.animator_name != hash_of(name) || h.animator_version != version) {
    return wrong("the snapshot has the state of another animator, or of another version of it");
  }
  return h;
}

Result<void> check_stages(const InstanceImpl& instance, const Header& header, ByteReader& read) {
  bool same = header.stages == instance.stages.size();
  for (std::size_t i = 0; same && i < instance.stages.size(); ++i) {
    StageKey key;
    each_stage_field(read, key);
    const PoseStage& stage = instance.stages[i].stage;
    same = key.name == hash_of(stage.name) && key.version == stage.version && key.bytes == stage.state_bytes;
    if (!is_finite(key.waiting_s)) return wrong("the time that a stage waits for is not finite");
  }
  const std::uint64_t all =
      fixed_bytes(header.stages, header.overrides) + header.animator_bytes + state_bytes(instance) + kChecksumBytes;
  if (same && header.bytes == all) return {};
  return wrong("the snapshot has other stages than the instance");
}

Result<std::vector<Override>> read_overrides(const InstanceImpl& instance, const Header& header, ByteReader& read) {
  std::vector<Override> overrides(header.overrides);
  std::uint32_t next = 0;
  for (Override& by : overrides) {
    each_override_field(read, by);
    const bool good = by.inner >= next && by.inner < instance.record->inner_count() && by.weight >= 0 && by.weight <= 1;
    const std::optional<Transform> usable = usable_transform(by.transform);
    if (!good || !usable) return wrong("an override is of no inner node, or makes no sense");
    next = by.inner + 1;
    by.transform = *usable;
  }
  return overrides;
}

}  // namespace

std::size_t Instance::snapshot_size() const {
  const InstanceImpl& instance = get();
  const Animator& by = instance.animator;
  const bool has_state = instance.has_animator() && can_save(*by.functions);
  const std::size_t animator = has_state ? by.functions->state_size(by.self) : 0;
  return fixed_bytes(instance.stages.size(), instance.overrides.size()) + animator + state_bytes(instance) +
         kChecksumBytes;
}

Result<std::size_t> Instance::save(std::span<std::byte> out) const {
  if (!check_alive(*this)) return dead_instance();
  const InstanceImpl& instance = get();
  const std::size_t before = fixed_bytes(instance.stages.size(), instance.overrides.size());
  const std::size_t after = state_bytes(instance) + kChecksumBytes;
  const auto too_small = [&] {
    return Error{ErrorCode::size_mismatch,
                 "a snapshot needs up to " + std::to_string(snapshot_size()) + " bytes, and the buffer has " +
                     std::to_string(out.size()),
                 "snapshot"};
  };
  if (instance.has_animator() && !can_save(*instance.animator.functions)) {
    return cannot_save(*instance.animator.functions);
  }
  if (out.size() < before + after) return too_small();
  Header header;
  if (instance.has_animator()) {
    const Animator& animator = instance.animator;
    const Result<std::size_t> saved =
        animator.functions->save(animator.self, out.subspan(before, out.size() - before - after));
    if (!saved) return saved.error().code == ErrorCode::size_mismatch ? too_small() : saved.error();
    header.animator_version = animator.functions->version;
    header.animator_bytes = static_cast<std::uint32_t>(*saved);
  }
  const std::size_t bytes = before + header.animator_bytes + after;
  header.animator_name = hash_of(instance.has_animator() ? instance.animator.functions->name : "");
  header.bytes = static_cast<std::uint32_t>(bytes);
  header.stages = static_cast<std::uint32_t>(instance.stages.size());
  header.overrides = static_cast<std::uint32_t>(instance.overrides.size());
  header.skeleton_hash = instance.record->model().skeleton().hash();
  ByteWriter write(out.data());
  each_header_field(write, header);
  for (const StageSlot& slot : instance.stages) {
    const auto& [stage, id, waiting_s, state] = slot;  // a new field of a stage does not compile before it is saved
    const StageKey key = {hash_of(stage.name), waiting_s, stage.version, static_cast<std::uint32_t>(stage.state_bytes)};
    each_stage_field(write, key);
  }
  for (const Override& by : instance.overrides) {
    each_override_field(write, by);
  }
  ByteWriter tail(out.data() + before + header.animator_bytes);
  for (const StageSlot& slot : instance.stages) {
    tail.copy(std::as_bytes(std::span(slot.state)).first(slot.stage.state_bytes));
  }
  tail(hash_bytes(std::span<const std::byte>(out).first(bytes - kChecksumBytes), kVersion));
  return bytes;
}

Result<void> Instance::restore(std::span<const std::byte> block) const {
  if (!check_alive(*this)) return dead_instance();
  InstanceImpl& instance = get();
  if (instance.has_animator() && !can_save(*instance.animator.functions)) {
    return cannot_save(*instance.animator.functions);
  }
  const Result<Header> header = read_header(instance, block);
  if (!header) return header.error();
  ByteReader read(block.data() + kHeaderBytes);
  ByteReader stage_keys = read;
  if (Result<void> stages = check_stages(instance, *header, read); !stages) return stages;
  Result<std::vector<Override>> overrides = read_overrides(instance, *header, read);
  if (!overrides) return overrides.error();
  if (!overrides->empty()) instance.make_edited();
  const std::span<const std::byte> animator_block = read.take(header->animator_bytes);
  if (instance.has_animator()) {
    const Animator& animator = instance.animator;
    if (Result<void> restored = animator.functions->restore(animator.self, animator_block); !restored) return restored;
  }
  for (StageSlot& slot : instance.stages) {
    StageKey key;
    each_stage_field(stage_keys, key);
    slot.waiting_s = key.waiting_s;
    const std::span<const std::byte> state = read.take(slot.stage.state_bytes);
    if (!state.empty()) std::memcpy(slot.state.data(), state.data(), state.size());
  }
  instance.skipping = false;
  instance.overrides = std::move(*overrides);
  touch();
  return {};
}

}  // namespace marrow
