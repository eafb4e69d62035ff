#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/largest.hpp"
#include "base/pool.hpp"
#include "bindings/arrays.hpp"
#include "bindings/mesh_checks.hpp"
#include "mesh/body_mesh.hpp"
#include "mesh/close.hpp"
#include "mesh/deal.hpp"
#include "mesh/shell_volumes.hpp"
#include "mesh/triangulate.hpp"
#include "mesh/weld_triangles.hpp"

namespace impinge {
namespace {

template <class Number>
using Corners = Given<Number, -1, 3, 3>;
using Numbers = Given<double, -1>;
using Longs = Given<std::int64_t, -1>;
using Regions = Given<double, -1, 2, 3>;
using Starts = NewArray<std::int64_t, -1>;
using Rows = NewArray<std::int32_t, -1>;

NewArray<double, -1>::Array volumes_array(const Points& vertices, const Faces& faces,
                                          const Indices& owner, std::size_t count) {
  check_mesh(vertices, faces);
  if (owner.shape(0) != faces.shape(0)) throw nb::value_error("one shell per face");
  for (std::size_t f = 0; f < owner.shape(0); ++f) {
    if (owner(f) >= 0 && static_cast<std::size_t>(owner(f)) >= count) {
      throw nb::value_error("shell index out of range");
    }
  }
  NewArray<double, -1> array(count);
  const std::vector<double> volumes =
      shell_volumes(vertices.data(), faces.data(), faces.shape(0), owner.data(), count);
  std::copy(volumes.begin(), volumes.end(), array.data.get());
  return array.give({count});
}

// Children come after their node, so that every walk ends.
bool is_tree(const Cuts& cuts) {
  const auto nodes = static_cast<std::int64_t>(cuts.axis.size());
  const auto tiles = static_cast<std::int64_t>(cuts.tiles);
  const auto known = [&](std::int64_t child) { return child < nodes && -1 - child < tiles; };
  bool good = known(cuts.root) && cuts.value.size() == cuts.axis.size();
  for (std::int64_t node = 0; good && node < nodes; ++node) {
    good = cuts.axis[node] >= 0 && cuts.axis[node] < 3;
    for (int side = 0; side < 2; ++side) {
      const std::int32_t child = cuts.children[2 * node + side];
      good = good && known(child) && (child < 0 || child > node);
    }
  }
  return good;
}

template <class Number>
std::tuple<Starts::Array, Rows::Array> deal_array(const Corners<Number>& corners,
                                                  const Indices& axis, const Numbers& value,
                                                  const IndexPairs& children, std::int32_t root,
                                                  const Regions& regions) {
  const Cuts cuts{{axis.data(), axis.shape(0)},
                  {value.data(), value.shape(0)},
                  children.data(),
                  root,
                  regions.data(),
                  regions.shape(0)};
  if (children.shape(0) != axis.shape(0) || !is_tree(cuts)) {
    throw nb::value_error("axis, value and children are of no tree of these tiles");
  }
  if (corners.shape(0) > std::numeric_limits<std::int32_t>::max()) {
    throw nb::value_error("too many triangles at a time");
  }
  Dealt dealt;
  {
    nb::gil_scoped_release release;
    dealt = deal(cuts, corners.data(), corners.shape(0));
  }
  const std::size_t rows = dealt.rows.size();
  return {Starts::of(std::move(dealt.starts), {cuts.tiles + 1}),
          Rows::of(std::move(dealt.rows), {rows})};
}

template <class Number>
std::tuple<NewArray<double, -1, 3>::Array, NewArray<std::int32_t, -1, 3>::Array> weld_array(
    const Corners<Number>& corners) {
  if (corners.shape(0) > std::numeric_limits<std::int32_t>::max() / 3) {
    throw nb::value_error("too many triangles at a time");
  }
  WeldedMesh mesh;
  {
    nb::gil_scoped_release release;
    mesh = weld_triangles(corners.data(), corners.shape(0));
  }
  const std::size_t vertices = mesh.vertices.size() / 3;
  return {NewArray<double, -1, 3>::of(std::move(mesh.vertices), {vertices, 3}),
          NewArray<std::int32_t, -1, 3>::of(std::move(mesh.faces), {corners.shape(0), 3})};
}

template <class Number>
void bind_numbers(nb::module_& m) {
  using namespace nb::literals;
  m.def("deal", &deal_array<Number>, "corners"_a.noconvert(), "axis"_a, "value"_a, "children"_a,
        "root"_a, "regions"_a,
        "Triangles (n, 3, 3) to every tile that their boxes meet: where the rows of each tile "
        "start (tiles + 1,), and the rows.");
  m.def("weld_triangles", &weld_array<Number>, "corners"_a.noconvert(),
        "Vertices (v, 3) and faces (n, 3) of triangles (n, 3, 3), each point once.");
}

// Faces that the polygons become; none is so large that its corners cannot be numbered.
std::size_t count_faces(const Longs& corners, const Longs& sizes) {
  std::size_t left = corners.shape(0), faces = 0;
  for (std::size_t i = 0; i < sizes.shape(0); ++i) {
    const std::int64_t size = sizes.data()[i];
    if (size < 3 || size > std::numeric_limits<std::int32_t>::max() / 4 ||
        static_cast<std::size_t>(size) > left) {
      throw nb::value_error("sizes must be 3 or more, and add up to the number of corners");
    }
    left -= size;
    faces += size - 2;
  }
  if (left != 0) throw nb::value_error("sizes must add up to the number of corners");
  return faces;
}

NewArray<std::int64_t, -1, 3>::Array triangulate_arrays(const Points& vertices,
                                                        const Longs& corners, const Longs& sizes) {
  const std::size_t faces = count_faces(corners, sizes);
  NewArray<std::int64_t, -1, 3> result(3 * faces);
  {
    nb::gil_scoped_release release;
    triangulate(vertices.data(), vertices.shape(0), {corners.data(), corners.shape(0)},
                {sizes.data(), sizes.shape(0)}, result.data.get());
  }
  return result.give({faces, 3});
}

// NaN when there are no faces.
NewArray<double, 2, 3>::Array bounds_array(const Points& vertices, const Faces& faces) {
  NewArray<double, 2, 3> result(6);
  const std::size_t n = vertices.shape(0), m = faces.shape(0);
  check_faces(faces.data(), m, n);
  if (m == 0) {
    std::fill_n(result.data.get(), 6, std::numeric_limits<double>::quiet_NaN());
  } else {
    nb::gil_scoped_release release;
    const Bounds found = bounds_of({{vertices.data(), n, faces.data(), m}}, 1);
    std::copy_n(found.lo, 3, result.data.get());
    std::copy_n(found.hi, 3, result.data.get() + 3);
  }
  return result.give({2, 3});
}

// A copy that nobody writes to, if it is good; the copy is what is looked at, so that it stays
// good.
template <class T, class IsGood>
std::optional<typename NewArray<T, -1, 3>::Array> good_copy(nb::handle array,
                                                            const IsGood& is_good) {
  constexpr std::size_t kTogether = 2048;  // which stay in the nearest cache
  const ArrayRows rows = array_rows(array, element_type<T>(), {-1, 3});
  if (!rows.data) return std::nullopt;
  const std::size_t size = 3 * rows.count;
  NewArray<T, -1, 3> copy(size);
  for (std::size_t i = 0; i < size; i += kTogether) {
    const std::size_t n = std::min(kTogether, size - i);
    T* const some = std::copy_n(static_cast<const T*>(rows.data) + i, n, copy.data.get() + i) - n;
    if (!is_good(some, n)) return std::nullopt;
  }
  auto made = copy.give({rows.count, 3});
  freeze_array(made);
  return made;
}

auto copy_points(nb::handle points, double limit) {
  return good_copy<double>(
      points, [limit](const double* x, std::size_t n) { return all_within(x, n, limit); });
}

auto copy_faces(nb::handle faces, std::size_t vertices) {
  return good_copy<std::int32_t>(faces, [vertices](const std::int32_t* id, std::size_t n) {
    return largest_of(id, n) < vertices;
  });
}

using Closed = std::tuple<NewArray<double, -1, 3>::Array, NewArray<std::int32_t, -1, 3>::Array,
                          std::size_t, std::size_t, std::size_t, std::size_t>;

Closed close_arrays(const Points& vertices, const Faces& faces, double seam, double hole,
                    int workers) {
  check_mesh(vertices, faces);
  ClosedSurface found;
  {
    nb::gil_scoped_release release;
    found = close_surface(vertices.data(), vertices.shape(0), faces.data(), faces.shape(0),
                          {seam, hole}, resolve_workers(workers));
  }
  const std::size_t moved = found.vertices.size() / 3, filled = found.filled.size() / 3;
  return {NewArray<double, -1, 3>::of(std::move(found.vertices), {moved, 3}),
          NewArray<std::int32_t, -1, 3>::of(std::move(found.filled), {filled, 3}),
          found.open_edges,
          found.left_open,
          found.welded,
          found.holes};
}

}  // namespace

void bind_mesh(nb::module_& m) {
  using namespace nb::literals;
  m.def(
      "triangulate", &triangulate_arrays, "vertices"_a, "corners"_a, "sizes"_a,
      "Faces (f, 3) of polygons: corners (c,) of one after the other, sizes (p,) of each. Fans for "
      "convex ones and those that cross themselves, ears for all others.");
  m.def("shell_volumes", &volumes_array, "vertices"_a, "faces"_a, "owner"_a, "count"_a,
        "Signed volumes (count,) of shells, by the cube of the largest side of the box of all; "
        "`owner` (m,) is the shell of each face, below 0 for none.");
  m.def("bounds", &bounds_array, "vertices"_a, "faces"_a,
        "The lowest and the highest corner (2, 3) of the vertices that faces use.");
  m.def("close_surface", &close_arrays, "vertices"_a, "faces"_a, "seam"_a, "hole"_a,
        "workers"_a = 0,
        "Weld the seams of a mesh and fill its small holes: vertices (n, 3), none when none has "
        "moved; faces (f, 3) that fill holes; how many edges were open, and are open still, which "
        "changes nothing; how many vertices were moved and how many holes filled.");
  m.def("copy_points", &copy_points, "points"_a.none(), "limit"_a,
        "A read-only copy of points (n, 3) of which none is larger than a limit; None for all "
        "else.");
  m.def("copy_faces", &copy_faces, "faces"_a.none(), "vertices"_a,
        "A read-only copy of faces (m, 3) of so many vertices; None for all else.");
  bind_numbers<float>(m);
  bind_numbers<double>(m);
}

}  // namespace impinge
