// The state of a mixer as a block of bytes.
//
//   magic, version, bytes in all, action slots, layers, live actions     six 32-bit words
//   hash of the skeleton, time scale                                     8 bytes each
//   generations                                                          4 bytes a slot
//   layers, then live actions                                            the fields listed below
//   checksum of everything before it                                     8 bytes
//
// All packed, in the byte order of the machine. Clips and masks are told by what they contain; clips also by the
// mixer's own number for them, since two may be alike.
#include <algorithm>
#include <limits>
#include <string>

#include "marrow/core/hash.h"
#include "src/mixer/imports.h"
#include "src/mixer/mixer_impl.h"

namespace marrow {
namespace {

constexpr std::uint32_t kMagic = 0x53577261u;  // "arWS"
constexpr std::uint32_t kVersion = 2;
constexpr std::size_t kChecksumBytes = 8;

struct Header {
  std::uint32_t magic = 0, version = 0, bytes = 0, slots = 0, layers = 0, actions = 0;
  std::uint64_t skeleton_hash = 0;
  double time_scale = 0;
};

// What an action's clip and a layer's mask are known by.
struct ClipKey {
  std::uint32_t id = 0;
  std::uint64_t hash = 0;
};
struct MaskKey {
  std::uint8_t has = 0;
  std::uint64_t hash = 0;
};

// These functions list what a snapshot holds. Each names all fields of its structs, so a new field does not compile
// before it is listed. A change of a list needs another kVersion.

template <typename Visit, typename HeaderType>
constexpr void each_header_field(Visit& visit, HeaderType& header) {
  auto& [magic, version, bytes, slots, layers, actions, skeleton_hash, time_scale] = header;
  visit(magic);
  visit(version);
  visit(bytes);
  visit(slots);
  visit(layers);
  visit(actions);
  visit(skeleton_hash);
  visit(time_scale);
}

template <typename Visit, typename RampType>
constexpr void each_ramp_field(Visit& visit, RampType& ramp) {
  auto& [from, to, elapsed, duration, easing] = ramp;
  visit(from);
  visit(to);
  visit(elapsed);
  visit(duration);
  visit(easing);
}

template <typename Visit, typename PlayheadType>
constexpr void each_playhead_field(Visit& visit, PlayheadType& head) {
  auto& [place, passes, loop, repetitions, reached] = head;
  auto& [pass, rem] = place;
  visit(pass);
  visit(rem);
  visit(passes);
  visit(loop);
  visit(repetitions);
  visit(reached);
}

template <typename Visit, typename HandleType>
constexpr void each_handle_field(Visit& visit, HandleType& handle) {
  auto& [index, generation] = handle;
  visit(index);
  visit(generation);
}

template <typename Visit, typename State, typename Key>
constexpr void each_action_field(Visit& visit, State& action, Key& key) {
  auto& [id, hash] = key;
  auto& [clip, layer, state, paused, sought, crossing, separate, remnant, head, speed, weight, fade, warp, leader] =
      action;
  visit(id);  // in place of `clip`
  visit(hash);
  visit(layer);
  visit(state);
  visit(paused);
  visit(sought);
  visit(crossing);
  visit(separate);
  visit(remnant);
  each_playhead_field(visit, head);
  visit(speed);
  visit(weight);
  each_ramp_field(visit, fade);
  each_ramp_field(visit, warp);
  each_handle_field(visit, leader);
}

template <typename Visit, typename State, typename Key>
constexpr void each_layer_field(Visit& visit, State& layer, Key& key) {
  auto& [has, hash] = key;
  auto& [mode, fill, mask, weight, current] = layer;
  visit(mode);
  visit(fill);
  visit(has);  // in place of `mask`
  visit(hash);
  each_ramp_field(visit, weight);
  each_handle_field(visit, current);
}

constexpr std::size_t kHeaderBytes =
    field_bytes<Header>([](auto& visit, auto& header) { each_header_field(visit, header); });
constexpr std::size_t kLayerBytes = field_bytes<LayerState>([](auto& visit, auto& layer) {
  const MaskKey key;
  each_layer_field(visit, layer, key);
});
constexpr std::size_t kActionBytes = sizeof(std::uint32_t) + field_bytes<ActionState>([](auto& visit, auto& action) {
                                       const ClipKey key;
                                       each_action_field(visit, action, key);
                                     });

std::size_t block_bytes(std::size_t slots, std::size_t layers, std::size_t actions) {
  return kHeaderBytes + slots * 4 + layers * kLayerBytes + actions * kActionBytes + kChecksumBytes;
}

template <typename Enum>
bool is_one_of(Enum value, Enum last) {
  return static_cast<std::uint8_t>(value) <= static_cast<std::uint8_t>(last);
}

bool is_good(const Ramp& r, double low, double high) {
  return r.from >= low && r.from <= high && r.to >= low && r.to <= high && r.elapsed >= 0 && is_finite(r.duration) &&
         (r.elapsed < r.duration || (r.elapsed == 0 && r.duration == 0)) && is_one_of(r.easing, Easing::ease_out);
}

// Says what cannot be in an action's state; null if it is good.
const char* fault(const ActionState& a, double duration, std::size_t layers) {
  if (a.layer >= layers) return "an action is on a layer that is not there";
  if (!is_one_of(a.state, PlayState::finished) || !is_one_of(a.head.loop, Loop::ping_pong) ||
      !is_one_of(a.head.reached, ClipEnd::end)) {
    return "an action is in a state that does not exist";
  }
  const ClipPlace& p = a.head.place;
  if (!(p.rem >= 0 && p.rem <= duration) || p.pass < -kMostPasses || p.pass > kMostPasses) {
    return "an action is outside its clip";
  }
  if (!is_finite(a.speed) || !is_weight(a.weight)) return "a speed or weight makes no sense";
  const bool good = is_good(a.fade, 0, 1) && is_good(a.warp, 0, std::numeric_limits<double>::max());
  if (!good) return "a fade makes no sense";
  return nullptr;
}

const char* fault(const LayerState& l, bool is_base) {
  const bool good = is_one_of(l.mode, LayerMode::add) && is_one_of(l.fill, Fill::weight) && is_good(l.weight, 0, 1);
  return good && !(is_base && l.mode != LayerMode::replace) ? nullptr : "a layer is in a state that does not exist";
}

// Whether some of the restored actions wait for each other.
bool follows_in_circles(const MixerImpl& m) {
  const std::size_t count = m.restored_slots.size();
  for (std::size_t s = 0; s < count; ++s) {
    std::size_t at = s, steps = 0;
    while (m.restored_slots[at].in_use()) {
      const ActionHandle leader = m.restored_actions[at].leader;
      if (leader.is_null() || leader.index > count) break;
      at = leader.index - 1;
      if (m.restored_slots[at].generation() != leader.generation) break;
      if (++steps > count) return true;
    }
  }
  return false;
}

Error wrong(const std::string& what) { return {ErrorCode::invalid_argument, what, "snapshot"}; }

// Checks a block as a whole.
Result<Header> read_header(const MixerImpl& m, std::span<const std::byte> block) {
  if (block.size() < kHeaderBytes + kChecksumBytes) return wrong("it is too short to be a snapshot");
  Header h;
  ByteReader read(block.data());
  each_header_field(read, h);
  if (h.magic != kMagic) return wrong("it is not a snapshot of a mixer");
  if (h.version != kVersion) {
    return wrong("it is of version " + std::to_string(h.version) + ", this library reads " + std::to_string(kVersion));
  }
  if (h.bytes > block.size()) {
    return wrong("it is cut off: " + std::to_string(block.size()) + " bytes of " + std::to_string(h.bytes));
  }
  if (h.actions > h.slots || h.bytes != block_bytes(h.slots, h.layers, h.actions)) {
    return wrong("its parts do not add up");
  }
  std::uint64_t checksum = 0;
  ByteReader(block.data() + h.bytes - kChecksumBytes)(checksum);
  if (checksum != hash_bytes(block.first(h.bytes - kChecksumBytes), kVersion)) return wrong("its checksum is wrong");
  if (h.skeleton_hash != m.skeleton.hash()) return wrong("it is of another skeleton");
  if (!is_finite(h.time_scale)) return wrong("its time scale is not finite");
  if (h.slots > m.slots.size() || h.layers > m.capacity.layers) {
    return Error{ErrorCode::limit_exceeded, "it has more actions or layers than the mixer holds; reserve more",
                 "snapshot"};
  }
  if (h.layers == 0) return wrong("it has no layer");
  return h;
}

Result<void> read_layers(MixerImpl& m, std::uint32_t count, ByteReader& read) {
  m.restored_layers.assign(count, {});
  for (LayerState& layer : m.restored_layers) {
    MaskKey key;
    each_layer_field(read, layer, key);
    if (const char* what = fault(layer, &layer == m.restored_layers.data())) return wrong(what);
    if (key.has == 0) continue;
    const auto known = [&](const MaskEntry& e) { return e.hash == key.hash; };
    const auto at = std::find_if(m.masks.begin(), m.masks.end(), known);
    if (at == m.masks.end()) return wrong("a layer has a mask that this mixer has not got");
    layer.mask = static_cast<std::uint32_t>(at - m.masks.begin()) + 1;
  }
  return {};
}

Result<void> read_actions(MixerImpl& m, const Header& header, ByteReader& read) {
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < header.actions; ++i) {
    std::uint32_t s = 0;
    read(s);
    if (s < next || s >= header.slots || !m.slots.is_usable(m.restored_slots[s].generation())) {
      return wrong("an action is in a slot that it cannot be in");
    }
    next = s + 1;
    m.restored_slots[s] = m.restored_slots[s].taken();
    ActionState& a = m.restored_actions[s];
    ClipKey key;
    each_action_field(read, a, key);
    const auto same = [&](const ClipEntry& e) { return e.id == key.id && e.clip.hash() == key.hash; };
    const auto alike = [&](const ClipEntry& e) { return e.clip.hash() == key.hash; };
    auto at = std::find_if(m.clips.begin(), m.clips.end(), same);
    if (at == m.clips.end()) at = std::find_if(m.clips.begin(), m.clips.end(), alike);
    if (at == m.clips.end()) return wrong("an action plays a clip that this mixer has not got");
    a.clip = static_cast<std::uint32_t>(at - m.clips.begin());
    if (const char* what = fault(a, at->duration, header.layers)) return wrong(what);
  }
  if (follows_in_circles(m)) return wrong("actions follow each other in a circle");
  return {};
}

// All was found good.
void take_over(MixerImpl& m) {
  m.layers.assign(m.restored_layers.begin(), m.restored_layers.end());
  for (std::uint32_t s = 0; s < m.slots.size(); ++s) {
    ActionSlot& slot = m.slots[s];
    if (m.restored_slots[s].in_use()) {
      const ActionState& a = m.restored_actions[s];
      if (!m.slots.is_live(s) || slot.action.clip != a.clip) slot.cursor.reset(m.clips[a.clip].clip);
      slot.action = a;
    } else if (m.slots.is_live(s)) {
      slot.action = {};
    }
  }
  m.slots.restore(m.restored_slots);
  m.events.clear();
  m.root_motion = {};
}

}  // namespace

