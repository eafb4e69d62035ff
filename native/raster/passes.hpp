// Edges inside other bodies, found by drawing: edges into a depth buffer, then the faces in front
// of them counted in a stencil buffer, fronts up and backs down.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ticker.hpp"
#include "raster/seen.hpp"

namespace impinge::raster {

struct Drawn {
  const std::int32_t* snapped;       // (n, 3), all within the image
  const std::int32_t* faces;         // (face_count, 3) rows of `snapped`
  const std::int32_t* body;          // of each face, rising
  const std::uint32_t* face_colour;  // what the last pass writes
  std::size_t face_count;
  const std::int32_t* edges;         // (edge_count, 2) rows of `snapped`, drawn in this order
  const std::int32_t* edge_body;     // of each edge
  const std::uint32_t* edge_colour;  // what the fourth pass writes
  std::size_t edge_count;
  std::int32_t resolution;

  Corners corners(std::size_t face) const { return corners_of(snapped, faces + 3 * face); }
};

enum class Variant { kCorrected, kOriginal, kPrinted };

// Pairs of bodies that are not looked for any more, since they were found.
class Known {
 public:
  // `pairs` is (count, 2), all of them below `bodies`.
  Known(const std::int32_t* pairs, std::size_t count, std::size_t bodies);

  // Those that are in a pair with a body.
  std::span<const std::int32_t> with(std::size_t body) const {
    return std::span(partners_).subspan(start_[body], start_[body + 1] - start_[body]);
  }
  std::size_t bodies() const { return start_.size() - 1; }

 private:
  std::vector<std::size_t> start_;
  std::vector<std::int32_t> partners_;
};

struct PassRules {
  Variant variant;
  bool prevent;  // faces of the body that owns the edge at a pixel do not count there
  Known known;   // nor do faces of a body that is in one of these pairs with the owner
};

// Buffers of the whole image.
struct Picture {
  std::int32_t* depth;      // of the edge drawn last, 0 for none
  std::uint8_t* stencil;    // at most 255, however many were counted
  std::uint32_t* edge_id;   // colour of the penetrating edge
  std::uint32_t* solid_id;  // colour of the penetrated body
};

// After passes 1, 2, 3, 4 and 7, and after what is no pair of different bodies was blanked.
constexpr int kPassStages = 6;
using Pictures = std::array<Picture, kPassStages>;

struct PassCounters {
  std::uint64_t line_fragments = 0, fill_fragments = 0;
  std::uint64_t edge_pixels = 0, pixels_penetrating = 0, negative_pixels = 0, self_pixels = 0;
  // Summed over all threads.
  double edges_seconds = 0, count_seconds = 0, ids_seconds = 0;

  void add(const PassCounters& other);
};

// A pixel that shows an edge of one body inside another.
struct PixelPair {
  std::uint32_t pixel, edge_id, solid_id;
};

// The pixels that show a pair, ascending; fills all `stages` unless that is null.
std::vector<PixelPair> draw_passes(const Drawn& drawn, const PassRules& rules, int workers,
                                   const Ticker::Callback& tick, const Pictures* stages,
                                   PassCounters& counters);

}  // namespace impinge::raster
