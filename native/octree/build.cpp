#include <algorithm>
#include <cmath>
#include <limits>

#include "octree/octree.hpp"
#include "octree/place.hpp"
#include "parallel/pool.hpp"

namespace impinge {
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
void for_each_cell(const CellRange& range, F f) {
  std::int32_t at[3];
  for (at[0] = range.lo[0]; at[0] <= range.hi[0]; ++at[0]) {
    for (at[1] = range.lo[1]; at[1] <= range.hi[1]; ++at[1]) {
      for (at[2] = range.lo[2]; at[2] <= range.hi[2]; ++at[2]) f(at);
    }
  }
}

// A tree that grows, its faces in linked lists; node 0 is its root.
class Growing {
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

  std::size_t nodes() const { return nodes_.size(); }
  std::size_t entries() const { return entries_.size(); }

  // Node and faces behind those that are there.
  void append_to(std::vector<OctreeNode>& nodes, std::vector<std::int32_t>& faces) const {
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
  Growing whole;
  if (workers <= 1 || face_count < kFacesToShare) {
    whole.reserve(face_count, 4 * face_count);
    for (std::size_t i = 0; i < face_count; ++i) {
      const CellRange range = place(i);
      for_each_cell(range, [&](const std::int32_t* at) {
        whole.insert(static_cast<std::int32_t>(i), at, range.level);
      });
    }
    nodes_.clear();
    nodes_.reserve(whole.nodes());
    faces_.reserve(whole.entries());
    whole.append_to(nodes_, faces_);
    return;
  }
  // Each octant grows on its own; what is larger than an octant belongs to the root.
  std::vector<CellRange> ranges(face_count);
  parallel_for(workers, face_count, kGrain, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) ranges[b] = place(b);
  });
  Growing octants[8];
  parallel_for(workers, 9, 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      for (std::size_t i = 0; i < face_count; ++i) {
        const CellRange& range = ranges[i];
        const auto face = static_cast<std::int32_t>(i);
        if (range.level == 0) {
          if (b == 8) whole.insert(face, range.lo, 0);
          continue;
        }
        for_each_cell(range, [&](const std::int32_t* at) {
          if (static_cast<std::size_t>(octant(at, range.level - 1)) != b) return;
          octants[b].insert(face, at, range.level - 1);
        });
      }
    }
  });
  nodes_.clear();
  whole.append_to(nodes_, faces_);
  for (std::size_t b = 0; b < 8; ++b) {
    if (octants[b].entries() == 0) continue;
    nodes_[0].child[b] = static_cast<std::int32_t>(nodes_.size());
    octants[b].append_to(nodes_, faces_);
  }
}

std::vector<OctreeCell> Octree::cells() const {
  struct Step {
    std::int32_t node, level;
    std::int32_t at[3];
  };
  std::vector<OctreeCell> found;
  std::vector<Step> stack{{0, 0, {0, 0, 0}}};
  while (!stack.empty()) {
    const Step step = stack.back();
    stack.pop_back();
    const OctreeNode& here = node(step.node);
    for (std::int32_t i = here.begin; i < here.end; ++i) {
      found.push_back({face(i), step.level, {step.at[0], step.at[1], step.at[2]}});
    }
    for (int c = 0; c < 8; ++c) {
      const std::int32_t child = here.child[static_cast<std::size_t>(c)];
      if (child == 0) continue;
      stack.push_back(
          {child,
           step.level + 1,
           {2 * step.at[0] + (c >> 2), 2 * step.at[1] + (c >> 1 & 1), 2 * step.at[2] + (c & 1)}});
    }
  }
  std::sort(found.begin(), found.end(), [](const OctreeCell& a, const OctreeCell& b) {
    if (a.face != b.face) return a.face < b.face;
    return std::lexicographical_compare(a.at, a.at + 3, b.at, b.at + 3);
  });
  return found;
}

}  // namespace impinge
