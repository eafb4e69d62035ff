#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "base/pool.hpp"
#include "bindings/bound_skin.hpp"
#include "bindings/pairs.hpp"
#include "contact_points/bodies.hpp"
#include "contact_points/proximity.hpp"
#include "contact_points/ray.hpp"

namespace impinge::contact_points {
namespace {

using FourArray = NewArray<std::int32_t, -1, 4>;
using WeightArray = NewArray<double, -1, 4>;
using PointArray = NewArray<double, -1, 2, 3>;
using VectorArray = NewArray<double, -1, 3>;
using NumberArray = NewArray<double, -1>;
using FlagArray = NewArray<bool, -1>;

using CounterDict = nb::typed<nb::dict, nb::str, double>;
using Columns = std::tuple<PairArray::Array, FourArray::Array, FourArray::Array, WeightArray::Array,
                           PointArray::Array, VectorArray::Array, NumberArray::Array,
                           IndexArray::Array, FlagArray::Array, CounterDict>;

constexpr std::size_t kGrain = 1024;

// Bodies, vertices, owners, coefficients, points, normals, weights, faces, suspicious.
Columns columns_of(const Buffer<PointContact>& contacts, CounterDict counters, int workers) {
  const std::size_t n = contacts.size();
  PairArray bodies(2 * n);
  FourArray vertices(4 * n), owners(4 * n);
  WeightArray coefficients(4 * n);
  PointArray points(6 * n);
  VectorArray normals(3 * n);
  NumberArray weights(n);
  IndexArray faces(n);
  FlagArray suspicious(n);
  const auto write = [&](std::size_t i) {
    const PointContact& c = contacts[i];
    std::copy_n(c.body, 2, &bodies.data[2 * i]);
    std::copy_n(c.vertex, 4, &vertices.data[4 * i]);
    std::copy_n(c.owner, 4, &owners.data[4 * i]);
    std::copy_n(c.coefficient, 4, &coefficients.data[4 * i]);
    std::copy_n(&c.point[0][0], 6, &points.data[6 * i]);
    const double normal[3] = {c.normal.x, c.normal.y, c.normal.z};
    std::copy_n(normal, 3, &normals.data[3 * i]);
    weights.data[i] = c.weight;
    faces.data[i] = c.face;
    suspicious.data[i] = c.suspicious;
  };
  {
    nb::gil_scoped_release release;
    parallel_for(resolve_workers(workers), n, kGrain, [&](std::size_t i, std::size_t e, int) {
      for (; i < e; ++i) write(i);
    });
  }
  return {bodies.give({n, 2}),    vertices.give({n, 4}),
          owners.give({n, 4}),    coefficients.give({n, 4}),
          points.give({n, 2, 3}), normals.give({n, 3}),
          weights.give({n}),      faces.give({n}),
          suspicious.give({n}),   counters};
}

// The arguments that every query of a scene has.
struct Question : BodyChoice {
  std::vector<const Skin*> bodies;

