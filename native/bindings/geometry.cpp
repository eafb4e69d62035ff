#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "base/pool.hpp"
#include "bindings/arrays.hpp"
#include "bindings/mesh_checks.hpp"
#include "bindings/ticking.hpp"
#include "brute/brute.hpp"
#include "geometry/intersection.hpp"
#include "geometry/kernels.hpp"
#include "geometry/orient.hpp"
#include "geometry/pose.hpp"
#include "mesh/weld.hpp"

namespace impinge {
namespace {

using namespace nb::literals;
using Triangles = Given<double, -1, 3, 3>;
using PlanarPoints = Given<double, -1, 2>;
using Matrix = Given<double, 4, 4>;
using KindsIn = Given<std::uint8_t, -1>;
using KindsOut = NewArray<std::uint8_t, -1>::Array;
using PairsOut = NewArray<std::int32_t, -1, 2>::Array;

static_assert(sizeof(Triangle) == 9 * sizeof(double));
const Triangle* triangles(const Triangles& t) {
  return reinterpret_cast<const Triangle*>(t.data());
}

template <class A, class B>
std::size_t common_length(const A& a, const B& b, const char* what) {
  if (a.shape(0) != b.shape(0)) {
    throw nb::value_error((std::string(what) + " must have the same length, got " +
                           std::to_string(a.shape(0)) + " and " + std::to_string(b.shape(0)))
                              .c_str());
  }
  return a.shape(0);
}

template <class Test>
KindsOut kinds_of(const Triangles& a, const Triangles& b, const Test& test) {
  const std::size_t n = common_length(a, b, "a and b");
  NewArray<std::uint8_t, -1> kinds(n);
  {
    nb::gil_scoped_release release;
    const Triangle *p = triangles(a), *q = triangles(b);
    for (std::size_t i = 0; i < n; ++i) kinds.data[i] = static_cast<std::uint8_t>(test(p[i], q[i]));
  }
  return kinds.give({n});
}

Kernel kernel_of(const std::string& name) {
  if (const auto kernel = kernel_named(name)) return *kernel;
  throw nb::value_error(
      ("kernel must be one of 'exact', 'moller', 'unit_closed', 'unit_open', got '" + name + "'")
          .c_str());
}

KindsOut classify_array(const Triangles& a, const Triangles& b, const std::string& kernel) {
  return kinds_of(a, b, [kernel = kernel_of(kernel)](const Triangle& p, const Triangle& q) {
    return classify_by(kernel, p, q);
  });
}

using ContactArrays = std::tuple<NewArray<double, -1, 2, 3>::Array, NewArray<double, -1, 3>::Array,
                                 NewArray<std::int64_t, -1>::Array>;

ContactArrays contacts(const Triangles& a, const Triangles& b, const KindsIn& kinds) {
  const std::size_t n = common_length(a, b, "a and b");
  common_length(a, kinds, "a and kinds");
  NewArray<double, -1, 2, 3> segments(6 * n);
  NewArray<std::int64_t, -1> offsets(n + 1);
  std::vector<double> outlines;
  {
    nb::gil_scoped_release release;
    const Triangle *p = triangles(a), *q = triangles(b);
    offsets.data[0] = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto asked = static_cast<Kind>(kinds.data()[i]);
      const Contact c = asked == Kind::none ? Contact{} : contact(p[i], q[i]);
      double* segment = &segments.data[6 * i];
      if (c.kind == Kind::none) {
        std::fill_n(segment, 6, std::numeric_limits<double>::quiet_NaN());
      } else {
        std::copy_n(&c.segment[0][0], 6, segment);
      }
      const int corners = asked == Kind::coplanar ? c.corners : 0;
      outlines.insert(outlines.end(), &c.outline[0][0], &c.outline[0][0] + 3 * corners);
      offsets.data[i + 1] = static_cast<std::int64_t>(outlines.size() / 3);
    }
  }
  NewArray<double, -1, 3> points(outlines.size());
  std::copy(outlines.begin(), outlines.end(), points.data.get());
  return {segments.give({n, 2, 3}), points.give({outlines.size() / 3, 3}), offsets.give({n + 1})};
}

NewArray<std::int8_t, -1>::Array orient3d_signs(const Points& a, const Points& b, const Points& c,
                                                const Points& d) {
  const std::size_t n = common_length(a, b, "a and b");
  common_length(a, c, "a and c");
  common_length(a, d, "a and d");
  NewArray<std::int8_t, -1> signs(n);
  {
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t at = 3 * i;
      signs.data[i] = static_cast<std::int8_t>(
          orient3d(a.data() + at, b.data() + at, c.data() + at, d.data() + at));
    }
  }
  return signs.give({n});
}

NewArray<std::int8_t, -1>::Array orient2d_signs(const PlanarPoints& a, const PlanarPoints& b,
                                                const PlanarPoints& c) {
  const std::size_t n = common_length(a, b, "a and b");
  common_length(a, c, "a and c");
  NewArray<std::int8_t, -1> signs(n);
  {
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < n; ++i) {
      const double *p = a.data() + 2 * i, *q = b.data() + 2 * i, *r = c.data() + 2 * i;
      signs.data[i] = static_cast<std::int8_t>(orient2d(p[0], p[1], q[0], q[1], r[0], r[1]));
    }
  }
  return signs.give({n});
}

