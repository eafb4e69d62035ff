// Following moved vertices: frame, float copies, leaf boxes, boxes above.
#include <algorithm>
#include <cmath>
#include <limits>

#include "bvh/tree.hpp"
#include "parallel/pool.hpp"

namespace impinge {
namespace {

// Boxes this much looser around their triangles than when the order was made: order anew. Soon for
// an order in space, which mixes the layers of what is folded; an order along the surface lasts.
constexpr double kSpaceLimit = 1.2;
constexpr double kSurfaceLimit = 2.5;

constexpr std::size_t kVertexGrain = 8192;
constexpr std::size_t kParentGrain = 64;

// Half the areas of eight boxes; nothing for boxes that are inside out.
Float8 half_areas(const Box8& b) {
  const Float8 zero(0.0f);
  const Float8 dx = max(b.hi[0] - b.lo[0], zero), dy = max(b.hi[1] - b.lo[1], zero),
               dz = max(b.hi[2] - b.lo[2], zero);
  return mul_add(dx, dy, mul_add(dy, dz, dz * dx));
}

}  // namespace

// Bounds, frame and float copies of all vertices that faces use.
void Tree::measure(int workers) {
  const std::size_t count = used_.empty() ? vertex_count_ : used_.size();
  std::vector<Bounds> parts((count + kVertexGrain - 1) / kVertexGrain);
  parallel_for(workers, parts.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      const std::size_t first = b * kVertexGrain, last = std::min(count, first + kVertexGrain);
      if (used_.empty()) {
        parts[b] = bounds_of(vertices_ + 3 * first, last - first);
        continue;
      }
      parts[b] = kNoBounds;
      for (std::size_t i = first; i < last; ++i)
        include(parts[b], vertex(used_[i]), vertex(used_[i]));
    }
  });
  bounds_ = kNoBounds;
  for (const Bounds& part : parts) include(bounds_, part.lo, part.hi);
  frame_ = frame_of(bounds_);

  parallel_for(workers, count, kVertexGrain, [&](std::size_t b, std::size_t e, int) {
    if (used_.empty()) {
      in_frame(frame_, vertices_ + 3 * b, e - b, points_.data() + b);
    } else {
      for (; b < e; ++b) points_[used_[b]] = in_frame(frame_, vertex(used_[b]));
    }
  });
}

// Leaves and all boxes from the float copies. Returns how loosely the leaf boxes fit: their total
// area over that of the boxes of single triangles.
double Tree::fill_boxes(int workers) {
  const std::size_t parents = boxes_.nodes(1);
  struct Area {
    double triangles, leaves;
  };
  std::vector<Area> areas((parents + kParentGrain - 1) / kParentGrain);
  parallel_for(workers, parents, kParentGrain, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; b = b / kParentGrain * kParentGrain + kParentGrain) {
      Float8 triangles(0.0f), leaves(0.0f);
      const std::size_t last = std::min(e, b / kParentGrain * kParentGrain + kParentGrain);
      for (std::size_t i = b; i < last; ++i) {
        triangles = triangles + fill_leaves(i);
        leaves = leaves + half_areas(load_boxes(boxes_.node(1, i)));
      }
      areas[b / kParentGrain] = {total(triangles), total(leaves)};
    }
  });
  boxes_.refit_upwards(workers);
  Area all{0, 0};
  for (const Area& a : areas) {
    all.triangles += a.triangles;
    all.leaves += a.leaves;
  }
  return all.triangles > 0 ? all.leaves / all.triangles : 1.0;
}

// The leaves below one node, and their boxes. Returns half the area of the boxes of triangles.
Float8 Tree::fill_leaves(std::size_t parent) {
  Float8 area(0.0f);
  Box8 boxes[kLanes];
  const std::size_t first = parent * kLanes;
  const auto n = static_cast<int>(std::min<std::size_t>(kLanes, leaves_.size() - first));
  for (int i = 0; i < n; ++i) {
    Leaf& leaf = leaves_[first + i];
    const LeafCorners& corners = corners_[first + i];
    const Point8 p = gather(points_.data(), corners.id[0]);
    const Point8 q = gather(points_.data(), corners.id[1]);
    const Point8 r = gather(points_.data(), corners.id[2]);
    for (int k = 0; k < 3; ++k) {
      p.at[k].store(leaf.v[k]);
      q.at[k].store(leaf.v[3 + k]);
      r.at[k].store(leaf.v[6 + k]);
      boxes[i].lo[k] = min(min(p.at[k], q.at[k]), r.at[k]);
      boxes[i].hi[k] = max(max(p.at[k], q.at[k]), r.at[k]);
    }
    area = area + half_areas(boxes[i]);
  }
  boxes_.set_children(1, parent, boxes, n);
  return area;
}

bool Tree::weld_holds() const {
  return std::all_of(merged_.begin(), merged_.end(), [this](const Merged& m) {
    const double* a = vertex(m.vertex);
    const double* b = vertex(m.into);
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
  });
}

bool Tree::refit(const double* vertices, int workers) {
  vertices_ = vertices;
  if (empty()) return false;
  forget_slabs();
  if (!weld_holds()) {
    weld(workers);
    fill_corners(workers);
  }
  measure(workers);
  const double looseness = fill_boxes(workers);
  if (looseness <= (along_surface_ ? kSurfaceLimit : kSpaceLimit) * looseness_) return false;
  along_surface_ = true;
  order_along_surface(workers);
  fill_corners(workers);
  looseness_ = fill_boxes(workers);
  return true;
}

}  // namespace impinge
