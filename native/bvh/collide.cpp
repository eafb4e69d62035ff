#include "bvh/collide.hpp"

#include <algorithm>
#include <deque>

#include "bvh/pairing.hpp"
#include "bvh/runner.hpp"
#include "parallel/pool.hpp"
#include "parallel/stopwatch.hpp"

namespace impinge {
namespace {

// Float coordinates are finest in the frame of the smaller body's leaves, but both must fit: the
// larger body gives the frame.
Job make_job(Placed a, Placed b, std::uint32_t offset_a, std::uint32_t offset_b) {
  if (a.size() < b.size()) {
    std::swap(a, b);
    std::swap(offset_a, offset_b);
  }
  return {a, b, offset_a, offset_b, false};
}

}  // namespace

Found collide_scene(const std::vector<Placed>& bodies, const std::vector<BodyPair>* only,
                    const std::vector<std::uint32_t>& self, const Options& options, int workers,
                    const Ticker::Callback& tick) {
  Stopwatch watch;
  Found found;
  std::vector<std::uint32_t> offset(bodies.size() + 1, 0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    offset[i + 1] = offset[i] + static_cast<std::uint32_t>(bodies[i].tree->face_count());
  }
  const std::vector<BodyPair> pairs = broad_phase(bodies, only, workers);
  std::vector<Job> jobs;
  for (const BodyPair& p : pairs) {
    bodies[p.a].tree->announce(1, workers);
    bodies[p.b].tree->announce(1, workers);
    jobs.push_back(make_job(bodies[p.a], bodies[p.b], offset[p.a], offset[p.b]));
  }
  std::deque<ClearSheets> clear;
  for (const std::uint32_t i : self) {
    const Tree& tree = *bodies[i].tree;
    if (tree.empty()) continue;
    jobs.push_back({bodies[i], bodies[i], offset[i], offset[i], true});
    if (options.first) continue;
    // every vertex is asked about, and every leaf meets itself
    tree.make_points(workers);
    tree.make_all_leaves(workers);
    if (const Sheets* sheets = tree.sheets(workers)) {
      clear.emplace_back(tree, *sheets, self_error(bodies[i].standing()), workers);
      found.counters.clear_sheets += clear.back().count();
      jobs.back().clear = &clear.back();
    }
  }
  found.body_pairs = pairs.size();
  found.broad_seconds = watch.lap();

  Runner runner(std::move(jobs), options, workers, tick);
  runner.run();
  found.traverse_seconds = watch.lap();
  runner.gather_together(found);
  found.sort_seconds = watch.lap();
  return found;
}

Found collide_poses(const Tree& a, const Tree& b, const double* poses, std::size_t pose_count,
                    const Options& options, int workers, const Ticker::Callback& tick) {
  Stopwatch watch;
  Found found;
  found.body_pairs = pose_count;
  if (a.empty() || b.empty()) {
    found.run_ends.assign(pose_count, 0);
    return found;
  }
  const auto offset = static_cast<std::uint32_t>(a.face_count());
  a.announce(pose_count, workers);
  b.announce(pose_count, workers);
  std::vector<Job> jobs;
  jobs.reserve(pose_count);
  for (std::size_t i = 0; i < pose_count; ++i) {
    jobs.push_back(make_job({&a, Pose()}, {&b, Pose(poses + 16 * i)}, 0, offset));
  }
  Runner runner(std::move(jobs), options, workers, tick);
  runner.run();
  found.traverse_seconds = watch.lap();
  runner.gather_by_job(found);
  found.sort_seconds = watch.lap();
  return found;
}

bool clearly_apart(const Placed& a, const Placed& b) {
  const Standing of_a = a.standing(), of_b = b.standing();
  if (apart(of_a.world_bounds(), of_b.world_bounds())) return true;
  const Slabs *slabs_a = a.tree->slabs(), *slabs_b = b.tree->slabs();
  return slabs_a && slabs_b &&
         apart(of_a.world_ball(slabs_a->radius()), of_b.world_ball(slabs_b->radius()));
}

void touch_poses(const Tree& a, const Tree& b, const double* poses, std::size_t pose_count,
                 const Options& options, int workers, const Ticker::Callback& tick, bool* touches) {
  std::fill_n(touches, pose_count, false);
  if (a.empty() || b.empty()) return;
  a.announce(pose_count, workers);
  b.announce(pose_count, workers);
  const Placed resting{&a, Pose()};
  Ticker ticker(pose_count, tick);
  parallel_for(workers, pose_count, 1, [&](std::size_t begin, std::size_t end, int worker) {
    Output output;
    for (; begin < end; ++begin) {
      const Placed moved{&b, Pose(poses + 16 * begin)};
      if (!clearly_apart(resting, moved)) {
        const Job job = make_job(resting, moved, 0, 0);
        Pairing(job, options, output, &ticker, worker).find_first();
        touches[begin] = !output.keys.empty();
        output.keys.clear();
      }
      ticker.done(worker);
    }
  });
}

}  // namespace impinge
