// The rim of a sheet as it is seen in a plane, in floats with bounds on all roundings.
#pragma once

#include "bvh/self/sheets.hpp"
#include "geometry/plane.hpp"

namespace impinge::bvh {

// Edge i goes from place i to place i + 1.
class ProjectedRim {
 public:
  // `error` bounds how far a coordinate of a point is from the truth.
  ProjectedRim(const Sheets::Rim& rim, const Plane8& plane, const Point4* points, float error);

  // Whether certainly at most one ring runs counter-clockwise, and edges meet only where they share
  // a vertex.
  bool is_plain() { return has_one_outside() && bends() && is_parted(); }

 private:
  bool has_one_outside() const;
  bool bends() const;
  bool is_parted();
  void make_boxes();
  bool parted(int i, int j) const;
  bool turns(int at, int p, int q) const;
  bool beside(int i, int j) const;
  float bound(float size) const;

  static constexpr int kRoom = static_cast<int>(Sheets::kLongest) + 2 * kLanes;

  const Sheets::Rim rim_;
  const int n_;
  float off_;  // how far a place may be from the truth, per coordinate
  alignas(32) float x_[kRoom], y_[kRoom];
  alignas(32) float left_[kRoom], right_[kRoom], low_[kRoom], high_[kRoom];  // of the edges
};

}  // namespace impinge::bvh
