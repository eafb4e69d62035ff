#include "solids/pair_cut.hpp"

#include "geometry/facing.hpp"
#include "geometry/intersection.hpp"
#include "geometry/orient.hpp"
#include "geometry/turn.hpp"

namespace impinge::solids {
namespace {

int first_of_normal(const Triangle& t) {
  for (int k = 0; k < 3; ++k) {
    if (const int s = facing(t, k)) return s;
  }
  return 0;
}

int edges_sign(const double* u, const double* v, const double* p, const double* q) {
  if (const int s = orient3d(u, v, p, q)) return s;
  for (int k = 0; k < 3; ++k) {
    if (const int s = turn(u, v, p, q, k)) return s;
  }
  return 0;
}

// Sides of the corners of `t` to the plane of a face; ties are broken by `tie` times its normal.
struct Sides3 {
  int of[3];

  Sides3(const Triangle& face, const Triangle& t, int tie) {
    const Plane plane(face[0], face[1], face[2]);
    for (int i = 0; i < 3; ++i) {
      of[i] = plane.side(t[i]);
      if (of[i] == 0) of[i] = tie * first_of_normal(face);
    }
  }
  bool all_equal() const { return of[0] == of[1] && of[1] == of[2]; }
  bool changes(int edge) const { return of[edge] != of[corner_after(edge)]; }
};

// The signs of each edge of a with each of b, found when they are asked for.
class EdgeSigns {
 public:
  EdgeSigns(const Triangle& a, const Triangle& b) : a_(a), b_(b) {}

  int operator()(int i, int j) {
    int& sign = sign_[i][j];
    if (sign == 0) sign = edges_sign(a_[i], a_[corner_after(i)], b_[j], b_[corner_after(j)]);
    return sign;
  }
  bool passes_b(int i) { return (*this)(i, 0) == (*this)(i, 1) && (*this)(i, 0) == (*this)(i, 2); }
  bool passes_a(int j) { return (*this)(0, j) == (*this)(1, j) && (*this)(0, j) == (*this)(2, j); }

 private:
  const Triangle &a_, &b_;
  int sign_[3][3] = {};
};

}  // namespace

PairCut cut_pair(const Triangle& a, const Triangle& b) {
  PairCut cut;
  const Sides3 side_a(b, a, 1);
  if (side_a.all_equal() && side_a.of[0] != 0) return cut;
  const Sides3 side_b(a, b, -1);
  if (side_b.all_equal() && side_b.of[0] != 0) return cut;
  EdgeSigns signs(a, b);
  // A negative side is in front of the face, outside its solid. Beside a face without area all are
  // zero.
  for (int i = 0; i < 3; ++i) {
    if (side_a.changes(i) && signs.passes_b(i)) (side_a.of[i] < 0 ? cut.head : cut.tail) = i;
    if (side_b.changes(i) && signs.passes_a(i)) (side_b.of[i] < 0 ? cut.tail : cut.head) = 3 + i;
  }
  if (cut.tail < 0 || cut.head < 0) return {};
  const auto find = [&](int edge, double (&point)[3]) {
    const Triangle &own = edge < 3 ? a : b, &other = edge < 3 ? b : a;
    const int k = edge % 3;
    locate(edge_face_site(own[k], own[corner_after(k)], other), point);
  };
  find(cut.tail, cut.at[0]);
  find(cut.head, cut.at[1]);
  return cut;
}

}  // namespace impinge::solids
