#include "motion/rigid/segment.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/vertex_face.hpp"

namespace impinge::motion {
namespace {

double length(const Vector& v) { return std::sqrt(dot(v, v)); }
Vector vector(const double (&v)[3]) { return {v[0], v[1], v[2]}; }
Vector origin_of(const double (&pose)[12]) { return {pose[3], pose[7], pose[11]}; }

// Beyond it an angle has no axis.
constexpr double kLeastAngle = 1e-150;
// 128 units of 2^-53; the count in docs/motion.md needs 88.
constexpr double kPlaceRounding = 0x1p-46;
// Places of a moving body that a box is made of.
constexpr int kPlaces = 8;

// A rotation by an angle about a unit axis, ready to be applied.
struct Rotation {
  Vector axis;
  double sine, versine;  // 1 - cosine

  Rotation(const Vector& unit, double angle) : axis(unit), sine(std::sin(angle)) {
    const double half = std::sin(0.5 * angle);
    versine = 2 * half * half;
  }
  Vector operator()(const Vector& v) const {
    const Vector across = cross(axis, v);
    return sum(v, sum(scaled(across, sine), scaled(cross(axis, across), versine)));
  }
};

Pose pose_of(const double (&rows)[12]) {
  Pose pose;
  std::copy_n(rows, 12, &pose.m[0][0]);
  const Pose still;
  pose.identity = std::equal(rows, rows + 12, &still.m[0][0]);
  return pose;
}

}  // namespace

State state_at(const Segment& segment, double time) {
  const double duration = segment.end - segment.begin;
  const double rate = duration > 0 ? 1 / duration : 0;
  const double s = duration > 0 ? std::clamp((time - segment.begin) / duration, 0.0, 1.0) : 0.0;
  const Vector turn = vector(segment.turn), velocity = vector(segment.velocity);
  const double angle = length(turn);
  const bool turns = angle > kLeastAngle;
  const Vector axis = turns ? scaled(turn, 1 / angle) : Vector{0, 0, 0};
  const Rotation rotation(axis, s * angle);
  State state;
  state.turn = scaled(turn, rate);
  state.velocity = scaled(velocity, rate);
  state.bend = 0;
  const Vector along = scaled(axis, dot(axis, velocity)), across = difference(velocity, along);
  const bool screw = turns && segment.screw != 0;
  if (screw) {
    state.velocity = scaled(sum(along, rotation(across)), rate);
    state.bend = rate * rate * angle * length(across);
  }
  if (s == 0 || s == 1) {
    state.pose = pose_of(s == 0 ? segment.start : segment.goal);
    state.origin = origin_of(s == 0 ? segment.start : segment.goal);
    return state;
  }
  Vector path = scaled(velocity, s);
  if (screw) {
    const Vector swing = sum(scaled(across, rotation.sine / angle),
                             scaled(cross(axis, across), rotation.versine / angle));
    path = sum(scaled(along, s), swing);
  }
  state.origin = sum(origin_of(segment.start), path);
  for (int j = 0; j < 3; ++j) {
    const double* r = segment.start;
    const Vector column{r[j], r[4 + j], r[8 + j]};
    const Vector turned = turns ? rotation(column) : column;
    state.pose.m[0][j] = turned.x;
    state.pose.m[1][j] = turned.y;
    state.pose.m[2][j] = turned.z;
  }
  state.pose.m[0][3] = state.origin.x;
  state.pose.m[1][3] = state.origin.y;
  state.pose.m[2][3] = state.origin.z;
  state.pose.identity = false;
  return state;
}

Segment resting(const double* pose, double begin, double end) {
  Segment segment{begin, end, {}, {}, {}, {}, 0};
  std::copy_n(pose, 12, segment.start);
  std::copy_n(pose, 12, segment.goal);
  return segment;
}

double speed(const Segment& segment, double reach) {
  const double duration = segment.end - segment.begin;
  if (!(duration > 0)) return 0;
  return (length(vector(segment.velocity)) + length(vector(segment.turn)) * reach) / duration;
}

double rounding(const Segment& segment, double reach) {
  const double latest = std::max(std::fabs(segment.begin), std::fabs(segment.end));
  return kPlaceRounding *
         (reach + length(origin_of(segment.start)) + length(origin_of(segment.goal)) +
          length(vector(segment.velocity)) + latest * speed(segment, reach));
}

double reach(const Bounds& bounds) {
  double squared = 0;
  for (int k = 0; k < 3; ++k) {
    const double most = std::max(std::fabs(bounds.lo[k]), std::fabs(bounds.hi[k]));
    squared += most * most;
  }
  return std::sqrt(squared) * (1 + 1e-15);
}

std::vector<Piece> pieces(std::span<const Segment> a, std::span<const Segment> b) {
  std::vector<double> times;
  for (const auto& segments : {a, b}) {
    for (const Segment& one : segments) {
      if (one.begin < one.end) times.insert(times.end(), {one.begin, one.end});
    }
  }
  if (times.empty()) times = {a.front().begin};
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  // Who has no segment then has come to rest, or has not begun.
  const auto part = [](std::span<const Segment> segments, double begin, double end) {
    for (const Segment& one : segments) {
      if (one.begin <= begin && one.end >= end) return one;
    }
    const Segment &first = segments.front(), &last = segments.back();
    return resting(begin < first.begin ? first.start : last.goal, begin, end);
  };
  std::vector<Piece> result;
  for (std::size_t i = 0; i + 1 < std::max<std::size_t>(times.size(), 2); ++i) {
    const double end = i + 1 < times.size() ? times[i + 1] : times[i];
    result.push_back({times[i], end, part(a, times[i], end), part(b, times[i], end)});
  }
  return result;
}

Bounds swept(std::span<const Segment> segments, const Bounds& local) {
  const double far = reach(local);
  Bounds all = kNoBounds;
  for (const Segment& one : segments) {
    const double step = (one.end - one.begin) / kPlaces;
    // No point is ever farther from one of the places than it gets in half a step.
    const double margin = 0.5 * step * speed(one, far) * (1 + 1e-12) + rounding(one, far);
    for (int i = 0; i <= kPlaces; ++i) {
      const State state = state_at(one, i == kPlaces ? one.end : one.begin + i * step);
      Bounds here;
      for (int k = 0; k < 3; ++k) {
        here.lo[k] = here.hi[k] = state.pose.m[k][3];
        for (int j = 0; j < 3; ++j) {
          const double p = state.pose.m[k][j] * local.lo[j], q = state.pose.m[k][j] * local.hi[j];
          here.lo[k] += std::min(p, q);
          here.hi[k] += std::max(p, q);
        }
      }
      here = grown(here, margin);
      include(all, here.lo, here.hi);
    }
  }
  return all;
}

}  // namespace impinge::motion
