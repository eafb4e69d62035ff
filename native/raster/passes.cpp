#include "raster/passes.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "base/pool.hpp"
#include "base/stopwatch.hpp"
#include "raster/bands.hpp"
#include "raster/cover.hpp"
#include "raster/line.hpp"
#include "raster/plane.hpp"

namespace impinge::raster {
namespace {

constexpr std::int32_t kFullStencil = 255;  // of the hardware of the papers

struct PixelBox {
  std::int32_t left = std::numeric_limits<std::int32_t>::max(), right = -1;
  std::int32_t top = std::numeric_limits<std::int32_t>::max(), bottom = -1;

  bool empty() const { return right < left; }
  void include(std::int32_t y, std::int32_t first, std::int32_t last) {
    left = std::min(left, first);
    right = std::max(right, last);
    top = std::min(top, y);
    bottom = std::max(bottom, y);
  }
  bool meets(const Cover& c) const {
    return left <= c.right && c.left <= right && top <= c.bottom && c.top <= bottom;
  }
};

// The depth of a face from pixel to pixel of a row.
class DepthWalk {
 public:
  DepthWalk(const DepthPlane& plane, std::int32_t x, std::int32_t y)
      : at_(static_cast<std::uint32_t>(plane.at(x, y))),
        step_(static_cast<std::uint32_t>(plane.across)),
        low_(plane.nearest * (1 << kDepthFraction)),
        high_(plane.farthest * (1 << kDepthFraction)) {}

  std::int32_t next() {
    const std::int32_t depth = std::clamp(static_cast<std::int32_t>(at_), low_, high_);
    at_ += step_;
    return depth >> kDepthFraction;
  }

 private:
  std::uint32_t at_, step_;
  std::int32_t low_, high_;
};

// The passes over one band of the image at a time. Faces are drawn once for both counts, of all
// bodies and of each: a count up and then down depends only on the numbers of fronts and backs.
// The last pass is drawn only where a body was found to hold an edge.
class BandPasses {
 public:
  PassCounters counters;

  BandPasses(const Drawn& drawn, const PassRules& rules)
      : drawn_(drawn), rules_(rules), hidden_(rules.known.bodies() + 1) {}

  // Buffers are zero but at pixels that hold an edge: only those are emptied.
  void begin(std::int32_t top, std::int32_t bottom) {
    top_ = top;
    bottom_ = bottom;
    for (std::vector<std::int32_t>* buffer : buffers_) {
      buffer->resize(static_cast<std::size_t>(bottom - top) * drawn_.resolution);
      for (const std::uint32_t p : lit_) (*buffer)[p] = 0;
    }
    lit_.clear();
    row_starts_.clear();
  }

  void draw_edges(std::span<const std::uint32_t> edges) {
    Stopwatch watch;
    for (const std::uint32_t edge : edges) {
      const std::int32_t body = drawn_.edge_body[edge] + 1;
      line(edge).for_each_pixel(top_, bottom_, [&](std::int32_t x, std::int32_t y, std::int32_t z) {
        const std::size_t p = place(x, y);
        depth_[p] = z;
        owner_[p] = body;
        edge_[p] = static_cast<std::int32_t>(edge);
        ++counters.line_fragments;
      });
    }
    for (std::uint32_t p = 0; p < depth_.size(); ++p) {
      if (p % drawn_.resolution == 0) row_starts_.push_back(lit_.size());
      if (owner_[p] != 0) lit_.push_back(p);
    }
    row_starts_.push_back(lit_.size());
    counters.edge_pixels += lit_.size();
    counters.edges_seconds += watch.lap();
  }

  // The faces of one body.
  void draw_body(std::span<const std::uint32_t> faces) {
    Stopwatch watch;
    const std::int32_t name = drawn_.body[faces[0]] + 1;
    const auto known = rules_.known.with(name - 1);
    hide(name, known, true);
    PixelBox reached;
    for (const std::uint32_t face : faces) {
      known.empty() ? count<false>(face, name, reached) : count<true>(face, name, reached);
    }
    counters.count_seconds += watch.lap();
    const PixelBox inside = settle(reached);
    if (!inside.empty()) {
      for (const std::uint32_t face : faces) identify(face, name, inside);
    }
    hide(name, known, false);
    counters.ids_seconds += watch.lap();
  }

