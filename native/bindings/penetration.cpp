#include "depth/penetration.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bound_solid.hpp"
#include "bindings/mesh_checks.hpp"
#include "bindings/pairs.hpp"
#include "bindings/ticking.hpp"
#include "depth/way_out.hpp"
#include "solids/pieces.hpp"

namespace impinge {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kWays = 2;

using Limits = Given<double, -1>;
using Ways = Given<double, -1, 4>;

// One row for each pair of solids.
struct Columns {
  std::size_t n;
  NewArray<std::int8_t, -1> relations;
  NewArray<double, -1, 2> depths;
  NewArray<double, -1, 3> points;
  NewArray<double, -1> volumes;
  NewArray<double, -1, 3> centroids;
  NewArray<double, -1, 2, 3> bounds;
  NewArray<std::uint8_t, -1> within;
  NewArray<bool, -1> of_facets;
  NewArray<double, -1, kWays, 4> ways;

  explicit Columns(const std::vector<depth::Penetration>& all)
      : n(all.size()),
        relations(n),
        depths(2 * n),
        points(3 * n),
        volumes(n),
        centroids(3 * n),
        bounds(6 * n),
        within(n),
        of_facets(n),
        ways(4 * kWays * n) {
    for (std::size_t i = 0; i < n; ++i) put(i, all[i]);
  }

  void put(std::size_t i, const depth::Penetration& one) {
    relations.data[i] = static_cast<std::int8_t>(one.relation);
    depths.data[2 * i] = one.lower;
    depths.data[2 * i + 1] = one.upper;
    volumes.data[i] = one.measures.volume;
    within.data[i] = static_cast<std::uint8_t>(one.within);
    of_facets.data[i] = one.is_of_facets;
    const bool has = one.is_overlap();
    for (std::size_t k = 0; k < 3; ++k) {
      points.data[3 * i + k] = has ? one.point[k] : kNone;
      centroids.data[3 * i + k] = has ? one.measures.centroid[k] : kNone;
      bounds.data[6 * i + k] = has ? one.measures.bounds.lo[k] : kNone;
      bounds.data[6 * i + 3 + k] = has ? one.measures.bounds.hi[k] : kNone;
    }
    for (std::size_t w = 0; w < kWays; ++w) {
      double* to = ways.data.get() + 4 * (kWays * i + w);
      std::fill_n(to, 4, kNone);
      if (w >= one.ways.size()) continue;
      const auto& [unit, length] = one.ways[w];
      to[0] = unit.x, to[1] = unit.y, to[2] = unit.z, to[3] = length;
    }
  }

