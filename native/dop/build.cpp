// Making a tree: weld, and halve the faces again and again.
#include <algorithm>
#include <atomic>
#include <numeric>

#include "dop/tree.hpp"
#include "geometry/weld.hpp"
#include "parallel/pool.hpp"

namespace impinge::dop {
namespace {

constexpr std::size_t kFaceGrain = 4096;
constexpr std::size_t kFacesPerPart = 2048;  // fewer are not worth another task

}  // namespace

Tree::Tree(const double* vertices, std::size_t vertex_count, const std::int32_t* faces,
           std::size_t face_count, const Directions& directions, bool maps, int workers)
    : vertices_(vertices),
      vertex_count_(vertex_count),
      faces_(faces),
      face_count_(face_count),
      directions_(directions),
      with_maps_(maps) {
  if (empty()) return;
  weld(workers);
  measure(workers);
  build(workers);
  make_maps(workers);
}

// Vertices that share their coordinates get one id, so that a seam is no boundary.
void Tree::weld(int workers) {
  const std::vector<std::int32_t> first = impinge::weld(vertices_, vertex_count_, workers);
  welded_.clear();
  if (!first.empty()) {
    welded_.resize(3 * face_count_);
    for (std::size_t i = 0; i < welded_.size(); ++i) welded_[i] = first[faces_[i]];
  }
  used_.assign(vertex_count_, 0);
  for (std::size_t i = 0; i < 3 * face_count_; ++i) used_[faces_[i]] = 1;
  for (const std::int32_t id : welded_) used_[id] = 1;
}

bool Tree::weld_holds() const {
  for (std::size_t i = 0; i < welded_.size(); ++i) {
    if (welded_[i] != faces_[i] && !same_point(vertex(welded_[i]), vertex(faces_[i]))) return false;
  }
  return true;
}

void Tree::build(int workers) {
  with_blocks(directions_.blocks(), [&](auto blocks) { order<blocks>(workers); });
  looseness_ = fill(workers);
}

// Median of the centroids along the longest axis. A range of n faces has n - 1 pairs below it, so
// that the place of everything is known from the start and does not depend on the threads.
template <int kBlocks>
void Tree::split(const Range& range, std::vector<Centre>& centres, Range (&halves)[2]) {
  const auto begin = centres.begin() + static_cast<std::ptrdiff_t>(range.begin);
  const auto end = centres.begin() + static_cast<std::ptrdiff_t>(range.end);
  float lo[3], hi[3];
  std::copy_n(begin->at, 3, lo);
  std::copy_n(begin->at, 3, hi);
  for (auto c = begin; c != end; ++c) {
    for (int k = 0; k < 3; ++k) {
      lo[k] = std::min(lo[k], c->at[k]);
      hi[k] = std::max(hi[k], c->at[k]);
    }
  }
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (hi[k] - lo[k] > hi[axis] - lo[axis]) axis = k;
  }
  const std::size_t left = (range.end - range.begin + 1) / 2;
  std::nth_element(begin, begin + static_cast<std::ptrdiff_t>(left), end,
                   [axis](const Centre& p, const Centre& q) {
                     return p.at[axis] != q.at[axis] ? p.at[axis] < q.at[axis] : p.face < q.face;
                   });
  at<kBlocks>(range.node).link = range.pair;
  const std::size_t middle = range.begin + left;
  halves[0] = {2 * range.pair, range.pair + 1, range.begin, middle};
  halves[1] = {2 * range.pair + 1, range.pair + static_cast<std::uint32_t>(left), middle,
               range.end};
  for (const Range& half : halves) {
    if (half.end - half.begin > 1) continue;
    at<kBlocks>(half.node).link = kLeafBit | static_cast<std::uint32_t>(centres[half.begin].face);
  }
}

template <int kBlocks>
void Tree::order(int workers) {
  memory_.allocate(Arena::bytes_of<Node<kBlocks>>(node_count()));
  nodes_ = reinterpret_cast<float*>(memory_.take<Node<kBlocks>>(node_count()));
  at<kBlocks>(0) = {};
  parts_.clear();
  top_.clear();
  std::vector<Centre> centres(face_count_);
  parallel_for(workers, face_count_, kFaceGrain, [&](std::size_t i, std::size_t last, int) {
    for (; i < last; ++i) {
      const std::int32_t* f = face(i);
      const Point4 &p = points_[f[0]], &q = points_[f[1]], &r = points_[f[2]];
      centres[i] = {{p.x + q.x + r.x, p.y + q.y + r.y, p.z + q.z + r.z},
                    static_cast<std::int32_t>(i)};
    }
  });
  std::vector<Range> level{{kRoot, 1, 0, face_count_}}, next;
  if (face_count_ == 1) at<kBlocks>(kRoot).link = kLeafBit;
  // The upper levels one after the other, then each part on its own.
  const std::size_t wanted = workers > 1 ? 4 * static_cast<std::size_t>(workers) : 1;
  while (level.size() < wanted && face_count_ / level.size() > kFacesPerPart) {
    next.resize(2 * level.size());
    parallel_for(workers, level.size(), 1, [&](std::size_t b, std::size_t e, int) {
      for (; b < e; ++b) {
        Range halves[2];
        split<kBlocks>(level[b], centres, halves);
        next[2 * b] = halves[0];
        next[2 * b + 1] = halves[1];
      }
    });
    for (const Range& range : level) top_.push_back(range.pair);
    level.swap(next);
  }
  for (const Range& range : level) {
    const auto pairs = static_cast<std::uint32_t>(range.end - range.begin - 1);
    parts_.push_back({range.node, range.pair, range.pair + pairs});
  }
  parallel_for(workers, level.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      std::vector<Range> stack{level[b]};
      while (!stack.empty()) {
        const Range range = stack.back();
        stack.pop_back();
        if (range.end - range.begin < 2) continue;
        Range halves[2];
        split<kBlocks>(range, centres, halves);
        stack.push_back(halves[0]);
        stack.push_back(halves[1]);
      }
    }
  });
}

std::size_t Tree::bytes() const {
  return memory_.bytes() + points_.size() * sizeof(Point4) + used_.size() +
         welded_.size() * sizeof(std::int32_t) + maps_.size() * sizeof(UnitTriangle);
}

}  // namespace impinge::dop
