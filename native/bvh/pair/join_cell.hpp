// Cells of space with the pieces of triangles in them, and how they look along some directions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bvh/pair/strip.hpp"

namespace impinge::bvh {

// One of two sets of triangles. `corners` are those of the triangles, three each, where triangles
// with a common corner are no candidates.
struct JoinSide {
  std::vector<Strip> strips;
  std::vector<std::int32_t> corners;
};

struct JoinCell {
  std::vector<Piece> a, b;
  bool own = false;  // the pieces of a with each other; b is empty

  const std::vector<Piece>& other() const { return own ? a : b; }
  double pairs() const {
    const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
    return own ? 0.5 * n * (n - 1) : n * m;
  }
  bool is_small() const {
    // so many pairs per piece are listed sooner than the pieces are cut
    constexpr double kPairsPerPiece = 32;
    return pairs() <= kPairsPerPiece * static_cast<double>(a.size() + b.size());
  }
};

constexpr int kJoinAxes = 9;
using Spans = std::array<Span, kJoinAxes>;
using JoinAxes = std::array<double[3], kJoinAxes>;

// A cell along some directions: the axes, those in which its pieces reach most and least, and the
// normals of some pieces, along which flat surfaces are parted.
struct CellView {
  JoinAxes axes;
  std::vector<Spans> a, b;
  Spans window;  // what both sides reach
  bool own, is_apart = false;

  // Pairs count within `reach`.
  CellView(const JoinCell& cell, const JoinSide& a, const JoinSide& b, double reach);

  const std::vector<Spans>& other() const { return own ? a : b; }
  bool inside(const Spans& s) const {
    for (int k = 0; k < kJoinAxes; ++k) {
      if (s[k].lo > window[k].hi || s[k].hi < window[k].lo) return false;
    }
    return true;
  }

  // The median of where pieces are within the window.
  double middle(int axis) const;
  // How many pairs a plane leaves on both its sides together.
  double pairs_beside(int axis, double place, double reach) const;
  // Along which pieces reach farthest beyond the window, by its own size.
  int tightest() const;
};

}  // namespace impinge::bvh
