#include "bvh/pair/collide.hpp"

#include <algorithm>
#include <atomic>
#include <deque>

#include "base/pool.hpp"
#include "bvh/pair/pairing.hpp"
#include "bvh/pair/ready.hpp"
#include "bvh/pair/runner.hpp"
#include "pairs/run.hpp"

namespace impinge::bvh {
Found<Counters> collide_scene(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
                              const std::vector<std::uint32_t>& self, const Rule& rule, int workers,
                              const Ticker::Callback& tick) {
  Stopwatch watch;
  Found<Counters> found;
  std::vector<Job> jobs = scene_jobs(bodies, only, self, workers, rule.margin);
  for (const Job& job : jobs) found.body_pairs += job.self ? 0 : 1;
  std::deque<ClearSheets> known;
  found.counters.clear_sheets = make_ready(jobs, rule, workers, known);
  Runner runner(jobs, rule, workers, tick);
  run_scene(runner, watch, found);
  check_most(found.keys.size(), rule);
  return found;
}

Found<Counters> collide_poses(const PreparedTree& a, const PreparedTree& b, const double* poses,
                              std::size_t pose_count, const Rule& rule, int workers,
                              const Ticker::Callback& tick) {
  Stopwatch watch;
  Found<Counters> found;
  if (rule.margin == 0) a.expect_pairs(pose_count, workers);
  if (rule.margin == 0) b.expect_pairs(pose_count, workers);
  const std::vector<Job> jobs = pose_jobs(Body(a, Pose()), Body(b, Pose()), poses, pose_count);
  Runner runner(jobs, rule, workers, tick);
  run_poses(runner, jobs.size(), pose_count, watch, found);
  check_most(found.keys.size(), rule);
  return found;
}

bool collides_scene(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
                    const std::vector<std::uint32_t>& self, const Rule& rule, int workers,
                    const Ticker::Callback& tick) {
  const std::vector<Job> jobs = scene_jobs(bodies, only, self, workers, rule.margin);
  std::atomic<bool> found = false;
  Ticker ticker(jobs.size(), tick);
  parallel_for(workers, jobs.size(), 1, [&](std::size_t i, std::size_t end, int worker) {
    Buffer<Key> keys;
    for (; i < end && !found.load(std::memory_order_relaxed); ++i) {
      if (rule.margin == 0 && !jobs[i].self) {
        jobs[i].a.prepared->expect_pairs(1, 1);
        jobs[i].b.prepared->expect_pairs(1, 1);
      }
      Pairing(jobs[i], rule, keys, &ticker, worker).find_first();
      if (!keys.empty()) found.store(true, std::memory_order_relaxed);
      ticker.done(worker);
    }
  });
  return found;
}

bool clearly_apart(const Body& a, const Body& b) {
  const PlacedFrame of_a = a.frame(), of_b = b.frame();
  if (apart(of_a.world_bounds(), of_b.world_bounds())) return true;
  const Slabs *slabs_a = a.prepared->slabs(), *slabs_b = b.prepared->slabs();
  return slabs_a && slabs_b &&
         apart(of_a.world_ball(slabs_a->radius()), of_b.world_ball(slabs_b->radius()));
}

void touch_poses(const PreparedTree& a, const PreparedTree& b, const double* poses,
                 std::size_t pose_count, const Rule& rule, int workers,
                 const Ticker::Callback& tick, bool* touches) {
  std::fill_n(touches, pose_count, false);
  if (a.tree().empty() || b.tree().empty()) return;
  a.expect_pairs(pose_count, workers);
  b.expect_pairs(pose_count, workers);
  const Body resting(a, Pose());
  Ticker ticker(pose_count, tick);
  parallel_for(workers, pose_count, 1, [&](std::size_t begin, std::size_t end, int worker) {
    Buffer<Key> keys;
    for (; begin < end; ++begin) {
      const Body moved(b, Pose(poses + 16 * begin));
      if (!clearly_apart(resting, moved)) {
        const Job job = make_job(resting, moved, 0, 0);
        Pairing(job, rule, keys, &ticker, worker).find_first();
        touches[begin] = !keys.empty();
        keys.clear();
      }
      ticker.done(worker);
    }
  });
}

}  // namespace impinge::bvh
