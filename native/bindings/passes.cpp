#include "raster/passes.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/pool.hpp"
#include "base/stopwatch.hpp"
#include "bindings/arrays.hpp"
#include "bindings/checks.hpp"
#include "bindings/mesh_checks.hpp"
#include "bindings/ticking.hpp"
#include "mesh/edges.hpp"

namespace impinge::raster {
namespace {

using namespace nb::literals;
using Colours = Given<std::uint32_t, -1>;
using DepthArray = NewArray<std::int32_t, -1, -1>;
using StencilArray = NewArray<std::uint8_t, -1, -1>;
using ColourArray = NewArray<std::uint32_t, -1, -1>;
using ColourList = NewArray<std::uint32_t, -1>;
using EdgeArray = NewArray<std::int32_t, -1, 2>;
using IndexArray = NewArray<std::int32_t, -1>;
using Stage =
    std::tuple<DepthArray::Array, StencilArray::Array, ColourArray::Array, ColourArray::Array>;
using CounterDict = nb::typed<nb::dict, nb::str, double>;
using StageDict = nb::typed<nb::dict, nb::str, Stage>;

constexpr const char* kStageNames[kPassStages] = {"edges",       "plus",       "minus",
                                                  "penetrating", "penetrated", "result"};

Variant variant_of(const std::string& name) {
  if (name == "corrected") return Variant::kCorrected;
  if (name == "original") return Variant::kOriginal;
  require(name == "printed", "the variant must be corrected, original or printed");
  return Variant::kPrinted;
}

// The buffers after each pass, until they are arrays.
struct Dumped {
  struct Buffers {
    DepthArray depth;
    StencilArray stencil;
    ColourArray edge_id, solid_id;
    explicit Buffers(std::size_t n) : depth(n), stencil(n), edge_id(n), solid_id(n) {}
  };
  std::vector<Buffers> buffers;
  Pictures pictures;

  explicit Dumped(std::size_t n) {
    for (int s = 0; s < kPassStages; ++s) buffers.emplace_back(n);
    for (int s = 0; s < kPassStages; ++s) {
      Buffers& b = buffers[s];
      pictures[s] = {b.depth.data.get(), b.stencil.data.get(), b.edge_id.data.get(),
                     b.solid_id.data.get()};
    }
  }

