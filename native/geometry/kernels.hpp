// The triangle tests by name: the exact one, and the two of the literature in plain float64.
#pragma once

#include <optional>
#include <string_view>

#include "geometry/moller.hpp"
#include "geometry/triangles.hpp"
#include "geometry/unit_triangle.hpp"

namespace impinge {

enum class Kernel { exact, moller, unit_closed, unit_open };

inline std::optional<Kernel> kernel_named(std::string_view name) {
  if (name == "exact") return Kernel::exact;
  if (name == "moller") return Kernel::moller;
  if (name == "unit_closed") return Kernel::unit_closed;
  if (name == "unit_open") return Kernel::unit_open;
  return std::nullopt;
}

// Triangles of different bodies. All but the exact kernel tell `crossing` or `none` only.
inline Kind classify_by(Kernel kernel, const Triangle& a, const Triangle& b) {
  bool hit = false;
  switch (kernel) {
    case Kernel::exact:
      return classify(a, b);
    case Kernel::moller:
      hit = moller(a, b);
      break;
    case Kernel::unit_closed:
      hit = unit_triangle(a, b, Boundary::closed);
      break;
    case Kernel::unit_open:
      hit = unit_triangle(a, b, Boundary::open);
      break;
  }
  return hit ? Kind::crossing : Kind::none;
}

}  // namespace impinge
