// Arrays made by NumPy itself. What nanobind makes are the same arrays, each with a view, a handle
// and a capsule behind it: for a small answer that takes longer than to find it.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <type_traits>

namespace impinge {

// The element type of an array, as NumPy spells it.
template <class T>
constexpr char kElement[] = {std::is_same_v<T, bool>       ? '?'
                             : std::is_floating_point_v<T> ? 'f'
                             : std::is_signed_v<T>         ? 'i'
                                                           : 'u',
                             std::is_same_v<T, bool> ? '\0' : '0' + sizeof(T), '\0'};

// NumPy's object for such elements, which lives as long as the process.
PyObject* element_type(const char* element);

template <class T>
PyObject* element_type() {
  static PyObject* const type = element_type(kElement<T>);
  return type;
}

// An array, by rows, over memory that is given back by destroy(owner) when nobody refers to it any
// more. What is small is copied into an array that owns its memory, and given back at once.
nanobind::object adopt_array(PyObject* element, void* data, std::size_t element_size,
                             std::span<const std::size_t> shape, void* owner,
                             void (*destroy)(void*) noexcept);

// Nobody writes to this array any more.
void freeze_array(nanobind::handle array);
// Nor to the arrays among these values.
void freeze_arrays(const nanobind::dict& values);

// The numbers of an array, by rows, how many rows there are, and whether one may write to them.
struct ArrayRows {
  const void* data = nullptr;
  std::size_t count = 0;
  bool writeable = true;
};

// Of an array of such elements and of this shape, -1 being any number; without data for all else
// that there is.
ArrayRows array_rows(nanobind::handle array, PyObject* element,
                     std::initializer_list<Py_ssize_t> shape);

}  // namespace impinge
