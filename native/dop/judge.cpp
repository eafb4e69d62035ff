#include "dop/judge.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "bvh/neighbours.hpp"

namespace impinge::dop {
namespace {

unsigned live_lanes(int left) { return left >= kLanes ? 255u : (1u << left) - 1; }

}  // namespace

LocalMap::LocalMap(const Pose& from, const Pose& to) {
  identity = from.identity && to.identity;
  const auto& r = to.m;
  double inverse[3][3];
  const double det = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
                     r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
                     r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      inverse[i][j] = (r[j1][i1] * r[j2][i2] - r[j1][i2] * r[j2][i1]) / det;
    }
  }
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

Judge::Judge(const Job& job, float error, const Options& options, Counters& counters)
    : job_(job), error_(error), options_(options), counters_(counters) {
  if (options.kernel == Kernel::exact) {
    batch_ = std::make_unique_for_overwrite<Batch>();
  } else {
    to_tumbled_ = LocalMap(job.aligned.pose, job.tumbled.pose);
    to_aligned_ = LocalMap(job.tumbled.pose, job.aligned.pose);
  }
}

void Judge::add_near(const float* aligned, std::uint32_t face_aligned, const Corners& tumbled,
                     std::uint32_t face_tumbled) {
  if (options_.kernel != Kernel::exact) {
    judge_by_maps(face_aligned, face_tumbled);
    return;
  }
  if (job_.self && share_corners(face_aligned, face_tumbled)) {
    judge_neighbours(face_aligned, face_tumbled);
    return;
  }
  ++counters_.candidates;
  Batch& batch = *batch_;
  for (int k = 0; k < 9; ++k) {
    batch.a[k][batch.size] = aligned[k];
    batch.b[k][batch.size] = tumbled.at[k];
  }
  batch.slot_a[batch.size] = face_aligned;
  batch.slot_b[batch.size] = face_tumbled;
  if (++batch.size == Batch::kCapacity) drain();
}

bool Judge::share_corners(std::uint32_t a, std::uint32_t b) const {
  const std::int32_t* p = job_.aligned.tree->corners(a);
  const std::int32_t* q = job_.aligned.tree->corners(b);
  for (int i = 0; i < 3; ++i) {
    if (p[i] == q[0] || p[i] == q[1] || p[i] == q[2]) return true;
  }
  return false;
}

void Judge::judge_neighbours(std::uint32_t a, std::uint32_t b) {
  const Tree& tree = *job_.aligned.tree;
  std::int32_t p[3], q[3];
  std::copy_n(tree.corners(a), 3, p);
  std::copy_n(tree.corners(b), 3, q);
  if (!certainly_only_neighbours(tree.points(), p, q, error_)) decide(a, b);
}

// Most pairs are parted by a plane; the rest is packed for the longer test.
void Judge::drop_parted() {
  Batch& batch = *batch_;
  int kept = 0;
  for (int first = 0; first < batch.size; first += kLanes) {
    const unsigned open = ~beside(batch, first, error_) & live_lanes(batch.size - first);
    batch.move(first, open, kept);
    kept += std::popcount(open);
  }
  batch.size = kept;
}

void Judge::drain() {
  if (!batch_ || batch_->size == 0) return;
  Batch& batch = *batch_;
  drop_parted();
  for (int first = 0; first < batch.size && !has_enough(); first += kLanes) {
    const Verdict8 v = filter_pairs(batch, first, error_);
    const unsigned live = live_lanes(batch.size - first);
    const auto each = [&](unsigned lanes, auto&& f) {
      for_each_bit(lanes & live,
                   [&](int i) { f(batch.slot_a[first + i], batch.slot_b[first + i]); });
    };
    // Only strict signs decide in float, and with strict signs a meeting is a crossing.
    each(v.crossing, [&](std::uint32_t a, std::uint32_t b) { report(a, b, Kind::crossing); });
    each(v.undecided, [&](std::uint32_t a, std::uint32_t b) { decide(a, b); });
  }
  batch.size = 0;
}

void Judge::decide(std::uint32_t a, std::uint32_t b) {
  ++counters_.undecided;
  const Triangle p = job_.aligned.world(a), q = job_.tumbled.world(b);
  const Kind kind = job_.self ? classify_self(p, q, options_.report_duplicates) : classify(p, q);
  if (kind == Kind::none || (kind != Kind::crossing && !options_.touching)) return;
  report(a, b, kind);
}

void Judge::judge_by_maps(std::uint32_t a, std::uint32_t b) {
  bool hit = false;
  if (to_tumbled_.regular && to_aligned_.regular) {
    const Boundary boundary =
        options_.kernel == Kernel::unit_open ? Boundary::open : Boundary::closed;
    const Triangle p = job_.aligned.local(a), q = job_.tumbled.local(b);
    hit = some_edge_hits(to_tumbled_(p), q, job_.tumbled.tree->map(b), boundary) ||
          some_edge_hits(to_aligned_(q), p, job_.aligned.tree->map(a), boundary);
  } else {
    hit = classify_by(options_.kernel, job_.aligned.world(a), job_.tumbled.world(b)) != Kind::none;
  }
  if (hit) report(a, b, Kind::crossing);
}

void Judge::report(std::uint32_t a, std::uint32_t b, Kind kind) {
  if (has_enough()) return;
  a += job_.offset_aligned;
  b += job_.offset_tumbled;
  if (a > b) std::swap(a, b);
  keys_.push(make_key(a, b, kind));
}

}  // namespace impinge::dop
