// NumPy arrays in and out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "base/block.hpp"

namespace impinge {

namespace nb = nanobind;

using Points = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Faces = nb::ndarray<const std::int32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Matrices = nb::ndarray<const double, nb::shape<-1, 4, 4>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using IndexPairs = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

// A new array that owns its memory.
template <class T, nb::ssize_t... kShape>
struct NewArray {
  using Array = nb::ndarray<nb::numpy, T, nb::shape<kShape...>>;

  Block<T> data;
  explicit NewArray(std::size_t n) : data(make_block<T>(n)) {}
  explicit NewArray(Block<T> filled) : data(std::move(filled)) {}

  Array give(std::initializer_list<std::size_t> shape) {
    T* raw = data.release();
    nb::capsule owner(raw, give_back);
    return Array(raw, shape, owner);
  }
  // A vector that is given away.
  static Array of(std::vector<T> values, std::initializer_list<std::size_t> shape) {
    values.reserve(1);  // an array has an address, however empty
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Array(kept->data(), shape, owner);
  }
};

}  // namespace impinge
