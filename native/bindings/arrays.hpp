// NumPy arrays in and out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "base/block.hpp"
#include "bindings/numpy.hpp"

namespace impinge {

namespace nb = nanobind;

// Rows of numbers, or single ones: read where they are if they are as they should be, which takes a
// fraction of the time of an nb::ndarray; else converted. What is not aligned is refused.
template <class T, nb::ssize_t... kShape>
class Given {
 public:
  using Converted = nb::ndarray<const T, nb::shape<kShape...>, nb::c_contig, nb::device::cpu>;

  Given() = default;
  Given(nb::handle array, const ArrayRows& rows)
      : array_(nb::borrow(array)),
        data_(static_cast<const T*>(rows.data)),
        rows_(rows.count),
        writeable_(rows.writeable) {}
  explicit Given(Converted converted)
      : converted_(std::move(converted)), data_(converted_.data()), rows_(converted_.shape(0)) {}

  const T* data() const { return data_; }
  std::size_t shape(std::size_t axis) const {
    constexpr std::size_t kAll[] = {static_cast<std::size_t>(kShape)...};
    return axis == 0 ? rows_ : kAll[axis];
  }
  // Of all numbers.
  std::size_t size() const { return (rows_ * ... * (kShape < 0 ? 1 : kShape)); }
  // Whether others may write to them.
  bool writeable() const { return writeable_; }
  const T& operator()(std::size_t i) const { return data_[i]; }
  const T& operator()(std::size_t i, std::size_t k) const { return data_[i * shape(1) + k]; }
  const T& operator()(std::size_t i, std::size_t j, std::size_t k) const {
    return data_[(i * shape(1) + j) * shape(2) + k];
  }

 private:
  nb::object array_;
  Converted converted_;
  const T* data_ = nullptr;
  std::size_t rows_ = 0;
  bool writeable_ = true;
};

// Rows that are held for long: the array itself if nobody may write to it, else a copy.
template <class T, nb::ssize_t... kShape>
class Kept {
 public:
  using From = Given<T, kShape...>;

  explicit Kept(From from) : from_(std::move(from)), data_(from_.data()) {
    if (!from_.writeable()) return;
    copy_ = make_block<T>(from_.size());
    std::copy_n(data_, from_.size(), copy_.get());
    data_ = copy_.get();
    rows_ = from_.shape(0);
    from_ = From();
  }

  const T* data() const { return data_; }
  std::size_t shape(std::size_t axis) const {
    return axis == 0 && copy_ ? rows_ : from_.shape(axis);
  }
  std::size_t size() const { return (shape(0) * ... * (kShape < 0 ? 1 : kShape)); }

 private:
  From from_;
  Block<T> copy_;
  const T* data_;
  std::size_t rows_ = 0;
};

using Points = Given<double, -1, 3>;
using Faces = Given<std::int32_t, -1, 3>;
using KeptPoints = Kept<double, -1, 3>;
using KeptFaces = Kept<std::int32_t, -1, 3>;
using Matrices = Given<double, -1, 4, 4>;
using Indices = Given<std::int32_t, -1>;
using IndexPairs = Given<std::int32_t, -1, 2>;

// A new array that owns its memory.
template <class T, nb::ssize_t... kShape>
struct NewArray {
  using Array = nb::detail::ndarray_object<nb::numpy, T, nb::shape<kShape...>>;

  Block<T> data;
  explicit NewArray(std::size_t n) : data(make_block<T>(n)) {}
  explicit NewArray(Block<T> filled) : data(std::move(filled)) {}

  Array give(std::initializer_list<std::size_t> shape) {
    T* raw = data.release();
    return adopt(raw, shape, raw, give_back);
  }
  // A vector that is given away.
  static Array of(std::vector<T> values, std::initializer_list<std::size_t> shape) {
    values.reserve(1);  // an array has an address, however empty
    auto* kept = new std::vector<T>(std::move(values));
    return adopt(kept->data(), shape, kept,
                 [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  }

 private:
  static Array adopt(T* data, std::initializer_list<std::size_t> shape, void* owner,
                     void (*destroy)(void*) noexcept) {
    return nb::borrow<Array>(adopt_array(element_type<T>(), data, sizeof(T),
                                         {shape.begin(), shape.size()}, owner, destroy));
  }
};

}  // namespace impinge

template <class T, nanobind::ssize_t... kShape>
struct nanobind::detail::type_caster<impinge::Given<T, kShape...>> {
  using Given = impinge::Given<T, kShape...>;
  using Convert = make_caster<typename Given::Converted>;
  NB_TYPE_CASTER(Given, Convert::Name)

  bool from_python(handle src, std::uint32_t flags, cleanup_list* cleanup) noexcept {
    const impinge::ArrayRows rows =
        impinge::array_rows(src, impinge::element_type<T>(), {kShape...});
    if (rows.data) {
      value = Given(src, rows);
      return true;
    }
    Convert convert;
    if (!convert.from_python(src, flags, cleanup)) return false;
    value = Given(convert.value);
    return reinterpret_cast<std::uintptr_t>(value.data()) % alignof(T) == 0;
  }
};
