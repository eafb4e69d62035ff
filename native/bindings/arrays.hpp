// NumPy arrays in and out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <numeric>
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

// The type of arrays, and the types of their numbers as NumPy has them.
struct Numpy {
  inline static nb::handle array;
  template <class T>
  inline static nb::handle number;

  static void find();  // once, when the module is loaded
};

// An array of an answer, which nobody writes again.
template <class T, nb::ssize_t... kShape>
struct Column {
  nb::object array;
};

inline nb::tuple shape_of(std::initializer_list<std::size_t> lengths) {
  nb::object shape = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(lengths.size())));
  Py_ssize_t i = 0;
  for (const std::size_t length : lengths) {
    PyTuple_SetItem(shape.ptr(), i++, PyLong_FromSize_t(length));
  }
  return nb::borrow<nb::tuple>(shape);
}

// A new array that owns its memory.
template <class T, nb::ssize_t... kShape>
struct NewArray {
  using Array = nb::ndarray<nb::numpy, T, nb::shape<kShape...>>;
  using Frozen = Column<T, kShape...>;

  Block<T> data;
  explicit NewArray(std::size_t n) : data(make_block<T>(n)) {}
  explicit NewArray(Block<T> filled) : data(std::move(filled)) {}

  Array give(std::initializer_list<std::size_t> shape) {
    T* raw = data.release();
    nb::capsule owner(raw, give_back);
    return Array(raw, shape, owner);
  }
  // A short one is copied: NumPy takes bytes in a third of the time of memory that others own.
  Frozen freeze(std::initializer_list<std::size_t> shape) {
    constexpr std::size_t kBytesToCopy = 4096;
    const std::size_t size =
        std::accumulate(shape.begin(), shape.end(), sizeof(T), std::multiplies<>());
    if (size > kBytesToCopy) {
      nb::capsule owner(data.get(), give_back);
      using Array = nb::ndarray<nb::numpy, const T, nb::shape<kShape...>>;
      return {nb::cast(Array(data.release(), shape, owner))};
    }
    return {Numpy::array(shape_of(shape), Numpy::number<T>, nb::bytes(data.get(), size))};
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

template <class T, nanobind::ssize_t... kShape>
struct nanobind::detail::type_caster<impinge::Column<T, kShape...>> {
  using Array = ndarray<numpy, const T, shape<kShape...>>;
  using Given = impinge::Column<T, kShape...>;
  NB_TYPE_CASTER(Given, make_caster<Array>::Name)

  static handle from_cpp(const Given& column, rv_policy, cleanup_list*) noexcept {
    return column.array.inc_ref();
  }
};