  StageDict give(std::size_t side, bool with_plus) {
    StageDict stages;
    for (int s = 0; s < kPassStages; ++s) {
      if (s == 1 && !with_plus) continue;
      Buffers& b = buffers[s];
      stages[kStageNames[s]] = Stage{b.depth.give({side, side}), b.stencil.give({side, side}),
                                     b.edge_id.give({side, side}), b.solid_id.give({side, side})};
    }
    return stages;
  }
};

CounterDict dict_of(const PassCounters& counters, double seconds) {
  // threads work on all stages at once: each has its share of the time
  const double spent = counters.edges_seconds + counters.count_seconds + counters.ids_seconds;
  const double share = spent > 0 ? seconds / spent : 0;
  CounterDict counted;
  counted["edges_seconds"] = share * counters.edges_seconds;
  counted["count_seconds"] = share * counters.count_seconds;
  counted["ids_seconds"] = share * counters.ids_seconds;
  counted["line_fragments"] = counters.line_fragments;
  counted["edge_pixels"] = counters.edge_pixels;
  counted["fill_fragments"] = counters.fill_fragments;
  counted["negative_pixels"] = counters.negative_pixels;
  counted["pixels_penetrating"] = counters.pixels_penetrating;
  counted["self_pixels"] = counters.self_pixels;
  return counted;
}

std::tuple<ColourList::Array, ColourList::Array, ColourList::Array, StageDict, CounterDict>
draw_passes_py(const Faces& snapped, const Faces& faces, const Indices& body,
               const Colours& face_colour, const IndexPairs& edges, const Indices& edge_body,
               const Colours& edge_colour, std::size_t bodies, int resolution,
               const std::string& variant, bool prevent, bool dump, int workers, nb::object tick,
               const std::optional<IndexPairs>& known) {
  const std::size_t m = faces.shape(0), e = edges.shape(0);
  check_resolution(resolution);
  require(body.shape(0) == m && face_colour.shape(0) == m,
          "body and face_colour must have one entry per face");
  require(edge_body.shape(0) == e && edge_colour.shape(0) == e,
          "edge_body and edge_colour must have one entry per edge");
  require(m >> 30 == 0 && e >> 32 == 0, "too many faces in one scene");
  check_below(faces.data(), 3 * m, snapped.shape(0), "faces must be rows of snapped");
  check_below(edges.data(), 2 * e, snapped.shape(0), "edges must be rows of snapped");
  check_below(body.data(), m, bodies, "body must be below the number of bodies");
  check_below(edge_body.data(), e, bodies, "edge_body must be below the number of bodies");
  require(std::is_sorted(body.data(), body.data() + m), "body must not fall");
  check_snapped(snapped, resolution);
  const Drawn drawn{
      snapped.data(),   faces.data(),       body.data(), face_colour.data(), m, edges.data(),
      edge_body.data(), edge_colour.data(), e,           resolution};
  const std::size_t k = known ? known->shape(0) : 0;
  if (k) check_below(known->data(), 2 * k, bodies, "known must be below the number of bodies");
  const PassRules rules{variant_of(variant), prevent,
                        Known(k ? known->data() : nullptr, k, bodies)};
  const Ticker::Callback callback = make_tick(std::move(tick));
  const auto side = static_cast<std::size_t>(resolution);
  std::optional<Dumped> dumped;
  if (dump) dumped.emplace(side * side);
  std::vector<PixelPair> pairs;
  PassCounters counters;
  Stopwatch watch;
  {
    nb::gil_scoped_release release;
    pairs = draw_passes(drawn, rules, resolve_workers(workers), callback,
                        dumped ? &dumped->pictures : nullptr, counters);
  }
  const double seconds = watch.lap();
  StageDict stages;
  if (dumped) stages = dumped->give(side, rules.variant != Variant::kOriginal);
  const std::size_t n = pairs.size();
  ColourList pixels(n), edge_id(n), solid_id(n);
  for (std::size_t i = 0; i < n; ++i) {
    pixels.data[i] = pairs[i].pixel;
    edge_id.data[i] = pairs[i].edge_id;
    solid_id.data[i] = pairs[i].solid_id;
  }
  return {pixels.give({n}), edge_id.give({n}), solid_id.give({n}), stages,
          dict_of(counters, seconds)};
}

std::tuple<EdgeArray::Array, IndexArray::Array> edges_py(const Points& vertices, const Faces& faces,
                                                         int workers) {
  check_mesh(vertices, faces);
  Edges found;
  {
    nb::gil_scoped_release release;
    found = edges_of(vertices.data(), vertices.shape(0), faces.data(), faces.shape(0),
                     resolve_workers(workers));
  }
  const std::size_t n = found.face.size();
  EdgeArray edges(2 * n);
  IndexArray face(n);
  std::copy(found.edges.begin(), found.edges.end(), edges.data.get());
  std::copy(found.face.begin(), found.face.end(), face.data.get());
  return {edges.give({n, 2}), face.give({n})};
}

}  // namespace
}  // namespace impinge::raster

namespace impinge {

void bind_passes(nb::module_& m) {
  using namespace raster;
  m.def("edges", &edges_py, "vertices"_a, "faces"_a, "workers"_a = 0,
        "Edges (e, 2) of a mesh, each once, and the last face (e,) that has it, in the order of "
        "that; equal vertices count as one.");
  m.def(
      "draw_passes", &draw_passes_py, "snapped"_a, "faces"_a, "body"_a, "face_colour"_a, "edges"_a,
      "edge_body"_a, "edge_colour"_a, "bodies"_a, "resolution"_a, "variant"_a, "prevent"_a,
      "dump"_a = false, "workers"_a = 0, "tick"_a.none() = nb::none(),
      "known"_a.none() = nb::none(),
      "Pixels (k,) that show a pair, colours of their edges and of the bodies these are in, the "
      "buffers after each pass when asked for, and counters. Pairs (n, 2) of bodies that are known "
      "are not looked for.");
}

}  // namespace impinge
