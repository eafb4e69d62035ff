#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "base/pool.hpp"
#include "base/sort.hpp"
#include "bindings/arrays.hpp"
#include "bindings/checks.hpp"
#include "bindings/mesh_checks.hpp"
#include "bindings/ticking.hpp"
#include "mesh/closed.hpp"
#include "raster/exact.hpp"
#include "raster/gather.hpp"
#include "raster/masks.hpp"
#include "raster/pack.hpp"
#include "raster/pyramid.hpp"
#include "raster/separate.hpp"

namespace impinge::raster {
namespace {

using namespace nb::literals;
using Flags = Given<bool, -1>;
using Vector = Given<double, 3>;
using Axes = Given<double, 3, 3>;
using MaskIn = nb::ndarray<const std::uint8_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using BoxesIn = Given<std::int32_t, -1, 4>;
using CounterDict = nb::typed<nb::dict, nb::str, double>;
using RowArray = NewArray<std::int32_t, -1, 3>;
using IndexArray = NewArray<std::int32_t, -1>;
using BoxArray = NewArray<std::int32_t, -1, 4>;
using PairArray = NewArray<std::int32_t, -1, 2>;
using KindArray = NewArray<std::uint8_t, -1>;
using MaskArray = NewArray<std::uint8_t, -1, -1>;
using LevelArray = NewArray<std::int32_t, -1, -1, 4>;

// What is sampled, and the arrays it points into.
class BoundSeen {
 public:
  BoundSeen(Faces snapped, Faces faces, Indices body, Flags closed, Flags alone, int resolution)
      : snapped_(std::move(snapped)),
        faces_(std::move(faces)),
        body_(std::move(body)),
        closed_(std::move(closed)),
        alone_(std::move(alone)),
        seen_{snapped_.data(), faces_.data(),   body_.data(),    closed_.data(),
              alone_.data(),   alone_.shape(0), faces_.shape(0), resolution} {
    check_resolution(resolution);
    require(body_.shape(0) == seen_.size, "body must have one entry per face");
    require(closed_.shape(0) == alone_.shape(0), "closed and alone must have equal lengths");
    require(seen_.size >> kIdBits == 0, "more than 2**30 faces in one scene");
    check_below(faces_.data(), 3 * seen_.size, snapped_.shape(0), "faces must be rows of snapped");
    check_below(body_.data(), seen_.size, alone_.shape(0),
                "body must be below the length of alone");
    check_snapped(snapped_, resolution);
  }

  const Seen& seen() const { return seen_; }
  std::size_t bodies() const { return alone_.shape(0); }

