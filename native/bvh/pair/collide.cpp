#include "bvh/pair/collide.hpp"

#include <algorithm>
#include <deque>

#include "base/pool.hpp"
#include "bvh/pair/pairing.hpp"
#include "bvh/pair/runner.hpp"
#include "pairs/run.hpp"

namespace impinge::bvh {
namespace {

// Which parts of a body do not meet themselves. Every vertex is asked about, and every leaf meets
// itself.
const ClearSheets* clear_sheets(const Body& body, int workers, std::deque<ClearSheets>& known) {
  const Tree& tree = *body.tree;
  tree.make_points(workers);
  tree.make_all_leaves(workers);
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
  std::vector<Job> jobs = scene_jobs(bodies, only, self, workers);
  std::deque<ClearSheets> known;
  for (Job& job : jobs) {
    if (!job.self) {
      ++found.body_pairs;
      job.a.prepared->expect_pairs(1, workers);
      job.b.prepared->expect_pairs(1, workers);
    } else if (!rule.first) {
      job.a.clear = clear_sheets(job.a, workers, known);
    }
  }
  for (const ClearSheets& clear : known) found.counters.clear_sheets += clear.count();
  Runner runner(jobs, rule, workers, tick);
  run_scene(runner, watch, found);
  return found;
}

Found<Counters> collide_poses(const PreparedTree& a, const PreparedTree& b, const double* poses,
                              std::size_t pose_count, const Rule& rule, int workers,
                              const Ticker::Callback& tick) {
  Stopwatch watch;
  Found<Counters> found;
  a.expect_pairs(pose_count, workers);
  b.expect_pairs(pose_count, workers);
  const std::vector<Job> jobs = pose_jobs(Body(a, Pose()), Body(b, Pose()), poses, pose_count);
  Runner runner(jobs, rule, workers, tick);
  run_poses(runner, jobs.size(), pose_count, watch, found);
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
