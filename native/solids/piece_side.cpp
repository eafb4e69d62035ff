#include "solids/piece_side.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/orient.hpp"
#include "solids/column.hpp"
#include "solids/wide_vector.hpp"

namespace impinge::solids {
namespace {

// The last bit of a share is 2^-44 at least, and that of its double 2^-96.
constexpr int kShareBits = 100;

struct Faces {
  std::vector<const double*> corners;  // three for each

  void add(const bvh::Tree& tree, std::size_t slot) {
    const auto& id = tree.corners(slot / kLanes).id;
    for (int k = 0; k < 3; ++k) corners.push_back(tree.vertex(id[k][slot % kLanes]));
  }
  int least_exponent() const {
    int least = 0;
    for (const double* v : corners) lower_exponent(v, least);
    return least;
  }
};

class Count {
 public:
  Count(const Faces& faces, const PlaceInFace& place, int axis)
      : faces_(faces), exponent_(faces.least_exponent() - kShareBits), axis_(axis) {
    // the first face is that of the place
    const double* const* corner = faces.corners.data();
    for (int k = 0; k < 3; ++k) place_[k] = wide_integer(corner[0][k], exponent_);
    for (int i = 0; i < 2; ++i) {
      WideVector way;
      wide_difference(corner[0], corner[1 + i], exponent_ + kShareBits, way);
      const WideInteger share = wide_integer(place.share[i], -kShareBits);
      for (int k = 0; k < 3; ++k) place_[k] = place_[k] + way[k] * share;
    }
  }

  // All faces; false when the place is not clear of them.
  bool run() {
    for (std::size_t i = 0; i < faces_.corners.size(); i += 3) {
      if (!add(&faces_.corners[i])) return false;
    }
    return true;
  }
  int others() const { return others_; }
  int on() const { return on_; }

 private:
  int axis_at(int rank) const { return axis_ + rank < 3 ? axis_ + rank : axis_ + rank - 3; }

  // False when the place is on the rim of the face, or in its plane but not that of the first face.
  bool add(const double* const* corner) {
    WideVector face[3];
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) face[i][k] = wide_integer(corner[i][k], exponent_) - place_[k];
    }
    const int facing = sign(determinant(face[0], face[1], face[2]));
    if (facing == 0) return add_flat(corner, face);
    for (int i = 0; i < 3; ++i) {
      if (turn(face[i], face[i == 2 ? 0 : i + 1]) != facing) return true;
    }
    others_ += facing;
    return true;
  }

  int turn(const WideVector& from, const WideVector& to) const {
    for (int rank = 0; rank < 3; ++rank) {
      if (const int s = sign(component(from, to, axis_at(rank)))) return s;
    }
    return 0;
  }

  // The place is in the plane of the face.
  bool add_flat(const double* const* corner, const WideVector (&face)[3]) {
    int facing = 0, axis = 0;
    for (int rank = 0; rank < 3 && facing == 0; ++rank) {
      axis = axis_at(rank);
      facing = orient2d(corner[0], corner[1], corner[2], axis);
    }
    if (facing == 0) return true;
    for (int i = 0; i < 3; ++i) {
      const int inward = sign(component(face[i], face[i == 2 ? 0 : i + 1], axis)) * facing;
      if (inward < 0) return true;
      if (inward == 0) return false;
    }
    const double* const* first = faces_.corners.data();
    for (int i = 0; i < 3; ++i) {
      if (orient3d(first[0], first[1], first[2], corner[i]) != 0) return false;
    }
    on_ += facing;
    return true;
  }

  const Faces& faces_;
  const int exponent_, axis_;
  WideVector place_;
  int others_ = 0, on_ = 0;
};

}  // namespace

// Of the two winding numbers one counts the faces on which the place is, the other does not: the
// ray from one side of them goes through all, from the other through none.
std::optional<bool> bounds_solid_at(const bvh::Tree& tree, std::size_t slot,
                                    const PlaceInFace& place, Sense sense, int axis) {
  Faces faces;
  faces.add(tree, slot);
  double at[3];
  for (int k = 0; k < 3; ++k) {
    at[k] = faces.corners[0][k];
    for (int i = 0; i < 2; ++i) {
      at[k] += place.share[i] * (faces.corners[1 + i][k] - faces.corners[0][k]);
    }
  }
  const Point4 p = in_frame(tree.frame(), at);
  constexpr float kRounded = 4e-7f;  // far more than the place is from where it should be
  const Box box = column_of({{p.x - kRounded, p.y - kRounded, p.z - kRounded},
                             {p.x + kRounded, p.y + kRounded, p.z + kRounded}},
                            Axes(axis));
  for_each_leaf(tree.boxes(), box, [&](std::size_t leaf, const Node&) {
    for_each_bit(triangles_meeting(tree, leaf, box), [&](int lane) {
      const std::size_t other = leaf * kLanes + static_cast<std::size_t>(lane);
      if (other != slot) faces.add(tree, other);
    });
    return true;
  });
  Count count(faces, place, axis);
  if (!count.run()) return std::nullopt;
  return is_solid(count.others(), sense) != is_solid(count.others() + count.on(), sense);
}

}  // namespace impinge::solids
