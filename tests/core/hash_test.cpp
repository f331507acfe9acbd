#include "marrow/core/hash.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fixtures/random.h"

namespace marrow {
namespace {

std::vector<std::byte> random_bytes(test::Random& random, std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random.below(256));
  return bytes;
}

std::span<const std::byte> part(const std::vector<std::byte>& bytes, std::size_t from, std::size_t to) {
  return std::span(bytes).subspan(from, to - from);
}

int ones(std::uint64_t x) {
  int count = 0;
  for (; x != 0; x &= x - 1) ++count;
  return count;
}

// The definition, in other words: the bytes padded with zeros to whole little-endian words, each mixed into a state
// that starts from the seed; at the end the length, and a finaliser.
std::uint64_t reference_hash(std::vector<std::byte> bytes, std::uint64_t seed) {
  const auto finalise = [](std::uint64_t h) {
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdull;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53ull;
    return h ^ (h >> 33);
  };
  const std::uint64_t golden = 0x9e3779b97f4a7c15ull, root3 = 0xbb67ae8584caa73bull;
  const std::uint64_t length = bytes.size();
  while (bytes.size() % 8 != 0) bytes.push_back(std::byte{0});
  std::uint64_t state = finalise(seed + golden);
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    for (std::size_t k = 8; k-- > 0;) word = word * 256 + static_cast<std::uint64_t>(bytes[i + k]);
    word *= root3;
    word = word * (1ull << 29) + word / (1ull << 35);
    word *= golden;
    state ^= word;
    state = state * (1ull << 27) + state / (1ull << 37);
    state = state * root3 + golden;
  }
  return finalise(state ^ length);
}

TEST_CASE("the hash has its known values") {
  // Files and golden tests hold these: they must never change. Computed apart, in Python.
  CHECK(hash_text("") == 0x6393d51c06c618dcu);
  CHECK(hash_text("marrow") == 0xb544860c16c72875u);
  CHECK(hash_text("the quick brown fox", 42) == 0x23542e67654aec26u);
}

TEST_CASE("the hash is that of an independent writing of its definition") {
  test::Random random(1);
  for (std::size_t length = 0; length < 100; ++length) {
    const auto bytes = random_bytes(random, length);
    CAPTURE(length);
    CHECK(hash_bytes(bytes, length % 3) == reference_hash(bytes, length % 3));
  }
}

TEST_CASE("the bulk hash is that of an independent writing of its definition, and every bit counts") {
  // Multiplied by hand, in pieces of 32 bits.
  const auto fold = [](std::uint64_t a, std::uint64_t b) {
    std::uint64_t digits[4] = {};
    const std::uint64_t mask = 0xffffffffu, x[2] = {a & mask, a >> 32}, y[2] = {b & mask, b >> 32};
    for (unsigned i = 0; i < 2; ++i) {
      std::uint64_t carry = 0;
      for (unsigned k = 0; k < 2; ++k) {
        const std::uint64_t sum = digits[i + k] + x[i] * y[k] + carry;
        digits[i + k] = sum & mask;
        carry = sum >> 32;
      }
      digits[i + 2] = carry;
    }
    return (digits[0] | digits[1] << 32) ^ (digits[2] | digits[3] << 32);
  };
  const auto word = [](const std::vector<std::byte>& bytes, std::size_t at) {
    std::uint64_t out = 0;
    for (std::size_t k = 8; k-- > 0;) out = out * 256 + static_cast<std::uint64_t>(bytes[at + k]);
    return out;
  };
  const std::uint64_t golden = 0x9e3779b97f4a7c15ull, root3 = 0xbb67ae8584caa73bull;
  test::Random random(4);
  for (std::size_t length = 0; length < 200; ++length) {
    std::vector<std::byte> bytes = random_bytes(random, length);
    std::uint64_t s[4] = {golden, root3, golden + root3, golden ^ root3};
    std::size_t at = 0;
    for (; at + 32 <= length; at += 32) {
      s[0] = fold(word(bytes, at) ^ s[0], word(bytes, at + 8) ^ s[1]);
      s[2] = fold(word(bytes, at + 16) ^ s[2], word(bytes, at + 24) ^ s[3]);
      for (const unsigned k : {1u, 3u}) s[k] = (s[k] << 23 | s[k] >> 41) + root3;
    }
    Hasher hasher(length);
    for (const std::uint64_t lane : s) hasher.add(lane);
    hasher.add(part(bytes, at, length));
    const std::uint64_t hash = hash_bulk(bytes);
    CHECK(hash == hasher.finish());
    for (std::size_t bit = 0; bit < 8 * length; bit += 7) {
      bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
      CHECK(hash_bulk(bytes) != hash);
      bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    }
  }
}

