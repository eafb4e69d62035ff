// From two faces that may be near each other to the pairs of their features that are.
#pragma once

#include <cstdint>
#include <vector>

#include "contact_points/features.hpp"
#include "contact_points/near_faces.hpp"
#include "contact_points/point_contact.hpp"

namespace impinge::contact_points {

// One of two surfaces, and which body it is.
struct FeatureSide {
  std::int32_t body;
  const Skin& skin;
};

class FeaturePairs {
 public:
  // Contacts go to `out`.
  FeaturePairs(double threshold, std::vector<PointContact>& out)
      : reach_(threshold * (1 + 1e-12)), squared_(threshold * threshold), out_(out) {}

  // Sides may be the same body; features with a common vertex are then no pair.
  void add(const FeatureSide& a, const FeatureSide& b, const FacePair& faces);

 private:
  // A face of one side, with what it answers for.
  struct Member {
    const FeatureSide& side;
    std::int32_t face;
    Duties duties;
    Triangle at;

    Member(const FeatureSide& from, std::int32_t id)
        : side(from), face(id), duties(from.skin.duties(id)), at(from.skin.triangle(id)) {}
    const std::int32_t* corners() const { return side.skin.corners(face); }
  };

  void add_vertices(const Member& a, const Member& b);
  bool is_beside(const Triangle& triangle, const double* p) const;
  bool was_found(const Member& a, std::int32_t vertex, const Member& b, const Foot& foot) const;
  void add_edges(const Member& a, const Member& b);
  void add_bridge(const Member& a, int i, const Member& b, int k, const Bridge& bridge);
  void finish(Vector normal);

  const double reach_, squared_;
  std::vector<PointContact>& out_;
};

}  // namespace impinge::contact_points
