// One polygon of the plane into triangles, by cutting off ears: corners with nothing in the way.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/corner_tree.hpp"

namespace impinge {

// Signs are exact. For an outline that turns left, and does not cross itself but may touch itself,
// as at a bridge to a hole, the triangles cover what it encloses and nothing else.
//
// Proof: triangles that are cut off one after the other add up to the outline, so at each point
// the number of triangles that turn left minus the number of those that turn right is the winding
// number, which is 1 inside and 0 outside. Only triangles that turn left, or have no area, are cut.
//
// What makes a corner an ear changes with its own neighbours alone (Eberly), so a cut leaves two
// corners to look at again.
class EarClipping {
 public:
  // Writes the corners of n - 2 triangles, each in the order of the outline of n >= 3 corners;
  // false when ears run out, which happens to outlines that cross themselves or turn right.
  // Triangles of up to half the slack in area count as without any, whichever way they turn.
  bool run(std::span<const PlanePoint> outline, double slack, std::int32_t* triangles);

 private:
  void link();
  void drop_repeated();
  void classify();
  bool cut_some();
  void cut(std::int32_t corner);
  void unlink(std::int32_t corner);
  void update(std::int32_t corner);
  bool is_ear(std::int32_t corner);
  bool blocks(std::int32_t other, std::int32_t corner) const;
  std::int32_t straight();
  int turn(std::int32_t a, std::int32_t b, std::int32_t c) const;
  bool on_left(std::int32_t a, std::int32_t b, std::int32_t other) const;
  bool in_corner(std::int32_t corner, std::int32_t other) const;

  std::span<const PlanePoint> points_;
  double slack_ = 0;
  std::int32_t* out_ = nullptr;
  std::int32_t left_ = 0, some_ = 0, round_ = 0;
  std::vector<std::int32_t> previous_, next_, seen_, now_, later_, straight_;
  std::vector<std::int8_t> turn_, in_tree_;
  std::size_t first_straight_ = 0;
  CornerTree tree_;
};

}  // namespace impinge
