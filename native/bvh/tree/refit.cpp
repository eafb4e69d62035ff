// Following moved vertices: boxes and frame; leaves and float copies when they are asked for.
#include <algorithm>
#include <thread>

#include "base/pool.hpp"
#include "bvh/tree/tree.hpp"
#include "geometry/point_hull.hpp"

namespace impinge::bvh {
namespace {

// Boxes this much looser around their triangles than when the order was made: order anew. Soon for
// an order in space, which mixes the layers of what is folded; an order along the surface lasts.
constexpr double kSpaceLimit = 1.2;
constexpr double kSurfaceLimit = 2.5;

constexpr std::size_t kVertexGrain = 2048;
constexpr std::size_t kParentGrain = 64;
constexpr std::size_t kLeafGrain = 512;
// The first leaf of every fourth node tells how large the triangles are.
constexpr std::size_t kSampled = 4;
// Vertices are asked for so long before they are read.
constexpr std::size_t kNodesAhead = 2;
constexpr int kTaskLevel = 3;  // the leaves and nodes below one node of this level are one task

// Half the areas of eight boxes; nothing for boxes that are inside out.
Float8 half_areas(const Box8& b) {
  const Float8 zero(0.0f);
  const Float8 dx = max(b.hi[0] - b.lo[0], zero), dy = max(b.hi[1] - b.lo[1], zero),
               dz = max(b.hi[2] - b.lo[2], zero);
  return mul_add(dx, dy, mul_add(dy, dz, dz * dx));
}

// The boxes below one node. Those that are not set are of missing children.
struct Siblings {
  Point4 lo[kLanes], hi[kLanes];

  explicit Siblings(std::size_t n) {
    for (std::size_t c = n; c < kLanes; ++c) {
      lo[c] = {kInsideOut, kInsideOut, kInsideOut, 0};
      hi[c] = {-kInsideOut, -kInsideOut, -kInsideOut, 0};
    }
  }
  void set(std::size_t c, const PointHull& hull, const PointsInFrame& points) {
    points.place(hull.lo).store(lo[c]);
    points.place(hull.hi).store(hi[c]);
  }
  Box8 boxes() const {
    constexpr std::int32_t kAll[kLanes] = {0, 1, 2, 3, 4, 5, 6, 7};
    const Point8 lower = gather(lo, kAll), upper = gather(hi, kAll);
    return {{lower.at[0], lower.at[1], lower.at[2]}, {upper.at[0], upper.at[1], upper.at[2]}};
  }
};

LeafVertices distinct(const Corners8& corners) {
  LeafVertices vertices;
  int n = 0;
  for (const auto& ids : corners.id) {
    for (const std::int32_t id : ids) {
      if (std::find(vertices.id, vertices.id + n, id) != vertices.id + n) continue;
      if (n == LeafVertices::kMost) {
        vertices.id[n - 1] = LeafVertices::kTooMany;
        return vertices;
      }
      vertices.id[n++] = id;
    }
  }
  std::fill(vertices.id + n, vertices.id + LeafVertices::kMost, vertices.id[n - 1]);
  return vertices;
}

// Half the areas of the boxes of eight triangles.
Float8 half_areas(const PointsInFrame& points, const Corners8& corners) {
  const Point8 p = gather_from(points, corners.id[0]), q = gather_from(points, corners.id[1]),
               r = gather_from(points, corners.id[2]);
  Box8 b;
  for (int k = 0; k < 3; ++k) {
    b.lo[k] = min(min(p.at[k], q.at[k]), r.at[k]);
    b.hi[k] = max(max(p.at[k], q.at[k]), r.at[k]);
  }
  return half_areas(b);
}

}  // namespace

void Tree::list_vertices(int workers) {
  leaf_vertices_.resize(leaves_.size());
  parallel_for(workers, leaves_.size(), kLeafGrain, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) leaf_vertices_[b] = distinct(corners_[b]);
  });
}

// Bounds, and all boxes. Returns how loosely the leaf boxes fit: their total area over that of the
// boxes of some triangles, always the same.
double Tree::fill_boxes(int workers) {
  const int task_level = std::min(kTaskLevel, boxes_.top());
  struct Sums {
    double triangles, leaves;
    Bounds bounds;
  };
  std::vector<Sums> sums(boxes_.nodes(task_level));
  parallel_for(workers, sums.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      Areas areas{Float8(0.0f), Float8(0.0f)};
      const Bounds bounds = fill_below(task_level, b, areas).bounds();
      sums[b] = {total(areas.triangles), total(areas.leaves), bounds};
    }
  });
  boxes_.refit_upwards(task_level + 1, workers);
  Sums all{0, 0, kNoBounds};
  for (const Sums& s : sums) {
    all.triangles += s.triangles;
    all.leaves += s.leaves;
    include(all.bounds, s.bounds.lo, s.bounds.hi);
  }
  bounds_ = all.bounds;
  return all.triangles > 0 ? all.leaves / all.triangles : 1.0;
}

