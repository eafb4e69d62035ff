#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>
#include <vector>

#include "bindings/bound_soup.hpp"
#include "bindings/checks.hpp"
#include "mesh/face_rings.hpp"
#include "pairs/given_pairs.hpp"

namespace impinge {
namespace {

ScenePairs judge_pairs_py(const BoundSoup& soup, const IndexPairs& pairs, bool touching,
                          bool report_duplicates, int workers, nb::object tick) {
  check_below(pairs.data(), pairs.size(), soup.soup().size(),
              "triangles must be those of the soup");
  const Ticker::Callback callback = make_tick(std::move(tick));
  Tally tally;
  std::optional<SceneColumns> columns;
  {
    nb::gil_scoped_release release;
    const int threads = resolve_workers(workers);
    const SoupQuery query{soup.soup(), soup.wanted(), {touching, report_duplicates}};
    columns.emplace(collide_given(query, pairs.data(), pairs.shape(0), threads, callback, tally),
                    soup.ends(), threads);
  }
  Counts d;
  count(d, tally);
  d["hits"] = columns->n;
  return columns->give(std::move(d));
}

NewArray<bool, -1>::Array within_rings_py(const BoundStars& stars, const IndexPairs& pairs,
                                          int rings, int workers) {
  check_below(pairs.data(), pairs.size(), stars.stars().face_count(),
              "pairs must be of faces of the mesh");
  const std::size_t n = pairs.shape(0);
  NewArray<bool, -1> within(n);
  {
    nb::gil_scoped_release release;
    within_rings(stars.stars(), pairs.data(), n, rings, resolve_workers(workers),
                 within.data.get());
  }
  return within.give({n});
}

}  // namespace

void bind_soup(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<BoundStars>(m, "Stars", "Faces around each vertex of a mesh; equal vertices are one.")
      .def(nb::init<const Points&, const Faces&, int>(), "vertices"_a, "faces"_a, "workers"_a = 0)
      .def("holds", &BoundStars::holds, "vertices"_a,
           "Whether they are good for vertices that have moved.")
      .def("within_rings", &within_rings_py, "pairs"_a, "rings"_a, "workers"_a,
           "For each pair (n, 2) of faces whether the second is within so many rings of "
           "neighbours around the first.");
  nb::class_<BoundSoup>(m, "Soup",
                        "Faces of all bodies that may collide, in one float32 frame. Bodies with "
                        "stars are checked against themselves.")
      .def(nb::init<std::vector<Points>, std::vector<Faces>, StarsList,
                    const std::optional<IndexPairs>&, int>(),
           "vertices"_a, "faces"_a, "stars"_a, "body_pairs"_a.none() = nb::none(), "workers"_a = 0)
      .def("__len__", [](const BoundSoup& s) { return s.soup().size(); })
      .def_prop_ro(
          "frame",
          [](const BoundSoup& s) {
            const Frame& f = s.soup().frame();
            return std::tuple(f.centre[0], f.centre[1], f.centre[2], f.scale);
          },
          "Centre x, y, z and scale: coordinates in the frame are (v - centre) * scale.")
      .def_prop_ro(
          "diagonal", [](const BoundSoup& s) { return s.soup().diagonal(); },
          "Of the box around all bodies, in the frame.")
      .def_prop_ro("points", &BoundSoup::points, nb::rv_policy::move,
                   "(v, 3) float32 vertices in the frame, body after body.")
      .def_prop_ro("corners", &BoundSoup::corners, nb::rv_policy::move,
                   "(n, 3) rows of points of each triangle.")
      .def_prop_ro("owners", &BoundSoup::owners, nb::rv_policy::move,
                   "(n, 2) body and face of each triangle.")
      .def_prop_ro("centroids", &BoundSoup::centroids, nb::rv_policy::move,
                   "(n, 3) float32 in the frame.")
      .def_prop_ro("radii", &BoundSoup::radii, nb::rv_policy::move,
                   "(n,) float32: how far a triangle reaches from its centroid at most.")
      .def("sample", &BoundSoup::sample, "most"_a,
           "(k, 3) centroids at equal steps, so many at most.");
  m.def("judge_pairs", &judge_pairs_py, "soup"_a, "pairs"_a, "touching"_a, "report_duplicates"_a,
        "workers"_a = 0, "tick"_a.none() = nb::none(),
        "Those of the candidates (n, 2), triangles of the soup without a common corner, each pair "
        "given once, that collide, and colliding neighbours: (pairs, bodies, kinds, counters), "
        "sorted.");
}

}  // namespace impinge
