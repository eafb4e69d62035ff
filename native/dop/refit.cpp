// Following moved vertices: frame, float copies, leaves, DOPs from below.
#include <algorithm>
#include <numeric>

#include "base/pool.hpp"
#include "dop/lanes.hpp"
#include "dop/tree.hpp"

namespace impinge::dop {
namespace {

constexpr std::size_t kGrain = 8192;
// DOPs this much wider than when the tree was built: build anew.
constexpr double kLoosenessLimit = 1.5;

constexpr std::size_t kAhead = 8;
constexpr std::size_t kFacesPerPart = 1024;  // fewer are not worth another task

}  // namespace

void Tree::measure(int workers) {
  std::vector<Bounds> parts((vertex_count_ + kGrain - 1) / kGrain);
  parallel_for(workers, parts.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      parts[b] = kNoBounds;
      const std::size_t last = std::min(vertex_count_, (b + 1) * kGrain);
      for (std::size_t i = b * kGrain; i < last; ++i) {
        if (used_[i]) include(parts[b], vertices_ + 3 * i, vertices_ + 3 * i);
      }
    }
  });
  bounds_ = kNoBounds;
  for (const Bounds& part : parts) include(bounds_, part.lo, part.hi);
  frame_ = frame_of(bounds_);
  points_.resize(vertex_count_);
  parallel_for(workers, vertex_count_, kGrain, [&](std::size_t i, std::size_t e, int) {
    for (; i < e; ++i) {
      if (used_[i]) points_[i] = in_frame(frame_, vertices_ + 3 * i);
    }
  });
}

template <int kBlocks>
void Tree::fill_leaf(const Range& range, const std::int32_t* order) {
  Node<kBlocks>& node = at<kBlocks>(range.node);
  if (order) {
    // the corners of faces soon to come, wherever they are
    const std::size_t soon = std::min(range.begin + kAhead, face_count_ - 1);
    for (int corner = 0; corner < 3; ++corner) {
      prefetch(&points_[face(order[soon])[corner]], sizeof(Point4));
    }
    prefetch(face(order[std::min(range.begin + 2 * kAhead, face_count_ - 1)]), 1);
    node.link = kLeafBit | static_cast<std::uint32_t>(order[range.begin]);
  }
  const std::int32_t* f = face(node.face());
  for (int corner = 0; corner < 3; ++corner) {
    const Point4& p = points_[f[corner]];
    float* to = node.data + kBoxSides + 3 * corner;
    to[0] = p.x;
    to[1] = p.y;
    to[2] = p.z;
  }
  const float* at = node.corners();
  for (int k = 0; k < 3; ++k) {
    node.data[k] = std::max({at[k], at[3 + k], at[6 + k]});
    node.data[3 + k] = -std::min({at[k], at[3 + k], at[6 + k]});
  }
}

// Returns how wide the DOP is, over all directions.
template <int kBlocks>
float Tree::fill_node(std::uint32_t i, const Lanes<kBlocks>& dop) {
  float width = 0;
  for (int w = 0; w < kBlocks; ++w) {
    dop.at[w].store(at<kBlocks>(i).data + kLanes * w);
    width += total(dop.at[w]);
  }
  return width;
}

// A node and all below it, from below. Returns how wide their DOPs are, and the uppermost of them.
template <int kBlocks>
double Tree::fill_range(const Range& range, const std::int32_t* order, Lanes<kBlocks>& dop) {
  if (range.count == 1) {
    fill_leaf<kBlocks>(range, order);
    dop = dop_of<kBlocks>(directions_, at<kBlocks>(range.node).corners());
    return 0;
  }
  at<kBlocks>(range.node).link = range.pair;
  Lanes<kBlocks> other;
  const auto [left, right] = halves(range);
  const double width = fill_range(left, order, dop) + fill_range(right, order, other);
  dop = hull(dop, other);
  return width + fill_node(range.node, dop);
}

// The upper levels are cut until there are parts enough, each for one thread. All sums go the same
// way whatever the number of parts. Returns the width of all DOPs in units of the root's.
template <int kBlocks>
double Tree::fill_all(const std::int32_t* order, int workers) {
  at<kBlocks>(0) = {};
  const std::size_t wanted = workers > 1 ? 8 * static_cast<std::size_t>(workers) : 1;
  // node i of these is above 2 i + 1 and 2 i + 2
  std::vector<Range> upper{{kRoot, 1, 0, face_count_}};
  std::size_t first = 0;
  while (upper.size() - first < wanted && face_count_ / wanted > kFacesPerPart) {
    for (const std::size_t end = upper.size(); first < end; ++first) {
      const auto [left, right] = halves(upper[first]);
      upper.push_back(left);
      upper.push_back(right);
    }
  }
  std::vector<double> widths(upper.size());
  std::vector<Lanes<kBlocks>> dops(upper.size());
  parallel_for(workers, upper.size() - first, 1, [&](std::size_t b, std::size_t e, int) {
    for (b += first, e += first; b < e; ++b) widths[b] = fill_range(upper[b], order, dops[b]);
  });
  for (std::size_t i = first; i-- > 0;) {
    at<kBlocks>(upper[i].node).link = upper[i].pair;
    dops[i] = hull(dops[2 * i + 1], dops[2 * i + 2]);
    widths[i] = widths[2 * i + 1] + widths[2 * i + 2] + fill_node(upper[i].node, dops[i]);
  }
  if (face_count_ == 1) return 0;
  const double root = fill_node(kRoot, dops[0]);
  return root > 0 ? widths[0] / root : 0;
}

double Tree::fill(const std::int32_t* order, int workers) {
  return with_blocks(directions_.blocks(),
                     [&](auto blocks) { return fill_all<blocks>(order, workers); });
}

void Tree::make_maps(int workers) {
  if (with_maps_) maps_.resize(face_count_);
  std::vector<std::size_t> flat((face_count_ + kGrain - 1) / kGrain, 0);
  parallel_for(workers, flat.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      const std::size_t last = std::min(face_count_, (b + 1) * kGrain);
      for (std::size_t i = b * kGrain; i < last; ++i) {
        Triangle t;
        for (int corner = 0; corner < 3; ++corner) {
          const double* v = vertex(face(i)[corner]);
          for (int k = 0; k < 3; ++k) t.v[corner][k] = v[k];
        }
        flat[b] += without_area(t);
        if (!with_maps_) continue;
        maps_[i] = UnitTriangle(t);
        maps_[i].origin = vertex(face(i)[0]);
      }
    }
  });
  degenerate_ = std::accumulate(flat.begin(), flat.end(), std::size_t{0});
}

bool Tree::refit(const double* vertices, int workers) {
  vertices_ = vertices;
  if (empty()) return false;
  if (!merged_.holds(vertices)) weld(workers);
  measure(workers);
  make_maps(workers);
  if (fill(nullptr, workers) <= kLoosenessLimit * looseness_) return false;
  build(workers);
  return true;
}

}  // namespace impinge::dop
