#include "bvh/pair/spatial_join.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/sort.hpp"
#include "bvh/pair/join_eights.hpp"

namespace impinge::bvh {
namespace {

// A cut is worth it when it leaves so much of the pairs. Needles in all directions, of which many
// come through both halves, may take a cut along each axis before it shows.
constexpr double kWorth = 0.9;
constexpr int kCutsInARow = 3;
constexpr std::size_t kPairsAtOnce = std::size_t{1} << 17;

double pairs_in(const std::vector<JoinCell>& cells) {
  double pairs = 0;
  for (const JoinCell& cell : cells) pairs += cell.pairs();
  return pairs;
}

// The corner of most of the pieces, by some of them.
std::int32_t usual_corner(const std::vector<Piece>& pieces, const JoinSide& side) {
  constexpr std::size_t kSample = 128;
  std::vector<std::int32_t> ids;
  for (std::size_t i = 0; i < pieces.size(); i += pieces.size() / kSample + 1) {
    const std::int32_t* corners = &side.corners[3 * pieces[i].strip];
    ids.insert(ids.end(), corners, corners + 3);
  }
  std::sort(ids.begin(), ids.end());
  std::int32_t usual = ids[0];
  std::size_t most = 0;
  for (auto id = ids.begin(); id != ids.end();) {
    const auto next = std::upper_bound(id, ids.end(), *id);
    if (static_cast<std::size_t>(next - id) > most) {
      most = static_cast<std::size_t>(next - id);
      usual = *id;
    }
    id = next;
  }
  return usual;
}

}  // namespace

// Candidates on their way to the sink.
class SpatialJoin::Listing {
 public:
  Listing(const SpatialJoin& join, const Sink& sink, const GoOn& go_on)
      : join_(join), sink_(sink), go_on_(go_on) {}

  bool goes_on() const { return !stopped_ && go_on_(); }
  void list(const JoinCell& cell);
  void flush() {
    sort_keys(pairs_.data(), pairs_.size(), 0, spare_);
    const auto end = std::unique(pairs_.begin(), pairs_.end());
    stopped_ = stopped_ || !sink_({pairs_.begin(), end});
    pairs_.clear();
  }

