#include "solids/around_place.hpp"

#include <algorithm>

namespace impinge::solids {

void AroundPlace::add(int solid, const ExactVector& normal, int sign) {
  HalfPlane plane{&normal, sign, solid, 0};
  if (!planes_.empty()) plane.quarter = quarter_of(plane);
  planes_.push_back(plane);
}

int AroundPlace::quarter_of(const HalfPlane& plane) const {
  const HalfPlane& first = planes_.front();
  const int signs = first.sign * plane.sign;
  const int turn = determinant_sign(line_, *first.normal, *plane.normal) * signs;
  if (turn != 0) return turn > 0 ? 1 : 3;
  return dot_sign(*first.normal, *plane.normal) * signs > 0 ? 0 : 2;
}

bool AroundPlace::before(const HalfPlane& p, const HalfPlane& q) const {
  if (p.quarter != q.quarter) return p.quarter < q.quarter;
  return p.quarter % 2 == 1 && determinant_sign(line_, *p.normal, *q.normal) * p.sign * q.sign > 0;
}

std::vector<AroundPlace::Step> AroundPlace::steps(const std::array<int, 2>& after_first) {
  std::sort(planes_.begin(), planes_.end(),
            [this](const HalfPlane& p, const HalfPlane& q) { return before(p, q); });
  std::vector<Step> steps;
  for (auto run = planes_.begin(); run != planes_.end();) {
    Step step{{0, 0}, {0, 0}};
    auto end = run;
    for (; end != planes_.end() && !before(*run, *end); ++end) step.jump[end->solid] -= end->sign;
    steps.push_back(step);
    run = end;
  }
  for (int i = 0; i < 2; ++i) {
    int number = after_first[i] - steps.front().jump[i];
    for (Step& step : steps) {
      step.before[i] = number;
      number += step.jump[i];
    }
  }
  return steps;
}

}  // namespace impinge::solids
