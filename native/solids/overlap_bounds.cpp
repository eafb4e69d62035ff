#include "solids/overlap_bounds.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "geometry/facing.hpp"
#include "geometry/intersection.hpp"
#include "solids/germ.hpp"
#include "solids/overlap_corners.hpp"
#include "solids/touching_faces.hpp"

namespace impinge::solids {
namespace {

using Point = std::array<double, 3>;

void include(Bounds& bounds, const double* p) { impinge::include(bounds, p, p); }

bool holds(const Bounds& bounds, const double* p) {
  for (int k = 0; k < 3; ++k) {
    if (!(bounds.lo[k] <= p[k] && p[k] <= bounds.hi[k])) return false;
  }
  return true;
}

Point as_point(const double* p) { return {p[0] + 0.0, p[1] + 0.0, p[2] + 0.0}; }

// Whether a face is inside a solid next to a corner of it, along one of its edges there; on the
// boundary is not inside.
bool is_inside_at(const Triangle& t, int corner, const PlacedSurface& other) {
  const double *p = t[corner], *q = t[corner_after(corner)],
               *r = t[corner_after(corner_after(corner))];
  const int axis = axis_with_area(t);
  for (const FaceGerm& germ : {FaceGerm{{p, q, r}}, FaceGerm{{p, r, q}}}) {
    if (winding(other, germ, axis) > 0 && !is_on(other, germ, axis)) return true;
  }
  return false;
}

// The boundary of the common inner points is made of pieces, and a corner of a piece is a corner of
// a face or an end of a segment in which two faces meet. A segment counts when the solids have
// inner points in common next to it, a corner when it is inside the other solid, or on its boundary
// with the face inside next to it: what is left of the face there has the segments around it.
class TightBounds {
 public:
  TightBounds(const Overlay& overlay, const PlacedSolid& a, const PlacedSolid& b)
      : overlay_(overlay), solid_{&a, &b} {}

  Bounds find() {
    add_pairs(true);
    std::sort(touching_.begin(), touching_.end());
    for (int i = 0; i < 2; ++i) {
      for_each_vertex_inside(overlay_.part(i), overlay_.surface(i), [&](const double* p) {
        if (!std::binary_search(touching_.begin(), touching_.end(), as_point(p))) {
          include(bounds_, p);
        }
      });
    }
    add_pairs(false);
    return bounds_;
  }

 private:
  // Crossings first, and then what would make the box larger.
  void add_pairs(bool certain) {
    const auto faces_a = static_cast<std::uint32_t>(solid_[0]->rings().faces());
    for (const Key key : overlay_.keys()) {
      if (!certain && key_kind(key) == Kind::crossing) continue;
      const FaceOf a{*solid_[0], static_cast<std::int32_t>(key_a(key))};
      const FaceOf b{*solid_[1], static_cast<std::int32_t>(key_b(key) - faces_a)};
      if (!a.solid.bounds(a.face) || !b.solid.bounds(b.face)) continue;
      if (certain) {
        add_certain(key_kind(key), a, b);
      } else {
        add_doubtful(key_kind(key), a, b);
      }
    }
  }

  void add_certain(Kind kind, const FaceOf& a, const FaceOf& b) {
    const Triangle ta = a.solid.triangle(a.face), tb = b.solid.triangle(b.face);
    const Meeting meeting = meet(ta, tb);
    for (int i = 0; i < meeting.size; ++i) {
      const Site& site = meeting.site[i];
      if (site.type == Site::Type::vertex) touching_.push_back(as_point(site.edge[0]));
      if (kind != Kind::crossing) continue;
      double point[3];
      locate(site, point);
      include(bounds_, point);
    }
  }

  void add_doubtful(Kind kind, const FaceOf& a, const FaceOf& b) {
    const Triangle ta = a.solid.triangle(a.face), tb = b.solid.triangle(b.face);
    const Meeting meeting = meet(ta, tb);
    double point[6][3];
    bool is_new = false;
    for (int i = 0; i < meeting.size; ++i) {
      locate(meeting.site[i], point[i]);
      if (holds(bounds_, point[i])) continue;
      is_new = true;
      add_corner(ta, *solid_[1], meeting.site[i]);
      add_corner(tb, *solid_[0], meeting.site[i]);
    }
    if (!is_new || kind == Kind::point) return;
    const PieceKinds kinds =
        kind == Kind::coplanar ? kinds_in_plane(a, b) : kinds_along_segment(a, b);
    if (!kinds.overlap()) return;
    for (int i = 0; i < meeting.size; ++i) include(bounds_, point[i]);
  }

  void add_corner(const Triangle& t, const PlacedSurface& other, const Site& site) {
    if (site.type != Site::Type::vertex) return;
    for (int k = 0; k < 3; ++k) {
      if (same_point(t[k], site.edge[0]) && is_inside_at(t, k, other)) include(bounds_, t[k]);
    }
  }

  const Overlay& overlay_;
  const PlacedSolid* solid_[2];
  Bounds bounds_ = kNoBounds;
  std::vector<Point> touching_;  // vertices on the other surface
};

}  // namespace

Bounds loose_bounds(const Overlay& overlay) {
  Bounds bounds = kNoBounds;
  for_each_corner(overlay, [&](const double* p) { include(bounds, p); });
  return bounds;
}

Bounds tight_bounds(const Overlay& overlay, const PlacedSolid& a, const PlacedSolid& b) {
  return TightBounds(overlay, a, b).find();
}

}  // namespace impinge::solids
