// What a query has to look at: pairs of bodies, and bodies against themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "geometry/pose.hpp"
#include "pairs/broad_phase.hpp"

namespace impinge {

// Two bodies, or one against itself. Ids of faces in keys start at the given offsets. A body is a
// tree in its place, of any kind: `tree` with its faces, `pose` and `frame()`.
template <class Body>
struct Job {
  Body a, b;
  std::uint32_t offset_a = 0, offset_b = 0;
  bool self = false;
  // What floats say must hold for vertices moved by this much, in the frame of a body that is asked
  // about itself.
  float slack = 0;

  // Whether the floats of a tree are those of its faces as they are.
  bool is_at_rest() const { return a.pose.identity && slack == 0; }
};

// Float coordinates are finest in the frame of the smaller body, but both must fit: the larger one
// gives the frame, and comes first.
template <class Body>
Job<Body> make_job(Body a, Body b, std::uint32_t offset_a, std::uint32_t offset_b) {
  if (a.frame().size() < b.frame().size()) {
    std::swap(a, b);
    std::swap(offset_a, offset_b);
  }
  return {a, b, offset_a, offset_b, false};
}

// Whether there is so little to look at that it may be over before another thread has woken up.
template <class Body>
bool is_brief(const std::vector<Job<Body>>& jobs) {
  constexpr std::size_t kFacesToShare = 4096;
  std::size_t faces = 0;
  for (std::size_t i = 0; i < jobs.size() && faces < kFacesToShare; ++i) {
    faces += jobs[i].a.tree->face_count() + jobs[i].b.tree->face_count();
  }
  return faces < kFacesToShare;
}

// Pairs that pass the broad phase, with boxes that are within a margin of each other, then the
// bodies to check against themselves. Ids of faces count through all bodies: body i starts at the
// sum of the face counts before it.
template <class Body>
std::vector<Job<Body>> scene_jobs(const std::vector<Body>& bodies,
                                  const std::vector<BodyPair>* only,
                                  const std::vector<std::uint32_t>& self, int workers,
                                  double margin = 0) {
  std::vector<std::uint32_t> offset(bodies.size() + 1, 0);
  std::vector<Bounds> bounds;
  bounds.reserve(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto& tree = *bodies[i].tree;
    offset[i + 1] = offset[i] + static_cast<std::uint32_t>(tree.face_count());
    bounds.push_back(tree.empty() ? kNoBounds : bodies[i].frame().world_bounds());
    if (margin > 0 && !tree.empty()) bounds.back() = grown(bounds.back(), 0.5 * margin);
  }
  const std::vector<BodyPair> pairs = broad_phase(bounds, only, workers);
  std::vector<Job<Body>> jobs;
  jobs.reserve(pairs.size() + self.size());
  for (const BodyPair& p : pairs) {
    jobs.push_back(make_job(bodies[p.a], bodies[p.b], offset[p.a], offset[p.b]));
  }
  for (const std::uint32_t i : self) {
    if (bodies[i].tree->empty()) continue;
    jobs.push_back({bodies[i], bodies[i], offset[i], offset[i], true});
  }
  return jobs;
}

// Body b in each of the poses (n, 4, 4) against a at rest; ids of b's faces start at a's face
// count. None when a body has no faces.
template <class Body>
std::vector<Job<Body>> pose_jobs(const Body& a, Body b, const double* poses, std::size_t n) {
  std::vector<Job<Body>> jobs;
  if (a.tree->empty() || b.tree->empty()) return jobs;
  const auto offset = static_cast<std::uint32_t>(a.tree->face_count());
  jobs.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    b.pose = Pose(poses + 16 * i);
    jobs.push_back(make_job(a, b, 0, offset));
  }
  return jobs;
}

}  // namespace impinge
