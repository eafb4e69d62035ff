// Triangles as strips, and pieces of them: what is left of a triangle between planes of any
// direction, within bounds that take a few multiplications.
#pragma once

#include <algorithm>
#include <cstdint>

#include "geometry/frame.hpp"
#include "geometry/vec.hpp"

namespace impinge::bvh {

// Coordinates of strips are within one, so that whatever is computed of them is off by less.
constexpr double kStripSlack = 1e-13;

// Holds a triangle: p + t d + u w with t and u in 0 .. 1, where d is its longest side.
struct Strip {
  double p[3], d[3], w[3];

  Strip(const Triangle& world, const Frame& frame);
};

inline Strip::Strip(const Triangle& world, const Frame& frame) {
  double v[3][3], most = -1;
  int first = 0;
  for (int c = 0; c < 3; ++c) {
    for (int k = 0; k < 3; ++k) v[c][k] = (world[c][k] - frame.centre[k]) * frame.scale;
  }
  for (int c = 0; c < 3; ++c) {
    const Vector side = from_to(v[c], v[(c + 1) % 3]);
    if (dot(side, side) > most) {
      most = dot(side, side);
      first = c;
    }
  }
  const double *from = v[first], *to = v[(first + 1) % 3], *apex = v[(first + 2) % 3];
  // without a length to divide by, any parallelogram over two sides will do
  const double foot = most > 1e-200 ? dot(from_to(from, apex), from_to(from, to)) / most : 0.0;
  for (int k = 0; k < 3; ++k) {
    p[k] = from[k];
    d[k] = to[k] - from[k];
    w[k] = (apex[k] - from[k]) - foot * d[k];
  }
}

struct Span {
  double lo, hi;
};

struct Piece {
  std::uint32_t strip;
  Span t, u;

  bool is_empty() const { return t.lo > t.hi || u.lo > u.hi; }
};

// A strip seen along a direction of length one.
struct StripAlong {
  double p, d, w;

  StripAlong(const Strip& s, const double (&n)[3])
      : p(n[0] * s.p[0] + n[1] * s.p[1] + n[2] * s.p[2]),
        d(n[0] * s.d[0] + n[1] * s.d[1] + n[2] * s.d[2]),
        w(n[0] * s.w[0] + n[1] * s.w[1] + n[2] * s.w[2]) {}

  Span of(const Piece& piece) const {
    const Span along = times(d, piece.t), across = times(w, piece.u);
    return {p + along.lo + across.lo, p + along.hi + across.hi};
  }
  // What of a piece is up to a plane, or beyond it.
  void keep_below(Piece& piece, double place) const { cut(piece, place - p, 1); }
  void keep_above(Piece& piece, double place) const { cut(piece, p - place, -1); }

 private:
  static Span times(double x, const Span& s) {
    return {std::min(x * s.lo, x * s.hi), std::max(x * s.lo, x * s.hi)};
  }
  // sign (t d + u w) <= room, first for t whatever u is, then for u.
  void cut(Piece& piece, double room, double sign) const {
    shorten(piece.t, sign * d, room + kStripSlack - times(sign * w, piece.u).lo);
    shorten(piece.u, sign * w, room + kStripSlack - times(sign * d, piece.t).lo);
  }
  // s x <= room
  static void shorten(Span& s, double x, double room) {
    if (x > 0) s.hi = std::min(s.hi, room / x);
    if (x < 0) s.lo = std::max(s.lo, room / x);
  }
};

}  // namespace impinge::bvh
