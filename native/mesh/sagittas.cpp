#include "mesh/sagittas.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "base/groups.hpp"
#include "geometry/vec.hpp"
#include "mesh/directed_edges.hpp"
#include "mesh/weld.hpp"

namespace impinge {
namespace {

// Tangents of turns: less than the first is rounding. A round of eight segments turns by 45 degrees
// and is smooth, a hexagon by 60 and is not.
constexpr double kFlat = 1e-4, kSmooth = 1.31;
// What makes two smooth edges of a facet those of a round: they do not run across each other, and
// are not parts of one ridge. In cosines of their angle, and in widths.
constexpr double kAcross = 0.3, kApart = 0.25;

// Two faces at an edge between two vertices.
struct Turn {
  std::int32_t end[2], face[2];
  double sine, cosine;

  bool is_flat() const { return sine < kFlat * cosine; }
  bool is_smooth() const { return sine <= kSmooth * cosine; }
  // The tangent of a quarter of it.
  double quarter() const {
    const double half = sine / (1 + cosine);
    return half / (1 + std::sqrt(1 + half * half));
  }
};

struct SmoothEdge {
  double sagitta, width;
  Vector along;  // unit
  const double* end;
  std::int32_t facet[2];
  bool is_convex;
};

class Facets {
 public:
  Facets(const double* vertices, std::size_t n, const std::int32_t* faces, std::size_t m,
         int workers)
      : vertices_(vertices), faces_(faces), m_(m), id_(weld(vertices, n, workers)), facet_(m) {
    std::iota(facet_.begin(), facet_.end(), 0);
    normals_.resize(m);
    for (std::size_t i = 0; i < m; ++i) normals_[i] = unit_normal(i);
    std::vector<Turn> turns;
    for_each_turn(n, [&](const Turn& turn) {
      if (turn.is_flat()) {
        join(turn.face[0], turn.face[1]);
      } else if (turn.is_smooth()) {
        turns.push_back(turn);
      }
    });
    for (std::size_t i = 0; i < m; ++i) facet_[i] = root(static_cast<std::int32_t>(i));
    const Groups members(m, [&](const auto& f) {
      for (std::size_t i = 0; i < m; ++i) f(facet_[i], static_cast<std::int32_t>(i));
    });
    for (const Turn& turn : turns) add_edge(turn, members);
  }

  // Of each facet the greatest over its edges, and of those across that one what they add.
  std::vector<double> sagittas() {
    leave_ridges_out();
    std::vector<const SmoothEdge*> greatest(m_, nullptr);
    const auto for_each_side = [&](const auto& f) {
      for (const SmoothEdge& edge : edges_) {
        for (const std::int32_t facet : edge.facet) f(edge, facet);
      }
    };
    for_each_side([&](const SmoothEdge& edge, std::int32_t facet) {
      if (!greatest[facet] || edge.sagitta > greatest[facet]->sagitta) greatest[facet] = &edge;
    });
    std::vector<double> of_facet(m_, 0.0), result(m_);
    for_each_side([&](const SmoothEdge& edge, std::int32_t facet) {
      const SmoothEdge& first = *greatest[facet];
      const double cosine = dot(first.along, edge.along);
      const double share = &edge == &first ? 1.0 : std::max(1 - cosine * cosine, 0.0);
      of_facet[facet] += share * edge.sagitta;
    });
    for (std::size_t i = 0; i < m_; ++i) result[i] = of_facet[facet_[i]];
    return result;
  }

 private:
  const double* at(std::int32_t vertex) const { return vertices_ + 3 * std::size_t(vertex); }
  std::int32_t corner(std::size_t face, int k) const {
    const std::int32_t v = faces_[3 * face + std::size_t(k)];
    return id_.empty() ? v : id_[v];
  }

  Vector unit_normal(std::size_t face) const {
    const double* a = at(corner(face, 0));
    const Vector n = cross(from_to(a, at(corner(face, 1))), from_to(a, at(corner(face, 2))));
    const double length = std::sqrt(dot(n, n));
    return length > 0 ? scaled(n, 1 / length) : Vector{0, 0, 0};
  }

