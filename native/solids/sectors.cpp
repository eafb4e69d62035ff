#include "solids/sectors.hpp"

#include <algorithm>
#include <optional>

#include "geometry/vec.hpp"
#include "geometry/wide_integer.hpp"

namespace impinge::solids {
namespace {

int sign_of(double x) { return (x > 0) - (x < 0); }

// Of an axis. The vectors below tell the sign of n·v for a face, and of component k of edge x v.
struct AxisVector {
  int axis;

  int along(const FaceAt& face) const { return face.normal(axis); }
  int turn(const SkewRay& ray, const double* tip, int k) const {
    if (k == axis) return 0;
    const bool next = k == axis + 1 || k == axis - 2;
    const int other = 3 - k - axis;
    return sign_of(tip[other] - ray.from[other]) * (next ? 1 : -1);
  }
};

// From the point to a corner.
struct CornerVector {
  const double* corner;

  int along(const FaceAt& face) const { return face.side(corner); }
  int turn(const SkewRay& ray, const double* tip, int k) const {
    return orient2d(tip, corner, ray.from, k);
  }
};

using WideVector = WideInteger[3];

void wide_difference(const double* from, const double* to, int exponent, WideVector& v) {
  for (int k = 0; k < 3; ++k)
    v[k] = wide_integer(to[k], exponent) - wide_integer(from[k], exponent);
}

WideInteger component(const WideVector& u, const WideVector& v, int k) {
  const int x = k == 2 ? 0 : k + 1, y = k == 0 ? 2 : k - 1;
  return u[x] * v[y] - u[y] * v[x];
}

void wide_normal(const FaceAt& face, int exponent, WideVector& normal) {
  WideVector u, v;
  wide_difference(face.corner[0], face.corner[1], exponent, u);
  wide_difference(face.corner[0], face.corner[2], exponent, v);
  for (int k = 0; k < 3; ++k) normal[k] = component(u, v, k);
}

// Where the planes of two faces cross: the product of their normals.
class CrossingVector {
 public:
  CrossingVector(const FaceAt& f, const FaceAt& g, int exponent) : exponent_(exponent) {
    WideVector n, m;
    wide_normal(f, exponent, n);
    wide_normal(g, exponent, m);
    for (int k = 0; k < 3; ++k) along_[k] = component(n, m, k);
  }

  int along(const FaceAt& face) const {
    WideVector n;
    wide_normal(face, exponent_, n);
    return sign(n[0] * along_[0] + n[1] * along_[1] + n[2] * along_[2]);
  }
  int turn(const SkewRay& ray, const double* tip, int k) const {
    WideVector edge;
    wide_difference(ray.from, tip, exponent_, edge);
    return sign(component(edge, along_, k));
  }

 private:
  int exponent_;
  WideVector along_;
};

template <class Vector>
struct Signed {
  const Vector& vector;
  int sign;
};

// q = u + d v + d² w.
template <class First>
class Sector {
 public:
  Sector(Signed<First> u, Signed<CornerVector> v, Signed<AxisVector> w) : u_(u), v_(v), w_(w) {}

  // Of the faces that the ray from here crosses, +1 for each that it leaves by, -1 for the others.
  int crossings(const SkewRay& ray, const std::vector<FaceAt>& faces) const {
    int sum = 0;
    for (const FaceAt& face : faces) {
      if (along(face) == -face.facing && is_inside(ray, face)) sum += face.facing;
    }
    return sum;
  }

 private:
  template <class Sign>
  int first_sign(const Sign& sign) const {
    if (const int s = sign(u_.vector)) return s * u_.sign;
    if (const int s = sign(v_.vector)) return s * v_.sign;
    return sign(w_.vector) * w_.sign;
  }
  int along(const FaceAt& face) const {
    return first_sign([&](const auto& vector) { return vector.along(face); });
  }
  bool is_inside(const SkewRay& ray, const FaceAt& face) const {
    for (int i = 0; i < face.edges; ++i) {
      if (turn(ray, face.edge[i]) != face.facing) return false;
    }
    return true;
  }
  int turn(const SkewRay& ray, const FaceAt::Edge& edge) const {
    for (int rank = 0; rank < 3; ++rank) {
      const int k = ray.axis_at(rank);
      const int s = first_sign([&](const auto& v) { return v.turn(ray, edge.tip, k); });
      if (s) return s * edge.sign;
    }
    return 0;
  }