 private:
  KeptFaces snapped_, faces_;
  Kept<std::int32_t, -1> body_;
  Kept<bool, -1> closed_, alone_;
  Seen seen_;
};

std::vector<BodyMesh> meshes_of(const std::vector<Points>& vertices,
                                const std::vector<Faces>& faces) {
  require(vertices.size() == faces.size(), "faces must be as many as vertices");
  std::vector<BodyMesh> bodies;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    check_mesh(vertices[i], faces[i]);
    bodies.push_back(
        {vertices[i].data(), vertices[i].shape(0), faces[i].data(), faces[i].shape(0)});
  }
  return bodies;
}

NewArray<double, 2, 3>::Array bounds_py(const std::vector<Points>& vertices,
                                        const std::vector<Faces>& faces, int workers) {
  const std::vector<BodyMesh> bodies = meshes_of(vertices, faces);
  NewArray<double, 2, 3> result(6);
  {
    nb::gil_scoped_release release;
    const Bounds bounds = bounds_of(bodies, resolve_workers(workers));
    std::copy_n(bounds.lo, 3, result.data.get());
    std::copy_n(bounds.hi, 3, result.data.get() + 3);
  }
  return result.give({2, 3});
}

Projection projection_of(const Vector& centre, const Axes& frame, const Vector& scale,
                         int resolution) {
  check_resolution(resolution);
  Projection p;
  std::copy_n(centre.data(), 3, p.centre);
  std::copy_n(frame.data(), 9, &p.axis[0][0]);
  std::copy_n(scale.data(), 3, p.scale);
  p.middle[0] = p.middle[1] = 128 * resolution;
  p.middle[2] = 1 << (kDepthBits - 1);
  return p;
}

RowArray::Array snap_py(const Points& vertices, const Vector& centre, const Axes& frame,
                        const Vector& scale, int resolution) {
  const Projection projection = projection_of(centre, frame, scale, resolution);
  const std::size_t n = vertices.shape(0);
  RowArray snapped(3 * n);
  {
    nb::gil_scoped_release release;
    snap(projection, vertices.data(), n, snapped.data.get());
  }
  return snapped.give({n, 3});
}

std::tuple<RowArray::Array, RowArray::Array, IndexArray::Array, IndexArray::Array> gather_py(
    const std::vector<Points>& vertices, const std::vector<Faces>& faces, const Flags& alone,
    const Vector& centre, const Axes& frame, const Vector& scale, int resolution, bool cull,
    int workers) {
  const std::vector<BodyMesh> bodies = meshes_of(vertices, faces);
  require(alone.shape(0) == bodies.size(), "alone must have one entry per body");
  const Projection projection = projection_of(centre, frame, scale, resolution);
  std::size_t vertex_count = 0;
  for (const BodyMesh& body : bodies) vertex_count += body.vertex_count;
  require(vertex_count >> 31 == 0, "more than 2**31 vertices in one scene");
  Gathered all;
  {
    nb::gil_scoped_release release;
    all = gather(bodies, alone.data(), projection, resolution, cull, resolve_workers(workers));
  }
  return {RowArray(std::move(all.snapped)).give({all.vertices, 3}),
          RowArray(std::move(all.faces)).give({all.size, 3}),
          IndexArray(std::move(all.body)).give({all.size}),
          IndexArray(std::move(all.face)).give({all.size})};
}

template <class Sample>
std::tuple<MaskArray::Array, CounterDict> sampled(const BoundSeen& seen, nb::object tick,
                                                  const Sample& sample) {
  const auto side = static_cast<std::size_t>(seen.seen().resolution);
  const Ticker::Callback callback = make_tick(std::move(tick));
  MaskArray mask(side * side);
  SampleCounters counters;
  {
    nb::gil_scoped_release release;
    counters = sample(callback, mask.data.get());
  }
  CounterDict counted;
  counted["rays"] = counters.rays;
  counted["fragments"] = counters.fragments;
  counted["layers"] = counters.layers;
  counted["odd_pixels"] = counters.odd_pixels;
  return {mask.give({side, side}), counted};
}

std::tuple<MaskArray::Array, CounterDict> sample_rays_py(const BoundSeen& seen,
                                                         std::optional<std::uint32_t> layers,
                                                         bool mark_deeper, bool both_ends,
                                                         bool front_first, std::int32_t gap,
                                                         int workers, nb::object tick) {
  RayRules rules;
  if (layers) rules.layers = *layers;
  rules.mark_deeper = mark_deeper;
  rules.both_ends = both_ends;
  rules.front_first = front_first;
  rules.gap = gap;
  return sampled(seen, std::move(tick), [&](const Ticker::Callback& callback, std::uint8_t* mask) {
    return sample_rays(seen.seen(), rules, resolve_workers(workers), callback, mask);
  });
}

std::tuple<MaskArray::Array, CounterDict> sample_squares_py(const BoundSeen& seen, int workers,
                                                            nb::object tick) {
  return sampled(seen, std::move(tick), [&](const Ticker::Callback& callback, std::uint8_t* mask) {
    return sample_squares(seen.seen(), resolve_workers(workers), callback, mask);
  });
}

Pyramid pyramid_of(const MaskIn& mask, bool half, int workers) {
  require(mask.shape(0) == mask.shape(1), "the mask must be square");
  check_resolution(static_cast<std::int64_t>(mask.shape(0)));
  nb::gil_scoped_release release;
  return Pyramid(mask.data(), static_cast<std::int32_t>(mask.shape(0)), half,
                 resolve_workers(workers));
}

LevelArray::Array level_of(const Pyramid& pyramid, int level) {
  if (level < 0 || level >= pyramid.levels()) throw nb::index_error("no such level");
  const auto side = static_cast<std::size_t>(pyramid.side(level));
  LevelArray boxes(4 * side * side);
  for (std::size_t i = 0; i < side * side; ++i) {
    const ImageBox box = pyramid.box(level, static_cast<std::int32_t>(i % side),
                                     static_cast<std::int32_t>(i / side));
    std::copy_n(box.low, 2, boxes.data.get() + 4 * i);
    std::copy_n(box.high, 2, boxes.data.get() + 4 * i + 2);
  }
  return boxes.give({side, side, 4});
}

BoxArray::Array separate_py(const BoundSeen& seen, const Pyramid& pyramid, int workers) {
  require(seen.seen().resolution == pyramid.resolution(), "the resolutions must be equal");
  BoxArray boxes(4 * seen.seen().size);
  {
    nb::gil_scoped_release release;
    separate(seen.seen(), pyramid, resolve_workers(workers), boxes.data.get());
  }
  return boxes.give({seen.seen().size, 4});
}

std::tuple<IndexArray::Array, BoxArray::Array> pack_py(const BoxesIn& sparse,
                                                       std::optional<std::size_t> width) {
  require(!width || *width > 0, "the width must be positive");
  Packed packed;
  // one row holds all
  if (width) width = std::min(*width, std::max<std::size_t>(sparse.shape(0), 1));
  {
    nb::gil_scoped_release release;
    packed = width ? pack_by_sweep(sparse.data(), sparse.shape(0), *width)
                   : pack_by_scan(sparse.data(), sparse.shape(0));
  }
  const std::size_t n = packed.ids.size();
  IndexArray ids(n);
  BoxArray boxes(4 * n);
  std::copy(packed.ids.begin(), packed.ids.end(), ids.data.get());
  std::copy(packed.boxes.begin(), packed.boxes.end(), boxes.data.get());
  return {ids.give({n}), boxes.give({n, 4})};
}

// Bodies that are alone have all their faces in `seen`, one after the other.
void add_neighbours(const ExactQuery& query, int workers, const Ticker::Callback& tick,
                    Findings& findings, ExactCounters& counters) {
  const Seen& seen = query.seen;
  std::int32_t vertex_offset = 0;
  for (std::size_t b = 0; b < query.bodies.size(); ++b) {
    const auto body = static_cast<std::int32_t>(b);
    if (seen.alone[b]) {
      const auto first = std::lower_bound(seen.body, seen.body + seen.size, body) - seen.body;
      exact_neighbours(query, body, static_cast<std::size_t>(first), vertex_offset, workers, tick,
                       findings, counters);
    }
    vertex_offset += static_cast<std::int32_t>(query.bodies[b].vertex_count);
  }
}

std::vector<bool> wanted_pairs(const std::optional<IndexPairs>& pairs, std::size_t bodies) {
  std::vector<bool> wanted;
  if (!pairs) return wanted;
  check_below(pairs->data(), pairs->size(), bodies, "body index out of range");
  wanted.resize(bodies * bodies, false);
  for (std::size_t i = 0; i < pairs->shape(0); ++i) {
    const std::size_t a = (*pairs)(i, 0), b = (*pairs)(i, 1);
    wanted[a * bodies + b] = wanted[b * bodies + a] = true;
  }
  return wanted;
}

void check_origin(const BoundSeen& seen, const std::vector<BodyMesh>& bodies, const Indices& face) {
  require(bodies.size() == seen.bodies(), "one mesh per body is needed");
  require(face.shape(0) == seen.seen().size, "face must have one entry per face");
  std::vector<std::size_t> seen_faces(bodies.size(), 0);
  for (std::size_t i = 0; i < face.shape(0); ++i) {
    const std::int32_t body = seen.seen().body[i];
    require(face(i) >= 0 && std::size_t(face(i)) < bodies[body].face_count,
            "face must be a face of its body");
    ++seen_faces[body];
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    require(!seen.seen().alone[b] || seen_faces[b] == bodies[b].face_count,
            "a body that is alone must be seen as a whole");
  }
}

std::tuple<PairArray::Array, PairArray::Array, KindArray::Array, CounterDict> exact_py(
    const std::vector<Points>& vertices, const std::vector<Faces>& faces, const BoundSeen& seen,
    const Indices& face, const Indices& ids, const BoxesIn& boxes,
    const std::optional<IndexPairs>& body_pairs, bool touching, bool report_duplicates,
    bool conservative, int workers, nb::object tick) {
  const std::vector<BodyMesh> bodies = meshes_of(vertices, faces);
  check_origin(seen, bodies, face);
  require(ids.shape(0) == boxes.shape(0), "ids and boxes must have equal lengths");
  check_below(ids.data(), ids.shape(0), seen.seen().size, "ids must be faces");
  check_below(boxes.data(), boxes.size(), 256 * std::size_t(seen.seen().resolution) + 1,
              "boxes must be within the image");
  const Ticker::Callback callback = make_tick(std::move(tick));
  const ExactQuery query{bodies,
                         seen.seen(),
                         face.data(),
                         wanted_pairs(body_pairs, bodies.size()),
                         {touching, report_duplicates},
                         conservative};
  std::optional<PairArray> pairs, owners;
  std::optional<KindArray> kinds;
  ExactCounters counters;
  std::size_t n = 0;
  {
    nb::gil_scoped_release release;
    const int threads = resolve_workers(workers);
    Findings findings(threads);
    exact_pairs(query, {ids.data(), ids.shape(0)}, boxes.data(), threads, callback, findings,
                counters);
    if (conservative) add_neighbours(query, threads, callback, findings, counters);
    const Buffer<Key> keys = findings.together();
    n = keys.size();
    pairs.emplace(2 * n);
    owners.emplace(2 * n);
    kinds.emplace(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t both[2] = {key_a(keys[i]), key_b(keys[i])};
      for (int k = 0; k < 2; ++k) {
        pairs->data[2 * i + k] = face.data()[both[k]];
        owners->data[2 * i + k] = seen.seen().body[both[k]];
      }
      kinds->data[i] = static_cast<std::uint8_t>(key_kind(keys[i]));
    }
  }
  CounterDict counted;
  counted["downloaded"] = ids.shape(0);
  counted["potentially_colliding"] = counters.potentially_colliding;
  counted["tests"] = counters.tests;
  counted["hits"] = n;
  return {pairs->give({n, 2}), owners->give({n, 2}), kinds->give({n}), counted};
}

bool is_closed_py(const Points& vertices, const Faces& faces, int workers) {
  check_mesh(vertices, faces);
  nb::gil_scoped_release release;
  return is_closed(vertices.data(), vertices.shape(0), faces.data(), faces.shape(0),
                   resolve_workers(workers));
}

}  // namespace
}  // namespace impinge::raster

