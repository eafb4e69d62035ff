#include "bvh/pair/collide.hpp"

#include <algorithm>
#include <atomic>
#include <deque>

#include "base/pool.hpp"
#include "bvh/pair/pairing.hpp"
#include "bvh/pair/runner.hpp"
#include "pairs/run.hpp"

namespace impinge::bvh {
namespace {

// Every vertex is asked about, and every leaf meets itself.
void make_ready(const Tree& tree, int workers) {
  tree.make_points(workers);
  tree.make_all_leaves(workers);
}

// Which parts of a body do not meet themselves.
const ClearSheets* clear_sheets(const Body& body, int workers, std::deque<ClearSheets>& known) {
  const Tree& tree = *body.tree;
  body.prepared->expect_self(workers);
  const Sheets* sheets = body.prepared->sheets();
  if (!sheets) return nullptr;
  return &known.emplace_back(tree, *sheets, self_error(body.frame()), workers);
}

}  // namespace

Found<Counters> collide_scene(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
                              const std::vector<std::uint32_t>& self, const Rule& rule, int workers,
                              const Ticker::Callback& tick) {
  Stopwatch watch;
  Found<Counters> found;
  std::vector<Job> jobs = scene_jobs(bodies, only, self, workers, rule.margin);
  // Slabs and clear sheets tell what does not meet, and nothing of margins.
  const bool meeting = rule.margin == 0;
  std::deque<ClearSheets> known;
  for (Job& job : jobs) {
    if (!job.self) {
      ++found.body_pairs;
      if (meeting) job.a.prepared->expect_pairs(1, workers);
      if (meeting) job.b.prepared->expect_pairs(1, workers);
    } else if (!rule.first) {
      make_ready(*job.a.tree, workers);
      if (meeting) job.a.clear = clear_sheets(job.a, workers, known);
    }
  }
  for (const ClearSheets& clear : known) found.counters.clear_sheets += clear.count();
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