  Signed<First> u_;
  Signed<CornerVector> v_;
  Signed<AxisVector> w_;
};

class Search {
 public:
  Search(const SkewRay& ray, const std::vector<FaceAt>& faces, int others,
         const std::function<bool(int)>& visit)
      : ray_(ray), faces_(faces), others_(others), visit_(visit) {}

  void run() {
    for (const FaceAt& face : faces_) {
      if (!beside_ends(face)) return;
    }
    for (const FaceAt& f : faces_) {
      for (const FaceAt& g : faces_) {
        if (&f != &g && may_cross(f, g) && may_cross(g, f) && !beside_crossing(f, g)) return;
      }
    }
  }

 private:
  // All sectors that have the face on their rim next to the ends on it; false to stop.
  bool beside_ends(const FaceAt& face) {
    std::vector<const double*> ends;
    const auto add = [&](const double* v) {
      if (same_point(v, ray_.from) || std::find(ends.begin(), ends.end(), v) != ends.end()) return;
      if (face.side(v) == 0 && face.reaches(ray_.from, v)) ends.push_back(v);
    };
    // a whole circle may have no ends: then any place will do
    for (const double* v : face.corner) add(v);
    for (const FaceAt& other : faces_) {
      for (int i = 0; i < 2 && other.edges > 0; ++i) add(other.end[i]);
    }
    return std::all_of(ends.begin(), ends.end(), [&](const double* v) {
      return beside(face, CornerVector{v}, 1,
                    [&](const double* w) { return orient2d(v, w, ray_.from, face.axis) != 0; });
    });
  }

  // Of the faces that end in an edge that reaches to the plane, the edge is enough.
  bool may_cross(const FaceAt& f, const FaceAt& g) const {
    if (f.edges == 0) return f.side(g.corner[0]) || f.side(g.corner[1]) || f.side(g.corner[2]);
    return g.side(f.end[0]) * g.side(f.end[1]) < 0;
  }

  bool beside_crossing(const FaceAt& f, const FaceAt& g) {
    const CrossingVector along(f, g, exponent());
    const auto is_off = [&](const double* w) { return g.side(w) != 0; };
    return beside(f, along, 1, is_off) && beside(f, along, -1, is_off);
  }

  // The four sectors on both sides of the face and next to a direction in it, both ways.
  // `is_off` tells the corners of the face in another direction.
  template <class First, class IsOff>
  bool beside(const FaceAt& face, const First& first, int sign, const IsOff& is_off) {
    const CornerVector within{*std::find_if(face.corner, face.corner + 2, is_off)};
    const AxisVector across{face.axis};
    for (const int way : {1, -1}) {
      for (const int side : {1, -1}) {
        const Sector<First> sector({first, sign}, {within, way}, {across, side});
        if (!visit_(others_ + sector.crossings(ray_, faces_))) return false;
      }
    }
    return true;
  }

  // Of the last bit that any coordinate has here.
  int exponent() {
    if (!exponent_) {
      int lowest = 0;
      const auto add = [&](const double* v) {
        for (int k = 0; k < 3; ++k) {
          if (v[k] != 0) lowest = std::min(lowest, unit_exponent(v[k]));
        }
      };
      add(ray_.from);
      for (const FaceAt& face : faces_) std::for_each(face.corner, face.corner + 3, add);
      exponent_ = lowest;
    }
    return *exponent_;
  }

  const SkewRay& ray_;
  const std::vector<FaceAt>& faces_;
  const int others_;
  const std::function<bool(int)>& visit_;
  std::optional<int> exponent_;
};

}  // namespace

void for_each_sector(const SkewRay& ray, const std::vector<FaceAt>& faces, int others,
                     const std::function<bool(int)>& visit) {
  Search(ray, faces, others, visit).run();
}

BothSides windings_beside(const SkewRay& ray, const std::vector<FaceAt>& faces, int others,
                          const FaceAt& face) {
  const CornerVector along{face.corner[1]}, within{face.corner[2]};
  const AxisVector across{face.axis};
  const auto winding = [&](int side) {
    const Sector<CornerVector> sector({along, 1}, {within, 1}, {across, side});
    return others + sector.crossings(ray, faces);
  };
  return {winding(face.normal(face.axis)), winding(-face.normal(face.axis))};
}

}  // namespace impinge::solids
