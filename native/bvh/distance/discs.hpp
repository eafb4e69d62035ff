// Leaves as thick discs: a bound on their distance that is tight for flat patches and costs a few
// instructions a pair, eight pairs at a time.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "bvh/tree/area_vector.hpp"

namespace impinge::bvh {

// Within `thickness` of the plane through the centre and within `radius` of its axis.
struct Disc {
  float centre[3], normal[3];
  float radius, thickness;
  Box box;  // around the same triangles
};

// Units of 2^-24: a normal is off by 4, a cosine by 15, its square and those of lengths by 32.
// Twice that.
constexpr float kSquareSlack = 0x1p-18f;
// Sums and roots after that: at most 10 units, and 32 to be safe.
constexpr float kDiscSlack = 1 + 0x1p-19f;

// Around the triangles of a leaf; the normal is that of their sum.
inline Disc disc_around(const Leaf& leaf) {
  Disc disc;
  Float8 at[9];
  for (int k = 0; k < 9; ++k) at[k] = Float8::load(leaf.v[k]);
  disc.box = hull(triangle_boxes(leaf));
  for (int k = 0; k < 3; ++k) disc.centre[k] = 0.5f * (disc.box.lo[k] + disc.box.hi[k]);
  const AreaVector area = area_vector(leaf);
  float length2 = 0;
  for (float x : area.at) length2 += x * x;
  // Any unit vector will do; without one, a ball.
  const float inverse = length2 > 1e-30f ? 1 / std::sqrt(length2) : 0.0f;
  for (int k = 0; k < 3; ++k) disc.normal[k] = area.at[k] * inverse;
  Float8 wide(0.0f), thick(0.0f);
  for (int c = 0; c < 3; ++c) {
    Float8 across(0.0f), square(0.0f);
    for (int k = 0; k < 3; ++k) {
      const Float8 w = at[3 * c + k] - Float8(disc.centre[k]);
      across = mul_add(w, Float8(disc.normal[k]), across);
      square = mul_add(w, w, square);
    }
    thick = max(thick, abs(across));
    // across^2 within square
    wide = max(wide, mul_add(square, Float8(1 + kSquareSlack), Float8(0.0f) - across * across));
  }
  disc.radius = std::sqrt(highest(wide)) * kDiscSlack;
  disc.thickness = (highest(thick) + kSquareSlack * disc.radius) * kDiscSlack;
  return disc;
}

// Eight discs, lane by lane, and what their leaves reach along a direction they have in common.
struct alignas(32) Discs {
  float centre[3][kLanes], normal[3][kLanes], radius[kLanes], thickness[kLanes], ball[kLanes];
  float along[kLanes];
  Node boxes;

  // The box grows by a margin.
  void set(int lane, const Disc& disc, float reach, float margin) {
    for (int k = 0; k < 3; ++k) {
      boxes.lo[k][lane] = disc.box.lo[k] - margin;
      boxes.hi[k][lane] = disc.box.hi[k] + margin;
      centre[k][lane] = disc.centre[k];
      normal[k][lane] = disc.normal[k];
    }
    radius[lane] = disc.radius;
    thickness[lane] = disc.thickness;
    ball[lane] = disc.radius + disc.thickness;
    along[lane] = reach;
  }
  // Out of reach.
  void clear(int lane) { set(lane, Disc{}, std::numeric_limits<float>::infinity(), 0); }
};

// Whether the balls around them are within `cut` of each other.
inline Mask8 balls_near(const Disc& a, const Discs& b, float cut) {
  Float8 length2(0.0f);
  for (int k = 0; k < 3; ++k) {
    const Float8 d = Float8::load(b.centre[k]) - Float8(a.centre[k]);
    length2 = mul_add(d, d, length2);
  }
  const Float8 reach = Float8::load(b.ball) + Float8(cut + a.radius + a.thickness);
  return length2 <= reach * reach * Float8(1 + kSquareSlack);
}

// Gaps of one disc and eight, each along the line between their centres.
inline Float8 disc_gaps(const Disc& a, const Discs& b) {
  Float8 d[3], length2(0.0f);
  for (int k = 0; k < 3; ++k) {
    d[k] = Float8::load(b.centre[k]) - Float8(a.centre[k]);
    length2 = mul_add(d[k], d[k], length2);
  }
  const Float8 length = sqrt(length2), inverse = Float8(1.0f) / max(length, Float8(1e-15f));
  Float8 along_a(0.0f), along_b(0.0f);
  for (int k = 0; k < 3; ++k) {
    along_a = mul_add(d[k], Float8(a.normal[k]), along_a);
    along_b = mul_add(d[k], Float8::load(b.normal[k]), along_b);
  }
  const auto reach = [&](Float8 along, Float8 radius, Float8 thickness) {
    const Float8 cosine = along * inverse;
    const Float8 sine2 = Float8(1 + kSquareSlack) - cosine * cosine;
    return mul_add(abs(cosine) + Float8(kSquareSlack), thickness,
                   sqrt(max(sine2, Float8(kSquareSlack))) * radius);
  };
  const Float8 reaches = reach(along_a, Float8(a.radius), Float8(a.thickness)) +
                         reach(along_b, Float8::load(b.radius), Float8::load(b.thickness));
  return length - reaches * Float8(kDiscSlack);
}

}  // namespace impinge::bvh
