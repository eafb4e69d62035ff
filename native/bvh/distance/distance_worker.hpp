// One pair of bodies after the other, by one thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "bvh/distance/distance_search.hpp"
#include "bvh/pair/pairing.hpp"
#include "geometry/triangle_distance.hpp"

namespace impinge::bvh {

class DistanceWorker {
 public:
  DistanceCounters counters;

  // `hint` is a pair of faces to begin with; null or -1 is none.
  Closest search(const Body& a, const Body& b, double upper_bound, const std::int32_t* hint,
                 Ticker& ticker, int worker) {
    const Bodies bodies(a, b);
    DistanceSearch search(bodies, upper_bound, scratch_, counters);
    if (hint && hint[0] >= 0) search.try_faces(hint[0], hint[1]);
    search.run(ticker, worker);
    Closest closest = search.result();
    if (closest.value == 0) name_meeting(a, b, closest);
    return closest;
  }

 private:
  // Among meeting triangles none is closer than another: the pair is the one `collide` finds first.
  static void name_meeting(const Body& a, const Body& b, Closest& closest) {
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

  DistanceSearch::Scratch scratch_;
};

}  // namespace impinge::bvh
