#include "solids/touching_faces.hpp"

#include "geometry/facing.hpp"
#include "geometry/orient.hpp"
#include "geometry/sides.hpp"
#include "solids/around_line.hpp"

namespace impinge::solids {
namespace {

// The edge from corner i to the next whose ends are on the other's plane, or -1.
int edge_in_plane(const int (&side)[3]) {
  for (int i = 0; i < 3; ++i) {
    if (side[i] == 0 && side[corner_after(i)] == 0) return i;
  }
  return -1;
}

// Edges of two faces that lie along the segment they have in common; -1 where the segment runs
// through the inside of a face.
struct CommonLine {
  int a = -1, b = -1;

  CommonLine(const Triangle& ta, const Triangle& tb) {
    const Sides sides(ta, tb);
    if (sides.flat) {
      in_one_plane(ta, tb);
    } else {
      a = edge_in_plane(sides.a);
      b = edge_in_plane(sides.b);
    }
  }

 private:
  // Beside each other in one plane.
  void in_one_plane(const Triangle& ta, const Triangle& tb) {
    const int axis = axis_with_area(ta);
    for (int i = 0; i < 3; ++i) {
      const double *p = ta[i], *q = ta[corner_after(i)];
      for (int j = 0; j < 3; ++j) {
        const double *r = tb[j], *s = tb[corner_after(j)];
        if (orient2d(p, q, r, axis) == 0 && orient2d(p, q, s, axis) == 0 && overlap(p, q, r, s)) {
          a = i;
          b = j;
        }
      }
    }
  }
  // Of two segments on one line, more than a point.
  static bool overlap(const double* p, const double* q, const double* r, const double* s) {
    if (before(q, p)) std::swap(p, q);
    if (before(s, r)) std::swap(r, s);
    return before(p, s) && before(r, q);
  }
};

class Surroundings {
 public:
  Surroundings(const double* from, const double* to)
      : from_(from), to_(to), rising_(before(from, to)), around_(from, to) {}

  // All faces around an edge on the line, from corner `edge` of the placed triangle to the next.
  void add_edge(bool of_b, const FaceOf& one, int edge) {
    const PlacedSolid& solid = one.solid;
    const Rings& rings = solid.rings();
    const auto first = static_cast<std::uint32_t>(3 * one.face + solid.side_of_triangle(edge));
    std::uint32_t side = first;
    do {
      if (solid.bounds(side / 3)) add_side(of_b, solid, side);
      side = rings.next(side);
    } while (side != first);
  }

  // A face with the line through its inside: a corner on each side of it.
  void add_plane(bool of_b, const Triangle& t) {
    const int axis = axis_with_area(t), front = facing(t, axis);
    bool done[2] = {false, false};
    for (int i = 0; i < 3; ++i) {
      const int turn = orient2d(from_, to_, t[i], axis);
      if (turn == 0 || done[turn > 0]) continue;
      done[turn > 0] = true;
      around_.add(of_b, t[i], turn == front ? -1 : 1);
    }
  }

  PieceKinds kinds() { return around_.kinds(); }

 private:
  // Against the clock, a face with the edge in the direction of the line is left by its front.
  void add_side(bool of_b, const PlacedSolid& solid, std::uint32_t side) {
    const Rings& rings = solid.rings();
    double p[3], q[3], tip[3];
    solid.vertex(rings.from(side), p);
    solid.vertex(rings.to(side), q);
    solid.vertex(rings.corners(side / 3)[(side % 3 + 2) % 3], tip);
    const bool along = (before(p, q) == rising_) != solid.is_flipped();
    around_.add(of_b, tip, along ? -1 : 1);
  }

  const double *from_, *to_;
  bool rising_;
  AroundLine around_;
};

}  // namespace

PieceKinds kinds_along_segment(const FaceOf& a, const FaceOf& b) {
  const Triangle ta = a.solid.triangle(a.face), tb = b.solid.triangle(b.face);
  const CommonLine line(ta, tb);
  const Triangle& t = line.a >= 0 ? ta : tb;
  const int edge = line.a >= 0 ? line.a : line.b;
  Surroundings around(t[edge], t[corner_after(edge)]);
  if (line.a >= 0) {
    around.add_edge(false, a, line.a);
  } else {
    around.add_plane(false, ta);
  }
  if (line.b >= 0) {
    around.add_edge(true, b, line.b);
  } else {
    around.add_plane(true, tb);
  }
  return around.kinds();
}

PieceKinds kinds_in_plane(const FaceOf& a, const FaceOf& b) {
  const Triangle ta = a.solid.triangle(a.face), tb = b.solid.triangle(b.face);
  const int axis = axis_with_area(ta);
  const bool same = facing(ta, axis) == facing(tb, axis);
  return {same ? PieceKinds::same_side : PieceKinds::opposite};
}

}  // namespace impinge::solids
