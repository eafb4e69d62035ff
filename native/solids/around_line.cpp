#include "solids/around_line.hpp"

#include <algorithm>

#include "geometry/orient.hpp"

namespace impinge::solids {
namespace {

// Going around, the numbers are 0 and 1: the lowest of the partial sums is 0.
struct Walk {
  int sum = 0, lowest = 0;
  void step(int jump) {
    sum += jump;
    lowest = std::min(lowest, sum);
  }
};

}  // namespace

AroundLine::AroundLine(const double* from, const double* to) {
  std::copy_n(from, 3, from_);
  std::copy_n(to, 3, to_);
}

void AroundLine::add(bool of_b, const double* point, int jump) {
  HalfPlane plane{{point[0], point[1], point[2]}, jump, of_b, 0};
  if (!planes_.empty()) plane.quarter = quarter_of(point);
  planes_.push_back(plane);
}

int AroundLine::quarter_of(const double* point) const {
  const double* first = planes_.front().at;
  const int side = orient3d(from_, to_, first, point);
  if (side != 0) return side < 0 ? 1 : 3;
  int axis = 0;
  while (orient2d(from_, to_, first, axis) == 0) ++axis;
  return orient2d(from_, to_, first, axis) == orient2d(from_, to_, point, axis) ? 0 : 2;
}

bool AroundLine::before(const HalfPlane& p, const HalfPlane& q) const {
  if (p.quarter != q.quarter) return p.quarter < q.quarter;
  return p.quarter % 2 == 1 && orient3d(from_, to_, p.at, q.at) < 0;
}

PieceKinds AroundLine::kinds() {
  std::sort(planes_.begin(), planes_.end(),
            [this](const HalfPlane& p, const HalfPlane& q) { return before(p, q); });
  Walk walk[2];
  for (const HalfPlane& plane : planes_) walk[plane.of_b].step(plane.jump);
  PieceKinds kinds;
  int number[2] = {-walk[0].lowest, -walk[1].lowest};
  for (auto run = planes_.begin(); run != planes_.end();) {
    int jump[2] = {0, 0};
    auto end = run;
    for (; end != planes_.end() && !before(*run, *end); ++end) jump[end->of_b] += end->jump;
    if (jump[0] != 0 && jump[1] != 0) {
      kinds.add(jump[0] == jump[1] ? PieceKinds::same_side : PieceKinds::opposite);
    } else if (jump[0] != 0) {
      kinds.add(number[1] > 0 ? PieceKinds::a_inside : PieceKinds::a_outside);
    } else if (jump[1] != 0) {
      kinds.add(number[0] > 0 ? PieceKinds::b_inside : PieceKinds::b_outside);
    }
    for (int i = 0; i < 2; ++i) number[i] += jump[i];
    run = end;
  }
  return kinds;
}

}  // namespace impinge::solids
