// How a rigid body moves from one pose to the next.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "geometry/frame.hpp"
#include "geometry/pose.hpp"
#include "geometry/vec.hpp"

namespace impinge::motion {

// At the share s of the time between begin and end the point x of the body is at R(s) x + o(s) with
// R(s) = exp(s [turn]) R(0). The origin moves along a line, o(s) = o(0) + s v, or along the screw
// that has the velocity v at s = 0. Written by Python, number by number.
struct Segment {
  double begin, end;           // times
  double start[12], goal[12];  // poses (3, 4), row-major
  double turn[3];              // the whole rotation: axis times angle, in the world
  double velocity[3];          // per share
  double screw;                // 1 for a screw, else 0
};
constexpr int kSegmentNumbers = 33;
static_assert(sizeof(Segment) == kSegmentNumbers * sizeof(double));

// Where a body is at some time, and how it moves: per unit of time, in the world. The point x has
// the velocity v + w x (x - o), and for the rest of the segment an acceleration of at most
// |w| |w x (x - o)| + bend.
struct State {
  Pose pose;
  Vector origin, velocity, turn;
  double bend;
};

// Before the segment it is at the start, and after it at the goal.
State state_at(const Segment& segment, double time);

// A body that stays in a pose.
Segment resting(const double* pose, double begin, double end);

// What certainly holds of a segment for points of a body within `reach` of its origin, per unit of
// time: how fast they are.
double speed(const Segment& segment, double reach);

// How far vertices that a pose of `state_at` moves are from where the real motion has them, at
// most, together with what a dot product with a unit vector adds: see docs/motion.md.
double rounding(const Segment& segment, double reach);

// The largest distance of a vertex from the origin of its body, at most.
double reach(const Bounds& bounds);

// The times in which two bodies move, cut so that each has one segment in a piece.
struct Piece {
  double begin, end;
  Segment a, b;
};
inline double time_in(const Piece& piece, double share) {
  return share < 1 ? piece.begin + share * (piece.end - piece.begin) : piece.end;
}
std::vector<Piece> pieces(std::span<const Segment> a, std::span<const Segment> b);

// A box around all places of a body.
Bounds swept(std::span<const Segment> segments, const Bounds& local);

}  // namespace impinge::motion