  // The pixels of the band that show a pair.
  std::vector<PixelPair> finish(std::span<const std::uint32_t> edges, const Pictures* stages) {
    Stopwatch watch;
    for (const std::uint32_t p : lit_) {
      after_count_[p] = rules_.variant == Variant::kOriginal
                            ? shared_[p]
                            : counted(0, all_fronts_[p], all_backs_[p]);
      after_ids_[p] = after_count_[p];
      counters.negative_pixels += all_fronts_[p] < all_backs_[p];
    }
    name_edges(edges);
    const auto start = static_cast<std::uint32_t>(top_ * drawn_.resolution);
    std::vector<PixelPair> pairs;
    for (const std::uint32_t p : lit_) {
      const bool both = edge_id_[p] != 0 && solid_id_[p] != 0;
      const bool own = both && owner_[p] == solid_body_[p];
      counters.pixels_penetrating += edge_id_[p] != 0;
      counters.self_pixels += own;
      if (!both || own) continue;
      pairs.push_back({start + p, static_cast<std::uint32_t>(edge_id_[p]),
                       static_cast<std::uint32_t>(solid_id_[p])});
    }
    if (stages != nullptr) show(start, pairs, *stages);
    counters.ids_seconds += watch.lap();
    return pairs;
  }

 private:
  std::size_t place(std::int32_t x, std::int32_t y) const {
    return static_cast<std::size_t>(y - top_) * drawn_.resolution + x;
  }
  Line line(std::uint32_t edge) const {
    const std::int32_t* ends = drawn_.edges + 2 * std::size_t(edge);
    return Line(drawn_.snapped + 3 * std::size_t(ends[0]),
                drawn_.snapped + 3 * std::size_t(ends[1]), drawn_.resolution);
  }
  // Backs count where they are at the depth of the edge, except in the first version.
  std::int32_t reach(bool back) const { return back && rules_.variant != Variant::kOriginal; }

  // A stencil that goes up and then down; only the listing as printed has to stop at 255.
  std::int32_t counted(std::int32_t stencil, std::int32_t fronts, std::int32_t backs) const {
    const std::int32_t up = stencil + fronts;
    const bool narrow = rules_.variant == Variant::kPrinted;
    return std::max((narrow ? std::min(up, kFullStencil) : up) - backs, 0);
  }
  // Owners of edges for which the faces of a body do not count.
  void hide(std::int32_t name, std::span<const std::int32_t> known, bool hidden) {
    hidden_[name] = hidden && rules_.prevent;
    for (const std::int32_t body : known) hidden_[body + 1] = hidden;
  }

  // Passes 2 and 3, 5 and 6.
  template <bool kSomeKnown>
  void count(std::uint32_t face, std::int32_t name, PixelBox& reached) {
    const Corners c = drawn_.corners(face);
    const std::int64_t area = image_area(c);
    if (area == 0) return;
    const DepthPlane plane(c, area);
    std::int32_t* counts = (area > 0 ? backs_ : fronts_).data();
    const std::int32_t reach = this->reach(area > 0), left_out = rules_.prevent ? name : -1;
    Cover::middles(c, area, drawn_.resolution)
        .for_each_span(top_, bottom_, [&](std::int32_t y, std::int32_t first, std::int32_t last) {
          const std::size_t start = place(first, y);
          DepthWalk walk(plane, first, y);
          for (std::int32_t i = 0; i <= last - first; ++i) {
            const std::size_t p = start + i;
            const bool seen = kSomeKnown ? !hidden_[owner_[p]] : owner_[p] != left_out;
            counts[p] += (walk.next() < depth_[p] + reach) & seen;
          }
          reached.include(y, first, last);
          counters.fill_fragments += last - first + 1;
        });
  }

  // Adds the counts of a body to those of all, and gives the box of pixels where it holds an edge.
  PixelBox settle(const PixelBox& reached) {
    PixelBox inside;
    for (std::int32_t y = reached.top; y <= reached.bottom; ++y) {
      const auto begin = lit_.begin() + row_starts_[y - top_];
      const auto end = lit_.begin() + row_starts_[y - top_ + 1];
      const std::size_t row = place(0, y);
      for (auto lit = std::lower_bound(begin, end, row + reached.left);
           lit != end && *lit <= row + reached.right; ++lit) {
        const std::uint32_t p = *lit;
        const std::int32_t fronts = fronts_[p], backs = backs_[p];
        if ((fronts | backs | stencil_[p]) == 0) continue;
        fronts_[p] = backs_[p] = 0;
        all_fronts_[p] += fronts;
        all_backs_[p] += backs;
        shared_[p] = counted(shared_[p], fronts, backs);
        stencil_[p] = counted(stencil_[p], fronts, backs);
        const auto x = static_cast<std::int32_t>(p - row);
        if (stencil_[p] != 0) inside.include(y, x, x);
      }
    }
    return inside;
  }

