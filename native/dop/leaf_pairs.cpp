#include "dop/leaf_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/star_pairs.hpp"

namespace impinge::dop {

LocalMap::LocalMap(const Pose& from, const Pose& to) {
  identity = from.identity && to.identity;
  const auto& r = to.m;
  double inverse[3][3];
  invert(r, inverse);
  regular = true;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      m[i][j] = 0;
      for (int k = 0; k < 3; ++k) {
        m[i][j] += inverse[i][k] * (from.m[k][j] - (j == 3 ? r[k][3] : 0.0));
      }
      regular = regular && std::isfinite(m[i][j]);
    }
  }
}

Triangle LocalMap::operator()(const Triangle& t) const {
  if (identity) return t;
  Triangle moved;
  for (int c = 0; c < 3; ++c) {
    for (int i = 0; i < 3; ++i) {
      moved.v[c][i] = ((m[i][0] * t[c][0] + m[i][1] * t[c][1]) + m[i][2] * t[c][2]) + m[i][3];
    }
  }
  return moved;
}

LeafPairs::LeafPairs(const Job& job, float error, const Options& options, Buffer<Key>& keys,
                     Counters& counters)
    : job_(job),
      error_(error),
      options_(options),
      keys_(keys),
      before_(keys.size()),
      counters_(counters),
      batch_(std::make_unique_for_overwrite<Batch>()),
      faces_{job},
      judge_(faces_, options.rule, error, *batch_, keys, counters) {
  if (is_exact()) return;
  to_tumbled_ = LocalMap(job.a.pose, job.b.pose);
  to_aligned_ = LocalMap(job.b.pose, job.a.pose);
}

void LeafPairs::add_near(const float* aligned, std::uint32_t face_aligned, const Corners& tumbled,
                         std::uint32_t face_tumbled) {
  if (!is_exact()) {
    judge_by_maps(face_aligned, face_tumbled);
    return;
  }
  if (job_.self && share_corners(face_aligned, face_tumbled)) {
    judge_neighbours(face_aligned, face_tumbled);
    return;
  }
  Batch& batch = *batch_;
  for (int k = 0; k < 9; ++k) {
    batch.a[k][batch.size] = aligned[k];
    batch.b[k][batch.size] = tumbled.at[k];
  }
  batch.slot_a[batch.size] = face_aligned;
  batch.slot_b[batch.size++] = face_tumbled;
  if (batch.is_full()) judge_.drain();
}

void LeafPairs::finish() {
  if (is_exact()) judge_.drain();
  if (options_.rule.first && keys_.size() > before_) keys_.resize(before_ + 1);
}

bool LeafPairs::satisfied() {
  if (!options_.rule.first) return false;
  if (is_exact()) judge_.drain();
  return keys_.size() > before_;
}

bool LeafPairs::share_corners(std::uint32_t a, std::uint32_t b) const {
  const std::int32_t* p = job_.a.tree->corners(a);
  const std::int32_t* q = job_.a.tree->corners(b);
  for (int i = 0; i < 3; ++i) {
    if (p[i] == q[0] || p[i] == q[1] || p[i] == q[2]) return true;
  }
  return false;
}

void LeafPairs::judge_neighbours(std::uint32_t a, std::uint32_t b) {
  const Tree& tree = *job_.a.tree;
  std::int32_t p[3], q[3];
  std::copy_n(tree.corners(a), 3, p);
  std::copy_n(tree.corners(b), 3, q);
  if (!certainly_only_neighbours(tree.points(), p, q, error_)) judge_.test_neighbours(a, b);
}

void LeafPairs::judge_by_maps(std::uint32_t a, std::uint32_t b) {
  bool hit = false;
  if (to_tumbled_.regular && to_aligned_.regular) {
    const Boundary boundary =
        options_.kernel == Kernel::unit_open ? Boundary::open : Boundary::closed;
    const Triangle p = job_.a.local(a), q = job_.b.local(b);
    hit = some_edge_hits(to_tumbled_(p), q, job_.b.tree->map(b), boundary) ||
          some_edge_hits(to_aligned_(q), p, job_.a.tree->map(a), boundary);
  } else {
    hit = classify_by(options_.kernel, job_.a.world(a), job_.b.world(b)) != Kind::none;
  }
  if (hit) keys_.push(make_key(faces_.id_a(a), faces_.id_b(b), Kind::crossing));
}

}  // namespace impinge::dop
