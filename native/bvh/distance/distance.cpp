#include "bvh/distance/distance.hpp"

#include <algorithm>

#include "base/pool.hpp"
#include "base/sum.hpp"
#include "bvh/distance/distance_search.hpp"
#include "bvh/pair/collide.hpp"
#include "geometry/triangle_distance.hpp"

namespace impinge::bvh {
namespace {

// Among meeting triangles none is closer than another: the pair is the one `collide` finds first.
void name_meeting(const PreparedTree& a, const PreparedTree& b, const double* pose,
                  Closest& closest) {
  const Rule first{.first = true};
  const Key key = collide_poses(a, b, pose, 1, first, 1, nullptr).keys[0];
  const auto offset = static_cast<std::uint32_t>(a.tree().face_count());
  closest.face_a = static_cast<std::int32_t>(key_a(key));
  closest.face_b = static_cast<std::int32_t>(key_b(key) - offset);
  const Body at_rest(a, Pose()), moved(b, Pose(pose));
  const Nearest nearest = triangle_distance(at_rest.triangle_of_face(closest.face_a),
                                            moved.triangle_of_face(closest.face_b));
  std::copy_n(&nearest.points[0][0], 6, &closest.points[0][0]);
}

struct Worker {
  DistanceCounters counters;
  DistanceSearch::Scratch scratch;
};

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
      const Bodies bodies(Body(a, Pose()), Body(b, Pose(poses + 16 * i)));
      DistanceSearch search(bodies, upper_bound, own.scratch, own.counters);
      if (hints && hints[2 * i] >= 0) search.try_faces(hints[2 * i], hints[2 * i + 1]);
      search.run(ticker, worker);
      result.closest[i] = search.result();
      if (result.closest[i].value == 0) name_meeting(a, b, poses + 16 * i, result.closest[i]);
      ticker.done(worker);
    }
  });
  for (const Worker& own : each) result.counters = sum(result.counters, own.counters);
  return result;
}

}  // namespace impinge::bvh
