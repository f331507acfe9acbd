#include "marrow/core/hash.h"

#include <bit>

#include "src/core/platform.h"

namespace marrow {
namespace {

// Odd constants with well-mixed bits: the fractional parts of the golden ratio and of sqrt(3), made odd.
constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15u;
constexpr std::uint64_t kMix = 0xbb67ae8584caa73bu;

constexpr std::uint64_t rotate_left(std::uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

// The 64-bit finaliser of MurmurHash3 (Appleby): every input bit reaches every output bit.
constexpr std::uint64_t avalanche(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdu;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53u;
  x ^= x >> 33;
  return x;
}

// Reads eight bytes as a little-endian number; compilers turn this into one load where that is what it is.
std::uint64_t load_word(const std::byte* p) {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < 8; ++i) word |= static_cast<std::uint64_t>(p[i]) << (8 * i);
  return word;
}

// Two rounds of multiply and rotate for each word, so that words that differ in their top bits do not cancel.
std::uint64_t mixed(std::uint64_t state, std::uint64_t word) {
  word *= kMix;
  word = rotate_left(word, 29);
  word *= kStep;
  return rotate_left(state ^ word, 27) * kMix + kStep;
}

// The product of 128 bits, its halves combined by exclusive or.
std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t high = 0;
  const std::uint64_t low = platform::multiply(a, b, high);
  return low ^ high;
}

}  // namespace

Hasher::Hasher(std::uint64_t seed) : state_(avalanche(seed + kStep)) {}

void Hasher::add(std::span<const std::byte> bytes) {
  const std::byte* p = bytes.data();
  const std::byte* const end = p + bytes.size();
  // Bytes go to the pending word until it is full, and again at the end; between these whole words are read.
  const auto add_pending = [this, &p] {
    pending_ |= static_cast<std::uint64_t>(*p++) << (8 * (length_ % 8));
    if (++length_ % 8 == 0) {
      state_ = mixed(state_, pending_);
      pending_ = 0;
    }
  };
  while (p != end && length_ % 8 != 0) add_pending();
  std::uint64_t state = state_;
  for (; end - p >= 8; p += 8, length_ += 8) state = mixed(state, load_word(p));
  state_ = state;
  while (p != end) add_pending();
}

void Hasher::add(std::uint64_t value) {
  if (length_ % 8 == 0) {
    state_ = mixed(state_, value);
    length_ += 8;
    return;
  }
  std::byte bytes[8];
  for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<std::byte>(value >> (8 * i));
  add(std::span<const std::byte>(bytes));
}

void Hasher::add(std::span<const std::uint32_t> values) {
  if constexpr (std::endian::native == std::endian::little) {
    add(std::as_bytes(values));
  } else {
    for (const std::uint32_t value : values) {
      const std::byte bytes[4] = {static_cast<std::byte>(value), static_cast<std::byte>(value >> 8),
                                  static_cast<std::byte>(value >> 16), static_cast<std::byte>(value >> 24)};
      add(std::span<const std::byte>(bytes));
    }
  }
}

void Hasher::add(std::span<const float> values) {
  if constexpr (std::endian::native == std::endian::little) {
    add(std::as_bytes(values));
  } else {
    for (const float value : values) {
      const std::uint32_t bits = platform::bit_cast<std::uint32_t>(value);
      add(std::span<const std::uint32_t>(&bits, 1));
    }
  }
}

void Hasher::add(std::string_view text) { add(std::as_bytes(std::span(text.data(), text.size()))); }

std::uint64_t Hasher::finish() const {
  return avalanche((length_ % 8 != 0 ? mixed(state_, pending_) : state_) ^ length_);
}

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
  Hasher hasher(seed);
  hasher.add(bytes);
  return hasher.finish();
}

std::uint64_t hash_bulk(std::span<const std::byte> bytes) {
  // Two words make one product of 128 bits, whose halves are added to a state that turns: wyhash's idea (Wang Yi). Two
  // states, so that neither waits for the other.
  std::uint64_t state[4] = {kStep, kMix, kStep + kMix, kStep ^ kMix};
  const std::byte* p = bytes.data();
  const std::byte* const end = p + bytes.size() / 32 * 32;
  for (; p != end; p += 32) {
    for (unsigned k = 0; k < 4; k += 2) {
      state[k] = folded_product(load_word(p + 8 * k) ^ state[k], load_word(p + 8 * k + 8) ^ state[k + 1]);
      state[k + 1] = rotate_left(state[k + 1], 23) + kMix;
    }
  }
  Hasher hasher(bytes.size());
  for (const std::uint64_t lane : state) hasher.add(lane);
  hasher.add(bytes.subspan(bytes.size() / 32 * 32));
  return hasher.finish();
}

std::uint64_t hash_text(std::string_view text, std::uint64_t seed) {
  Hasher hasher(seed);
  hasher.add(text);
  return hasher.finish();
}

}  // namespace marrow
