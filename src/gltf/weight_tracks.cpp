#include "src/gltf/weight_tracks.h"

#include <algorithm>
#include <utility>

#include "src/gltf/imports.h"

namespace marrow {
namespace {

// Writes the parts of a weight's key at a time; of several keys at that time those of the first, or of the last.
void write_key(const TrackKeys& keys, float time, bool last_of_several, std::size_t stride, float* out) {
  const std::size_t parts = key_parts(keys.interpolation);
  const auto write = [&](const float* from) {
    for (std::size_t part = 0; part < parts; ++part) out[part * stride] = from[part];
  };
  const auto [first, end] = std::equal_range(keys.times.begin(), keys.times.end(), time);
  if (first == end) {
    TrackKeys point{0, Property::morph, keys.interpolation, {}, {}};
    append_point(keys, static_cast<double>(time), time, point);
    return write(point.values.data());
  }
  const auto key = static_cast<std::size_t>((last_of_several ? end - 1 : first) - keys.times.begin());
  write(key_floats(keys, key));
  // The track of all weights may begin earlier and end later; this one does not move there.
  if (parts == 3 && key == 0) out[0] = 0;
  if (parts == 3 && key + 1 == keys.times.size()) out[2 * stride] = 0;
}

}  // namespace

std::vector<float> align_weights(std::span<WeightKeys> weights) {
  Interpolation richest = Interpolation::step;
  for (const WeightKeys& weight : weights) richest = std::max(richest, weight.keys.interpolation);
  std::vector<std::pair<float, bool>> all;  // a time, and whether it comes again
  for (WeightKeys& weight : weights) {
    weight.keys = with_interpolation(weight.keys, richest);
    const std::vector<float>& times = weight.keys.times;
    for (std::size_t k = 0; k < times.size(); ++k) all.emplace_back(times[k], k > 0 && times[k] == times[k - 1]);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<float> out;
  out.reserve(all.size());
  for (const auto& [time, again] : all) out.push_back(time);
  return out;
}

TrackKeys gather_weights(std::span<const WeightKeys> weights, std::span<const float> rest, std::vector<float> times) {
  TrackKeys out{0, Property::morph, weights.front().keys.interpolation, std::move(times), {}};
  const std::size_t size = rest.size(), parts = key_parts(out.interpolation);
  out.values.assign(out.times.size() * parts * size, 0.0f);
  for (std::size_t k = 0; k < out.times.size(); ++k) {
    float* const key = out.values.data() + k * parts * size;
    std::copy(rest.begin(), rest.end(), key + (parts == 3 ? size : 0));
    const bool again = k > 0 && out.times[k] == out.times[k - 1];
    for (const WeightKeys& weight : weights) write_key(weight.keys, out.times[k], again, size, key + weight.weight);
  }
  return out;
}

}  // namespace marrow
