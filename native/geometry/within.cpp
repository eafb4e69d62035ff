// Two triangles that do not meet are closest in two vertices, in a vertex and an inner point of an
// edge or of the face, or in inner points of two edges that are not parallel. So they are within a
// distance m iff one of these 42 pairs of features is: iff the foot of the perpendicular is inside
// of the feature, and its length at most m. With differences w, e, f, u, v of corners both are
// signs of polynomials of degree up to 6 and m^2, and never quotients:
//   vertices         |w|^2 <= m^2
//   vertex and edge  0 < w.e < e.e  and  (|w|^2 - m^2) e.e <= (w.e)^2
//   vertex and face  n = u x v, s = (w x v).n > 0, t = (u x w).n > 0, s + t < n.n,
//                    (w.n)^2 <= m^2 n.n
//   two edges        n = e x f, s = (w x f).n and t = (w x e).n between 0 and n.n,
//                    (w.n)^2 <= m^2 n.n
// Zero-length edges, faces without area and parallel edges have no foot strictly inside; where a
// foot is on the rim of a feature, the rim is a feature too.
#include "geometry/within.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/bounded.hpp"
#include "geometry/triangle_distance.hpp"
#include "geometry/vertex_face.hpp"

namespace impinge {
namespace {

Answer is_positive(const Bounded& x) {
  if (x.value > x.error) return Answer::yes;
  if (x.value < -x.error || (x.error == 0 && x.value <= 0)) return Answer::no;
  return Answer::unknown;  // also what overflows
}
Answer is_positive(const Dyadic& x) { return x.sign() > 0 ? Answer::yes : Answer::no; }

// Conditions that must all hold; the first that does not ends the matter.
class All {
 public:
  template <class Number>
  bool positive(const Number& x) {
    return join(is_positive(x));
  }
  template <class Number>
  bool not_positive(const Number& x) {
    const Answer answer = is_positive(x);
    return join(answer == Answer::yes  ? Answer::no
                : answer == Answer::no ? Answer::yes
                                       : Answer::unknown);
  }
  Answer answer() const { return answer_; }

 private:
  bool join(Answer one) {
    if (one != Answer::yes) answer_ = one == Answer::no ? Answer::no : Answer::unknown;
    return answer_ != Answer::no;
  }
  Answer answer_ = Answer::yes;
};

template <class Number>
struct Difference {
  Number x, y, z;

  Difference(const Number& x, const Number& y, const Number& z) : x(x), y(y), z(z) {}
  Difference(const double* from, const double* to)
      : x(Number(to[0]) - Number(from[0])),
        y(Number(to[1]) - Number(from[1])),
        z(Number(to[2]) - Number(from[2])) {}
};

template <class Number>
Number dot(const Difference<Number>& p, const Difference<Number>& q) {
  return p.x * q.x + p.y * q.y + p.z * q.z;
}

template <class Number>
Difference<Number> cross(const Difference<Number>& p, const Difference<Number>& q) {
  return {p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x};
}

// The features of two triangles by number; `square` is that of the distance.
template <class Number>
class Features {
 public:
  static constexpr int kCount = 9 + 18 + 6 + 9;

  Features(const Triangle& a, const Triangle& b, double distance)
      : a_(a), b_(b), square_(Number(distance) * Number(distance)) {}

  Answer within(int i) const {
    if (i < 9) return vertices(a_[i / 3], b_[i % 3]);
    if ((i -= 9) < 9) return vertex_edge(a_[i / 3], b_, i % 3);
    if ((i -= 9) < 9) return vertex_edge(b_[i / 3], a_, i % 3);
    if ((i -= 9) < 3) return vertex_face(a_[i], b_);
    if ((i -= 3) < 3) return vertex_face(b_[i], a_);
    i -= 3;
    return edges(i / 3, i % 3);
  }

 private:
  using Vector3 = Difference<Number>;

  Answer vertices(const double* p, const double* q) const {
    const Vector3 w(p, q);
    All all;
    all.not_positive(dot(w, w) - square_);
    return all.answer();
  }

