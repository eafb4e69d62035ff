#include "solids/face_cuts.hpp"

#include <algorithm>

#include "geometry/facing.hpp"
#include "geometry/meeting.hpp"

namespace impinge::solids {
namespace {

ExactVector along_edge(const Triangle& t, int k) {
  return ExactVector([&](auto type) { return between<decltype(type)>(t[k], t[corner_after(k)]); });
}

ExactPlane plane_on_edge(const Triangle& t, const ExactVector& normal, int k) {
  return {ExactVector([&](auto type) {
            return cross(normal.as(type), between<decltype(type)>(t[k], t[corner_after(k)]));
          }),
          t[k]};
}

bool are_parallel(const CutFace& f, const CutFace& g) {
  return is_zero(
      ExactVector([&](auto type) { return cross(f.normal.as(type), g.normal.as(type)); }));
}

// Of a segment in the plane of both faces: the edge it lies on.
Cut cut_on_edge(const ExactPoint& from, const ExactPoint& to, const CutFace& f, const CutFace& g) {
  for (const CutFace* face : {&f, &g}) {
    for (int k = 0; k < 3; ++k) {
      if (face->edge[k].side(from) == 0 && face->edge[k].side(to) == 0) {
        return {from, to, face->edge[k], along_edge(face->t, k)};
      }
    }
  }
  return {from, to, f.edge[0], along_edge(f.t, 0)};  // never: a side is part of an edge
}

void add_cuts(const CutFace& f, const CutFace& g, std::vector<Cut>& cuts) {
  const Meeting meeting = meet(f.t, g.t);
  if (meeting.size < 2) return;
  std::vector<ExactPoint> points;
  for (int i = 0; i < meeting.size; ++i) points.push_back(point_of(meeting.site[i]));
  if (!are_parallel(f, g)) {
    const ExactVector along([&](auto type) { return cross(f.normal.as(type), g.normal.as(type)); });
    cuts.push_back({points[0], points[1], g.plane(), along});
    return;
  }
  const std::size_t sides = points.size() == 2 ? 1 : points.size();
  for (std::size_t i = 0; i < sides; ++i) {
    cuts.push_back(cut_on_edge(points[i], points[(i + 1) % points.size()], f, g));
  }
}

// Between two points p and q, the point a p + b q.
template <class Number>
struct Weights {
  Number a, b;

  template <class F>
  auto convert(const F& f) const {
    return Weights<decltype(f(a))>{f(a), f(b)};
  }
};
using Split = Twice<Weights>;

bool comes_before(const Split& s, const Split& t) {
  return exact_sign([&](auto type) {
           const auto x = s.as(type), y = t.as(type);
           return y.b * x.a - x.b * y.a;
         }) > 0;
}

class Splits {
 public:
  Splits(const Cut& cut, const std::vector<Cut>& cuts) : cut_(cut) {
    for (const Cut& other : cuts) {
      if (&other != &cut) add(other);
    }
    std::sort(splits_.begin(), splits_.end(), comes_before);
    const auto end = [](double a, double b) {
      return Split([&](auto type) {
        using Number = decltype(type);
        return Weights<Number>{Number(a), Number(b)};
      });
    };
    splits_.insert(splits_.begin(), end(1, 0));
    splits_.push_back(end(0, 1));
  }

  // A point between any two neighbours.
  template <class F>
  void for_each_part(const F& f) const {
    for (std::size_t i = 0; i + 1 < splits_.size(); ++i) {
      const Split &s = splits_[i], &t = splits_[i + 1];
      if (!comes_before(s, t)) continue;
      f(point_at(Split([&](auto type) {
        const auto x = s.as(type), y = t.as(type);
        return Weights<decltype(type)>{x.a + y.a, x.b + y.b};
      })));
    }
  }
  template <class F>
  void for_each_end(const F& f) const {
    for (const Split& split : splits_) f(point_at(split));
  }