// The boxes in a node and in all below it. Returns the box of all.
PointHull Tree::fill_below(int level, std::size_t i, Areas& areas) {
  if (level == 1) return fill_lowest(i, areas);
  const std::size_t first = i * kLanes;
  const std::size_t n = std::min<std::size_t>(kLanes, boxes_.nodes(level - 1) - first);
  const PointsInFrame points = placed();
  Siblings children(n);
  PointHull all;
  for (std::size_t c = 0; c < n; ++c) {
    const PointHull one = fill_below(level - 1, first + c, areas);
    children.set(c, one, points);
    all.include(one);
  }
  store(children.boxes(), boxes_.node(level, i));
  return all;
}

PointHull Tree::fill_lowest(std::size_t i, Areas& areas) {
  const std::size_t first = i * kLanes;
  const std::size_t n = std::min<std::size_t>(kLanes, leaves_.size() - first);
  const PointsInFrame points = placed();
  const Corners8* const corners = &corners_[first];
  const LeafVertices* const listed = leaf_vertices_.empty() ? nullptr : &leaf_vertices_[first];
  const bool ask_ahead = first + (kNodesAhead + 1) * kLanes <= leaves_.size();
  Siblings leaves(n);
  PointHull all;
  for (std::size_t c = 0; c < n; ++c) {
    if (ask_ahead && listed) {
      // but for the last, which is one of the others or none
      points.prefetch(
          std::span(listed[kNodesAhead * kLanes + c].id).first<LeafVertices::kMost - 1>());
    } else if (ask_ahead) {
      for (const auto& ids : corners[kNodesAhead * kLanes + c].id) points.prefetch(ids);
    }
    PointHull one;
    if (listed && listed[c].are_all()) [[likely]] {
      one.include(points, listed[c].id);
    } else {
      for (const auto& ids : corners[c].id) one.include(points, ids);
    }
    leaves.set(c, one, points);
    all.include(one);
  }
  const Box8 boxes = leaves.boxes();
  store(boxes, boxes_.node(1, i));
  areas.leaves = areas.leaves + half_areas(boxes);
  if (i % kSampled == 0) areas.triangles = areas.triangles + half_areas(points, corners[0]);
  leaves_made_[i].store(Made::no, std::memory_order_relaxed);
  return PointHull{all.lo, all.hi};  // `all` itself would live in memory
}

// Leaves are half of all bytes, and most of them are not near anything: they wait for a visit, and
// come with their neighbours. Whoever is first makes them.
void Tree::make_leaves(std::size_t parent) const {
  std::atomic<Made>& made = leaves_made_[parent];
  Made before = Made::no;
  if (!made.compare_exchange_strong(before, Made::half, std::memory_order_acquire)) {
    while (made.load(std::memory_order_acquire) != Made::yes) std::this_thread::yield();
    return;
  }
  const std::size_t end = std::min((parent + 1) * kLanes, leaves_.size());
  const auto copy = [&](const auto& points) {
    for (std::size_t i = parent * kLanes; i < end; ++i) {
      for (int c = 0; c < 3; ++c) {
        const Point8 p = gather_from(points, corners_[i].id[c]);
        for (int k = 0; k < 3; ++k) p.at[k].store(leaves_[i].v[3 * c + k]);
      }
    }
  };
  if (points_made_.load(std::memory_order_acquire)) {
    copy(PointCopies(points_.data()));
  } else {
    copy(placed());
  }
  made.store(Made::yes, std::memory_order_release);
}

void Tree::make_all_leaves(int workers) const {
  parallel_for(workers, leaves_made_.size(), kParentGrain, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) leaf(b * kLanes);
  });
}

void Tree::make_points(int workers) const {
  std::lock_guard<std::mutex> lock(points_mutex_);
  if (points_made_.load(std::memory_order_relaxed)) return;
  parallel_for(workers, vertex_count_, kVertexGrain, [&](std::size_t b, std::size_t e, int) {
    in_frame(frame_, vertices_ + 3 * b, e - b, points_.data() + b);
  });
  points_made_.store(true, std::memory_order_release);
}

Tree::Refit Tree::refit(const double* vertices, int workers) {
  vertices_ = vertices;
  Refit changed;
  if (empty()) return changed;
  points_made_.store(false, std::memory_order_relaxed);
  if (!merged_.holds(vertices)) {
    merged_ = MergedVertices(vertices, vertex_count_, workers);
    fill_corners(workers);
    changed.corners = true;
  }
  if (leaf_vertices_.empty()) list_vertices(workers);
  double looseness = fill_boxes(workers);
  // A frame that still holds all and wastes no more than one bit is kept, and all is done.
  const Frame tight = frame_of(bounds_);
  if (!fits(frame_, bounds_) || tight.scale > 2 * frame_.scale) {
    frame_ = tight;
    looseness = fill_boxes(workers);
  }
  if (looseness <= (along_surface_ ? kSurfaceLimit : kSpaceLimit) * looseness_) return changed;
  along_surface_ = true;
  order_along_surface(workers);
  fill_corners(workers);
  looseness_ = fill_boxes(workers);
  return {true, true};
}

}  // namespace impinge::bvh