TEST_CASE("the hash is the same however the bytes are cut into pieces") {
  test::Random random(2);
  const auto bytes = random_bytes(random, 40);
  const std::uint64_t whole = hash_bytes(bytes);
  for (std::size_t a = 0; a <= bytes.size(); ++a) {
    for (std::size_t b = a; b <= bytes.size(); ++b) {
      Hasher hasher;
      hasher.add(part(bytes, 0, a));
      hasher.add(part(bytes, a, b));
      hasher.add(part(bytes, b, bytes.size()));
      if (hasher.finish() == whole) continue;
      CAPTURE(a);
      CAPTURE(b);
      CHECK(hasher.finish() == whole);
    }
  }
  Hasher one_by_one;
  for (std::size_t i = 0; i < bytes.size(); ++i) one_by_one.add(part(bytes, i, i + 1));
  CHECK(one_by_one.finish() == whole);
}

TEST_CASE("a hash may be taken in the middle, and the stream go on") {
  Hasher hasher;
  hasher.add(std::string_view("one"));
  CHECK(hasher.finish() == hash_text("one"));
  CHECK(hasher.finish() == hash_text("one"));
  hasher.add(std::string_view(" and two"));
  CHECK(hasher.finish() == hash_text("one and two"));
}

TEST_CASE("numbers are hashed as their little-endian bytes") {
  const auto hash_of = [](std::initializer_list<int> bytes) {
    std::vector<std::byte> v;
    for (int b : bytes) v.push_back(static_cast<std::byte>(b));
    return hash_bytes(v);
  };
  Hasher words, wide, floats;
  const std::uint32_t two_words[] = {0x04030201u, 0x08070605u};
  words.add(two_words);
  wide.add(std::uint64_t{0x0807060504030201u});
  CHECK(words.finish() == hash_of({1, 2, 3, 4, 5, 6, 7, 8}));
  CHECK(wide.finish() == hash_of({1, 2, 3, 4, 5, 6, 7, 8}));
  const float two_floats[] = {1.0f, -0.0f};
  floats.add(two_floats);
  CHECK(floats.finish() == hash_of({0, 0, 0x80, 0x3f, 0, 0, 0, 0x80}));
}

TEST_CASE("length, seed and order count") {
  const std::vector<std::byte> zeros(32);
  std::vector<std::uint64_t> hashes;
  for (std::size_t n = 0; n <= zeros.size(); ++n) hashes.push_back(hash_bytes(part(zeros, 0, n)));
  for (std::uint64_t seed = 1; seed < 100; ++seed) hashes.push_back(hash_bytes(zeros, seed));
  hashes.push_back(hash_text("abcdefghABCDEFGH"));
  hashes.push_back(hash_text("ABCDEFGHabcdefgh"));
  std::sort(hashes.begin(), hashes.end());
  CHECK(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
}

TEST_CASE("each bit of the input changes about half of the hash") {
  test::Random random(3);
  for (std::size_t length : {1u, 8u, 13u, 32u}) {
    for (std::size_t bit = 0; bit < 8 * length; ++bit) {
      int changed = 0;
      constexpr int kTrials = 64;
      for (int trial = 0; trial < kTrials; ++trial) {
        auto bytes = random_bytes(random, length);
        const std::uint64_t before = hash_bytes(bytes);
        bytes[bit / 8] ^= static_cast<std::byte>(1 << (bit % 8));
        changed += ones(before ^ hash_bytes(bytes));
      }
      // The mean of 64 sums of 64 fair bits strays from 32 by half a bit; this is six times as much.
      const double mean = static_cast<double>(changed) / kTrials;
      CAPTURE(length);
      CAPTURE(bit);
      CHECK(mean > 29);
      CHECK(mean < 35);
    }
  }
}

TEST_CASE("keys that are much alike do not collide") {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(200'000);
  for (int i = 0; i < 100'000; ++i) hashes.push_back(hash_text("bone_" + std::to_string(i)));
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    const std::uint32_t sparse[] = {i << 15, 0, i, 0};
    Hasher hasher;
    hasher.add(sparse);
    hashes.push_back(hasher.finish());
  }
  std::sort(hashes.begin(), hashes.end());
  CHECK(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
}

}  // namespace
}  // namespace marrow
