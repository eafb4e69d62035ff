// Following moved vertices: frame, float copies, leaves, DOPs from below.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "dop/lanes.hpp"
#include "dop/tree.hpp"
#include "parallel/pool.hpp"

namespace impinge::dop {
namespace {

constexpr std::size_t kGrain = 8192;
// DOPs this much wider than when the tree was built: build anew.
constexpr double kLoosenessLimit = 1.5;

Frame frame_around(const Bounds& bounds) {
  Frame frame{};
  double reach = 0;
  for (int k = 0; k < 3; ++k) {
    const double lo = bounds.lo[k], hi = bounds.hi[k], centre = 0.5 * (lo + hi);
    frame.centre[k] = centre;
    reach = std::max({reach, hi - centre, centre - lo});
  }
  int exponent = 0;
  std::frexp(reach, &exponent);  // reach < 2^exponent
  frame.scale = std::ldexp(1.0, -std::max(exponent, -1000));
  return frame;
}

template <int kBlocks>
Lanes<kBlocks> dop_at(const Directions& directions, const Node<kBlocks>& node) {
  return node.is_leaf() ? dop_of<kBlocks>(directions, node.data) : load<kBlocks>(node.data);
}

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
  frame_ = frame_around(bounds_);
  points_.resize(vertex_count_);
  parallel_for(workers, vertex_count_, kGrain, [&](std::size_t i, std::size_t e, int) {
    for (; i < e; ++i) {
      if (used_[i]) points_[i] = in_frame(frame_, vertices_ + 3 * i);
    }
  });
}

// Leaf or DOP of a node whose children are filled. Returns how wide it is, over all directions.
template <int kBlocks>
double Tree::fill_node(std::uint32_t i) {
  Node<kBlocks>& node = at<kBlocks>(i);
  if (node.is_leaf()) {
    const std::int32_t* f = face(node.face());
    for (int corner = 0; corner < 3; ++corner) {
      const Point4& p = points_[f[corner]];
      float* to = node.data + 3 * corner;
      to[0] = p.x;
      to[1] = p.y;
      to[2] = p.z;
    }
    return 0;
  }
  const Lanes<kBlocks> both = hull(dop_at(directions_, at<kBlocks>(2 * node.pair())),
                                   dop_at(directions_, at<kBlocks>(2 * node.pair() + 1)));
  double width = 0;
  for (int w = 0; w < kBlocks; ++w) {
    both.at[w].store(node.data + kLanes * w);
    width += total(both.at[w]);
  }
  return width;
}

template <int kBlocks>
double Tree::fill_pair(std::uint32_t pair) {
  return fill_node<kBlocks>(2 * pair) + fill_node<kBlocks>(2 * pair + 1);
}

// What is below a node comes later, so backwards is upwards. Returns the total width of all DOPs,
// in units of the root's.
template <int kBlocks>
double Tree::fill_blocks(int workers) {
  std::vector<double> widths(parts_.size());
  parallel_for(workers, parts_.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      widths[b] = 0;
      for (std::uint32_t p = parts_[b].last; p-- > parts_[b].first;) {
        widths[b] += fill_pair<kBlocks>(p);
      }
    }
  });
  double width = std::accumulate(widths.begin(), widths.end(), 0.0);
  for (auto pair = top_.rbegin(); pair != top_.rend(); ++pair) width += fill_pair<kBlocks>(*pair);
  const double root = fill_node<kBlocks>(kRoot);
  return root > 0 ? width / root : 0;
}

double Tree::fill(int workers) {
  return with_blocks(directions_.blocks(),
                     [&](auto blocks) { return fill_blocks<blocks>(workers); });
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
          std::copy_n(vertex(face(i)[corner]), 3, t.v[corner]);
        }
        UnitTriangle map(t);
        map.origin = vertex(face(i)[0]);
        flat[b] += map.singular;
        if (with_maps_) maps_[i] = map;
      }
    }
  });
  degenerate_ = std::accumulate(flat.begin(), flat.end(), std::size_t{0});
}

bool Tree::refit(const double* vertices, int workers) {
  vertices_ = vertices;
  if (empty()) return false;
  if (!weld_holds()) weld(workers);
  measure(workers);
  make_maps(workers);
  if (fill(workers) <= kLoosenessLimit * looseness_) return false;
  build(workers);
  return true;
}

}  // namespace impinge::dop
