#include "motion/linear/impact.hpp"

#include <cmath>
#include <limits>

#include "motion/linear/approach.hpp"
#include "motion/linear/exact_meeting.hpp"

namespace impinge::motion {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

double allowed(const Trajectories& motion, const Limits& limits) {
  const double given = limits.tolerance < 0 ? kUsualTolerance : motion.inside(limits.tolerance);
  return std::max(given, kNearest);
}

// Areas and volumes of points that move, with coordinates of at most one, each off by less than 4u
// at any time. Differences are at most 2 and off by 9u, products of two by 18 (2u) + 4u < 40u, an
// area by less than 96u = 3 * 2^-48, a volume by 3 (2 * 96 + 8 * 9 + 16) u < 2^-43. An area changes
// by less than 2 * 2 * (2 * 4) = 32 in a unit of time.
constexpr double kAreaRounding = 0x1p-46, kAreaSpeed = 32, kVolumeRounding = 0x1p-43;

struct Snapshot {
  Vector normal;
  double volume;
  double at[4][3];

  Snapshot(FeaturePair pair, const Trajectories& motion, double time) {
    motion.at(time, at);
    normal = pair == FeaturePair::vertex_face ? cross(from_to(at[1], at[2]), from_to(at[1], at[3]))
                                              : cross(from_to(at[0], at[1]), from_to(at[2], at[3]));
    volume = dot(normal, from_to(at[2], at[0]));
  }
  double area(int i, int j, int k, int axis) const {
    const Vector n = cross(from_to(at[i], at[j]), from_to(at[i], at[k]));
    return axis == 0 ? n.x : axis == 1 ? n.y : n.z;
  }
};

// Whether the features overlap, seen along an axis, at all times within `span` of this one; both
// are then proper.
bool overlaps_around(FeaturePair pair, const Snapshot& now, double span) {
  const int axis = largest_axis(now.normal);
  const double least = kAreaRounding + kAreaSpeed * span;
  if (pair == FeaturePair::vertex_face) {
    const double a = now.area(0, 1, 2, axis), b = now.area(0, 2, 3, axis),
                 c = now.area(0, 3, 1, axis);
    return std::fmin(a, std::fmin(b, c)) > least || std::fmax(a, std::fmax(b, c)) < -least;
  }
  const auto parted = [&](double a, double b) {
    return std::fmin(a, b) < -least && std::fmax(a, b) > least;
  };
  return parted(now.area(0, 1, 2, axis), now.area(0, 1, 3, axis)) &&
         parted(now.area(2, 3, 0, axis), now.area(2, 3, 1, axis));
}

double volume_at(FeaturePair pair, const Trajectories& motion, double time) {
  return Snapshot(pair, motion, time).volume;
}

// About when all four points are in one plane, not far from a time; the secant method.
double flat_time(FeaturePair pair, const Trajectories& motion, double time) {
  constexpr int kSteps = 8;
  constexpr double kFirstStep = 0x1p-12, kEnough = 0x1p-44;
  double last = time, t = time < 0.5 ? time + kFirstStep : time - kFirstStep;
  double before = volume_at(pair, motion, last);
  for (int i = 0; i < kSteps && std::abs(t - last) > kEnough; ++i) {
    const double now = volume_at(pair, motion, t);
    const double step = now * (t - last) / (now - before);
    if (!std::isfinite(step)) break;
    last = t;
    before = now;
    t = std::clamp(t - step, 0.0, 1.0);
  }
  return t;
}

// Whether they certainly pass through each other near a time: seen along an axis they overlap all
// the while, and the volume changes its sign, so that they are in one plane in between.
bool passes_near(FeaturePair pair, const Trajectories& motion, double time) {
  const Snapshot now(pair, motion, time);
  for (const double span : {0x1p-34, 0x1p-26, 0x1p-20}) {
    if (!overlaps_around(pair, now, span)) return false;
    const double before = volume_at(pair, motion, std::fmax(0.0, time - span));
    const double after = volume_at(pair, motion, std::fmin(1.0, time + span));
    if (std::fmin(before, after) < -kVolumeRounding && std::fmax(before, after) > kVolumeRounding) {
      return true;
    }
  }
  return false;
}

// Whether they are certainly within the separation at some time from this one on.
bool comes_within(const ApproachSearch& search, const Trajectories& motion, double time,
                  double separation) {
  constexpr int kLooks = 48;
  for (int i = 0; i <= kLooks; ++i) {
    const double later = i == 0 ? time : std::fmin(1.0, time + std::ldexp(1.0, i - kLooks));
    if (search.gap(motion, later) < separation - kGapRounding * (1 + separation)) return true;
    if (later == 1.0) break;
  }
  return false;
}

}  // namespace

Impact impact_of(FeaturePair pair, const Ends& ends, const Limits& limits) {
  constexpr Impact kNone{kNever, false, false};
  const Trajectories motion(ends);
  if (motion.is_point) return {0, true, true};
  const double separation = motion.inside(limits.separation);
  const Approach first =
      ApproachSearch(pair, separation, allowed(motion, limits)).run(motion, 0, 1);
  if (first.time == kNever) return kNone;
  const ApproachSearch closer(pair, separation, kNearest);
  const bool may_start = first.time == 0 && closer.is_near(first.gap);
  // most do, and it is told at once
  if (separation == 0 && !may_start &&
      passes_near(pair, motion, flat_time(pair, motion, first.time))) {
    return {first.time, true, false};
  }
  const Approach nearest = may_start ? first : closer.run(motion, first.time, 1);
  if (nearest.time == kNever) return kNone;
  if (separation > 0) {
    const bool certain = comes_within(closer, motion, nearest.time, separation);
    return {first.time, certain, may_start};
  }
  const ExactMeeting exact(pair, ends);
  const bool starts = may_start && exact.at_start();
  return starts || exact.ever() ? Impact{first.time, true, starts} : kNone;
}

double free_time(FeaturePair pair, const Ends& ends, const Limits& limits, double until) {
  const Trajectories motion(ends);
  if (motion.is_point) return 0;
  const double separation = motion.inside(limits.separation);
  const ApproachSearch search(pair, separation, kNearest);
  const double spare = 0.25 * (search.gap(motion, 0) - separation);
  const double tolerance = std::fmax(kNearest, std::fmin(allowed(motion, limits), spare));
  const Approach found = ApproachSearch(pair, separation, tolerance).run(motion, 0, until);
  return std::fmin(found.time, until);
}

}  // namespace impinge::motion