std::size_t Mixer::snapshot_size() const {
  const MixerOptions& capacity = impl_->capacity;
  return block_bytes(capacity.actions, capacity.layers, capacity.actions);
}

Result<std::size_t> Mixer::save(std::span<std::byte> out) const {
  const MixerImpl& m = *impl_;
  const std::uint32_t live = m.slots.live_count();
  const std::size_t bytes = block_bytes(m.slots.size(), m.layers.size(), live);
  if (out.size() < bytes) {
    return Error{ErrorCode::size_mismatch,
                 "a snapshot needs " + std::to_string(bytes) + " bytes, not " + std::to_string(out.size()), "snapshot"};
  }
  ByteWriter write(out.data());
  const Header header = {
      kMagic,      kVersion, static_cast<std::uint32_t>(bytes), m.slots.size(), layer_count(), live, m.skeleton.hash(),
      m.time_scale};
  each_header_field(write, header);
  for (std::uint32_t s = 0; s < m.slots.size(); ++s) write(m.slots.generation(s));
  for (const LayerState& layer : m.layers) {
    const MaskKey key = layer.mask == 0 ? MaskKey{} : MaskKey{1, m.masks[layer.mask - 1].hash};
    each_layer_field(write, layer, key);
  }
  for (std::uint32_t s = 0; s < m.slots.size(); ++s) {
    if (!m.slots.is_live(s)) continue;
    const ActionState& a = m.slots[s].action;
    const ClipKey key = {m.clips[a.clip].id, m.clips[a.clip].clip.hash()};
    write(s);
    each_action_field(write, a, key);
  }
  write(hash_bytes(out.first(bytes - kChecksumBytes), kVersion));
  return bytes;
}

static Result<void> restore_block(MixerImpl& m, std::span<const std::byte> block) {
  const Result<Header> header = read_header(m, block);
  if (!header) return header.error();
  ByteReader read(block.data() + kHeaderBytes);
  for (std::size_t s = 0; s < m.slots.size(); ++s) {
    std::uint32_t generation = 1;
    if (s < header->slots) read(generation);
    m.restored_slots[s] = SlotState(generation);
  }
  if (Result<void> layers = read_layers(m, header->layers, read); !layers) return layers;
  if (Result<void> actions = read_actions(m, *header, read); !actions) return actions;
  m.time_scale = header->time_scale;
  take_over(m);
  return {};
}

Result<void> Mixer::restore(std::span<const std::byte> block) {
  return exactly([&] { return restore_block(*impl_, block); });
}

}  // namespace marrow
