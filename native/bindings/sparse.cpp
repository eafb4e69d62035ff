#include "base/pool.hpp"
#include "bindings/arrays.hpp"
#include "sparse/block_pattern.hpp"

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
}

}  // namespace impinge
