#include "bindings/arrays.hpp"

namespace impinge {

void Numpy::find() {
  const nb::module_ numpy = nb::module_::import_("numpy");
  const auto kept = [&](const char* name) { return nb::object(numpy.attr(name)).release(); };
  const nb::object dtype = numpy.attr("dtype");
  const auto type = [&](const char* name) { return nb::object(dtype(name)).release(); };
  array = kept("ndarray");
  number<double> = type("float64");
  number<std::int32_t> = type("int32");
  number<std::uint8_t> = type("uint8");
}

}  // namespace impinge
