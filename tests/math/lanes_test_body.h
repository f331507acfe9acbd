// The test of the lane operations, compiled once for each number of lanes; see lanes_test.cpp. Each operation is
// compared with plain C++ on every lane, bit for bit.
#include <doctest/doctest.h>

#include <cstring>
#include <initializer_list>

#include "math/lanes_test.h"
#include "src/math/lanes.h"

namespace marrow::MARROW_LANES_NAMESPACE {
namespace {

constexpr uint32_t kLanes = MARROW_LANES;

bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Numbers of every kind but NaN: signs of zero, denormals, infinities among them.
struct Inputs {
  float a[8], b[8], c[8], d[8];
  explicit Inputs(uint32_t round) {
    uint32_t state = round * 2654435761u + 1;
    for (float* row : {a, b, c, d}) {
      for (int i = 0; i < 8; ++i) row[i] = test::any_number(state);
    }
  }
};

void check_arithmetic(const Inputs& in) {
  float out[8];
  const auto check = [&](const char* name, F result, auto&& expected) {
    store(out, result);
    for (uint32_t i = 0; i < kLanes; ++i) {
      const float want = expected(in.a[i], in.b[i]);
      if (want != want) continue;  // which NaN is not defined
      INFO(name, " of ", in.a[i], " and ", in.b[i], ": ", out[i], " instead of ", want);
      CHECK(same_bits(out[i], want));
    }
  };
  const F a = load(in.a), b = load(in.b);
  check("sum", a + b, [](float x, float y) { return x + y; });
  check("difference", a - b, [](float x, float y) { return x - y; });
  check("product", a * b, [](float x, float y) { return x * y; });
  check("quotient", a / b, [](float x, float y) { return x / y; });
  check("root", square_root(a * a), [](float x, float) { return __builtin_sqrtf(x * x); });
  check("splat", splat(3.5f), [](float, float) { return 3.5f; });
  check("less", select(a < b, splat(1.0f), splat(2.0f)), [](float x, float y) { return x < y ? 1.0f : 2.0f; });
  check("equal", select(a == b, splat(1.0f), splat(2.0f)), [](float x, float y) { return x == y ? 1.0f : 2.0f; });
  check("sign", times_sign_of(a, b), [](float x, float y) { return __builtin_signbit(y) ? -x : x; });
  check("select", select(a < b, a, b), [](float x, float y) { return x < y ? x : y; });
}

void check_masks(const Inputs& in) {
  for (uint32_t bits = 0; bits < 256; ++bits) {
    float out[8];
    store(out, select(mask(bits), load(in.a), load(in.b)));
    for (uint32_t i = 0; i < kLanes; ++i) CHECK(same_bits(out[i], (bits >> i & 1u) != 0 ? in.a[i] : in.b[i]));
    CHECK(bits_of(mask(bits)) == (bits & kAllLanes));
    CHECK(bits_of(mask(bits) & mask(0x5au)) == (bits & 0x5au & kAllLanes));
  }
}

void check_rows(const Inputs& in) {
  float memory[8 * 12] = {};
  store_rows(memory, 12, load(in.a), load(in.b), load(in.c), load(in.d));
  for (uint32_t i = 0; i < kLanes; ++i) {
    CHECK((same_bits(memory[12 * i], in.a[i]) && same_bits(memory[12 * i + 1], in.b[i])));
    CHECK((same_bits(memory[12 * i + 2], in.c[i]) && same_bits(memory[12 * i + 3], in.d[i])));
    for (uint32_t k = 4; k < 12; ++k) CHECK(memory[12 * i + k] == 0.0f);
  }

  float table[64];
  for (uint32_t i = 0; i < 64; ++i) table[i] = static_cast<float>(i);
  const uint32_t index[8] = {5, 0, 7, 3, 3, 11, 2, 9};
  F v[8];
  load_rows(table, index, 3, v[0], v[1], v[2], v[3]);
  for (uint32_t k = 0; k < 4; ++k) {
    float out[8];
    store(out, v[k]);
    for (uint32_t i = 0; i < kLanes; ++i) CHECK(out[i] == static_cast<float>(3 * index[i] + k));
  }
  load_row_pairs(table, index, 4, v);
  for (uint32_t k = 0; k < 8; ++k) {
    float out[8];
    store(out, v[k]);
    for (uint32_t i = 0; i < kLanes; ++i) CHECK(out[i] == static_cast<float>(4 * index[i] + k));
  }
}

void check_vectors(const Inputs& in) {
  for (const uint32_t stride : {3u, 5u}) {
    float memory[8 * 5 + 1];
    for (uint32_t i = 0; i < 8 * 5 + 1; ++i) memory[i] = static_cast<float>(i);
    F x, y, z;
    load_vectors(memory, stride, x, y, z);
    float out[3][8];
    store(out[0], x);
    store(out[1], y);
    store(out[2], z);
    for (uint32_t i = 0; i < kLanes; ++i) {
      for (uint32_t k = 0; k < 3; ++k) CHECK(out[k][i] == static_cast<float>(i * stride + k));
    }
    store_vectors(memory, stride, load(in.a), load(in.b), load(in.c));
    for (uint32_t i = 0; i < kLanes; ++i) {
      const float* at = memory + i * stride;
      CHECK((same_bits(at[0], in.a[i]) && same_bits(at[1], in.b[i]) && same_bits(at[2], in.c[i])));
      for (uint32_t k = 3; k < stride; ++k) CHECK(at[k] == static_cast<float>(i * stride + k));
    }
    for (uint32_t i = kLanes * stride; i < 8 * 5 + 1; ++i) CHECK(memory[i] == static_cast<float>(i));
  }
  F v[4];
  float table[8 * 6];
  for (uint32_t i = 0; i < 8 * 6; ++i) table[i] = static_cast<float>(i);
  load_rows(table, 6, v[0], v[1], v[2], v[3]);
  for (uint32_t k = 0; k < 4; ++k) {
    float out[8];
    store(out, v[k]);
    for (uint32_t i = 0; i < kLanes; ++i) CHECK(out[i] == static_cast<float>(6 * i + k));
  }
}

void check_row_types(const Inputs& in) {
  float out[8];
  store_row2(out, splat_w(load_row_twice(in.a)) * splat_row2(in.b[1]));
  for (int i = 0; i < 8; ++i) {
    const float want = in.a[3] * in.b[1];
    CHECK((want != want || same_bits(out[i], want)));
  }
  store_row(out, splat_x(load_row(in.a)) * load_row(in.b) + splat_y(load_row(in.a)));
  for (int i = 0; i < 4; ++i) {
    const float want = in.a[0] * in.b[i] + in.a[1];
    CHECK((want != want || same_bits(out[i], want)));
  }
  store_row2(out, splat_z(load_row2(in.a)) * load_row_twice(in.b));
  for (int i = 0; i < 8; ++i) {
    const float want = in.a[i < 4 ? 2 : 6] * in.b[i % 4];
    CHECK((want != want || same_bits(out[i], want)));
  }
  // To add only_w of a row changes nothing but the last of four, not even the sign of a zero.
  store_row2(out, load_row2(in.b) + only_w(load_row2(in.a)));
  for (int i = 0; i < 8; ++i) {
    const float want = i % 4 == 3 ? in.b[i] + in.a[i] : in.b[i];
    CHECK((want != want || same_bits(out[i], want)));
  }
  store_row(out, load_row(in.b) + only_w(first(load_row2(in.a))));
  for (int i = 0; i < 4; ++i) {
    const float want = i == 3 ? in.b[i] + in.a[i] : in.b[i];
    CHECK((want != want || same_bits(out[i], want)));
  }
}

#define MARROW_TEXT_OF(x) #x
#define MARROW_TEXT(x) MARROW_TEXT_OF(x)

TEST_CASE("Lane operations do what plain C++ does, lanes: " MARROW_TEXT(MARROW_LANES)) {
  if (!test::lanes_available(MARROW_LANES)) return;
  for (uint32_t round = 0; round < 2000; ++round) {
    const Inputs in(round);
    check_arithmetic(in);
    check_rows(in);
    check_row_types(in);
    check_vectors(in);
  }
  check_masks(Inputs(1));
}

}  // namespace
}  // namespace marrow::MARROW_LANES_NAMESPACE