  // Of edges of two faces with area, one in each direction.
  template <class F>
  void for_each_turn(std::size_t n, const F& f) const {
    const DirectedEdges edges(n, m_, [&](std::size_t face, int k) { return corner(face, k); });
    edges.for_each_edge([&](std::int32_t lower, std::span<const DirectedEdges::Use> uses) {
      if (uses.size() != 2 || uses[0].upward() == uses[1].upward()) return;
      const Vector &n = normals_[uses[0].face], &o = normals_[uses[1].face];
      if (dot(n, n) == 0 || dot(o, o) == 0) return;
      const Vector sine = cross(n, o);
      f(Turn{{lower, static_cast<std::int32_t>(uses[0].key / 2)},
             {uses[0].face, uses[1].face},
             std::sqrt(dot(sine, sine)),
             dot(n, o)});
    });
  }

  std::int32_t root(std::int32_t face) {
    while (facet_[face] != face) face = facet_[face] = facet_[facet_[face]];
    return face;
  }
  void join(std::int32_t f, std::int32_t g) {
    f = root(f), g = root(g);
    facet_[std::max(f, g)] = std::min(f, g);
  }

  // Two wide planes that meet at a slight angle are a roof; over a round a facet turns to both
  // sides, and the same way.
  void leave_ridges_out() {
    const Groups around(m_, [&](const auto& f) {
      for (std::size_t i = 0; i < edges_.size(); ++i) {
        for (const std::int32_t facet : edges_[i].facet) f(facet, static_cast<std::int32_t>(i));
      }
    });
    std::vector<SmoothEdge> round;
    for (const SmoothEdge& edge : edges_) {
      const auto goes_on = [&](std::int32_t facet) {
        return std::ranges::any_of(
            around[facet], [&](std::int32_t other) { return is_round(edge, edges_[other]); });
      };
      if (goes_on(edge.facet[0]) || goes_on(edge.facet[1])) round.push_back(edge);
    }
    edges_ = std::move(round);
  }

  static bool is_round(const SmoothEdge& edge, const SmoothEdge& other) {
    if (edge.is_convex != other.is_convex) return false;
    if (std::abs(dot(edge.along, other.along)) < kAcross) return false;
    const Vector off = cross(from_to(edge.end, other.end), edge.along);
    return dot(off, off) > kApart * edge.width * kApart * edge.width;
  }

  // Whether a face is below the plane of another one that it has an edge in common with.
  bool is_below(std::int32_t face, std::int32_t other) const {
    double most = 0;
    for (int k = 0; k < 3; ++k) {
      const Vector to = from_to(at(corner(other, 0)), at(corner(face, k)));
      const double height = dot(normals_[other], to);
      if (std::abs(height) > std::abs(most)) most = height;
    }
    return most < 0;
  }

  void add_edge(const Turn& turn, const Groups& members) {
    const auto [a, b] = turn.end;
    const Vector edge = from_to(at(a), at(b));
    const double length = std::sqrt(dot(edge, edge));
    std::int32_t f = facet_[turn.face[0]], g = facet_[turn.face[1]];
    if (!(length > 0) || f == g) return;
    const Vector along = scaled(edge, 1 / length);
    if (members[f].size() > members[g].size()) std::swap(f, g);
    const double first = width(members[f], a, along, INFINITY);
    const double h = width(members[g], a, along, first), sagitta = 0.5 * h * turn.quarter();
    edges_.push_back({sagitta, h, along, at(a), {f, g}, is_below(turn.face[0], turn.face[1])});
  }

  // How far faces reach from a line, up to `most`.
  double width(std::span<const std::int32_t> faces, std::int32_t start, const Vector& along,
               double most) const {
    double widest = 0;
    for (const std::int32_t face : faces) {
      for (int k = 0; k < 3; ++k) {
        const Vector off = cross(from_to(at(start), at(corner(face, k))), along);
        widest = std::max(widest, dot(off, off));
      }
      if (widest >= most * most) return most;
    }
    return std::sqrt(widest);
  }

  const double* vertices_;
  const std::int32_t* faces_;
  const std::size_t m_;
  const std::vector<std::int32_t> id_;
  std::vector<Vector> normals_;
  std::vector<std::int32_t> facet_;  // of each face, the first face of its facet
  std::vector<SmoothEdge> edges_;
};

}  // namespace

std::vector<double> sagittas_of(const double* vertices, std::size_t n, const std::int32_t* faces,
                                std::size_t m, int workers) {
  return Facets(vertices, n, faces, m, workers).sagittas();
}

}  // namespace impinge