NewArray<std::int32_t, -1>::Array weld_array(const Points& vertices) {
  const std::size_t n = vertices.shape(0);
  NewArray<std::int32_t, -1> first(n);
  {
    nb::gil_scoped_release release;
    const std::vector<std::int32_t> welded = weld(vertices.data(), n, resolve_workers(0));
    if (welded.empty()) {
      std::iota(first.data.get(), first.data.get() + n, 0);
    } else {
      std::copy(welded.begin(), welded.end(), first.data.get());
    }
  }
  return first.give({n});
}

NewArray<double, -1, 3>::Array transform_array(const Points& vertices, const Matrix& pose) {
  const std::size_t n = vertices.shape(0);
  NewArray<double, -1, 3> moved(3 * n);
  {
    nb::gil_scoped_release release;
    transform(pose.data(), vertices.data(), n, moved.data.get());
  }
  return moved.give({n, 3});
}

BodyMesh brute_mesh(const Points& vertices, const Faces& faces, const char* argument) {
  check_points(vertices, "vertices");
  check_faces(faces.data(), faces.shape(0), vertices.shape(0), argument);
  return {vertices.data(), vertices.shape(0), faces.data(), faces.shape(0)};
}

std::tuple<PairsOut, KindsOut> give(const std::vector<BruteHit>& hits) {
  NewArray<std::int32_t, -1, 2> pairs(2 * hits.size());
  NewArray<std::uint8_t, -1> kinds(hits.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    pairs.data[2 * i] = hits[i].a;
    pairs.data[2 * i + 1] = hits[i].b;
    kinds.data[i] = static_cast<std::uint8_t>(hits[i].kind);
  }
  return {pairs.give({hits.size(), 2}), kinds.give({hits.size()})};
}

std::tuple<PairsOut, KindsOut> brute_between(const Points& vertices_a, const Faces& faces_a,
                                             const Points& vertices_b, const Faces& faces_b,
                                             bool touching_include, int workers, nb::object tick,
                                             const std::string& kernel_name, double margin) {
  const Kernel kernel = kernel_of(kernel_name);
  const BodyMesh a = brute_mesh(vertices_a, faces_a, "faces_a");
  const BodyMesh b = brute_mesh(vertices_b, faces_b, "faces_b");
  const Ticker::Callback callback = make_tick(std::move(tick));
  std::vector<BruteHit> hits;
  {
    nb::gil_scoped_release release;
    const Rule rule{.touching = touching_include, .margin = margin};
    hits = brute_pairs(a, b, kernel, rule, workers, callback);
  }
  return give(hits);
}

std::tuple<PairsOut, KindsOut> brute_within(const Points& vertices, const Faces& faces,
                                            bool touching_include, bool report_duplicates,
                                            int workers, nb::object tick, double margin) {
  const BodyMesh mesh = brute_mesh(vertices, faces, "faces");
  const Ticker::Callback callback = make_tick(std::move(tick));
  std::vector<BruteHit> hits;
  {
    nb::gil_scoped_release release;
    const Rule rule{touching_include, report_duplicates, false, margin};
    hits = brute_self_pairs(mesh, rule, workers, callback);
  }
  return give(hits);
}

}  // namespace

void bind_geometry(nb::module_& m) {
  m.def("classify", &classify_array, "a"_a, "b"_a, "kernel"_a = "exact",
        "Kind (n,) of pairs of triangles (n, 3, 3) of different bodies. The kernels 'moller', "
        "'unit_closed' and 'unit_open' are plain float64 and tell CROSSING or NONE only.");
  m.def(
      "classify_self",
      [](const Triangles& a, const Triangles& b, bool report_duplicates) {
        return kinds_of(a, b, [=](const Triangle& p, const Triangle& q) {
          return classify_self(p, q, report_duplicates);
        });
      },
      "a"_a, "b"_a, "report_duplicates"_a = false,
      "Kind (n,) of pairs of triangles (n, 3, 3) of one body; what they share does not count.");
  m.def("intersections", &contacts, "a"_a, "b"_a, "kinds"_a,
        "Segments (n, 2, 3), outlines of coplanar overlaps as points (k, 3) and offsets (n + 1,). "
        "Pairs that do not meet get NaN.");
  m.def("orient3d", &orient3d_signs, "a"_a, "b"_a, "c"_a, "d"_a,
        "Exact sign (n,) of det[a-d; b-d; c-d] for points (n, 3) with |x| <= 1e100.");
  m.def("orient2d", &orient2d_signs, "a"_a, "b"_a, "c"_a,
        "Exact sign (n,) of the turn a, b, c for points (n, 2) with |x| <= 1e100.");
  m.def("weld", &weld_array, "vertices"_a,
        "For each vertex of (n, 3) the smallest index (n,) with exactly equal coordinates.");
  m.def("transform", &transform_array, "vertices"_a, "pose"_a,
        "Vertices (n, 3) moved by a pose (4, 4), without fma, always in the same order.");
  m.def("brute_pairs", &brute_between, "vertices_a"_a, "faces_a"_a, "vertices_b"_a, "faces_b"_a,
        "touching_include"_a = true, "workers"_a = 0, "tick"_a = nb::none(), "kernel"_a = "exact",
        "margin"_a = 0.0,
        "Sorted pairs (n, 2) of faces of a and b that meet, and their kinds (n,): every pair with "
        "overlapping boxes by the test of that name. With a margin, exactly those within it.");
  m.def("brute_self_pairs", &brute_within, "vertices"_a, "faces"_a, "touching_include"_a = true,
        "report_duplicates"_a = false, "workers"_a = 0, "tick"_a = nb::none(), "margin"_a = 0.0,
        "Sorted pairs (n, 2) of faces of one mesh that meet, and their kinds (n,). With a margin, "
        "also those within it that share no vertex.");
}

}  // namespace impinge
