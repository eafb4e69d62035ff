#include "motion/linear/swept_surface.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/pool.hpp"
#include "geometry/gather.hpp"
#include "geometry/point_hull.hpp"
#include "mesh/weld.hpp"

namespace impinge::motion {
namespace {

constexpr std::size_t kVertexGrain = 4096, kLeafGrain = 256;

// For each vertex the first that has the same start and the same end; nothing if all differ.
std::vector<std::int32_t> first_of_equal(const MovingBody& body, int workers) {
  const std::size_t n = body.tree->vertex_count();
  std::vector<std::int32_t> first = weld(body.start, n, workers);
  if (first.empty() || !body.moves) return first;
  const std::vector<std::int32_t> at_end = weld(body.end, n, workers);
  if (at_end.empty()) return {};
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> both;
  for (std::size_t i = 0; i < n; ++i) {
    const auto id = static_cast<std::int32_t>(i);
    // most vertices are alone
    if (first[i] == id && at_end[i] == id) {
      both.emplace(std::pair(id, id), id);
      continue;
    }
    first[i] = both.emplace(std::pair(first[i], at_end[i]), id).first->second;
  }
  return first;
}

// The corners of the faces slot by slot, and the slots around each vertex, in order.
struct Neighbourhood {
  std::vector<std::int32_t> corners;
  std::vector<std::uint32_t> first, slots;

  Neighbourhood(const MovingBody& body, int workers) {
    const bvh::Tree& tree = *body.tree;
    const std::size_t n = tree.face_count();
    const std::vector<std::int32_t> same = first_of_equal(body, workers);
    corners.resize(3 * n);
    parallel_for(workers, n, kVertexGrain, [&](std::size_t i, std::size_t e, int) {
      for (; i < e; ++i) {
        const std::int32_t* face = tree.face(static_cast<std::size_t>(tree.face_of(i)));
        for (std::size_t k = 0; k < 3; ++k) {
          corners[3 * i + k] = same.empty() ? face[k] : same[std::size_t(face[k])];
        }
      }
    });
    first.assign(tree.vertex_count() + 1, 0);
    for (const std::int32_t v : corners) ++first[std::size_t(v) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    slots.resize(3 * n);
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::size_t i = 0; i < 3 * n; ++i) {
      slots[next[std::size_t(corners[i])]++] = static_cast<std::uint32_t>(i / 3);
    }
  }

  bool answers_for(std::size_t slot, std::int32_t vertex) const {
    return slots[first[std::size_t(vertex)]] == slot;
  }
  bool answers_for(std::size_t slot, std::int32_t a, std::int32_t b) const {
    for (std::size_t i = first[std::size_t(a)]; slots[i] < slot; ++i) {
      const std::int32_t* c = &corners[3 * std::size_t(slots[i])];
      if (c[0] == b || c[1] == b || c[2] == b) return false;
    }
    return true;
  }
};

bool is_degenerate(const std::int32_t* c) { return c[0] == c[1] || c[1] == c[2] || c[2] == c[0]; }

template <int kCorners>
void set_lane(SweptFeatures<kCorners>& features, std::size_t node, int lane,
              const std::int32_t (&ids)[kCorners]) {
  for (int c = 0; c < kCorners; ++c) features.ids[node].of[c][lane] = ids[c];
}

// Room for as many features of each leaf as counted in `first[leaf + 1]`.
template <int kCorners>
void make_room(SweptFeatures<kCorners>& features) {
  for (std::uint32_t& count : features.first) count = (count + kLanes - 1) / kLanes;
  std::partial_sum(features.first.begin(), features.first.end(), features.first.begin());
  const std::size_t nodes = features.first.back();
  features.boxes = make_block<Node>(nodes);
  features.ids = make_block<typename SweptFeatures<kCorners>::Ids>(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    for (auto& of : features.ids[i].of) std::fill_n(of, kLanes, -1);
  }
}

// Eight boxes of vertices on their way; both ends are rounded alike, so that none is too small.
Box8 swept(const SweptSurface& surface, const std::int32_t (&ids)[kLanes]) {
  std::int32_t known[kLanes];
  for (int i = 0; i < kLanes; ++i) known[i] = std::max(ids[i], 0);
  const Point8 p = gather(surface.points(0), known), q = gather(surface.points(1), known);
  Box8 box;
  for (int k = 0; k < 3; ++k) {
    box.lo[k] = min(p.at[k], q.at[k]);
    box.hi[k] = max(p.at[k], q.at[k]);
  }
  return box;
}

template <int kCorners>
void fill_node(SweptFeatures<kCorners>& features, std::size_t node, const SweptSurface& surface) {
  const auto& ids = features.ids[node].of;
  Box8 all = swept(surface, ids[0]);
  for (int c = 1; c < kCorners; ++c) {
    const Box8 one = swept(surface, ids[c]);
    for (int k = 0; k < 3; ++k) {
      all.lo[k] = min(all.lo[k], one.lo[k]);
      all.hi[k] = max(all.hi[k], one.hi[k]);
    }
  }
  Node& box = features.boxes[node];
  store(all, box);
  for (int i = 0; i < kLanes; ++i) {
    if (ids[0][i] >= 0) continue;
    for (int k = 0; k < 3; ++k) {
      box.lo[k][i] = kInsideOut;
      box.hi[k][i] = -kInsideOut;
    }
  }
}

Block<Point4> in_frame_of(const double* vertices, const MovingBody& body, const Frame& frame,
                          int workers) {
  const std::size_t n = body.tree->vertex_count();
  Block<Point4> points = make_block<Point4>(n);
  parallel_for(workers, n, kVertexGrain, [&](std::size_t b, std::size_t e, int) {
    in_frame(frame, vertices + 3 * b, e - b, points.get() + b);
  });
  return points;
}

}  // namespace

Bounds swept_bounds(const MovingBody& body, int workers) {
  const bvh::Tree& tree = *body.tree;
  std::vector<Bounds> parts((tree.face_count() + kVertexGrain - 1) / kVertexGrain);
  parallel_for(workers, parts.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      PointHull hull;
      const std::int32_t* const last =
          tree.face(std::min(tree.face_count(), (b + 1) * kVertexGrain));
      for (const std::int32_t* id = tree.face(b * kVertexGrain); id < last; ++id) {
        hull.include(body.vertex(*id));
        if (body.moves) hull.include(body.goal(*id));
      }
      parts[b] = hull.bounds();
    }
  });
  Bounds all = kNoBounds;
  for (const Bounds& part : parts) include(all, part.lo, part.hi);
  return all;
}

