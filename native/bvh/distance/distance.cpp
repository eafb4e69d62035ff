#include "bvh/distance/distance.hpp"

#include <algorithm>

#include "base/pool.hpp"
#include "base/sum.hpp"
#include "bvh/distance/distance_search.hpp"
#include "bvh/pair/pairing.hpp"
#include "geometry/triangle_distance.hpp"

namespace impinge::bvh {
namespace {

// Among meeting triangles none is closer than another: the pair is the one `collide` finds first.
void name_meeting(const Body& a, const Body& b, Closest& closest) {
  a.prepared->expect_pairs(1, 1);
  b.prepared->expect_pairs(1, 1);
  const auto offset = static_cast<std::uint32_t>(a.tree->face_count());
  const Job job = make_job(a, b, 0, offset);
  Buffer<Key> keys;
  Pairing(job, {.first = true}, keys).find_first();
  closest.face_a = static_cast<std::int32_t>(key_a(keys[0]));
  closest.face_b = static_cast<std::int32_t>(key_b(keys[0]) - offset);
  const Nearest nearest =
      triangle_distance(a.triangle_of_face(closest.face_a), b.triangle_of_face(closest.face_b));
  std::copy_n(&nearest.points[0][0], 6, &closest.points[0][0]);
}

struct Worker {
  DistanceCounters counters;
  DistanceSearch::Scratch scratch;

  Closest search(const Body& a, const Body& b, double upper_bound, const std::int32_t* hint,
                 Ticker& ticker, int worker) {
    const Bodies bodies(a, b);
    DistanceSearch search(bodies, upper_bound, scratch, counters);
    if (hint && hint[0] >= 0) search.try_faces(hint[0], hint[1]);
    search.run(ticker, worker);
    Closest closest = search.result();
    if (closest.value == 0) name_meeting(a, b, closest);
    ticker.done(worker);
    return closest;
  }
};

// Boxes that overlap wherever the distance, rounded as it is, is within the bound: it is too small
// by no more than 20 units of 2^-53 of the two bodies and the gap between them.
std::vector<BodyPair> near_pairs(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
                                 double upper_bound, int workers) {
  constexpr double kSlack = 0x1p-44;
  std::vector<Bounds> bounds;
  for (const Body& body : bodies) {
    bounds.push_back(body.tree->empty() ? kNoBounds : body.frame().world_bounds());
    Bounds& own = bounds.back();
    if (body.tree->empty()) continue;
    const double size =
        std::max({own.hi[0] - own.lo[0], own.hi[1] - own.lo[1], own.hi[2] - own.lo[2]});
    own = grown(own, 0.5 * upper_bound + kSlack * (upper_bound + size));
  }
  return broad_phase(bounds, only, workers);
}

}  // namespace

Distances distance_poses(const PreparedTree& a, const PreparedTree& b, const double* poses,
                         std::size_t pose_count, double upper_bound, const std::int32_t* hints,
                         int workers, const Ticker::Callback& tick) {
  Distances result;
  result.closest.resize(pose_count);
  if (a.tree().empty() || b.tree().empty()) return result;
  std::vector<Worker> each(static_cast<std::size_t>(workers));
  Ticker ticker(pose_count, tick);
  parallel_for(workers, pose_count, 1, [&](std::size_t begin, std::size_t end, int worker) {
    Worker& own = each[static_cast<std::size_t>(worker)];
    for (std::size_t i = begin; i < end; ++i) {
      result.closest[i] = own.search(Body(a, Pose()), Body(b, Pose(poses + 16 * i)), upper_bound,
                                     hints ? hints + 2 * i : nullptr, ticker, worker);
    }
  });
  for (const Worker& own : each) result.counters = sum(result.counters, own.counters);
  return result;
}

PairDistances distance_pairs(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
                             double upper_bound, int workers, const Ticker::Callback& tick) {
  const std::vector<BodyPair> pairs = near_pairs(bodies, only, upper_bound, workers);
  std::vector<Closest> closest(pairs.size());
  std::vector<Worker> each(static_cast<std::size_t>(workers));
  Ticker ticker(pairs.size(), tick);
  parallel_for(workers, pairs.size(), 1, [&](std::size_t i, std::size_t end, int worker) {
    Worker& own = each[static_cast<std::size_t>(worker)];
    for (; i < end; ++i) {
      closest[i] =
          own.search(bodies[pairs[i].a], bodies[pairs[i].b], upper_bound, nullptr, ticker, worker);
    }
  });
  PairDistances result;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (closest[i].face_a < 0) continue;
    result.pairs.push_back(pairs[i]);
    result.closest.push_back(closest[i]);
  }
  return result;
}

}  // namespace impinge::bvh
