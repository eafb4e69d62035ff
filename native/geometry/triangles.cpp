#include "geometry/triangles.hpp"

#include "geometry/flat.hpp"
#include "geometry/hull.hpp"
#include "geometry/meeting.hpp"
#include "geometry/section.hpp"
#include "geometry/sides.hpp"

namespace impinge {
namespace {

// The distinct points that are vertices of both triangles.
struct Shared {
  const double* point[3];
  int size = 0;

  Shared(const Triangle& a, const Triangle& b) {
    for (int i = 0; i < 3; ++i) {
      const double* p = a[i];
      if (!same_point(p, b[0]) && !same_point(p, b[1]) && !same_point(p, b[2])) continue;
      if (!has(p)) point[size++] = p;
    }
  }
  bool has(const double* p) const {
    for (int i = 0; i < size; ++i) {
      if (same_point(point[i], p)) return true;
    }
    return false;
  }
  // A vertex that is not shared, or null.
  const double* missing(const Triangle& t) const {
    for (int i = 0; i < 3; ++i) {
      if (!has(t[i])) return t[i];
    }
    return nullptr;
  }
};

// Neighbours across an edge: the edge itself does not count, a fold does, and so does what two
// triangles without area have in common beyond it.
Kind classify_edge_neighbours(const Triangle& a, const Triangle& b, const Shared& shared) {
  const double* opposite = shared.missing(b);
  // one of them is the edge
  if (opposite == nullptr || shared.missing(a) == nullptr) return Kind::none;
  if (orient3d(a[0], a[1], a[2], opposite) != 0) return Kind::none;
  const Meeting meeting = meet_flat(a, b);
  if (meeting.kind == Kind::coplanar) return Kind::coplanar;
  if (hull(a).size == 3 || hull(b).size == 3) return Kind::none;
  const bool beyond = !shared.has(meeting.site[0].edge[0]) || !shared.has(meeting.site[1].edge[0]);
  return beyond ? Kind::segment : Kind::none;
}

}  // namespace

Kind classify(const Triangle& a, const Triangle& b) {
  const Sides sides(a, b);
  if (sides.apart) return Kind::none;
  if (sides.flat) return meet_flat(a, b).kind;
  const Section sa = section(a, sides.a, true), sb = section(b, sides.b, false);
  const int after = order(sa, sa.high, sb, sb.low);
  if (after > 0) return Kind::none;
  const int before = order(sa, sa.low, sb, sb.high);
  if (before < 0) return Kind::none;
  if (after == 0 || before == 0 || sa.is_point() || sb.is_point()) return Kind::point;
  return sides.crossing() ? Kind::crossing : Kind::segment;
}

Kind classify_self(const Triangle& a, const Triangle& b, bool report_duplicates) {
  const Shared shared(a, b);
  const bool same_corners = !shared.missing(a) && !shared.missing(b);
  if (same_corners) return report_duplicates ? classify(a, b) : Kind::none;
  if (shared.size == 2) return classify_edge_neighbours(a, b, shared);
  const Kind kind = classify(a, b);
  return shared.size == 1 && kind == Kind::point ? Kind::none : kind;
}

bool share_vertex(const Triangle& a, const Triangle& b) { return Shared(a, b).size > 0; }

}  // namespace impinge
