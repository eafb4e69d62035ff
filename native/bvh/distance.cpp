#include "bvh/distance.hpp"

#include <algorithm>

#include "bvh/collide.hpp"
#include "bvh/distance_search.hpp"
#include "geometry/triangle_distance.hpp"
#include "parallel/pool.hpp"

namespace impinge {
namespace {

// Among meeting triangles none is closer than another: the pair is the one `collide` finds first.
void name_meeting(const Tree& a, const Tree& b, const double* pose, Closest& closest) {
  Options options;
  options.first = true;
  const Found found = collide_poses(a, b, pose, 1, options, 1, nullptr);
  closest.face_a = static_cast<std::int32_t>(key_a(found.keys[0]));
  closest.face_b =
      static_cast<std::int32_t>(key_b(found.keys[0]) - static_cast<std::uint32_t>(a.face_count()));
  const Placed at_rest{&a, Pose()}, moved{&b, Pose(pose)};
  const Nearest nearest = triangle_distance(at_rest.triangle_of_face(closest.face_a),
                                            moved.triangle_of_face(closest.face_b));
  std::copy_n(&nearest.points[0][0], 6, &closest.points[0][0]);
}

struct Worker {
  DistanceCounters counters;
  DistanceSearch::Scratch scratch;
};

}  // namespace

void DistanceCounters::add(const DistanceCounters& other) {
  node_pairs += other.node_pairs;
  leaf_pairs += other.leaf_pairs;
  triangle_pairs += other.triangle_pairs;
}

Distances distance_poses(const Tree& a, const Tree& b, const double* poses, std::size_t pose_count,
                         double upper_bound, const std::int32_t* hints, int workers,
                         const Ticker::Callback& tick) {
  Distances result;
  result.closest.resize(pose_count);
  if (a.empty() || b.empty()) return result;
  std::vector<Worker> each(static_cast<std::size_t>(workers));
  Ticker ticker(pose_count, tick);
  parallel_for(workers, pose_count, 1, [&](std::size_t begin, std::size_t end, int worker) {
    Worker& own = each[static_cast<std::size_t>(worker)];
    for (std::size_t i = begin; i < end; ++i) {
      const Bodies bodies({&a, Pose()}, {&b, Pose(poses + 16 * i)});
      DistanceSearch search(bodies, upper_bound, own.scratch, own.counters);
      if (hints && hints[2 * i] >= 0) search.try_faces(hints[2 * i], hints[2 * i + 1]);
      search.run(ticker, worker);
      result.closest[i] = search.result();
      if (result.closest[i].value == 0) name_meeting(a, b, poses + 16 * i, result.closest[i]);
      ticker.done(worker);
    }
  });
  for (const Worker& worker : each) result.counters.add(worker.counters);
  return result;
}

}  // namespace impinge