  Answer vertex_edge(const double* p, const Triangle& t, int i) const {
    const Vector3 w(t[i], p), e(t[i], t[(i + 1) % 3]);
    const Number along = dot(w, e), length2 = dot(e, e);
    All all;
    all.positive(along) && all.positive(length2 - along) &&
        all.not_positive((dot(w, w) - square_) * length2 - along * along);
    return all.answer();
  }

  Answer vertex_face(const double* p, const Triangle& t) const {
    const Vector3 w(t[0], p), u(t[0], t[1]), v(t[0], t[2]), n = cross(u, v);
    const Number n2 = dot(n, n), s = dot(cross(w, v), n), r = dot(cross(u, w), n);
    All all;
    all.positive(s) && all.positive(r) && all.positive(n2 - s - r) && reaches(w, n, n2, all);
    return all.answer();
  }

  Answer edges(int i, int j) const {
    const Vector3 w(a_[i], b_[j]), e(a_[i], a_[(i + 1) % 3]), f(b_[j], b_[(j + 1) % 3]);
    const Vector3 n = cross(e, f);
    const Number n2 = dot(n, n), s = dot(cross(w, f), n), t = dot(cross(w, e), n);
    All all;
    all.positive(s) && all.positive(t) && all.positive(n2 - s) && all.positive(n2 - t) &&
        reaches(w, n, n2, all);
    return all.answer();
  }

  // Whether w is no longer than the distance along n.
  bool reaches(const Vector3& w, const Vector3& n, const Number& n2, All& all) const {
    const Number h = dot(w, n);
    return all.not_positive(h * h - square_ * n2);
  }

  const Triangle &a_, &b_;
  const Number square_;
};

}  // namespace

// What float64 with its bounds leaves open, and only that, is decided in numbers of any length.
bool within(const Triangle& a, const Triangle& b, double distance) {
  constexpr int kCount = Features<Bounded>::kCount;
  const Features<Bounded> features(a, b, distance);
  int open[kCount], count = 0;
  for (int i = 0; i < kCount; ++i) {
    const Answer answer = features.within(i);
    if (answer == Answer::yes) return true;
    if (answer == Answer::unknown) open[count++] = i;
  }
  if (count == 0) return false;
  const Features<Dyadic> exact(a, b, distance);
  return std::any_of(open, open + count, [&](int i) { return exact.within(i) == Answer::yes; });
}

// With u = 2^-53 and S the largest coordinate of any corner against a[0], differences of corners
// are at most 2S.
// Yes: the closest points found have parameters within the triangles up to 4u, and the vector
// between them rounds at most six times per coordinate, on terms of at most 2S; its length is
// within 4u of itself. So the true distance exceeds the one found by less than 200uS, and 512uS are
// allowed (kUpper).
// No: for any vector n the gap between the triangles along n is at most |n| times the distance. The
// products n.(x - a[0]) round four times and x - a[0] once, on terms of at most |n|_1 S in sum,
// |n|_1 <= sqrt(3)|n|; the gap is off by less than 24u|n|S, and 64uS|n| are allowed (kLower).
// Lengths, products and sums of the comparison are within 16u of themselves (kRelative).
// Outside the range of extents, and for vectors so short that their square underflows, nothing is
// said.
Answer surely_within(const Triangle& a, const Triangle& b, double distance) {
  constexpr double kUpper = 0x1p-44, kLower = 0x1p-47, kRelative = 1 + 0x1p-48;
  constexpr double kShortest = 1e-100;
  const double size = extent(a, b);
  if (!(size > kLeastExtent && size < kMostExtent)) return Answer::unknown;
  const Nearest nearest = distance_apart(a, b);
  if (nearest.value + kUpper * size < distance) return Answer::yes;
  const Vector n = from_to(nearest.points[0], nearest.points[1]);
  const double length = std::sqrt(dot(n, n));
  if (!(length > kShortest)) return Answer::unknown;
  double most = -INFINITY, least = INFINITY;
  for (int i = 0; i < 3; ++i) {
    most = std::max(most, dot(n, from_to(a[0], a[i])));
    least = std::min(least, dot(n, from_to(a[0], b[i])));
  }
  const double needed = length * (distance + kLower * size) * kRelative;
  return least - most > needed ? Answer::no : Answer::unknown;
}

}  // namespace impinge
