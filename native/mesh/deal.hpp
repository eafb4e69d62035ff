// Triangles dealt to the tiles of a partition of space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace impinge {

// Planes that cut space. A child >= 0 is a node, -1 - t is tile t. The left side is half-open:
// x < value on the axis.
struct Cuts {
  std::span<const std::int32_t> axis;
  std::span<const double> value;
  const std::int32_t* children;  // (nodes, 2)
  std::int32_t root;
  const double* regions;  // (tiles, 2, 3) lowest and highest corners of the tiles, [low, high)
  std::size_t tiles;
};

// Rows by tile: those of tile t are rows[starts[t]] to rows[starts[t + 1] - 1], ascending.
struct Dealt {
  std::vector<std::int64_t> starts;
  std::vector<std::int32_t> rows;
};

// Each of n triangles (n, 3, 3) to every tile that its closed box meets.
template <class Number>
Dealt deal(const Cuts& cuts, const Number* corners, std::size_t n);

}  // namespace impinge