namespace impinge {

void bind_raster(nb::module_& m) {
  using namespace raster;
  m.def("is_closed", &is_closed_py, "vertices"_a, "faces"_a, "workers"_a = 0,
        "Whether every edge is used once in each direction; equal vertices count as one.");
  m.def("bounds_of_bodies", &bounds_py, "vertices"_a, "faces"_a, "workers"_a = 0,
        "Lowest and highest corner (2, 3) of the vertices that faces use; inf, -inf without any.");
  m.def("snap", &snap_py, "vertices"_a, "centre"_a, "frame"_a, "scale"_a, "resolution"_a,
        "Vertices (n, 3) as whole numbers: the middle of the image plus "
        "rint(scale * (frame @ (v - centre))).");
  m.def("gather", &gather_py, "vertices"_a, "faces"_a, "alone"_a, "centre"_a, "frame"_a, "scale"_a,
        "resolution"_a, "cull"_a, "workers"_a = 0,
        "The bodies in one: snapped vertices, faces of them, and the body and the face each is; "
        "with cull only faces that may meet another body or are of a body that is alone.");
  nb::class_<BoundSeen>(m, "Seen", "What is sampled: triangles in whole numbers.")
      .def(nb::init<Faces, Faces, Indices, Flags, Flags, int>(), "snapped"_a, "faces"_a, "body"_a,
           "closed"_a, "alone"_a, "resolution"_a);
  m.def("sample_rays", &sample_rays_py, "seen"_a, "layers"_a.none() = nb::none(),
        "mark_deeper"_a = false, "both_ends"_a = false, "front_first"_a = true, "gap"_a = 1,
        "workers"_a = 0, "tick"_a.none() = nb::none(),
        "Mask of the rays through the middles of pixels on which layers do not alternate, and "
        "counters.");
  m.def("sample_squares", &sample_squares_py, "seen"_a, "workers"_a = 0,
        "tick"_a.none() = nb::none(),
        "Mask of the pixels in which two triangles may meet, and counters.");
  nb::class_<Pyramid>(m, "Pyramid", "Boxes of the pixels that are on, level by level.")
      .def("__len__", &Pyramid::levels)
      .def("__getitem__", &level_of, "level"_a,
           "Boxes (n, n, 4) of a level in subpixels; inside out where nothing is on.");
  m.def("merge", &pyramid_of, "mask"_a, "half"_a = false, "workers"_a = 0,
        "The pyramid of a mask; with half, its boxes as half floats hold them.");
  m.def("separate", &separate_py, "seen"_a, "pyramid"_a, "workers"_a = 0,
        "Part (m, 4) of each triangle's box that holds pixels that are on; zero for none.");
  m.def("pack", &pack_py, "sparse"_a, "width"_a.none() = nb::none(),
        "Rows that are not zero: ids (k,) and boxes (k, 4). By a prefix sum, or with a width by "
        "sweeps over an image of that many columns.");
  m.def("exact", &exact_py, "vertices"_a, "faces"_a, "seen"_a, "face"_a, "ids"_a, "boxes"_a,
        "body_pairs"_a.none(), "touching"_a, "report_duplicates"_a, "conservative"_a, "workers"_a,
        "tick"_a.none(),
        "Colliding pairs of the candidates: (pairs, bodies, kinds, counters), sorted. When "
        "conservative, also those of faces of a body that have a common vertex.");
}

}  // namespace impinge
