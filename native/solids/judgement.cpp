#include "solids/judgement.hpp"

#include <algorithm>

#include "bvh/pair/runner.hpp"
#include "geometry/facing.hpp"
#include "solids/germ.hpp"
#include "solids/tangle.hpp"

namespace impinge::solids {
namespace {

// On the side of the face to which its normal points.
int front_winding(const PlacedSurface& surface, std::int32_t face) {
  const Triangle t = surface.triangle(face);
  const int axis = axis_with_area(t);
  const int others = winding(surface, FaceGerm{{t[0], t[1], t[2]}}, axis, face);
  // A face that looks down has the ray from its front to pass.
  return facing(t, axis) > 0 ? others : others - 1;
}

// Turned around, the back has the number 0 where the front has -1 now.
void judge_shells(const PlacedSurface& surface, Judgement& judgement) {
  const Rings& rings = surface.rings();
  std::vector<int> front(rings.shells());
  for (std::size_t s = 0; s < front.size(); ++s) {
    front[s] = front_winding(surface, rings.first_of_shell(s));
  }
  judgement.is_turned = std::find(front.begin(), front.end(), 0) == front.end();
  const int bounding = judgement.is_turned ? -1 : 0;
  for (const int number : front) {
    judgement.shell_bounds.push_back(number == bounding);
    if (number != bounding) judgement.overlaps_itself = true;
  }
}

void judge_tangle(const PlacedSurface& surface, Judgement& judgement) {
  Tangle tangle({&surface});
  tangle.add_pairs(judgement.own_pairs);
  tangle.run();
  judgement.is_empty = tangle.least(0) == 0 && tangle.most(0) == 0;
  judgement.is_turned = tangle.least(0) < 0 && tangle.most(0) <= 0;
  judgement.overlaps_itself =
      judgement.is_turned ? tangle.least(0) < -1 : tangle.least(0) < 0 || tangle.most(0) > 1;
}

}  // namespace

Judgement judge(const PlacedSurface& surface, int workers) {
  bvh::Job job{surface.body(), surface.body(), 0, 0, true};
  if (job.a.pose.identity) job.slack = kSlack;
  const std::vector<bvh::Job> jobs{job};
  const Ticker::Callback quiet;
  bvh::Runner runner(jobs, Rule{.touching = true, .report_duplicates = true}, workers, quiet);
  const bvh::Counters counters = runner.run();
  Judgement judgement;
  judgement.own_pairs = runner.findings().together();
  judgement.is_simple = judgement.own_pairs.empty();
  judgement.is_sturdy = judgement.is_simple && counters.undecided == 0 && counters.star_tests == 0;
  if (judgement.is_simple) {
    judge_shells(surface, judgement);
  } else {
    judge_tangle(surface, judgement);
  }
  return judgement;
}

}  // namespace impinge::solids
