// How DOPs of one frame are bounded in another: each direction there by three directions here.
#pragma once

#include <cstdint>

#include "boxes/frame_map.hpp"
#include "dop/directions.hpp"

namespace impinge::dop {

// How the float frame of the tumbled tree lies in that of the aligned one, and what rounding can
// do: if two triangles meet in the world, then points of theirs in these frames are at most `gap`
// apart per coordinate.
struct Between {
  double matrix[3][3], shift[3];
  double gap;
  double reach;  // of mapped coordinates
  float error;   // of a coordinate, for the float filter

  Between(const PlacedFrame& aligned, const PlacedFrame& tumbled);
  explicit Between(const PlacedFrame& alone);

  // A point of the tumbled tree, in float64 and rounded once.
  void point(const float* from, float* to) const;
};

// A DOP is moved by d'_i = sum_l c[l][i] d[from[l][i]] + shift[i]. With b_i the directions and
// u = transposed(matrix) b_i, the three coefficients are those of the cone with u in it, not
// negative and rounded to float. What that leaves of u, r = u - sum_l c_l b_l, moves no point by
// more than |r|_1, since |x| <= 1. So
//   b_i (matrix x + shift) <= sum_l c_l d_l + b_i shift + |r|_1
// for every point x of every DOP, and smaller DOPs give smaller results. The shift has all of that,
// |b_i|_1 gap, and the roundings of the evaluation, at most four of each term, and is rounded up.
//
// Lane i holds the row of the direction opposite to i: what comes out, negated, is compared with
// lane i of an aligned DOP. Lanes beyond k come out as -infinity, which is apart from nothing.
struct Correspondence {
  alignas(32) float c[3][kRoom];
  alignas(32) std::int32_t from[3][kRoom];
  alignas(32) float shift[kRoom];
  float leaf_margin;  // for DOPs of mapped vertices

  Correspondence(const Directions& directions, const Between& between);
};

}  // namespace impinge::dop
