// The surface of a body as Python holds it.
#pragma once

#include <utility>

#include "bindings/arrays.hpp"
#include "contacts/shell.hpp"
#include "parallel/pool.hpp"

namespace impinge {

// A shell and the arrays it points into.
class BoundShell {
 public:
  BoundShell(Points vertices, Faces faces, int workers)
      : vertices_(std::move(vertices)),
        faces_(std::move(faces)),
        shell_(vertices_.data(), vertices_.shape(0), faces_.data(), faces_.shape(0),
               resolve_workers(workers)) {}

  void move(Points vertices) {
    if (vertices.shape(0) != vertices_.shape(0)) {
      throw nb::value_error("vertices must keep their number");
    }
    shell_.move(vertices.data());
    vertices_ = std::move(vertices);
  }

  const Shell& shell() const { return shell_; }

 private:
  Points vertices_;
  Faces faces_;
  Shell shell_;
};

}  // namespace impinge
