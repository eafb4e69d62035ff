// Faces of all bodies in one frame, as Python holds them.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/pool.hpp"
#include "bindings/arrays.hpp"
#include "bindings/checks.hpp"
#include "bindings/mesh_checks.hpp"
#include "bindings/pairs.hpp"
#include "pairs/soup.hpp"

namespace impinge {

using PointArray = NewArray<double, -1, 3>;
using SinglePointArray = NewArray<float, -1, 3>;
using SingleArray = NewArray<float, -1>;

template <class Made, class From>
typename Made::Array copied(const From* from, std::size_t n) {
  Made made(n);
  std::copy_n(from, n, made.data.get());
  return made.give({n});
}

// Faces around each vertex of a mesh.
class BoundStars {
 public:
  BoundStars(const Points& vertices, const Faces& faces, int workers) {
    check_mesh(vertices, faces);
    nb::gil_scoped_release release;
    stars_ = std::make_unique<WeldedStars>(vertices.data(), vertices.shape(0), faces.data(),
                                           faces.shape(0), resolve_workers(workers));
  }
  bool holds(const Points& vertices) const {
    return vertices.shape(0) == stars_->vertex_count() && stars_->holds(vertices.data());
  }
  const WeldedStars& stars() const { return *stars_; }

 private:
  std::unique_ptr<WeldedStars> stars_;
};

using StarsList = std::vector<std::optional<std::shared_ptr<BoundStars>>>;

// A soup and all that it points into.
class BoundSoup {
 public:
  BoundSoup(std::vector<Points> vertices, std::vector<Faces> faces, StarsList stars,
            const std::optional<IndexPairs>& body_pairs, int workers)
      : stars_(std::move(stars)) {
    const std::size_t count = vertices.size();
    require(faces.size() == count && stars_.size() == count,
            "vertices, faces and stars must have equal lengths");
    choice_.emplace(count, body_pairs, Indices());  // stars tell the others
    std::vector<BodyMesh> bodies;
    std::vector<const WeldedStars*> each;
    std::size_t total = 0, points = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const KeptPoints& v = vertices_.emplace_back(std::move(vertices[i]));
      const KeptFaces& f = faces_.emplace_back(std::move(faces[i]));
      check_mesh(v, f);
      bodies.push_back({v.data(), v.shape(0), f.data(), f.shape(0)});
      each.push_back(stars_[i] ? &(*stars_[i])->stars() : nullptr);
      require(!each[i] ||
                  (each[i]->vertex_count() == v.shape(0) && each[i]->face_count() == f.shape(0)),
              "stars must be those of the mesh");
      total += f.shape(0);
      points += v.shape(0);
      ends_.push_back(static_cast<std::uint32_t>(total));
    }
    require(total >> kIdBits == 0, "more than 2**30 faces in one scene");
    require(points >> 31 == 0, "more than 2**31 vertices in one scene");
    nb::gil_scoped_release release;
    wanted_ = std::make_unique<Wanted>(std::move(each), choice_->only());
    soup_ = std::make_unique<Soup>(std::move(bodies), *wanted_, resolve_workers(workers));
  }

  const Soup& soup() const { return *soup_; }
  const Wanted& wanted() const { return *wanted_; }
  const std::vector<std::uint32_t>& ends() const { return ends_; }
  SinglePointArray::Array centroids() const {
    SinglePointArray rows(3 * soup_->size());
    for (std::size_t i = 0; i < soup_->size(); ++i) {
      for (int k = 0; k < 3; ++k) rows.data[3 * i + k] = soup_->centroid(k)[i];
    }
    return rows.give({soup_->size(), 3});
  }
  SingleArray::Array radii() const { return copied<SingleArray>(soup_->radius(), soup_->size()); }
  SinglePointArray::Array points() const {
    SinglePointArray rows(3 * soup_->point_count());
    for (std::size_t i = 0; i < soup_->point_count(); ++i) {
      const Point4& p = soup_->points()[i];
      rows.data[3 * i] = p.x;
      rows.data[3 * i + 1] = p.y;
      rows.data[3 * i + 2] = p.z;
    }
    return rows.give({soup_->point_count(), 3});
  }
  NewArray<std::int32_t, -1, 3>::Array corners() const {
    NewArray<std::int32_t, -1, 3> rows(3 * soup_->size());
    std::copy_n(soup_->corners(0), 3 * soup_->size(), rows.data.get());
    return rows.give({soup_->size(), 3});
  }
  PairArray::Array owners() const {
    PairArray rows(2 * soup_->size());
    for (std::size_t i = 0; i < soup_->size(); ++i) {
      rows.data[2 * i] = soup_->body(i);
      rows.data[2 * i + 1] = soup_->face(i);
    }
    return rows.give({soup_->size(), 2});
  }
  PointArray::Array sample(std::size_t most) const {
    const std::size_t n = soup_->size();
    const std::size_t count = std::min(n, most);
    PointArray rows(3 * count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = i * n / count;
      for (int k = 0; k < 3; ++k) rows.data[3 * i + k] = soup_->centroid(k)[at];
    }
    return rows.give({count, 3});
  }

 private:
  std::vector<KeptPoints> vertices_;
  std::vector<KeptFaces> faces_;
  StarsList stars_;
  std::optional<BodyChoice> choice_;
  std::vector<std::uint32_t> ends_;
  std::unique_ptr<Wanted> wanted_;
  std::unique_ptr<Soup> soup_;
};

}  // namespace impinge