SweptSurface::SweptSurface(const MovingBody& body, const Frame& frame, int workers)
    : leaves_(body.tree->leaf_count()) {
  memory_ = make_block<Node>(Hierarchy::nodes_for(leaves_));
  boxes_.place(leaves_, memory_.get());
  if (leaves_ == 0) return;
  start_ = in_frame_of(body.start, body, frame, workers);
  if (body.moves) end_ = in_frame_of(body.end, body, frame, workers);
  list_features(body, workers);
  fill_boxes(workers);
}

void SweptSurface::list_features(const MovingBody& body, int workers) {
  const Neighbourhood near(body, workers);
  const std::size_t faces = body.tree->face_count();
  // calls vertex(id), edge(a, b) and face(corners) for what a leaf answers for
  const auto walk = [&](std::size_t leaf, const auto& vertex, const auto& edge, const auto& face) {
    for (std::size_t s = leaf * kLanes; s < std::min(faces, (leaf + 1) * kLanes); ++s) {
      const std::int32_t* c = &near.corners[3 * s];
      face(std::int32_t(c[0]), c[1], c[2]);
      // a face may be one edge, twice, or a point
      for (int i = 0; i < 3; ++i) {
        const std::int32_t a = c[i], b = c[(i + 1) % 3];
        const bool repeats = (i > 0 && a == c[0]) || (i > 1 && a == c[1]);
        if (!repeats && near.answers_for(s, a)) vertex(a);
        const bool is_first = i == 0 || !is_degenerate(c) || (i == 1 && c[0] == c[1]);
        if (a != b && is_first && near.answers_for(s, std::min(a, b), std::max(a, b))) {
          edge(std::min(a, b), std::max(a, b));
        }
      }
    }
  };
  for (auto* first : {&vertices_.first, &edges_.first, &faces_.first})
    first->assign(leaves_ + 1, 0);
  parallel_for(workers, leaves_, kLeafGrain, [&](std::size_t i, std::size_t e, int) {
    for (; i < e; ++i) {
      std::uint32_t counts[3] = {0, 0, 0};
      walk(
          i, [&](std::int32_t) { ++counts[0]; }, [&](std::int32_t, std::int32_t) { ++counts[1]; },
          [&](std::int32_t, std::int32_t, std::int32_t) { ++counts[2]; });
      vertices_.first[i + 1] = counts[0];
      edges_.first[i + 1] = counts[1];
      faces_.first[i + 1] = counts[2];
    }
  });
  make_room(vertices_);
  make_room(edges_);
  make_room(faces_);
  parallel_for(workers, leaves_, kLeafGrain, [&](std::size_t i, std::size_t e, int) {
    for (; i < e; ++i) {
      std::size_t counts[3] = {0, 0, 0};
      const auto put = [&](auto& features, std::size_t& count, const auto& ids) {
        set_lane(features, features.first[i] + count / kLanes, static_cast<int>(count % kLanes),
                 ids);
        ++count;
      };
      walk(
          i,
          [&](std::int32_t a) {
            const std::int32_t ids[1] = {a};
            put(vertices_, counts[0], ids);
          },
          [&](std::int32_t a, std::int32_t b) {
            const std::int32_t ids[2] = {a, b};
            put(edges_, counts[1], ids);
          },
          [&](std::int32_t a, std::int32_t b, std::int32_t c) {
            const std::int32_t ids[3] = {a, b, c};
            put(faces_, counts[2], ids);
          });
    }
  });
}

void SweptSurface::fill_boxes(int workers) {
  const auto fill = [&](auto& features, std::size_t leaf) {
    for (auto n = features.first[leaf]; n < features.first[leaf + 1]; ++n) {
      fill_node(features, n, *this);
    }
  };
  const auto fill_leaf = [&](std::size_t leaf) {
    fill(vertices_, leaf);
    fill(edges_, leaf);
    // the faces of a leaf are one node, and their box holds all of it
    fill(faces_, leaf);
    boxes_.set_item(leaf, hull(load_boxes(faces_.boxes[leaf])));
  };
  constexpr std::size_t kGrain = kLeafGrain;
  static_assert(kGrain % kLanes == 0);  // no two workers write to one node
  parallel_for(workers, leaves_, kGrain, [&](std::size_t i, std::size_t e, int) {
    for (; i < e; ++i) fill_leaf(i);
  });
  boxes_.refit_upwards(2, workers);
}

}  // namespace impinge::motion
