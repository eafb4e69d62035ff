#include "octree/octree.hpp"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <tuple>
#include <vector>

#include "base/pool.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bound_skin.hpp"
#include "bvh/ray/tree_walk.hpp"
#include "contact_points/hits.hpp"
#include "octree/walk.hpp"

namespace impinge::contact_points {
namespace {

using CellArray = NewArray<std::int32_t, -1, 5>;
using IndexArray = NewArray<std::int32_t, -1>;
using NumberArray = NewArray<double, -1>;
using PlaceArray = NewArray<double, -1, 2>;

constexpr std::size_t kGrain = 64;

Beam beam_of(const double* origin, const double* direction) {
  return {{origin[0], origin[1], origin[2]}, {direction[0], direction[1], direction[2]}};
}

template <class Hits>
void seek(const Skin& skin, Along along, const Beam& beam, double begin, Hits& hits) {
  if (along == Along::octree) {
    walk(skin.octree(), beam, hits);
  } else {
    walk(skin.tree(), beam, begin, hits);
  }
}

std::tuple<IndexArray::Array, NumberArray::Array, PlaceArray::Array, std::uint64_t> nearest_hits(
    const BoundSkin& bound, const Points& origins, const Points& directions, double begin,
    bool octree, int workers) {
  const std::size_t n = origins.shape(0);
  if (directions.shape(0) != n) throw nb::value_error("as many directions as origins");
  IndexArray faces(n);
  NumberArray t(n);
  PlaceArray places(2 * n);
  std::atomic<std::uint64_t> tests{0};
  {
    nb::gil_scoped_release release;
    const Skin& skin = bound.skin();
    const Along along = octree ? Along::octree : Along::tree;
    skin.prepare(along, resolve_workers(workers));
    parallel_for(resolve_workers(workers), n, kGrain, [&](std::size_t b, std::size_t e, int) {
      Mailbox met;
      for (; b < e; ++b) {
        const Beam beam = beam_of(origins.data() + 3 * b, directions.data() + 3 * b);
        NearestHit hits(skin, beam, begin, std::numeric_limits<double>::infinity(), -1, met);
        seek(skin, along, beam, begin, hits);
        faces.data[b] = hits.best.face;
        t.data[b] = hits.best.at.t;
        places.data[2 * b] = hits.best.at.u;
        places.data[2 * b + 1] = hits.best.at.v;
        tests += hits.tests;
      }
    });
  }
  return {faces.give({n}), t.give({n}), places.give({n, 2}), tests.load()};
}

CellArray::Array cells(const BoundSkin& bound, int workers) {
  std::vector<octree::OctreeCell> found;
  {
    nb::gil_scoped_release release;
    bound.skin().prepare(Along::octree, resolve_workers(workers));
    found = bound.skin().octree().cells();
  }
  CellArray array(5 * found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const octree::OctreeCell& c = found[i];
    const std::int32_t row[5] = {c.face, c.level, c.at[0], c.at[1], c.at[2]};
    std::copy_n(row, 5, &array.data[5 * i]);
  }
  return array.give({found.size(), 5});
}

}  // namespace
}  // namespace impinge::contact_points

namespace impinge {

void bind_octree(nb::module_& m) {
  using namespace contact_points;
  using namespace nb::literals;
  m.def("octree_cells", &cells, "skin"_a, "workers"_a = 0,
        "Cells (k, 5) of the octree of a skin: face, level, and the place of the cell in its "
        "level.");
  m.def(
      "octree_root",
      [](const BoundSkin& bound) {
        bound.skin().prepare(Along::octree, 1);
        const octree::Octree& octree = bound.skin().octree();
        return std::tuple(octree.low()[0], octree.low()[1], octree.low()[2], octree.side());
      },
      "skin"_a, "Lower corner and side of the root: (x, y, z, side).");
  m.def("nearest_hits", &nearest_hits, "skin"_a, "origins"_a, "directions"_a, "begin"_a, "octree"_a,
        "workers"_a = 0,
        "Nearest hits of rays with unit directions behind `begin`: (faces, t, (u, v), tests); face "
        "-1 for none. Faces along a ray come from the octree or the box tree.");
}

}  // namespace impinge
