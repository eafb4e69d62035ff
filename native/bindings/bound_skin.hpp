// The surface of a body as Python holds it.
#pragma once

#include <optional>
#include <utility>

#include "base/pool.hpp"
#include "bindings/arrays.hpp"
#include "bindings/mesh_checks.hpp"
#include "contact_points/skin.hpp"

namespace impinge {

// A skin and the arrays it points into.
class BoundSkin {
 public:
  BoundSkin(Points vertices, Faces faces, int workers)
      : vertices_(std::move(vertices)), faces_(std::move(faces)) {
    check_mesh(vertices_, faces_);
    skin_.emplace(vertices_.data(), vertices_.shape(0), faces_.data(), faces_.shape(0),
                  resolve_workers(workers));
  }

  void move(Points moved) {
    if (moved.shape(0) != vertices_.shape(0)) {
      throw nb::value_error("vertices must keep their number");
    }
    KeptPoints vertices(std::move(moved));
    check_points(vertices);
    skin_->move(vertices.data());
    vertices_ = std::move(vertices);
  }

  const contact_points::Skin& skin() const { return *skin_; }

 private:
  KeptPoints vertices_;
  KeptFaces faces_;
  std::optional<contact_points::Skin> skin_;
};

}  // namespace impinge
