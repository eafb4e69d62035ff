#include "dop/collide.hpp"

#include <algorithm>
#include <chrono>

#include "bvh/sort.hpp"
#include "dop/runner.hpp"

namespace impinge::dop {
namespace {

class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

Found answer(const std::vector<Job>& jobs, const Options& options, int workers,
             const Ticker::Callback& tick, bool together, Stopwatch& watch) {
  Found found;
  Runner runner(jobs, options, workers, tick);
  runner.run();
  found.traverse_seconds = watch.lap();
  runner.gather(found.keys, found.run_ends, together);
  found.counters = runner.counters();
  std::vector<Key> spare;
  std::size_t begin = 0;
  for (const std::size_t end : found.run_ends) {
    sort_keys(found.keys.data() + begin, end - begin, kIdBits + 3, spare);
    begin = end;
  }
  found.sort_seconds = watch.lap();
  return found;
}

}  // namespace

Job make_job(Body a, Body b, std::uint32_t offset_a, std::uint32_t offset_b) {
  if (a.standing().size() < b.standing().size()) {
    std::swap(a, b);
    std::swap(offset_a, offset_b);
  }
  return {a, b, offset_a, offset_b, false};
}

Found collide_scene(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
                    const std::vector<std::uint32_t>& self, const Options& options, int workers,
                    const Ticker::Callback& tick) {
  Stopwatch watch;
  std::vector<std::uint32_t> offset(bodies.size() + 1, 0);
  std::vector<Bounds> bounds;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Tree& tree = *bodies[i].tree;
    offset[i + 1] = offset[i] + static_cast<std::uint32_t>(tree.face_count());
    bounds.push_back(tree.empty() ? kNoBounds : bodies[i].standing().world_bounds());
  }
  std::vector<BodyPair> pairs = broad_phase(bounds, only, workers);
  std::vector<Job> jobs;
  for (const BodyPair& p : pairs) {
    jobs.push_back(make_job(bodies[p.a], bodies[p.b], offset[p.a], offset[p.b]));
  }
  for (const std::uint32_t i : self) {
    if (bodies[i].tree->empty()) continue;
    jobs.push_back({bodies[i], bodies[i], offset[i], offset[i], true});
  }
  const double broad = watch.lap();
  Found found = answer(jobs, options, workers, tick, true, watch);
  found.body_pairs = pairs.size();
  found.broad_seconds = broad;
  return found;
}

Found collide_poses(const Tree& a, const Tree& b, const double* poses, std::size_t pose_count,
                    const Options& options, int workers, const Ticker::Callback& tick) {
  Stopwatch watch;
  std::vector<Job> jobs;
  if (!a.empty() && !b.empty()) {
    jobs.reserve(pose_count);
    const auto offset = static_cast<std::uint32_t>(a.face_count());
    for (std::size_t i = 0; i < pose_count; ++i) {
      jobs.push_back(make_job({&a, Pose()}, {&b, Pose(poses + 16 * i)}, 0, offset));
    }
  }
  Found found = answer(jobs, options, workers, tick, false, watch);
  found.run_ends.resize(pose_count, 0);
  found.body_pairs = pose_count;
  return found;
}

}  // namespace impinge::dop
