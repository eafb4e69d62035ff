// A whole DOP in registers: eight directions to a block, kBlocks of them.
#pragma once

#include "base/lanes.hpp"
#include "dop/correspond.hpp"
#include "dop/directions.hpp"

namespace impinge::dop {

// Of a product b x with |x| <= 1: three roundings of terms that add up to at most 1.7321, and
// one more when this is added.
constexpr float kProductError = 8 * 0x1p-24f;

template <int kBlocks>
struct Lanes {
  Float8 at[kBlocks];
};

// No fused operations: the tests then go the same way on every CPU, and so do all counts.
template <int kBlocks, class Pick>
inline Lanes<kBlocks> extent(const Directions& directions, const float* vertices, Pick pick) {
  Lanes<kBlocks> r;
  for (int w = 0; w < kBlocks; ++w) {
    const Float8 x = Float8::load(directions.axis(0) + kLanes * w);
    const Float8 y = Float8::load(directions.axis(1) + kLanes * w);
    const Float8 z = Float8::load(directions.axis(2) + kLanes * w);
    const auto along = [&](const float* v) {
      return (x * Float8(v[0]) + y * Float8(v[1])) + z * Float8(v[2]);
    };
    r.at[w] = pick(pick(along(vertices), along(vertices + 3)), along(vertices + 6));
  }
  return r;
}

// The DOP of a triangle in the frame of its tree.
template <int kBlocks>
inline Lanes<kBlocks> dop_of(const Directions& directions, const float* vertices) {
  Lanes<kBlocks> r = extent<kBlocks>(directions, vertices,
                                     [](const Float8& a, const Float8& b) { return max(a, b); });
  for (Float8& block : r.at) block = block + Float8(kProductError);
  return r;
}

template <int kBlocks>
inline Lanes<kBlocks> load(const float* dop) {
  Lanes<kBlocks> r;
  for (int w = 0; w < kBlocks; ++w) r.at[w] = Float8::load(dop + kLanes * w);
  return r;
}

template <int kBlocks>
inline Lanes<kBlocks> hull(const Lanes<kBlocks>& a, const Lanes<kBlocks>& b) {
  Lanes<kBlocks> r;
  for (int w = 0; w < kBlocks; ++w) r.at[w] = max(a.at[w], b.at[w]);
  return r;
}

// Any eight directions of a DOP. From registers: a gather from memory takes twice as long.
template <int kBlocks>
inline Float8 pick(const Lanes<kBlocks>& dop, const std::int32_t* index) {
#if defined(__AVX2__)
  const __m256i at = _mm256_load_si256(reinterpret_cast<const __m256i*>(index));
  __m256 r = _mm256_permutevar8x32_ps(dop.at[0].v, at);
  for (int w = 1; w < kBlocks; ++w) {
    const __m256i beyond = _mm256_cmpgt_epi32(at, _mm256_set1_epi32(kLanes * w - 1));
    r = _mm256_blendv_ps(r, _mm256_permutevar8x32_ps(dop.at[w].v, at), _mm256_castsi256_ps(beyond));
  }
  return r;
#else
  return lanewise([&](int i) { return dop.at[index[i] / kLanes].v[index[i] % kLanes]; });
#endif
}

// How far a tumbled DOP reaches against each direction, in the aligned frame: lane i is the least
// b_i x, which is -d' of the opposite direction.
template <int kBlocks>
inline Lanes<kBlocks> lower_of(const Correspondence& map, const float* dop) {
  const Lanes<kBlocks> own = load<kBlocks>(dop);
  Lanes<kBlocks> r;
  for (int w = 0; w < kBlocks; ++w) {
    const int at = kLanes * w;
    const auto term = [&](int l) {
      return Float8::load(map.c[l] + at) * pick(own, map.from[l] + at);
    };
    r.at[w] = Float8(0.0f) - (((term(0) + term(1)) + term(2)) + Float8::load(map.shift + at));
  }
  return r;
}

// The same of a triangle with mapped vertices.
template <int kBlocks>
inline Lanes<kBlocks> lower_of_leaf(const Directions& directions, const Correspondence& map,
                                    const float* vertices) {
  Lanes<kBlocks> r = extent<kBlocks>(directions, vertices,
                                     [](const Float8& a, const Float8& b) { return min(a, b); });
  for (Float8& block : r.at) block = block - Float8(map.leaf_margin);
  return r;
}

// No overlap when one of them ends before the other begins, in some direction.
template <int kBlocks>
inline bool apart(const Lanes<kBlocks>& lower, const Lanes<kBlocks>& aligned) {
  Mask8 beyond = lower.at[0] > aligned.at[0];
  for (int w = 1; w < kBlocks; ++w) beyond = beyond | (lower.at[w] > aligned.at[w]);
  return bits(beyond) != 0;
}

}  // namespace impinge::dop