  auto give() {
    return std::tuple(relations.give({n}), depths.give({n, 2}), points.give({n, 3}),
                      volumes.give({n}), centroids.give({n, 3}), bounds.give({n, 2, 3}),
                      within.give({n}), of_facets.give({n}), ways.give({n, kWays, 4}));
  }
};

auto penetrations_py(const std::vector<const BoundSolid*>& bodies, const IndexPairs& pairs,
                     const Limits& limits, const std::vector<Limits>& sagittas, double accuracy,
                     std::size_t cells, int workers, nb::object tick) {
  if (limits.shape(0) != pairs.shape(0)) throw nb::value_error("one limit per pair is needed");
  for (std::size_t i = 0; i < limits.shape(0); ++i) check_length(limits(i), "limits");
  check_length(accuracy, "accuracy");
  std::vector<const double*> of_faces;
  for (std::size_t i = 0; i < sagittas.size(); ++i) {
    if (sagittas.size() != bodies.size() ||
        sagittas[i].shape(0) != bodies[i]->solid().tree().tree().face_count()) {
      throw nb::value_error("one sagitta per face of each solid is needed");
    }
    of_faces.push_back(sagittas[i].data());
  }
  const auto chosen = body_pairs_of(pairs, bodies.size());
  const Ticker::Callback callback = make_tick(std::move(tick));
  std::vector<const solids::Solid*> all;
  for (const BoundSolid* body : bodies) all.push_back(&body->solid());
  for (const auto& [a, b] : chosen) bodies[a]->filled(), bodies[b]->filled();
  const depth::Goal goal{0, accuracy, cells};
  std::optional<Columns> columns;
  {
    nb::gil_scoped_release release;
    columns.emplace(depth::penetrations_of(all, of_faces, chosen, limits.data(), goal,
                                           resolve_workers(workers), callback));
  }
  return columns->give();
}

NewArray<double, 3>::Array way_out_py(const BoundSolid& a, const BoundSolid& b, const Ways& ways,
                                      double least) {
  check_length(least, "least");
  std::vector<depth::Way> some;
  for (std::size_t i = 0; i < ways.shape(0); ++i) {
    const double* way = ways.data() + 4 * i;
    if (way[3] > 0) some.push_back({{way[0], way[1], way[2]}, way[3]});
  }
  const solids::Solid &solid_a = a.filled(), &solid_b = b.filled();
  NewArray<double, 3> by(3);
  {
    nb::gil_scoped_release release;
    const Vector found = depth::way_out(solid_a, solid_b, some, least);
    by.data[0] = found.x, by.data[1] = found.y, by.data[2] = found.z;
  }
  return by.give({3});
}

using PieceArrays = std::tuple<NewArray<double, -1, 3>::Array, NewArray<std::int32_t, -1, 3>::Array,
                               NewArray<std::int8_t, -1>::Array, NewArray<std::int32_t, -1>::Array>;

PieceArrays pieces_py(const BoundSolid& a, const BoundSolid& b, int workers, nb::object tick) {
  const solids::Solid &solid_a = a.filled(), &solid_b = b.filled();
  const Ticker::Callback callback = make_tick(std::move(tick));
  std::vector<double> vertices;
  std::vector<std::int32_t> faces, parents;
  std::vector<std::int8_t> surfaces;
  {
    nb::gil_scoped_release release;
    const solids::PlacedSolid placed_a(solid_a, Pose()), placed_b(solid_b, Pose());
    const solids::Overlay overlay(placed_a, placed_b, resolve_workers(workers), callback);
    const solids::Pieces pieces = solids::pieces_of(overlay);
    for (const auto& corner : pieces.corners) {
      vertices.insert(vertices.end(), corner.begin(), corner.end());
    }
    for (const auto& piece : pieces.pieces) {
      faces.insert(faces.end(), piece.corner, piece.corner + 3);
      surfaces.push_back(static_cast<std::int8_t>(piece.surface));
      parents.push_back(piece.face);
    }
  }
  const std::size_t n = vertices.size() / 3, m = parents.size();
  return {NewArray<double, -1, 3>::of(std::move(vertices), {n, 3}),
          NewArray<std::int32_t, -1, 3>::of(std::move(faces), {m, 3}),
          NewArray<std::int8_t, -1>::of(std::move(surfaces), {m}),
          NewArray<std::int32_t, -1>::of(std::move(parents), {m})};
}

}  // namespace

void bind_penetration(nb::module_& m) {
  using namespace nb::literals;
  m.def("penetrations", &penetrations_py, "solids"_a, "pairs"_a, "limits"_a, "sagittas"_a,
        "accuracy"_a, "cells"_a, "workers"_a, "tick"_a.none(),
        "Of pairs (k, 2) of solids at rest: relations (k,), bounds of the depth (k, 2), the "
        "deepest points (k, 3), volumes (k,), centroids (k, 3) and bounds (k, 2, 3) of what they "
        "have in common, what is within the limit (k,), whether they overlap by facets only (k,), "
        "if the sagittas of the faces of each solid are given, ways out (k, 2, 4) as units and "
        "lengths.");
  m.def("way_out", &way_out_py, "a"_a, "b"_a, "ways"_a, "least"_a,
        "A translation (3,) of b after which two solids have no inner points in common.");
  m.def("overlap_pieces", &pieces_py, "a"_a, "b"_a, "workers"_a, "tick"_a.none(),
        "The boundary of what two solids that overlap have in common: vertices (n, 3), faces "
        "(m, 3), and of each face whether it is of a (0) or of b (1), (m,), and the face it is a "
        "part of, (m,).");
}

}  // namespace impinge
