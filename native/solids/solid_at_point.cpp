#include "solids/solid_at_point.hpp"

#include <algorithm>

#include "solids/germ.hpp"

namespace impinge::solids {
namespace {

ExactVector turned(const ExactVector& v) {
  return ExactVector([&](auto type) { return -v.as(type); });
}

ExactVector product(const ExactVector& u, const ExactVector& v) {
  return ExactVector([&](auto type) { return cross(u.as(type), v.as(type)); });
}

ExactVector way(const ExactPoint& from, const double* to) {
  return ExactVector([&](auto type) {
    using Number = decltype(type);
    const auto p = from.as(type);
    auto v = vector_of<Number>(to);
    for (int k = 0; k < 3; ++k) v.at[k] = v.at[k] * p.w - p.x.at[k];
    return v;
  });
}

// Directions, each once; without those that are zero.
class Directions {
 public:
  void add(const ExactVector& v) {
    if (is_zero(v)) return;
    const bool is_known = std::any_of(all_.begin(), all_.end(), [&](const ExactVector& u) {
      return is_zero(product(u, v)) && dot_sign(u, v) > 0;
    });
    if (!is_known) all_.push_back(v);
  }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  std::vector<ExactVector> all_;
};

}  // namespace

// On a small sphere around the point, a face is an arc. Every cell between arcs has an arc on its
// rim, next to where it ends or another one ends on it or crosses it; a whole circle has the
// corners of its own face on it. So it is enough to look next to these directions, on both sides of
// each plane that has them. More is looked at, which does no harm: it is next to the point too.
bool is_in_solid(const PlacedSurface& surface, const ExactPoint& point,
                 const std::vector<const CutFace*>& faces) {
  Directions normals, ends;
  for (const CutFace* face : faces) {
    normals.add(face->normal);
    for (const double* corner : {face->t[0], face->t[1], face->t[2]}) ends.add(way(point, corner));
  }
  for (const ExactVector& n : normals) {
    for (const ExactVector& m : normals) ends.add(product(n, m));
  }
  for (const ExactVector& n : normals) {
    for (const ExactVector& ahead : ends) {
      if (dot_sign(ahead, n) != 0) continue;
      const ExactVector aside = product(n, ahead), below = turned(n);
      for (const ExactVector& second : {aside, turned(aside)}) {
        for (const ExactVector* third : {&n, &below}) {
          if (winding(surface, ExactGerm(point, ahead, second, *third), 0) > 0) return true;
        }
      }
    }
  }
  return false;
}

bool ExactPoints::add(const ExactPoint& point) {
  const auto exact = point.as(Dyadic{});
  std::array<double, 3> key;
  for (int k = 0; k < 3; ++k) key[k] = quotient(exact.x.at[k], exact.w);
  std::vector<ExactPoint>& near = points_[key];
  for (const ExactPoint& other : near) {
    bool is_same = true;
    for (int k = 0; k < 3 && is_same; ++k) {
      is_same = exact_sign([&](auto type) {
                  const auto p = point.as(type), q = other.as(type);
                  return p.x.at[k] * q.w - q.x.at[k] * p.w;
                }) == 0;
    }
    if (is_same) return false;
  }
  near.push_back(point);
  return true;
}

}  // namespace impinge::solids