  Question(const std::vector<const BoundSkin*>& skins, const std::optional<IndexPairs>& only,
           const Indices& self_bodies)
      : BodyChoice(skins.size(), only, self_bodies) {
    for (const BoundSkin* skin : skins) bodies.push_back(&skin->skin());
  }
};

Columns ray_contacts_py(const std::vector<const BoundSkin*>& skins,
                        const std::optional<IndexPairs>& only, const Indices& self_bodies,
                        const std::vector<Indices>& rest, bool octree, bool symmetric, int workers,
                        nb::object tick) {
  const Question question(skins, only, self_bodies);
  std::vector<const std::int32_t*> seen;
  if (rest.size() != question.self.size()) throw nb::value_error("one rest per self body");
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const Skin& skin = *question.bodies[question.self[i]];
    if (rest[i].shape(0) != skin.vertex_count()) throw nb::value_error("one face per vertex");
    const auto faces = static_cast<std::int32_t>(skin.face_count());
    for (std::size_t v = 0; v < rest[i].shape(0); ++v) {
      if (rest[i](v) >= faces) throw nb::value_error("face index out of range");
    }
    seen.push_back(rest[i].data());
  }
  const Ticker::Callback callback = make_tick(std::move(tick));
  RayContacts found;
  {
    nb::gil_scoped_release release;
    found = ray_contacts(question.bodies, question.only(), question.self, seen,
                         {octree ? Along::octree : Along::tree, symmetric},
                         resolve_workers(workers), callback);
  }
  CounterDict d;
  d["broad_seconds"] = found.broad_seconds;
  d["broad_pairs"] = found.body_pairs;
  d["build_seconds"] = found.build_seconds;
  d["rays_seconds"] = found.rays_seconds;
  d["rays_shot"] = found.counters.shot;
  d["rays_unreliable"] = found.counters.unreliable;
  d["rays_tests"] = found.counters.tests;
  d["rays_rejected_entering"] = found.counters.entering;
  d["rays_rejected_outside"] = found.counters.outside;
  return columns_of(found.contacts, d, workers);
}

Columns proximity_contacts_py(const std::vector<const BoundSkin*>& skins,
                              const std::optional<IndexPairs>& only, const Indices& self_bodies,
                              double threshold, int workers, nb::object tick) {
  const Question question(skins, only, self_bodies);
  const Ticker::Callback callback = make_tick(std::move(tick));
  ProximityContacts found;
  {
    nb::gil_scoped_release release;
    found = proximity_contacts(question.bodies, question.only(), question.self, threshold,
                               resolve_workers(workers), callback);
  }
  CounterDict d;
  d["broad_seconds"] = found.broad_seconds;
  d["broad_pairs"] = found.body_pairs;
  d["build_seconds"] = found.build_seconds;
  d["traverse_seconds"] = found.traverse_seconds;
  d["leaf_pairs"] = found.leaf_pairs;
  d["exact_seconds"] = found.exact_seconds;
  d["candidates"] = found.candidates;
  return columns_of(found.contacts, d, workers);
}

double diagonal_py(const std::vector<const BoundSkin*>& skins, int workers) {
  std::vector<const Skin*> bodies;
  for (const BoundSkin* skin : skins) bodies.push_back(&skin->skin());
  nb::gil_scoped_release release;
  return diagonal_of(measure(bodies, resolve_workers(workers)));
}

IndexArray::Array faces_in_sight_py(const BoundSkin& skin, bool octree, int workers) {
  std::vector<std::int32_t> faces;
  {
    nb::gil_scoped_release release;
    faces =
        faces_in_sight(skin.skin(), octree ? Along::octree : Along::tree, resolve_workers(workers));
  }
  IndexArray array(faces.size());
  std::copy(faces.begin(), faces.end(), array.data.get());
  return array.give({faces.size()});
}

}  // namespace
}  // namespace impinge::contact_points

namespace impinge {

void bind_contacts(nb::module_& m) {
  using namespace contact_points;
  using namespace nb::literals;
  nb::class_<BoundSkin>(
      m, "Skin", "Surface of one body for contacts. Keeps both arrays, or copies of writable ones.")
      .def(nb::init<Points, Faces, int>(), "vertices"_a, "faces"_a, "workers"_a = 0)
      .def("move", &BoundSkin::move, "vertices"_a, "The same faces on other vertices.");
  m.def(
      "ray_contacts", &ray_contacts_py, "skins"_a, "body_pairs"_a.none(), "self_bodies"_a, "rest"_a,
      "octree"_a, "symmetric"_a, "workers"_a, "tick"_a.none(),
      "Contacts by inward rays: bodies, vertices, owners, coefficients, points, normals, weights, "
      "faces, suspicious, counters. `rest` has `faces_in_sight` at rest for each self body.");
  m.def("proximity_contacts", &proximity_contacts_py, "skins"_a, "body_pairs"_a.none(),
        "self_bodies"_a, "threshold"_a, "workers"_a, "tick"_a.none(),
        "Contacts of features closer than a threshold; columns as of `ray_contacts`.");
  m.def("diagonal", &diagonal_py, "skins"_a, "workers"_a = 0,
        "Diagonal of the box around all skins.");
  m.def("faces_in_sight", &faces_in_sight_py, "skin"_a, "octree"_a, "workers"_a = 0,
        "The first face (n,) that the inward ray of each vertex hits in its own body; -1 for "
        "none.");
}

}  // namespace impinge
