// Pairs of triangles that may meet, for those whose boxes tell too little: long and thin ones that
// stand askew.
//
// Both sets are cut by planes, and what of a triangle is beyond a plane goes to the other side with
// it. Planes stand across the axes or across the directions in which the triangles there reach
// least. So slivers side by side are parted along their common normal, whatever it is, and needles
// in all directions meet only those that come through the same small cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bvh/pair/join_cell.hpp"

namespace impinge::bvh {

// Two strips, that of b in the upper half.
using StripPair = std::uint64_t;
inline StripPair make_pair(std::uint32_t a, std::uint32_t b) { return StripPair{b} << 32 | a; }
inline std::uint32_t strip_a(StripPair pair) { return static_cast<std::uint32_t>(pair); }
inline std::uint32_t strip_b(StripPair pair) { return static_cast<std::uint32_t>(pair >> 32); }

// Any number of threads may ask at a time.
class SpatialJoin {
 public:
  // Pairs within `reach` of each other are candidates, and not many more. Where a and b are the
  // same, pairs without a common corner, the lower strip first.
  SpatialJoin(const JoinSide& a, const JoinSide& b, double reach)
      : a_(a), b_(b), self_(&a == &b), reach_(reach) {}

  // Cells that hold all candidates, about as many as wanted unless few are worth it.
  std::vector<JoinCell> cells(std::size_t wanted) const;

  // Takes the candidates, sorted, some of them in several calls; false stops the join.
  using Sink = std::function<bool(std::span<const StripPair>)>;
  // Asked now and then; false stops the join.
  using GoOn = std::function<bool()>;
  void run(const JoinCell& cell, const Sink& sink, const GoOn& go_on) const;

 private:
  class Listing;

  bool cut(const JoinCell& cell, std::vector<JoinCell>& cells) const;
  bool split_star(const JoinCell& cell, std::vector<JoinCell>& cells) const;
  void halve(const JoinCell& cell, std::vector<JoinCell>& cells) const;

  const JoinSide &a_, &b_;
  const bool self_;
  const double reach_;
};

}  // namespace impinge::bvh
