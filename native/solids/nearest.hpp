// The closest point of a surface.
//
// Boxes and triangles are left out by lower bounds in floats that allow for all roundings;
// distances are those of `point_distance`, and of equal ones the lowest face is taken. So the
// answer depends neither on the order of the search nor on where it began.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/ticker.hpp"
#include "bvh/tree/leaf.hpp"
#include "bvh/tree/tree.hpp"
#include "geometry/point_distance.hpp"
#include "solids/boundary.hpp"

namespace impinge::solids {

constexpr NearPoint kNoPoint = {
    std::numeric_limits<double>::infinity(),
    {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN(),
     std::numeric_limits<double>::quiet_NaN()}};

// Belongs to one thread.
class NearestSearch {
 public:
  explicit NearestSearch(const bvh::Tree& tree) : tree_(tree) {}

  // The tree has a face. Begins with the face that was found last. With a surplus it is some face
  // that is at most so much farther than the closest, found sooner.
  void find(const double* point, double surplus = 0);

  void start_at(std::size_t slot) { slot_ = slot; }
  std::size_t slot() const { return slot_; }

  // Infinitely far, NaN and -1 before.
  const NearPoint& near() const { return near_; }
  std::int32_t face() const { return face_; }

 private:
  struct Step {
    float squared;
    std::int32_t level;
    std::uint32_t index;
  };

  void descend();
  int open(const Step& parent, Step* children) const;
  void test_leaf(std::size_t leaf);
  void test_all();
  void test(std::size_t slot);
  void set_reach();

  const bvh::Tree& tree_;
  const double* point_ = nullptr;
  double at_[3];    // in the frame
  float place_[3];  // the same as floats
  double surplus_ = 0;
  double slack_ = 0;  // on lower bounds in floats
  float reach_ = 0;   // no face is closer than found if its lower bound is beyond
  float squared_reach_ = 0;
  NearPoint near_ = kNoPoint;
  std::int32_t face_ = -1;
  std::size_t slot_ = 0;
};

// Of each of the points (count, 3); infinite, NaN and -1 without faces. Throws
// std::invalid_argument for a coordinate that is not finite or beyond 1e100.
struct NearestArrays {
  double* points;
  double* distances;
  std::int32_t* faces;
};
void nearest_of(const bvh::Tree& tree, const double* points, std::size_t count, int workers,
                const Ticker::Callback& tick, const NearestArrays& to);

// How far each of the points is from the boundary of the solid of a closed mesh, negative inside:
// the sign is that of `side_of`. Infinite when there is no solid. Throws as above.
void signed_distances_of(const Boundary& boundary, const double* points, std::size_t count,
                         int workers, const Ticker::Callback& tick, double* distances);

}  // namespace impinge::solids