  // Pass 7.
  void identify(std::uint32_t face, std::int32_t name, const PixelBox& inside) {
    const bool printed = rules_.variant == Variant::kPrinted;
    const Corners c = drawn_.corners(face);
    const std::int64_t area = image_area(c);
    if (area == 0 || (area > 0) != printed) return;
    const Cover cover = Cover::middles(c, area, drawn_.resolution);
    if (!inside.meets(cover)) return;
    const DepthPlane plane(c, area);
    const std::int32_t reach = printed;
    cover.for_each_span(std::max(top_, inside.top), inside.bottom + 1,
                        [&](std::int32_t y, std::int32_t first, std::int32_t last) {
                          const std::size_t start = place(first, y);
                          DepthWalk walk(plane, first, y);
                          for (std::int32_t i = 0; i <= last - first; ++i) {
                            const std::size_t p = start + i;
                            const bool in_front = walk.next() < depth_[p] + reach;
                            if (!in_front || stencil_[p] == 0 || hidden_[owner_[p]]) continue;
                            solid_id_[p] = static_cast<std::int32_t>(drawn_.face_colour[face]);
                            solid_body_[p] = name;
                            stencil_[p] = printed ? stencil_[p] - 1 : 0;
                          }
                        });
  }

  // Pass 4.
  void name_edges(std::span<const std::uint32_t> edges) {
    const auto name = [&](std::size_t p, std::uint32_t edge) {
      edge_id_[p] = static_cast<std::int32_t>(drawn_.edge_colour[edge]);
    };
    if (rules_.variant == Variant::kOriginal) {
      for (const std::uint32_t edge : edges) {
        line(edge).for_each_pixel(top_, bottom_,
                                  [&](std::int32_t x, std::int32_t y, std::int32_t z) {
                                    const std::size_t p = place(x, y);
                                    if (depth_[p] != z || after_ids_[p] == 0) return;
                                    name(p, edge);
                                    after_ids_[p] = 0;
                                  });
      }
      return;
    }
    const std::int32_t mask = rules_.variant == Variant::kPrinted ? 127 : -1;
    for (const std::uint32_t p : lit_) {
      if ((after_count_[p] & mask) != 0) name(p, static_cast<std::uint32_t>(edge_[p]));
    }
  }

  void show(std::size_t start, std::span<const PixelPair> pairs, const Pictures& stages) const {
    for (std::size_t p = 0; p < depth_.size(); ++p) {
      const std::size_t at = start + p;
      const std::int32_t stencils[kPassStages] = {
          0, all_fronts_[p], after_count_[p], after_ids_[p], stencil_[p], stencil_[p]};
      const auto edge = static_cast<std::uint32_t>(edge_id_[p]);
      const auto solid = static_cast<std::uint32_t>(solid_id_[p]);
      const std::uint32_t edges[kPassStages] = {0, 0, 0, edge, edge, 0};
      const std::uint32_t solids[kPassStages] = {0, 0, 0, 0, solid, 0};
      for (int s = 0; s < kPassStages; ++s) {
        stages[s].depth[at] = depth_[p];
        stages[s].stencil[at] = static_cast<std::uint8_t>(std::min(stencils[s], kFullStencil));
        stages[s].edge_id[at] = edges[s];
        stages[s].solid_id[at] = solids[s];
      }
    }
    for (const PixelPair& pair : pairs) {
      stages.back().edge_id[pair.pixel] = pair.edge_id;
      stages.back().solid_id[pair.pixel] = pair.solid_id;
    }
  }

