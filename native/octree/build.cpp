#include <algorithm>
#include <cmath>
#include <limits>

#include "base/pool.hpp"
#include "octree/octree.hpp"
#include "octree/place.hpp"

namespace impinge::octree {
namespace {

// The root is larger than the body, so that what is padded stays inside.
constexpr double kRootMargin = 1e-4;
// A body so small against its coordinates gets a larger root, whose margin is then two roundings.
constexpr double kFinest = 1e-11;
// Faces of one body that are worth another thread's help.
constexpr std::size_t kFacesToShare = 16384;
constexpr std::size_t kGrain = 4096;

// The octant of a cell on the way down from the level above `shift` more levels.
int octant(const std::int32_t* at, int shift) {
  return (at[0] >> shift & 1) << 2 | (at[1] >> shift & 1) << 1 | (at[2] >> shift & 1);
}

template <class F>
void for_each_cell(const OctreeRange& range, F f) {
  std::int32_t at[3];
  for (at[0] = range.lo[0]; at[0] <= range.hi[0]; ++at[0]) {
    for (at[1] = range.lo[1]; at[1] <= range.hi[1]; ++at[1]) {
      for (at[2] = range.lo[2]; at[2] <= range.hi[2]; ++at[2]) f(at);
    }
  }
}

// A tree that grows, its faces in linked lists; node 0 is its root. Not on one cache line with
// another.
class alignas(64) Growing {
 public:
  Growing() { add_node(); }

  // Puts a face into the cell `at` that is `depth` levels below the root.
  void insert(std::int32_t face, const std::int32_t* at, int depth) {
    std::size_t node = 0;
    while (depth > 0) {
      const auto which = static_cast<std::size_t>(octant(at, --depth));
      std::int32_t next = nodes_[node].child[which];
      if (next == 0) {
        next = static_cast<std::int32_t>(nodes_.size());
        nodes_[node].child[which] = next;
        add_node();
      }
      node = static_cast<std::size_t>(next);
    }
    entries_.push_back({face, first_[node]});
    first_[node] = static_cast<std::int32_t>(entries_.size()) - 1;
  }
  void reserve(std::size_t nodes, std::size_t entries) {
    nodes_.reserve(nodes);
    first_.reserve(nodes);
    entries_.reserve(entries);
  }

  bool empty() const { return entries_.empty(); }

  // Nodes and faces behind those that are there.
  void append_to(std::vector<OctreeNode>& nodes, std::vector<std::int32_t>& faces) const {
    nodes.reserve(nodes.size() + nodes_.size());
    faces.reserve(faces.size() + entries_.size());
    const auto offset = static_cast<std::int32_t>(nodes.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      OctreeNode node = nodes_[i];
      for (std::int32_t& child : node.child) child += child ? offset : 0;
      node.begin = static_cast<std::int32_t>(faces.size());
      for (std::int32_t e = first_[i]; e >= 0; e = entries_[static_cast<std::size_t>(e)].next) {
        faces.push_back(entries_[static_cast<std::size_t>(e)].face);
      }
      node.end = static_cast<std::int32_t>(faces.size());
      nodes.push_back(node);
    }
  }

 private:
  struct Entry {
    std::int32_t face, next;
  };

  void add_node() {
    nodes_.emplace_back();
    first_.push_back(-1);
  }

  std::vector<OctreeNode> nodes_;
  std::vector<std::int32_t> first_;
  std::vector<Entry> entries_;
};

void grow(Growing& whole, const Placing& place, std::size_t face_count) {
  whole.reserve(face_count, 4 * face_count);
  for (std::size_t i = 0; i < face_count; ++i) {
    const OctreeRange range = place(i);
    for_each_cell(range, [&](const std::int32_t* at) {
      whole.insert(static_cast<std::int32_t>(i), at, range.level);
    });
  }
}

// Each octant grows on its own; what is larger than an octant belongs to the root.
void grow(Growing& root, Growing (&octants)[8], const Placing& place, std::size_t face_count,
          int workers) {
  std::vector<OctreeRange> ranges(face_count);
  parallel_for(workers, face_count, kGrain, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) ranges[b] = place(b);
  });
  const auto grow_octant = [&](int which) {
    for (std::size_t i = 0; i < face_count; ++i) {
      const OctreeRange& range = ranges[i];
      if (range.level == 0) continue;
      for_each_cell(range, [&](const std::int32_t* at) {
        if (octant(at, range.level - 1) != which) return;
        octants[which].insert(static_cast<std::int32_t>(i), at, range.level - 1);
      });
    }
  };
  parallel_for(workers, 8, 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) grow_octant(static_cast<int>(b));
  });
  for (std::size_t i = 0; i < face_count; ++i) {
    if (ranges[i].level == 0) root.insert(static_cast<std::int32_t>(i), ranges[i].lo, 0);
  }
}

}  // namespace

Octree::Octree(const double* vertices, const std::int32_t* faces, std::size_t face_count,
               const Bounds& bounds, int workers)
    : low_{0, 0, 0}, side_(1), face_count_(face_count), nodes_(1) {
  if (face_count == 0) return;
  double extent = 0, reach = std::numeric_limits<double>::min();
  for (int k = 0; k < 3; ++k) {
    extent = std::max(extent, bounds.hi[k] - bounds.lo[k]);
    reach = std::max({reach, std::abs(bounds.lo[k]), std::abs(bounds.hi[k])});
  }
  side_ = std::max(extent * (1 + kRootMargin), reach * kFinest);
  for (int k = 0; k < 3; ++k) {
    low_[k] = bounds.lo[k] + 0.5 * (bounds.hi[k] - bounds.lo[k]) - 0.5 * side_;
  }
  const Placing place(vertices, faces, low_, side_);
  if (workers <= 1 || face_count < kFacesToShare) {
    Growing whole;
    grow(whole, place, face_count);
    nodes_.clear();
    whole.append_to(nodes_, faces_);
    return;
  }
  Growing root, octants[8];
  grow(root, octants, place, face_count, workers);
  nodes_.clear();
  root.append_to(nodes_, faces_);
  for (std::size_t i = 0; i < 8; ++i) {
    if (octants[i].empty()) continue;
    nodes_[0].child[i] = static_cast<std::int32_t>(nodes_.size());
    octants[i].append_to(nodes_, faces_);
  }
}

}  // namespace impinge::octree