 private:
  const SpatialJoin& join_;
  const Sink& sink_;
  const GoOn& go_on_;
  std::vector<StripPair> pairs_, spare_;
  bool stopped_ = false;
};

// Every pair whose pieces are near along all directions.
void SpatialJoin::Listing::list(const JoinCell& cell) {
  const CellView view(cell, join_.a_, join_.b_, join_.reach_);
  if (view.is_apart) return;
  const std::vector<Piece>& others = cell.other();
  const Eights eights(others, view.other(), view.window, join_.b_.corners, join_.reach_);
  for (std::size_t i = 0; i < cell.a.size() && goes_on(); ++i) {
    if (!view.inside(view.a[i])) continue;
    const Eights::Row row(view.a[i], view.window);
    const std::uint32_t a = cell.a[i].strip;
    for (std::size_t first = 0; first < others.size(); first += kLanes) {
      unsigned lanes = eights.near(first, row);
      if (lanes && join_.self_) lanes &= ~eights.sharing(first, &join_.a_.corners[3 * a]);
      for_each_bit(lanes, [&](int lane) {
        const std::uint32_t b = others[first + lane].strip;
        if (join_.self_ && b <= a) {
          if (!cell.own) pairs_.push_back(make_pair(b, a));
        } else {
          pairs_.push_back(make_pair(a, b));
        }
      });
    }
    if (pairs_.size() >= kPairsAtOnce) flush();
  }
}

std::vector<JoinCell> SpatialJoin::cells(std::size_t wanted) const {
  const auto all = [](const std::vector<Strip>& strips) {
    // where t and u are rounded, too, nothing of a triangle is lost at the ends of its strip
    constexpr Span kWhole{-kStripSlack, 1 + kStripSlack};
    std::vector<Piece> pieces(strips.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      pieces[i] = {static_cast<std::uint32_t>(i), kWhole, kWhole};
    }
    return pieces;
  };
  std::vector<JoinCell> cells, finer, last;
  if (self_) {
    cells.push_back({all(a_.strips), {}, true});
  } else {
    cells.push_back({all(a_.strips), all(b_.strips)});
  }
  while (!cells.empty() && cells.size() + last.size() < wanted) {
    for (JoinCell& cell : cells) {
      if (cell.is_small() || !cut(cell, finer)) last.push_back(std::move(cell));
    }
    cells.swap(finer);
    finer.clear();
  }
  for (JoinCell& cell : last) cells.push_back(std::move(cell));
  return cells;
}

void SpatialJoin::run(const JoinCell& whole, const Sink& sink, const GoOn& go_on) const {
  Listing listing(*this, sink, go_on);
  std::vector<JoinCell> cells{whole};
  while (!cells.empty() && listing.goes_on()) {
    const JoinCell cell = std::move(cells.back());
    cells.pop_back();
    if (cell.is_small() || !cut(cell, cells)) listing.list(cell);
  }
  listing.flush();
}

// Appends the pairs of a cell in smaller cells; false when no cut is worth it.
bool SpatialJoin::cut(const JoinCell& cell, std::vector<JoinCell>& cells) const {
  if (self_ && split_star(cell, cells)) return true;
  const double enough = kWorth * cell.pairs();
  std::vector<JoinCell> parts, finer;
  halve(cell, parts);
  for (int cuts = 1; cuts < kCutsInARow && pairs_in(parts) > enough; ++cuts) {
    finer.clear();
    for (const JoinCell& part : parts) halve(part, finer);
    parts.swap(finer);
  }
  if (pairs_in(parts) > enough) return false;
  for (JoinCell& part : parts) cells.push_back(std::move(part));
  return true;
}

// Triangles around one corner need not be paired with each other: a fan of slivers, which are near
// each other wherever one cuts, is told from all others.
bool SpatialJoin::split_star(const JoinCell& cell, std::vector<JoinCell>& cells) const {
  const std::int32_t hub = usual_corner(cell.a, a_);
  const auto is_spoke = [&](const Piece& piece) {
    const std::int32_t* corners = &a_.corners[3 * piece.strip];
    return std::find(corners, corners + 3, hub) != corners + 3;
  };
  JoinCell spokes, rest;  // of a and of b
  for (const Piece& piece : cell.a) (is_spoke(piece) ? spokes : rest).a.push_back(piece);
  for (const Piece& piece : cell.b) (is_spoke(piece) ? spokes : rest).b.push_back(piece);
  spokes.own = rest.own = cell.own;
  if (spokes.pairs() < (1 - kWorth) * cell.pairs()) return false;
  std::vector<JoinCell> parts;
  if (cell.own) {
    parts.push_back({spokes.a, rest.a});
  } else {
    parts.push_back({spokes.a, rest.b});
    parts.push_back({rest.a, spokes.b});
  }
  parts.push_back(std::move(rest));
  for (JoinCell& part : parts) {
    if (part.pairs() > 0) cells.push_back(std::move(part));
  }
  return true;
}

// Appends both sides of the plane that leaves the fewest pairs.
void SpatialJoin::halve(const JoinCell& cell, std::vector<JoinCell>& cells) const {
  const CellView view(cell, a_, b_, reach_);
  if (view.is_apart) return;
  int best = 0;
  double place = 0, fewest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < kJoinAxes; ++axis) {
    const double middle = view.middle(axis), pairs = view.pairs_beside(axis, middle, reach_);
    if (pairs < fewest) {
      best = axis;
      place = middle;
      fewest = pairs;
    }
  }
  const int tight = view.tightest();
  JoinCell below, above;
  below.own = above.own = cell.own;
  const auto part = [&](const JoinSide& side, const std::vector<Piece>& pieces,
                        const std::vector<Spans>& spans, double reach, std::vector<Piece>& low,
                        std::vector<Piece>& high) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (!view.inside(spans[i])) continue;
      const Strip& strip = side.strips[pieces[i].strip];
      const StripAlong across(strip, view.axes[tight]), along(strip, view.axes[best]);
      Piece lower = pieces[i];
      across.keep_below(lower, view.window[tight].hi);
      across.keep_above(lower, view.window[tight].lo);
      Piece upper = lower;
      along.keep_below(lower, place + reach);
      along.keep_above(upper, place - reach);
      if (!lower.is_empty()) low.push_back(lower);
      if (!upper.is_empty()) high.push_back(upper);
    }
  };
  part(a_, cell.a, view.a, cell.own ? reach_ : 0.0, below.a, above.a);
  part(b_, cell.b, view.b, reach_, below.b, above.b);
  if (below.pairs() > 0) cells.push_back(std::move(below));
  if (above.pairs() > 0) cells.push_back(std::move(above));
}

}  // namespace impinge::bvh
