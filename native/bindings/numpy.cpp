#include "bindings/numpy.hpp"

#include <algorithm>
#include <cstring>

namespace impinge {
namespace {

namespace nb = nanobind;

// Up to this size a copy costs less than an owner.
constexpr std::size_t kMostCopied = 1024;
constexpr std::size_t kMostAxes = 4;

// Flags of an array.
constexpr int kByRows = 0x0001, kAligned = 0x0100, kWriteable = 0x0400;

// How every array begins.
struct Head {
  PyObject_HEAD void* data;
  int axes;
  Py_ssize_t *shape, *strides;
  PyObject *base, *element;
  int flags;
};

Head& head(PyObject* array) { return *reinterpret_cast<Head*>(array); }

// The functions of NumPy's C interface, by their places in its table; these never change.
class Numpy {
 public:
  Numpy() {
    const nb::module_ numpy = nb::module_::import_("numpy");
    // up to NumPy 1 the module has another name
    const char* name =
        nb::hasattr(numpy, "_core") ? "numpy._core.multiarray" : "numpy.core.multiarray";
    const nb::object table = nb::module_::import_(name).attr("_ARRAY_API");
    functions_ = static_cast<void**>(PyCapsule_GetPointer(table.ptr(), nullptr));
    if (!functions_) throw nb::python_error();
  }

  // Takes over a reference to the element type; without data it has memory of its own.
  PyObject* make(PyObject* element, std::size_t axes, const Py_ssize_t* shape, void* data) const {
    using Make = PyObject*(PyTypeObject*, PyObject*, int, const Py_ssize_t*, const Py_ssize_t*,
                           void*, int, PyObject*);
    return reinterpret_cast<Make*>(functions_[94])(
        static_cast<PyTypeObject*>(functions_[2]), element, static_cast<int>(axes), shape, nullptr,
        data, data ? kByRows | kAligned | kWriteable : 0, nullptr);
  }

  // Takes over a reference to the owner.
  void set_owner(PyObject* array, PyObject* owner) const {
    using Set = int(PyObject*, PyObject*);
    if (reinterpret_cast<Set*>(functions_[282])(array, owner) != 0) throw nb::python_error();
  }

  bool is_array(PyObject* object) const {
    return Py_TYPE(object) == static_cast<PyTypeObject*>(functions_[2]);
  }

 private:
  void** functions_;
};

const Numpy& numpy() {
  static const Numpy numpy;
  return numpy;
}

}  // namespace

PyObject* element_type(const char* element) {
  return nb::module_::import_("numpy").attr("dtype")(element).release().ptr();
}

nb::object adopt_array(PyObject* element, void* data, std::size_t element_size,
                       std::span<const std::size_t> shape, void* owner,
                       void (*destroy)(void*) noexcept) {
  Py_ssize_t axes[kMostAxes];
  std::size_t bytes = element_size;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    axes[i] = static_cast<Py_ssize_t>(shape[i]);
    bytes *= shape[i];
  }
  const bool copies = bytes <= kMostCopied;
  Py_INCREF(element);
  nb::object array = nb::steal(numpy().make(element, shape.size(), axes, copies ? nullptr : data));
  if (copies && array.is_valid()) {
    std::memcpy(head(array.ptr()).data, data, bytes);
    destroy(owner);
    return array;
  }
  nb::capsule keeper(owner, destroy);
  if (!array.is_valid()) throw nb::python_error();
  numpy().set_owner(array.ptr(), keeper.release().ptr());
  return array;
}

void freeze_array(nb::handle array) { head(array.ptr()).flags &= ~kWriteable; }

void freeze_arrays(const nb::dict& values) {
  Py_ssize_t place = 0;
  PyObject *key, *value;
  while (PyDict_Next(values.ptr(), &place, &key, &value)) {
    if (numpy().is_array(value)) freeze_array(value);
  }
}

ArrayRows array_rows(nb::handle array, PyObject* element, std::initializer_list<Py_ssize_t> shape) {
  if (!numpy().is_array(array.ptr())) return {};
  const Head& found = head(array.ptr());
  const auto agree = [](Py_ssize_t wanted, Py_ssize_t n) { return wanted < 0 || wanted == n; };
  const bool fits =
      found.element == element && (~found.flags & (kByRows | kAligned)) == 0 &&
      std::equal(shape.begin(), shape.end(), found.shape, found.shape + found.axes, agree);
  if (!fits) return {};
  return {found.data, static_cast<std::size_t>(found.shape[0]), (found.flags & kWriteable) != 0};
}

}  // namespace impinge
