// Shoots rays from the vertices of bodies. Belongs to one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bvh/ray/tree_walk.hpp"
#include "contact_points/hits.hpp"
#include "contact_points/ray.hpp"
#include "octree/walk.hpp"

namespace impinge::contact_points {

// Lengths below this share of the diagonal of the scene are nothing.
constexpr double kNothing = 1e-9;

// On cache lines of its own, since it counts all the time.
class alignas(64) Shooter {
 public:
  Shooter(Along along, double diagonal) : along_(along), nothing_(kNothing * diagonal) {}

  RayCounters counters;

  // Contacts of some vertices of a with b, which are bodies i and j.
  void between(const Skin& a, const Skin& b, std::int32_t i, std::int32_t j,
               std::span<const std::int32_t> vertices, std::vector<PointContact>& out);
  // Contacts of some vertices with their own body; `rest` is what each vertex sees first at rest.
  void within(const Skin& skin, std::int32_t body, std::span<const std::int32_t> vertices,
              const std::int32_t* rest, std::vector<PointContact>& out);
  // The first face that a vertex sees inside its own body.
  std::int32_t in_sight(const Skin& skin, std::int32_t vertex);

 private:
  bool aim(const Skin& skin, std::int32_t vertex, Beam& beam);
  template <class Hits>
  void seek(const Skin& skin, const Beam& beam, Hits& hits) {
    if (along_ == Along::octree) {
      walk(skin.octree(), beam, hits);
    } else {
      walk(skin.tree(), beam, nothing_, hits);
    }
    counters.tests += hits.tests;
  }
  // Where the ray leaves for the second time without having entered between; false for nowhere.
  bool leaves_twice(const Skin& skin, const Beam& beam, std::int32_t from, bool all, FaceHit& first,
                    bool& unclear);

  const Along along_;
  const double nothing_;
  Mailbox met_;
};

}  // namespace impinge::contact_points
