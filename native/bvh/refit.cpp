// Following moved vertices: frame, float copies, leaf boxes, boxes above.
#include <algorithm>
#include <cmath>
#include <limits>

#include "bvh/tree.hpp"
#include "parallel/pool.hpp"

namespace impinge {
namespace {

// Boxes this much looser around their triangles than when the order was made: order anew.
constexpr double kLoosenessLimit = 2.5;

constexpr std::size_t kVertexGrain = 8192;

struct Grow {
  double lo[3] = {INFINITY, INFINITY, INFINITY};
  double hi[3] = {-INFINITY, -INFINITY, -INFINITY};

  void add(const double* lower, const double* upper) {
    for (int k = 0; k < 3; ++k) {
      lo[k] = lower[k] < lo[k] ? lower[k] : lo[k];
      hi[k] = upper[k] > hi[k] ? upper[k] : hi[k];
    }
  }
};

float half_area(Float8 dx, Float8 dy, Float8 dz) {
  alignas(32) float area[kLanes];
  mul_add(dx, dy, mul_add(dy, dz, dz * dx)).store(area);
  float sum = 0;
  for (float a : area) sum += a;
  return sum;
}

}  // namespace

// Bounds, frame and float copies of all vertices that faces use.
void Tree::measure(int workers) {
  const std::size_t count = used_.empty() ? vertex_count_ : used_.size();
  const auto id = [this](std::size_t i) { return used_.empty() ? i : std::size_t(used_[i]); };
  std::vector<Grow> parts((count + kVertexGrain - 1) / kVertexGrain);
  parallel_for(workers, parts.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      Grow grow;
      const std::size_t last = std::min(count, (b + 1) * kVertexGrain);
      for (std::size_t i = b * kVertexGrain; i < last; ++i) {
        grow.add(vertices_ + 3 * id(i), vertices_ + 3 * id(i));
      }
      parts[b] = grow;
    }
  });
  Grow all;
  for (const Grow& part : parts) all.add(part.lo, part.hi);

  double reach = 0;
  for (int k = 0; k < 3; ++k) {
    bounds_.lo[k] = all.lo[k];
    bounds_.hi[k] = all.hi[k];
    frame_.centre[k] = 0.5 * (all.lo[k] + all.hi[k]);
    reach = std::max({reach, all.hi[k] - frame_.centre[k], frame_.centre[k] - all.lo[k]});
  }
  int exponent = 0;
  std::frexp(reach, &exponent);  // reach < 2^exponent
  frame_.scale = std::ldexp(1.0, -std::max(exponent, -1000));

  const double cx = frame_.centre[0], cy = frame_.centre[1], cz = frame_.centre[2];
  const double s = frame_.scale;
  parallel_for(workers, count, kVertexGrain, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      const double* v = vertices_ + 3 * id(b);
      points_[id(b)] = {static_cast<float>((v[0] - cx) * s), static_cast<float>((v[1] - cy) * s),
                        static_cast<float>((v[2] - cz) * s), 0.0f};
    }
  });
}

// Leaves and all boxes from the float copies. Returns how loosely the leaf boxes fit: their total
// area over that of the boxes of single triangles.
double Tree::fill_boxes(int workers) {
  const std::size_t parents = boxes_.nodes(1);
  std::vector<float> triangle_area(parents), leaf_area(parents);
  parallel_for(workers, parents, 32, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      float area = 0;
      for (std::size_t l = b * kLanes; l < std::min(leaves_.size(), (b + 1) * kLanes); ++l) {
        const Point8 p = gather(points_.data(), corners_[l].id[0]);
        const Point8 q = gather(points_.data(), corners_[l].id[1]);
        const Point8 r = gather(points_.data(), corners_[l].id[2]);
        Box8 box;
        for (int k = 0; k < 3; ++k) {
          p.at[k].store(leaves_[l].v[k]);
          q.at[k].store(leaves_[l].v[3 + k]);
          r.at[k].store(leaves_[l].v[6 + k]);
          box.lo[k] = min(min(p.at[k], q.at[k]), r.at[k]);
          box.hi[k] = max(max(p.at[k], q.at[k]), r.at[k]);
        }
        area += half_area(box.hi[0] - box.lo[0], box.hi[1] - box.lo[1], box.hi[2] - box.lo[2]);
        boxes_.set_item(l, hull(box));
      }
      triangle_area[b] = area;
      const Node& n = boxes_.node(1, b);
      float sum = 0;
      for (int j = 0; j < kLanes; ++j) {
        const float dx = n.hi[0][j] - n.lo[0][j], dy = n.hi[1][j] - n.lo[1][j],
                    dz = n.hi[2][j] - n.lo[2][j];
        if (dx >= 0) sum += dx * dy + dy * dz + dz * dx;
      }
      leaf_area[b] = sum;
    }
  });
  boxes_.refit_upwards(workers);
  double leaf_sum = 0, triangle_sum = 0;
  for (std::size_t i = 0; i < parents; ++i) {
    leaf_sum += leaf_area[i];
    triangle_sum += triangle_area[i];
  }
  return triangle_sum > 0 ? leaf_sum / triangle_sum : 1.0;
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
  if (!weld_holds()) {
    weld(workers);
    fill_corners(workers);
  }
  measure(workers);
  const double looseness = fill_boxes(workers);
  if (looseness <= kLoosenessLimit * looseness_) return false;
  order(workers);
  fill_corners(workers);
  looseness_ = fill_boxes(workers);
  return true;
}

}  // namespace impinge
