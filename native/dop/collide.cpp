#include "dop/collide.hpp"

#include <algorithm>

#include "dop/runner.hpp"
#include "pairs/run.hpp"

namespace impinge::dop {

Found<Counters> collide_scene(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
                              const std::vector<std::uint32_t>& self, const Options& options,
                              int workers, const Ticker::Callback& tick) {
  Stopwatch watch;
  Found<Counters> found;
  const std::vector<Job> jobs = scene_jobs(bodies, only, self, workers);
  found.body_pairs =
      std::count_if(jobs.begin(), jobs.end(), [](const Job& job) { return !job.self; });
  Runner runner(jobs, options, workers, tick);
  run_scene(runner, watch, found);
  return found;
}

Found<Counters> collide_poses(const Tree& a, const Tree& b, const double* poses,
                              std::size_t pose_count, const Options& options, int workers,
                              const Ticker::Callback& tick) {
  Stopwatch watch;
  Found<Counters> found;
  const std::vector<Job> jobs = pose_jobs(Body{&a, Pose()}, Body{&b, Pose()}, poses, pose_count);
  Runner runner(jobs, options, workers, tick);
  run_poses(runner, jobs.size(), pose_count, watch, found);
  return found;
}

}  // namespace impinge::dop