 private:
  ExactPoint point_at(const Split& split) const {
    return ExactPoint([&](auto type) {
      using Number = decltype(type);
      const auto weight = split.as(type);
      const auto p = cut_.from.as(type), q = cut_.to.as(type);
      Homogeneous<Number> sum;
      for (int k = 0; k < 3; ++k) sum.x.at[k] = weight.a * p.x.at[k] + weight.b * q.x.at[k];
      sum.w = weight.a * p.w + weight.b * q.w;
      return sum;
    });
  }

  void add(const Cut& other) {
    const int from = other.across.side(cut_.from), to = other.across.side(cut_.to);
    if (from * to < 0) {
      if (cut_.across.side(other.from) * cut_.across.side(other.to) > 0) return;
      split(from, [&](auto type) {
        return Weights<decltype(type)>{other.across.at(cut_.to, type),
                                       other.across.at(cut_.from, type)};
      });
    } else if (from == 0 && to == 0) {
      add_end(other.from);
      add_end(other.to);
    }
  }

  // A point on the same line: seen along an axis on which the line advances.
  void add_end(const ExactPoint& end) {
    for (int k = 0; k < 3; ++k) {
      const auto gap = [&](const ExactPoint& p, auto type) {
        const auto x = p.as(type), e = end.as(type);
        return x.x.at[k] * e.w - e.x.at[k] * x.w;
      };
      const int from = exact_sign([&](auto type) { return gap(cut_.from, type); });
      const int to = exact_sign([&](auto type) { return gap(cut_.to, type); });
      if (from == to && from == 0) continue;
      if (from * to < 0) {
        split(from, [&](auto type) {
          return Weights<decltype(type)>{gap(cut_.to, type), gap(cut_.from, type)};
        });
      }
      return;
    }
  }

  // Where a form is zero that has values of opposite signs at the ends: (its value at the second
  // end, that at the first), made positive.
  template <class Values>
  void split(int sign_at_first, const Values& values) {
    splits_.push_back(Split([&](auto type) {
      auto v = values(type);
      if (sign_at_first > 0) {
        v.a = -v.a;
      } else {
        v.b = -v.b;
      }
      return v;
    }));
  }

  const Cut& cut_;
  std::vector<Split> splits_;
};

}  // namespace

CutFace::CutFace(std::uint32_t face_id, const Triangle& triangle)
    : id(face_id), t(triangle), normal(normal_of(t)) {
  for (int k = 0; k < 3; ++k) edge[k] = plane_on_edge(t, normal, k);
}

// A line in the plane of a face that is on it here runs on it for some way both ways: where it
// begins or ends on a face, parts of cuts do.
int Place::on(const CutFace& face) const {
  if (face.plane().side(cut.from) != 0 || face.plane().side(cut.to) != 0) return kNowhere;
  int found = kInside;
  for (int k = 0; k < 3; ++k) {
    const int side = face.edge[k].side(at);
    if (side < 0) return kNowhere;
    if (side == 0) found = k;
  }
  return found;
}

bool is_on(const CutFace& face, const ExactPoint& point) {
  return face.plane().side(point) == 0 &&
         std::all_of(face.edge, face.edge + 3, [&](const auto& e) { return e.side(point) >= 0; });
}

FaceCuts::FaceCuts(const CutFace& face, const std::vector<const CutFace*>& others) {
  for (const CutFace* other : others) add_cuts(face, *other, cuts_);
}

void FaceCuts::for_each_place(const std::function<void(const Place&)>& visit) const {
  for (const Cut& cut : cuts_) {
    Splits(cut, cuts_).for_each_part([&](const ExactPoint& at) { visit({cut, at}); });
  }
}

void FaceCuts::for_each_end(const std::function<void(const ExactPoint&)>& visit) const {
  for (const Cut& cut : cuts_) Splits(cut, cuts_).for_each_end(visit);
}

}  // namespace impinge::solids
