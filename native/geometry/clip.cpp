#include "geometry/clip.hpp"

#include <algorithm>
#include <utility>

namespace impinge {
namespace {

constexpr int after(int i) { return i == 2 ? 0 : i + 1; }

// The line of a polygon's side: a side of the subject or of the window.
struct Line {
  bool of_window;
  int index;
};

// A corner of the clipped polygon, named by what carries it, and the line of the side that follows.
struct Corner {
  enum class Type { subject_vertex, window_vertex, crossing } type;
  int subject;  // vertex or side of the subject
  int window;   // vertex or side of the window
  Line next;

  bool same(const Corner& other) const {
    return type == other.type && subject == other.subject && window == other.window;
  }
};

struct Polygon {
  Corner corner[7];
  int size = 0;
};

// Sutherland-Hodgman on named corners: every sign is an orient2d of input points. Both shapes are
// counter-clockwise in the projection along `axis`, which is one-to-one on their plane.
class Clipper {
 public:
  Clipper(const Hull& subject, const Hull& window, int axis)
      : subject_(subject), window_(window), axis_(axis) {}

  Polygon run() const {
    Polygon polygon;
    for (int i = 0; i < subject_.size; ++i) {
      const int side = subject_.size == 3 ? i : 0;
      polygon.corner[polygon.size++] = {Corner::Type::subject_vertex, i, -1, {false, side}};
    }
    for (int k = 0; k < 3 && polygon.size > 0; ++k) polygon = cut(polygon, k);
    return polygon;
  }

  Site site(const Corner& c) const {
    if (c.type == Corner::Type::subject_vertex) return vertex_site(subject_.point[c.subject]);
    if (c.type == Corner::Type::window_vertex) return vertex_site(window_.point[c.window]);
    return edge_edge_site(subject_.point[c.subject], subject_.point[after(c.subject)],
                          window_.point[c.window], window_.point[after(c.window)]);
  }

 private:
  int window_side(int k, const double* p) const {
    return orient2d(window_.point[k], window_.point[after(k)], p, axis_);
  }

  // The window's vertex common to sides j and k.
  static int shared_vertex(int j, int k) { return after(j) == k ? k : j; }

  // Side of a corner to line k of the window, positive inside.
  int side(const Corner& c, int k) const {
    if (c.type == Corner::Type::subject_vertex) return window_side(k, subject_.point[c.subject]);
    if (c.type == Corner::Type::window_vertex) return c.window == k || c.window == after(k) ? 0 : 1;
    // The corner x lies on window side j, whose end v on line k decides: v is on the left of the
    // subject's side when it is further along j than x, if that side leads out of j.
    const double* p = subject_.point[c.subject];
    const double* q = subject_.point[after(c.subject)];
    const int v = shared_vertex(c.window, k);
    const int leads_out = window_side(c.window, p);
    const int v_is_further = leads_out * orient2d(p, q, window_.point[v], axis_);
    return v == k ? v_is_further : -v_is_further;
  }

  static Corner crossing(const Line& line, int k, const Line& next) {
    if (!line.of_window) return {Corner::Type::crossing, line.index, k, next};
    return {Corner::Type::window_vertex, -1, shared_vertex(line.index, k), next};
  }

  Polygon cut(const Polygon& polygon, int k) const {
    const int n = polygon.size;
    int sides[7];
    for (int i = 0; i < n; ++i) sides[i] = side(polygon.corner[i], k);
    const Line edge{true, k};
    Polygon kept;
    const auto keep = [&kept](const Corner& c) {
      // A side of no length: the later copy knows the line that goes on.
      if (kept.size > 0 && kept.corner[kept.size - 1].same(c)) --kept.size;
      kept.corner[kept.size++] = c;
    };
    bool on_edge = true;
    for (int i = 0; i < n; ++i) {
      const int here = sides[i], there = sides[i + 1 == n ? 0 : i + 1];
      Corner c = polygon.corner[i];
      const Line line = c.next;
      if (here >= 0) {
        if (here > 0) on_edge = false;
        if (here == 0 && c.type == Corner::Type::crossing) {
          c = {Corner::Type::window_vertex, -1, shared_vertex(c.window, k), line};
        }
        if (here == 0 && there <= 0) c.next = edge;
        keep(c);
      }
      if (here * there < 0) keep(crossing(line, k, here > 0 ? edge : line));
    }
    if (kept.size > 1 && kept.corner[kept.size - 1].same(kept.corner[0])) --kept.size;
    // A segment runs back on the line it came along.
    if (kept.size == 2 && on_edge) kept.corner[0].next = kept.corner[1].next = edge;
    return kept;
  }

  const Hull &subject_, &window_;
  const int axis_;
};

// Makes a hull of three points counter-clockwise seen along the axis; tells whether it was not.
bool orient(Hull& h, int axis) {
  if (h.size < 3 || orient2d(h.point[0], h.point[1], h.point[2], axis) > 0) return false;
  std::swap(h.point[1], h.point[2]);
  return true;
}

}  // namespace

Meeting clip(const Hull& subject, const Hull& window) {
  int axis = 0;
  while (orient2d(window.point[0], window.point[1], window.point[2], axis) == 0) ++axis;
  Hull p = subject, q = window;
  orient(q, axis);
  const bool turned = orient(p, axis);
  const Clipper clipper(p, q, axis);
  const Polygon polygon = clipper.run();

  Meeting meeting;
  for (int i = 0; i < polygon.size; ++i) meeting.add(clipper.site(polygon.corner[i]));
  if (turned) std::reverse(meeting.site, meeting.site + meeting.size);
  constexpr Kind kinds[4] = {Kind::none, Kind::point, Kind::segment, Kind::coplanar};
  meeting.kind = kinds[std::min(polygon.size, 3)];
  return meeting;
}

}  // namespace impinge
