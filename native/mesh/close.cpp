#include "mesh/close.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "geometry/vec.hpp"
#include "mesh/directed_edges.hpp"
#include "mesh/triangulate.hpp"
#include "mesh/weld.hpp"

namespace impinge {
namespace {

// What is missing to an edge that is open: so often from one vertex to another.
struct Missing {
  std::int32_t from, to;
};

class Closing {
 public:
  Closing(const double* vertices, std::size_t n, const std::int32_t* faces, std::size_t m,
          const CloseOptions& options, int workers)
      : vertices_(vertices), faces_(faces), n_(n), m_(m), options_(options) {
    id_ = weld(vertices, n, workers);
    if (id_.empty()) {
      id_.resize(n);
      std::iota(id_.begin(), id_.end(), 0);
    }
  }

  ClosedSurface run() {
    ClosedSurface found;
    find_missing();
    found.open_edges = edges_;
    if (missing_.empty()) return found;
    const std::vector<std::int32_t> before = id_;
    weld_seams();
    find_missing();
    if (!fill_holes(found)) {
      found.filled.clear();
      found.holes = 0;
      found.left_open = edges_;
      return found;
    }
    move(before, found);
    return found;
  }

 private:
  const double* at(std::int32_t vertex) const { return vertices_ + 3 * std::size_t(vertex); }

  void find_missing() {
    missing_.clear();
    edges_ = 0;
    const DirectedEdges edges(
        n_, m_, [&](std::size_t face, int k) { return id_[faces_[3 * face + std::size_t(k)]]; });
    edges.for_each_edge([&](std::int32_t lower, std::span<const DirectedEdges::Use> uses) {
      const auto higher = static_cast<std::int32_t>(uses[0].key / 2);
      std::ptrdiff_t rising = 0;
      for (const auto& use : uses) rising += use.upward() ? 1 : -1;
      edges_ += rising != 0;
      for (; rising > 0; --rising) missing_.push_back({higher, lower});
      for (; rising < 0; ++rising) missing_.push_back({lower, higher});
    });
  }

  std::int32_t root(std::int32_t vertex) {
    while (id_[vertex] != vertex) vertex = id_[vertex] = id_[id_[vertex]];
    return vertex;
  }

  // Of vertices that are one the first gives the place.
  void weld_seams() {
    std::vector<std::int32_t> ends;
    for (const Missing& edge : missing_) ends.push_back(edge.from), ends.push_back(edge.to);
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    // sorted along a line on which few vertices of a usual mesh share a place
    const double line[3] = {0.5257311, 0.6180340, 0.5844624};
    std::vector<std::pair<double, std::int32_t>> order;
    for (const std::int32_t v : ends) {
      order.emplace_back(line[0] * at(v)[0] + line[1] * at(v)[1] + line[2] * at(v)[2], v);
    }
    std::sort(order.begin(), order.end());
    const double reach = 1.01 * options_.seam + 0x1p-48 * std::abs(order.back().first) +
                         0x1p-48 * std::abs(order.front().first);
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t k = i + 1; k < order.size() && order[k].first - order[i].first <= reach;
           ++k) {
        if (!is_near(order[i].second, order[k].second)) continue;
        const std::int32_t a = root(order[i].second), b = root(order[k].second);
        id_[std::max(a, b)] = std::min(a, b);
      }
    }
    for (std::size_t v = 0; v < n_; ++v) id_[v] = root(static_cast<std::int32_t>(v));
  }

  bool is_near(std::int32_t a, std::int32_t b) const {
    const Vector between = from_to(at(a), at(b));
    return dot(between, between) <= options_.seam * options_.seam;
  }

  // Whether all outlines of missing edges are small.
  bool fill_holes(ClosedSurface& found) {
    std::vector<std::uint32_t> starts(n_ + 1, 0);
    for (const Missing& edge : missing_) ++starts[std::size_t(edge.from) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<std::int32_t> to(missing_.size());
    std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
    for (const Missing& edge : missing_) to[next[edge.from]++] = edge.to;
    next.assign(starts.begin(), starts.end() - 1);
    std::vector<std::int32_t> path, place(n_, -1);
    for (const Missing& edge : missing_) {
      std::int32_t at = edge.from;
      // what is missing at a vertex leads out of it as often as into it
      while (next[at] < starts[std::size_t(at) + 1] || place[at] >= 0) {
        if (place[at] >= 0) {
          const auto first = static_cast<std::size_t>(place[at]);
          if (!fill({path.data() + first, path.size() - first}, found)) return false;
          for (std::size_t i = first; i < path.size(); ++i) place[path[i]] = -1;
          path.resize(first);
          continue;
        }
        place[at] = static_cast<std::int32_t>(path.size());
        path.push_back(at);
        at = to[next[at]++];
      }
    }
    return true;
  }

  bool fill(std::span<const std::int32_t> outline, ClosedSurface& found) {
    if (!is_small(outline)) return false;
    const std::vector<std::int64_t> corners(outline.begin(), outline.end());
    const auto size = static_cast<std::int64_t>(corners.size());
    std::vector<std::int64_t> faces(3 * (corners.size() - 2));
    triangulate(vertices_, n_, corners, {&size, 1}, faces.data());
    for (const std::int64_t corner : faces) {
      found.filled.push_back(static_cast<std::int32_t>(corner));
    }
    ++found.holes;
    return true;
  }

  // Also one that is long, but no wider than a seam: at an edge that is cut on one side only.
  bool is_small(std::span<const std::int32_t> outline) const {
    double length = 0;
    for (std::size_t i = 0; i < outline.size(); ++i) {
      const Vector along = from_to(at(outline[i]), at(outline[(i + 1) % outline.size()]));
      length += std::sqrt(dot(along, along));
    }
    return length <= options_.hole || is_slit(outline);
  }

  // Whether all corners are near the line through the two that are farthest apart.
  bool is_slit(std::span<const std::int32_t> outline) const {
    const double* start = farthest(outline, at(outline[0]));
    const double* end = farthest(outline, start);
    const Vector line = from_to(start, end);
    const double squared = dot(line, line);
    return std::all_of(outline.begin(), outline.end(), [&](std::int32_t v) {
      const Vector off = cross(from_to(start, at(v)), line);
      return dot(off, off) <= options_.seam * options_.seam * squared;
    });
  }

  const double* farthest(std::span<const std::int32_t> outline, const double* point) const {
    return at(*std::max_element(outline.begin(), outline.end(), [&](auto a, auto b) {
      const Vector to_a = from_to(point, at(a)), to_b = from_to(point, at(b));
      return dot(to_a, to_a) < dot(to_b, to_b);
    }));
  }

  void move(const std::vector<std::int32_t>& before, ClosedSurface& found) const {
    for (std::size_t v = 0; v < n_; ++v) {
      if (id_[v] == before[v]) continue;
      if (found.vertices.empty()) found.vertices.assign(vertices_, vertices_ + 3 * n_);
      std::copy_n(at(id_[v]), 3, found.vertices.data() + 3 * v);
      ++found.welded;
    }
  }

  const double* vertices_;
  const std::int32_t* faces_;
  const std::size_t n_, m_;
  const CloseOptions options_;
  std::vector<std::int32_t> id_;  // the same for vertices that are one
  std::vector<Missing> missing_;
  std::size_t edges_ = 0;
};

}  // namespace

ClosedSurface close_surface(const double* vertices, std::size_t n, const std::int32_t* faces,
                            std::size_t m, const CloseOptions& options, int workers) {
  return Closing(vertices, n, faces, m, options, workers).run();
}

}  // namespace impinge
