#include <nanobind/stl/vector.h>

#include <algorithm>
#include <vector>

#include "base/pool.hpp"
#include "bindings/arrays.hpp"
#include "sparse/block_pattern.hpp"
#include "sparse/hierarchy.hpp"
#include "sparse/multigrid.hpp"

namespace impinge::sparse {
namespace {

using Blocks = Given<double, -1, 3, 3>;
using Numbers = Given<double, -1>;
using NumberArray = NewArray<double, -1>;

std::vector<std::int32_t> copied(const Indices& array) {
  return {array.data(), array.data() + array.shape(0)};
}

void make(BlockPattern* place, const Indices& columns, const Indices& starts) {
  BlockPattern pattern(copied(columns), copied(starts));
  if (!pattern.valid()) throw nb::value_error("columns and starts are of no square matrix");
  new (place) BlockPattern(std::move(pattern));
}

NumberArray::Array product(const BlockPattern& pattern, const Blocks& blocks, const Numbers& vector,
                           int workers) {
  if (blocks.shape(0) != pattern.count()) throw nb::value_error("one block per place");
  const std::size_t n = 3 * pattern.rows();
  if (vector.shape(0) != n) throw nb::value_error("three numbers per row");
  NumberArray result(n);
  {
    nb::gil_scoped_release release;
    pattern.product(blocks.data(), vector.data(), result.data.get(), resolve_workers(workers));
  }
  return result.give({n});
}

// Where each row of a matrix of `size` columns begins must be in order, and its columns in range.
void check_rows(const Indices& starts, const Indices& columns, const Numbers& values,
                std::size_t size) {
  const std::int32_t* first = starts.data();
  const std::int32_t* last = first + starts.shape(0);
  const bool ordered = first != last && *first == 0 && std::is_sorted(first, last) &&
                       static_cast<std::size_t>(last[-1]) == columns.shape(0);
  if (!ordered || values.shape(0) != columns.shape(0)) throw nb::value_error("no sparse matrix");
  const auto inside = [&](std::int32_t c) { return c >= 0 && static_cast<std::size_t>(c) < size; };
  if (!std::all_of(columns.data(), columns.data() + columns.shape(0), inside)) {
    throw nb::value_error("columns of contacts are of no node");
  }
}

void make_hierarchy(Hierarchy* place, const BlockPattern& pattern) {
  nb::gil_scoped_release release;
  new (place) Hierarchy(pattern);
}

void make_multigrid(Multigrid* place, const Hierarchy& hierarchy, const Blocks& blocks,
                    const Given<bool, -1>& held, const Indices& starts, const Indices& columns,
                    const Numbers& values, double factor, int workers) {
  const std::size_t n = hierarchy.finest().rows();
  if (blocks.shape(0) != hierarchy.finest().count()) throw nb::value_error("one block per place");
  if (held.shape(0) != n) throw nb::value_error("one flag per row");
  check_rows(starts, columns, values, 3 * n);
  const Rows contacts{{starts.data(), starts.shape(0)},
                      {columns.data(), columns.shape(0)},
                      {values.data(), values.shape(0)}};
  nb::gil_scoped_release release;
  new (place) Multigrid(hierarchy, blocks.data(), contacts, factor, {held.data(), held.data() + n},
                        resolve_workers(workers));
}

NumberArray::Array apply(Multigrid& multigrid, const Numbers& vector, int workers) {
  const std::size_t n = 3 * multigrid.rows();
  if (vector.shape(0) != n) throw nb::value_error("three numbers per row");
  NumberArray result(n);
  {
    nb::gil_scoped_release release;
    multigrid.apply(vector.data(), result.data.get(), resolve_workers(workers));
  }
  return result.give({n});
}

}  // namespace
}  // namespace impinge::sparse

namespace impinge {

void bind_sparse(nb::module_& m) {
  using namespace sparse;
  using namespace nb::literals;
  nb::class_<BlockPattern>(
      m, "BlockPattern",
      "Places of the 3x3 blocks of a square matrix: their columns, and where each row starts.")
      .def("__init__", &make, "columns"_a, "starts"_a)
      .def("product", &product, "blocks"_a, "vector"_a, "workers"_a = 0,
           "The matrix of these blocks times a vector (3 n,); the same for any number of workers.");
  nb::class_<Hierarchy>(m, "Hierarchy", "Coarser and coarser copies of a pattern, for `Multigrid`.")
      .def("__init__", &make_hierarchy, "pattern"_a)
      .def_prop_ro(
          "sizes",
          [](const Hierarchy& hierarchy) {
            std::vector<std::size_t> sizes{hierarchy.finest().rows()};
            for (const Coarsening& each : hierarchy.coarsenings()) {
              sizes.push_back(each.pattern.rows());
            }
            return sizes;
          },
          "Nodes of each level.");
  nb::class_<Multigrid>(
      m, "Multigrid",
      "About the inverse of a symmetric positive matrix: blocks and the rows of contacts, squared.")
      .def("__init__", &make_multigrid, "hierarchy"_a, "blocks"_a, "held"_a, "starts"_a,
           "columns"_a, "values"_a, "factor"_a, "workers"_a = 0, nb::keep_alive<1, 2>())
      .def("apply", &apply, "vector"_a, "workers"_a = 0,
           "About the inverse times a vector (3 n,); the same for any number of workers.");
}

}  // namespace impinge
