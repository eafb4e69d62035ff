// The search for the closest triangles of two bodies in one pose: a quick dive for a first bound, a
// sweep along the line between the closest points, and branch and bound where that does not settle
// it.
#pragma once

#include <cstdint>
#include <vector>

#include "bvh/distance/best_pair.hpp"
#include "bvh/distance/sweep.hpp"

namespace impinge::bvh {

class DistanceSearch {
 public:
  // Things on the way down.
  struct Step {
    Near near;
    Levels levels;
  };
  // Memory of a worker, kept from pose to pose.
  struct Scratch {
    BestPair::Scratch best;
    Sweep sweep;
    std::vector<Step> stack;
  };

  DistanceSearch(const Bodies& bodies, double upper_bound, Scratch& scratch,
                 DistanceCounters& counters)
      : bodies_(bodies),
        scratch_(scratch),
        counters_(counters),
        best_(bodies, upper_bound, scratch.best, counters) {}

  // Faces to begin with.
  void try_faces(std::int32_t face_a, std::int32_t face_b) { best_.try_faces(face_a, face_b); }
  // Until done, or until two triangles are found that meet.
  void run(Ticker& ticker, int worker);
  Closest result() const { return best_.result(); }

 private:
  void dive();
  bool sweep(Ticker& ticker, int worker);
  void branch_and_bound(Ticker& ticker, int worker);

  Levels top() const;
  void expand(const Step& step);
  void probe_first(Near* begin, Near* end);
  void compare(Item leaves, const Direction& known);
  Direction direction(Levels levels, Item item) const;
  int children(Levels levels, Item item, const Direction& n, float cut, Near* found) const;

  const Bodies& bodies_;
  Scratch& scratch_;
  DistanceCounters& counters_;
  BestPair best_;
};

}  // namespace impinge::bvh