  const Drawn& drawn_;
  const PassRules& rules_;
  std::vector<std::uint8_t> hidden_;  // by name, while a body is drawn
  std::int32_t top_ = 0, bottom_ = 0;
  std::vector<std::uint32_t> lit_;       // pixels that hold an edge, ascending
  std::vector<std::size_t> row_starts_;  // where those of each row begin
  // Names of bodies are one more than their index, 0 is nobody.
  std::vector<std::int32_t> depth_, owner_, fronts_, backs_, all_fronts_, all_backs_;
  std::vector<std::int32_t> shared_;   // stencil of passes 2 and 3 when taken body by body
  std::vector<std::int32_t> stencil_;  // of passes 5 to 7
  std::vector<std::int32_t> solid_body_, after_count_, after_ids_;
  std::vector<std::int32_t> edge_, edge_id_, solid_id_;
  const std::array<std::vector<std::int32_t>*, 14> buffers_ = {
      &depth_,   &owner_,      &fronts_,      &backs_,     &all_fronts_, &all_backs_, &shared_,
      &stencil_, &solid_body_, &after_count_, &after_ids_, &edge_,       &edge_id_,   &solid_id_};
};

template <class Vertices>
RowSpan rows_of(const std::int32_t* snapped, const Vertices& vertices, std::int32_t resolution) {
  std::int32_t low = std::numeric_limits<std::int32_t>::max(), high = 0;
  for (const std::int32_t v : vertices) {
    low = std::min(low, snapped[3 * std::size_t(v) + 1]);
    high = std::max(high, snapped[3 * std::size_t(v) + 1]);
  }
  return {pixel_of(low, resolution), pixel_of(high, resolution)};
}

}  // namespace

Known::Known(const std::int32_t* pairs, std::size_t count, std::size_t bodies)
    : start_(bodies + 1), partners_(2 * count) {
  for (std::size_t i = 0; i < 2 * count; ++i) ++start_[pairs[i]];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  for (std::size_t i = 0; i < 2 * count; ++i) partners_[--start_[pairs[i]]] = pairs[i ^ 1];
}

void PassCounters::add(const PassCounters& other) {
  line_fragments += other.line_fragments;
  fill_fragments += other.fill_fragments;
  edge_pixels += other.edge_pixels;
  pixels_penetrating += other.pixels_penetrating;
  negative_pixels += other.negative_pixels;
  self_pixels += other.self_pixels;
  edges_seconds += other.edges_seconds;
  count_seconds += other.count_seconds;
  ids_seconds += other.ids_seconds;
}

std::vector<PixelPair> draw_passes(const Drawn& drawn, const PassRules& rules, int workers,
                                   const Ticker::Callback& tick, const Pictures* stages,
                                   PassCounters& counters) {
  const auto rows = [&](const std::int32_t* ids, std::size_t width) {
    return [&drawn, ids, width](std::size_t i) {
      return rows_of(drawn.snapped, std::span(ids + width * i, width), drawn.resolution);
    };
  };
  const Bands faces(drawn.resolution, drawn.face_count, workers, rows(drawn.faces, 3));
  const Bands edges(drawn.resolution, drawn.edge_count, workers, rows(drawn.edges, 2));
  std::vector<std::unique_ptr<BandPasses>> passes(std::max(1, workers));
  std::vector<std::vector<PixelPair>> found(faces.count());
  Ticker ticker(faces.count(), tick);
  parallel_for(workers, faces.count(), 1, [&](std::size_t band, std::size_t end, int worker) {
    if (!passes[worker]) passes[worker] = std::make_unique<BandPasses>(drawn, rules);
    BandPasses& pass = *passes[worker];
    for (; band < end; ++band) {
      pass.begin(faces.top(band), faces.top(band) + faces.height());
      pass.draw_edges(edges.items(band));
      const auto here = faces.items(band);
      for (std::size_t begin = 0; begin < here.size();) {
        if (!ticker.pulse(worker)) return;
        std::size_t next = begin + 1;
        while (next < here.size() && drawn.body[here[next]] == drawn.body[here[begin]]) ++next;
        pass.draw_body(here.subspan(begin, next - begin));
        begin = next;
      }
      found[band] = pass.finish(edges.items(band), stages);
      ticker.done(worker);
    }
  });
  for (const auto& pass : passes) {
    if (pass) counters.add(pass->counters);
  }
  std::vector<PixelPair> pairs;
  for (const auto& band : found) pairs.insert(pairs.end(), band.begin(), band.end());
  return pairs;
}

}  // namespace impinge::raster
