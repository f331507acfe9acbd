// The state of a mixer as a block of bytes.
//
//   magic, version, bytes in all, action slots, layers, live actions,
//   remembered options                                                   seven 32-bit words
//   hash of the skeleton, time scale, stops                              8 bytes each
//   generations                                                          4 bytes a slot
//   layers, live actions, remembered options                             the fields listed below
//   checksum of everything before it                                     8 bytes
//
// All packed, in the byte order of the machine. Slots behind the last that was ever used are left out, so that a block
// does not depend on how far a mixer has grown. Clips and masks are told by what they contain; of clips with equal
// contents the first, the second and so on of the mixer.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "marrow/core/hash.h"
#include "src/mixer/imports.h"
#include "src/mixer/mixer_impl.h"

namespace marrow {
namespace {

constexpr std::uint32_t kMagic = 0x53577261u;  // "arWS"
constexpr std::uint32_t kVersion = 3;
constexpr std::size_t kChecksumBytes = 8;
constexpr std::uint64_t kMostStops = std::uint64_t{1} << 62;

struct Header {
  std::uint32_t magic = 0, version = 0, bytes = 0, slots = 0, layers = 0, actions = 0, options = 0;
  std::uint64_t skeleton_hash = 0;
  double time_scale = 0;
  std::uint64_t stops = 0;
};

// What an action's clip and a layer's mask are known by.
struct ClipKey {
  std::uint32_t twin = 0;
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
  auto& [magic, version, bytes, slots, layers, actions, options, skeleton_hash, time_scale, stops] = header;
  visit(magic);
  visit(version);
  visit(bytes);
  visit(slots);
  visit(layers);
  visit(actions);
  visit(options);
  visit(skeleton_hash);
  visit(time_scale);
  visit(stops);
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
  auto& [twin, hash] = key;
  auto& [clip, layer, state, paused, sought, crossing, separate, remnant, held, stopped, head, speed, weight, fade,
         warp, leader] = action;
  visit(twin);  // in place of `clip`
  visit(hash);
  visit(layer);
  visit(state);
  visit(paused);
  visit(sought);
  visit(crossing);
  visit(separate);
  visit(remnant);
  visit(held);
  visit(stopped);
  each_playhead_field(visit, head);
  visit(speed);
  visit(weight);
  each_ramp_field(visit, fade);
  each_ramp_field(visit, warp);
  each_handle_field(visit, leader);
}

template <typename Visit, typename Options, typename Key>
constexpr void each_option_field(Visit& visit, Options& options, Key& key) {
  auto& [twin, hash] = key;
  auto& [clip, layer, speed, weight, loop, repetitions] = options;
  visit(twin);  // in place of `clip`
  visit(hash);
  visit(layer);
  visit(speed);
  visit(weight);
  visit(loop);
  visit(repetitions);
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
constexpr std::size_t kOptionBytes = field_bytes<RememberedOptions>([](auto& visit, auto& options) {
  const ClipKey key;
  each_option_field(visit, options, key);
});

std::uint64_t block_bytes(std::uint64_t slots, std::uint64_t layers, std::uint64_t actions, std::uint64_t options) {
  return kHeaderBytes + slots * 4 + layers * kLayerBytes + actions * kActionBytes + options * kOptionBytes +
         kChecksumBytes;
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
  if (h.actions > h.slots || h.bytes != block_bytes(h.slots, h.layers, h.actions, h.options)) {
    return wrong("its parts do not add up");
  }
  std::uint64_t checksum = 0;
  ByteReader(block.data() + h.bytes - kChecksumBytes)(checksum);
  if (checksum != hash_bytes(block.first(h.bytes - kChecksumBytes), kVersion)) return wrong("its checksum is wrong");
  if (h.skeleton_hash != m.skeleton.hash()) return wrong("it is of another skeleton");
  if (!is_finite(h.time_scale)) return wrong("its time scale is not finite");
  if (h.stops > kMostStops) return wrong("more actions were stopped than can be");
  if (h.slots > m.capacity.max_actions || h.layers > m.capacity.layers) {
    return Error{ErrorCode::limit_exceeded,
                 "it needs MixerOptions::max_actions " + std::to_string(h.slots) + " and layers " +
                     std::to_string(h.layers) + "; this mixer has " + std::to_string(m.capacity.max_actions) + " and " +
                     std::to_string(m.capacity.layers),
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

// Finds the clip of a key among those of the mixer and of its library.
Result<std::uint32_t> find_clip(MixerImpl& m, const ClipKey& key) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < m.clips.size(); ++i) {
    if (m.clips[i].clip.hash() != key.hash) continue;
    if (m.clips[i].twin == key.twin) return i;
    if (!found) found = i;
  }
  std::uint32_t twin = 0;
  for (const Clip& clip : m.library) {
    if (clip.hash() != key.hash) continue;
    if (twin++ == key.twin || !found) {
      const Result<std::uint32_t> own = m.get_clip(clip);
      if (!own) continue;
      if (m.clips[*own].twin == key.twin) return *own;
      if (!found) found = *own;
    }
  }
  if (found) return *found;
  return wrong("it has a clip that this mixer does not have");
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
    const Result<std::uint32_t> clip = find_clip(m, key);
    if (!clip) return clip.error();
    a.clip = *clip;
    if (const char* what = fault(a, m.clips[a.clip].duration, header.layers)) return wrong(what);
    if (a.stopped > header.stops) return wrong("an action was stopped later than it was saved");
  }
  if (follows_in_circles(m)) return wrong("actions follow each other in a circle");
  return {};
}

Result<void> read_remembered(MixerImpl& m, const Header& header, ByteReader& read) {
  m.restored_options.assign(header.options, {});
  for (RememberedOptions& options : m.restored_options) {
    ClipKey key;
    each_option_field(read, options, key);
    const Result<std::uint32_t> clip = find_clip(m, key);
    if (!clip) return clip.error();
    options.clip = *clip;
    if (options.layer >= header.layers || !is_finite(options.speed) || !is_weight(options.weight) ||
        !is_one_of(options.loop, Loop::ping_pong)) {
      return wrong("remembered options make no sense");
    }
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> of;
  for (const RememberedOptions& options : m.restored_options) of.emplace_back(options.clip, options.layer);
  std::sort(of.begin(), of.end());
  if (std::adjacent_find(of.begin(), of.end()) != of.end()) return wrong("it remembers options of a clip twice");
  return {};
}

// All was found good. What may run out of memory comes first: then nothing has changed.
void take_over(MixerImpl& m, const Header& header) {
  m.resize_actions(static_cast<std::uint32_t>(m.restored_slots.size()));
  std::uint32_t active = 0;
  for (std::uint32_t s = 0; s < m.slots.size(); ++s) {
    if (!m.restored_slots[s].in_use()) continue;
    const ActionState &a = m.restored_actions[s], &before = m.slots[s].action;
    active += a.active() ? 1 : 0;
    if (a.remnant) continue;  // has no cursor
    if (!m.slots.is_live(s) || before.clip != a.clip || before.remnant) m.slots[s].cursor.reset(m.clips[a.clip].clip);
  }
  m.require_scratch(active);

  m.time_scale = header.time_scale;
  m.stops = header.stops;
  m.layers.assign(m.restored_layers.begin(), m.restored_layers.end());
  for (std::uint32_t s = 0; s < m.slots.size(); ++s) {
    if (m.restored_slots[s].in_use()) {
      m.slots[s].action = m.restored_actions[s];
    } else if (m.slots.is_live(s)) {
      m.slots[s].action = {};
    }
  }
  m.slots.restore(m.restored_slots);
  m.remembered.swap(m.restored_options);
  m.events.clear();
  m.root_motion = {};
}

}  // namespace

std::size_t Mixer::snapshot_size() const {
  const MixerOptions& capacity = impl_->capacity;
  return block_bytes(capacity.actions, capacity.layers, capacity.actions, impl_->remembered.size());
}

Result<std::size_t> Mixer::save(std::span<std::byte> out) const {
  const MixerImpl& m = *impl_;
  const std::uint32_t live = m.slots.live_count();
  std::uint32_t used = m.slots.size();
  while (used > 0 && !m.slots.is_live(used - 1) && m.slots.generation(used - 1) == SlotState().generation()) --used;
  const std::size_t bytes = block_bytes(used, m.layers.size(), live, m.remembered.size());
  if (out.size() < bytes) {
    return Error{ErrorCode::size_mismatch,
                 "a snapshot needs " + std::to_string(bytes) + " bytes, not " + std::to_string(out.size()), "snapshot"};
  }
  ByteWriter write(out.data());
  const Header header = {kMagic,
                         kVersion,
                         static_cast<std::uint32_t>(bytes),
                         used,
                         layer_count(),
                         live,
                         static_cast<std::uint32_t>(m.remembered.size()),
                         m.skeleton.hash(),
                         m.time_scale,
                         m.stops};
  each_header_field(write, header);
  for (std::uint32_t s = 0; s < used; ++s) write(m.slots.generation(s));
  for (const LayerState& layer : m.layers) {
    const MaskKey key = layer.mask == 0 ? MaskKey{} : MaskKey{1, m.masks[layer.mask - 1].hash};
    each_layer_field(write, layer, key);
  }
  const auto key_of = [&](std::uint32_t clip) { return ClipKey{m.clips[clip].twin, m.clips[clip].clip.hash()}; };
  for (std::uint32_t s = 0; s < used; ++s) {
    if (!m.slots.is_live(s)) continue;
    const ActionState& a = m.slots[s].action;
    const ClipKey key = key_of(a.clip);
    write(s);
    each_action_field(write, a, key);
  }
  for (const RememberedOptions& options : m.remembered) {
    const ClipKey key = key_of(options.clip);
    each_option_field(write, options, key);
  }
  write(hash_bytes(out.first(bytes - kChecksumBytes), kVersion));
  return bytes;
}

static Result<void> restore_block(MixerImpl& m, std::span<const std::byte> block) {
  const Result<Header> header = read_header(m, block);
  if (!header) return header.error();
  ByteReader read(block.data() + kHeaderBytes);
  const std::size_t count = std::max<std::size_t>(m.slots.size(), header->slots);
  m.restored_slots.assign(count, SlotState());
  m.restored_actions.resize(count);
  for (std::uint32_t s = 0; s < header->slots; ++s) {
    std::uint32_t generation = 1;
    read(generation);
    m.restored_slots[s] = SlotState(generation);
  }
  if (Result<void> layers = read_layers(m, header->layers, read); !layers) return layers;
  if (Result<void> actions = read_actions(m, *header, read); !actions) return actions;
  if (Result<void> options = read_remembered(m, *header, read); !options) return options;
  take_over(m, *header);
  return {};
}

Result<void> Mixer::restore(std::span<const std::byte> block) {
  return exactly([&] { return restore_block(*impl_, block); });
}

}  // namespace marrow
