#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "raster/masks.hpp"
#include "raster/sample_bands.hpp"

namespace impinge::raster {
namespace {

// What snapping and rounding may move a depth, with room to spare.
constexpr std::int32_t kDepthSlack = 4;

struct Piece {
  std::int32_t low, high;  // depths the triangle can have within the square
  std::uint32_t face;
};

class SquareSampler {
 public:
  SampleCounters counters;

  explicit SquareSampler(const Seen& seen) : seen_(seen) {}

  void begin(std::size_t pixels) {
    layers_.begin(pixels);
    owners_.assign(pixels, kNobody);
  }

  void draw(std::uint32_t face, const Corners& c, std::int32_t top, std::int32_t bottom) {
    const std::int64_t area = image_area(c);
    const Cover cover = Cover::squares(c, area, seen_.resolution);
    const DepthPlane plane(c, area);
    const std::int32_t name = seen_.alone[seen_.body[face]] ? kSeveral : seen_.body[face];
    const auto add = [&](std::int32_t x, std::int32_t y, std::int32_t last, const auto& make) {
      const auto first = static_cast<std::uint32_t>((y - top) * seen_.resolution + x);
      const auto n = static_cast<std::uint32_t>(last - x + 1);
      layers_.add_span(first, n, make);
      for (std::uint32_t pixel = first; pixel < first + n; ++pixel) note(pixel, name);
    };
    if (plane.steep) {
      const Piece piece{plane.nearest - kDepthSlack, plane.farthest + kDepthSlack, face};
      cover.for_each_span(top, bottom, [&](std::int32_t y, std::int32_t x, std::int32_t last) {
        add(x, y, last, [&](std::uint32_t) { return piece; });
      });
      return;
    }
    const std::int64_t slope = std::abs(plane.across) + std::abs(plane.down);
    // From the middle of a grown square to its corner; then what truncation lost on the way there.
    const std::int64_t to_corner = (slope >> 1) + (slope >> 8) + 4;
    cover.for_each_span(top, bottom, [&](std::int32_t y, std::int32_t x, std::int32_t last) {
      const std::int64_t start = plane.at(x, y), to_row = to_corner + std::abs(y - plane.row);
      add(x, y, last, [&](std::uint32_t i) {
        const std::int64_t middle = start + plane.across * i;
        const std::int64_t half =
            to_row + std::abs(x + static_cast<std::int32_t>(i) - plane.column);
        const auto low = static_cast<std::int32_t>((middle - half) >> kDepthFraction);
        const auto high = static_cast<std::int32_t>((middle + half) >> kDepthFraction) + 1;
        return Piece{std::max(low, plane.nearest) - kDepthSlack,
                     std::min(high, plane.farthest) + kDepthSlack, face};
      });
    });
  }

  void judge(std::uint8_t* mask) {
    counters.fragments += layers_.size();
    const auto wanted = [this](std::uint32_t pixel) {
      counters.layers = std::max<std::uint64_t>(counters.layers, layers_.count(pixel));
      return owners_[pixel] == kSeveral && layers_.count(pixel) > 1;
    };
    layers_.for_each_pixel(wanted, [&](std::uint32_t pixel, std::span<Piece> pieces) {
      mask[pixel] = meet(pieces);
      counters.rays += mask[pixel];
    });
  }

 private:
  static constexpr std::int32_t kNobody = -1, kSeveral = -2;

  // Pixels of a single body that is not checked against itself need no look.
  void note(std::uint32_t pixel, std::int32_t name) {
    const std::int32_t owner = owners_[pixel];
    owners_[pixel] = owner == name || owner == kNobody ? name : kSeveral;
  }

  // Sorted by where they begin, so that a piece overlaps an earlier one iff that has not ended.
  bool meet(std::span<Piece> pieces) {
    sort_few(pieces, [](const Piece& p, const Piece& q) { return p.low < q.low; });
    constexpr std::int32_t kNever = std::numeric_limits<std::int32_t>::min();
    // The farthest end so far, whose it is, and the farthest end of all other bodies.
    std::int32_t end = kNever, owner = kNobody, other_end = kNever;
    open_.clear();
    for (const Piece& piece : pieces) {
      const std::int32_t body = seen_.body[piece.face];
      if ((body == owner ? other_end : end) >= piece.low) return true;
      if (seen_.alone[body] && meets_own(piece, body)) return true;
      if (body == owner) {
        end = std::max(end, piece.high);
      } else if (piece.high > end) {
        other_end = end;
        end = piece.high;
        owner = body;
      } else {
        other_end = std::max(other_end, piece.high);
      }
    }
    return false;
  }

  bool meets_own(const Piece& piece, std::int32_t body) {
    std::size_t kept = 0;
    bool found = false;
    for (const Piece& other : open_) {
      if (other.high < piece.low) continue;
      open_[kept++] = other;
      found =
          found || (seen_.body[other.face] == body && !seen_.share_vertex(other.face, piece.face));
    }
    open_.resize(kept);
    open_.push_back(piece);
    return found;
  }

  const Seen& seen_;
  Layers<Piece> layers_;
  std::vector<std::int32_t> owners_;
  std::vector<Piece> open_;
};

}  // namespace

SampleCounters sample_squares(const Seen& seen, int workers, const Ticker::Callback& tick,
                              std::uint8_t* mask) {
  return sample_bands<SquareSampler>(seen, 1, workers, tick, mask,
                                     [&] { return std::make_unique<SquareSampler>(seen); });
}

}  // namespace impinge::raster
