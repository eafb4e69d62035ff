#include "motion/rigid/first_contact.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bvh/pair/pairing.hpp"
#include "pairs/pair_key.hpp"

namespace impinge::motion {
namespace {

// Poses after a contact that are tried for a collision: at first about as far on as the bodies
// take for the tolerance, then ever farther, and some spread over the rest of the motion.
constexpr int kSoonPoses = 11, kLaterPoses = 14, kSpreadPoses = 16;

// Both bodies and all pieces of their motions.
struct Pair {
  const bvh::PreparedTree &a, &b;
  std::vector<Piece> pieces;

  const Piece& piece_at(double time) const {
    std::size_t i = 0;
    while (i + 1 < pieces.size() && pieces[i].end < time) ++i;
    return pieces[i];
  }
  bvh::Body body_a(double time) const { return {a, state_at(piece_at(time).a, time).pose}; }
  bvh::Body body_b(double time) const { return {b, state_at(piece_at(time).b, time).pose}; }
};

// The first pair of faces of two bodies that collide, by the exact test.
bool meet(const bvh::Body& a, const bvh::Body& b, bool touching, std::int32_t* faces = nullptr) {
  const auto offset = static_cast<std::uint32_t>(a.tree->face_count());
  const bvh::Job job = make_job(a, b, 0, offset);
  Buffer<Key> keys;
  const Rule rule{.touching = touching, .first = true};
  bvh::Pairing(job, rule, keys).find_first();
  if (keys.size() == 0) return false;
  if (faces) {
    faces[0] = static_cast<std::int32_t>(key_a(keys[0]));
    faces[1] = static_cast<std::int32_t>(key_b(keys[0]) - offset);
  }
  return true;
}

Proof proof_after(const Pair& pair, double time, double pace, bool touching) {
  const double end = pair.pieces.back().end;
  const auto at = [&](double when) { return meet(pair.body_a(when), pair.body_b(when), touching); };
  if (at(time)) return Proof::soon;
  double ahead = pace;
  for (int i = 0; i < kSoonPoses + kLaterPoses && time + ahead < end; ++i, ahead *= 2) {
    if (at(time + ahead)) return i < kSoonPoses ? Proof::soon : Proof::later;
  }
  for (int i = 0; i < kSpreadPoses; ++i) {
    if (at(time + (end - time) * (i + 1) / kSpreadPoses)) return Proof::later;
  }
  return Proof::none;
}

// How two triangles that meet lie to each other.
TriangleStep step_at(const Pair& pair, double time, const std::int32_t (&faces)[2],
                     const Clearance& clearance) {
  const bvh::Body a = pair.body_a(time), b = pair.body_b(time);
  const Piece& piece = pair.piece_at(time);
  return triangle_step(a.triangle_of_face(faces[0]), state_at(piece.a, time),
                       b.triangle_of_face(faces[1]), state_at(piece.b, time), clearance);
}

void put(const TriangleStep& step, Impact& impact) {
  impact.gap = std::max(step.gap, 0.0);
  for (int k = 0; k < 3; ++k) {
    impact.normal[k] = step.normal[k];
    impact.point[k] = 0.5 * (step.points[0][k] + step.points[1][k]);
  }
}

}  // namespace

double diagonal(const Bounds& bounds) {
  return std::hypot(bounds.hi[0] - bounds.lo[0], bounds.hi[1] - bounds.lo[1],
                    bounds.hi[2] - bounds.lo[2]);
}

Impact FirstContactSearch::find(const bvh::PreparedTree& a, std::span<const Segment> motion_a,
                                const bvh::PreparedTree& b, std::span<const Segment> motion_b,
                                const Question& question, double until, Ticker& ticker,
                                int worker) {
  Impact impact;
  if (a.tree().empty() || b.tree().empty()) return impact;
  // The larger body gives the frame, in which coordinates of the other are floats.
  const auto size_a = diagonal(a.tree().bounds()), size_b = diagonal(b.tree().bounds());
  const bool swapped = size_a < size_b;
  const double tolerance =
      question.tolerance < 0 ? kDefaultTolerance * (size_a + size_b) : question.tolerance;
  const double reach_a = reach(a.tree().bounds()), reach_b = reach(b.tree().bounds());
  bool first = true;
  const Pair pair{a, b, pieces(motion_a, motion_b)};
  for (const Piece& piece : pair.pieces) {
    if (piece.begin > until) break;
    const double own = rounding(piece.a, reach_a) + rounding(piece.b, reach_b);
    const Clearance clearance{question.touching ? 0 : -(tolerance + own), own};
    if (std::exchange(first, false)) {
      const bvh::Body start_a = pair.body_a(piece.begin), start_b = pair.body_b(piece.begin);
      std::int32_t faces[2];
      if (meet(start_a, start_b, true, faces)) {
        impact.start = meet(start_a, start_b, false) ? Start::overlapping : Start::touching;
        if (question.touching) {
          impact.time = piece.begin;
          impact.face_a = faces[0];
          impact.face_b = faces[1];
          put(step_at(pair, piece.begin, faces, clearance), impact);
          return impact;
        }
      }
    }
    const Limits limits{question.touching ? tolerance + own : -0.5 * tolerance, clearance};
    const double duration = piece.end - piece.begin;
    const double share =
        duration > 0 ? std::clamp((until - piece.begin) / duration * (1 + 1e-12), 0.0, 1.0) : 0.0;
    const Piece turned{piece.begin, piece.end, piece.b, piece.a};
    std::optional<FirstContact> contact =
        swapped ? search_.run(b.tree(), a.tree(), turned, limits, share, ticker, worker)
                : search_.run(a.tree(), b.tree(), piece, limits, share, ticker, worker);
    if (!contact) continue;
    if (swapped) {
      std::swap(contact->face_a, contact->face_b);
      std::swap(contact->step.points[0], contact->step.points[1]);
      for (double& x : contact->step.normal) x = -x;
    }
    impact.time = time_in(piece, contact->share);
    impact.face_a = contact->face_a;
    impact.face_b = contact->face_b;
    put(contact->step, impact);
    const double fastest = speed(piece.a, reach_a) + speed(piece.b, reach_b);
    const double pace = fastest > 0 ? (tolerance + own) / fastest : duration;
    impact.proof = proof_after(pair, impact.time, pace, question.touching);
    return impact;
  }
  return impact;
}

}  // namespace impinge::motion
