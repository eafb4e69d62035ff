#include "geometry/meeting.hpp"

#include "geometry/clip.hpp"
#include "geometry/flat.hpp"
#include "geometry/section.hpp"
#include "geometry/sides.hpp"

namespace impinge {
namespace {

bool at_vertex(const SectionEnd& end) { return end.apex_side == 0 || end.tip_side == 0; }

Site vertex_of(const SectionEnd& end) {
  return vertex_site(end.tip_side == 0 ? end.tip : end.apex);
}

// An end of `section` strictly inside the other triangle's section.
Site inner_site(const SectionEnd& end, const Section& other, const Triangle& face) {
  if (at_vertex(end)) return vertex_of(end);
  if (other.is_edge()) return edge_edge_site(end.apex, end.tip, other.low.tip, other.high.tip);
  return edge_face_site(end.apex, end.tip, face);
}

// Two ends at the same point.
Site common_site(const SectionEnd& x, const SectionEnd& y) {
  if (at_vertex(x)) return vertex_of(x);
  if (at_vertex(y)) return vertex_of(y);
  return edge_edge_site(x.apex, x.tip, y.apex, y.tip);
}

Meeting meet_on_line(const Triangle& a, const Triangle& b, const Sides& sides) {
  const Section sa = section(a, sides.a, true), sb = section(b, sides.b, false);
  const int after = order(sa, sa.high, sb, sb.low);
  const int before = order(sa, sa.low, sb, sb.high);
  Meeting meeting;
  if (after > 0 || before < 0) return meeting;
  if (after == 0 || before == 0 || sa.is_point() || sb.is_point()) {
    meeting.kind = Kind::point;
    if (after == 0) {
      meeting.add(common_site(sa.high, sb.low));
    } else if (before == 0) {
      meeting.add(common_site(sa.low, sb.high));
    } else {
      meeting.add(vertex_of(sa.is_point() ? sa.low : sb.low));
    }
    return meeting;
  }
  meeting.kind = sides.crossing() ? Kind::crossing : Kind::segment;
  const auto add = [&](const SectionEnd& x, const SectionEnd& y, int y_is_inner) {
    meeting.add(y_is_inner > 0   ? inner_site(y, sa, a)
                : y_is_inner < 0 ? inner_site(x, sb, b)
                                 : common_site(x, y));
  };
  add(sa.low, sb.low, order(sa, sa.low, sb, sb.low));
  add(sa.high, sb.high, -order(sa, sa.high, sb, sb.high));
  return meeting;
}

}  // namespace

Meeting meet(const Triangle& a, const Triangle& b) {
  const Sides sides(a, b);
  if (sides.apart) return {};
  if (sides.flat) return meet_flat(a, b);
  return meet_on_line(a, b, sides);
}

}  // namespace impinge
