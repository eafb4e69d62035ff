#include "bvh/distance/distance.hpp"

#include "base/pool.hpp"
#include "base/sum.hpp"
#include "bvh/distance/distance_worker.hpp"
#include "bvh/pair/configurations.hpp"

namespace impinge::bvh {
namespace {

std::vector<BodyPair> near_pairs(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
                                 double upper_bound, int workers) {
  std::vector<Bounds> bounds;
  for (const Body& body : bodies) bounds.push_back(reaching_bounds(body, upper_bound));
  return broad_phase(bounds, only, workers);
}

}  // namespace

Distances distance_poses(const PreparedTree& a, const PreparedTree& b, const double* poses,
                         std::size_t pose_count, double upper_bound, const std::int32_t* hints,
                         int workers, const Ticker::Callback& tick) {
  Distances result;
  result.closest.resize(pose_count);
  if (a.tree().empty() || b.tree().empty()) return result;
  std::vector<DistanceWorker> each(static_cast<std::size_t>(workers));
  Ticker ticker(pose_count, tick);
  parallel_for(workers, pose_count, 1, [&](std::size_t begin, std::size_t end, int worker) {
    DistanceWorker& own = each[static_cast<std::size_t>(worker)];
    for (std::size_t i = begin; i < end; ++i) {
      result.closest[i] = own.search(Body(a, Pose()), Body(b, Pose(poses + 16 * i)), upper_bound,
                                     hints ? hints + 2 * i : nullptr, ticker, worker);
      ticker.done(worker);
    }
  });
  for (const DistanceWorker& own : each) result.counters = sum(result.counters, own.counters);
  return result;
}

PairDistances distance_pairs(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
                             double upper_bound, int workers, const Ticker::Callback& tick) {
  const std::vector<BodyPair> pairs = near_pairs(bodies, only, upper_bound, workers);
  std::vector<Closest> closest(pairs.size());
  std::vector<DistanceWorker> each(static_cast<std::size_t>(workers));
  Ticker ticker(pairs.size(), tick);
  parallel_for(workers, pairs.size(), 1, [&](std::size_t i, std::size_t end, int worker) {
    DistanceWorker& own = each[static_cast<std::size_t>(worker)];
    for (; i < end; ++i) {
      closest[i] =
          own.search(bodies[pairs[i].a], bodies[pairs[i].b], upper_bound, nullptr, ticker, worker);
      ticker.done(worker);
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
