#include "depth/surface_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/pool.hpp"

namespace impinge::depth {
namespace {

constexpr std::size_t kMostLooks = 200'000;
// For a cell inside; more when it is not known which parts are inside.
constexpr std::size_t kSplitsEach = 64, kMoreSplitsEach = 256;
constexpr std::size_t kFewFaces = 64;  // are taken one by one
constexpr int kFirstPieces = 8;        // for a point to begin with
constexpr std::size_t kAtOnce = 8;     // things that are looked into side by side
constexpr double kUnknown = std::numeric_limits<double>::infinity();

// No point of a piece is farther from the other surface than from a corner on both.
double reach_from_curve(const solids::Pieces& pieces, const solids::Pieces::Piece& piece) {
  double least = kUnknown;
  for (int i = 0; i < 3; ++i) {
    if (piece.corner[i] >= pieces.passages) continue;
    double most = 0;
    for (int k = 0; k < 3; ++k) {
      const Vector to = from_to(pieces.at(piece, i), pieces.at(piece, k));
      most = std::max(most, dot(to, to));
    }
    least = std::min(least, most);
  }
  return std::sqrt(least);
}

}  // namespace

void SurfaceSearch::add(const solids::Overlay& overlay, const solids::Pieces& pieces) {
  parts_.is_cut = true;
  parts_.overlay = &overlay;
  parts_.pieces = &pieces;
  parallel_for(workers_, 2, 1, [&](std::size_t i, std::size_t end, int) {
    for (; i < end; ++i) {
      const auto& whole = overlay.part(i).whole_faces();
      if (whole.size() > kFewFaces) mark(static_cast<int>(i), whole);
    }
  });
  SurfaceLook first = new_look();
  for (int i = 0; i < 2; ++i) {
    if (!parts_.marks[i].empty()) {
      first.add_node(i, tree_of(i).boxes().top(), 0);
      continue;
    }
    for (const std::int32_t face : overlay.part(i).whole_faces()) {
      first.add_triangle(i, overlay.surface(i).triangle(face), kUnknown);
    }
  }
  take(first);
  for (std::size_t i = 0; i < pieces.pieces.size(); ++i) {
    const auto& piece = pieces.pieces[i];
    // most of them are near the curve in which the surfaces cross
    const double upper =
        to_[1 - piece.surface]->is_mesh() ? reach_from_curve(pieces, piece) : kUnknown;
    const auto surface = static_cast<std::int8_t>(piece.surface);
    push({upper, surface, SurfaceItem::kPiece, static_cast<std::uint32_t>(i), 0, {}});
  }
  // one by one: each may spare the next
  for (int i = 0; i < kFirstPieces && !heap_.empty() && heap_.front().level == SurfaceItem::kPiece;
       ++i) {
    look_into({pop()});
  }
}

void SurfaceSearch::add_all(const Bounds& within) {
  parts_.within = within;
  SurfaceLook first = new_look();
  for (int i = 0; i < 2; ++i) {
    if (!tree_of(i).empty()) first.add_node(i, tree_of(i).boxes().top(), 0);
  }
  take(first);
}

void SurfaceSearch::mark(int surface, const std::vector<std::int32_t>& faces) {
  const bvh::Tree& tree = tree_of(surface);
  std::vector<std::uint8_t> inside(tree.face_count(), 0);
  for (const std::int32_t face : faces) inside[face] = 1;
  auto& marks = parts_.marks[surface];
  marks.emplace_back(tree.leaf_count(), std::uint8_t{0});
  for (std::size_t slot = 0; slot < tree.face_count(); ++slot) {
    if (inside[tree.face_of(slot)]) {
      marks[0][slot / kLanes] |= static_cast<std::uint8_t>(1u << slot % kLanes);
    }
  }
  for (int level = 1; level <= tree.boxes().top(); ++level) {
    const auto& below = marks.back();
    std::vector<std::uint8_t> own(tree.boxes().nodes(level), 0);
    for (std::size_t i = 0; i < below.size(); ++i) {
      if (below[i]) own[i / kLanes] |= static_cast<std::uint8_t>(1u << i % kLanes);
    }
    marks.push_back(std::move(own));
  }
}

void SurfaceSearch::push(const SurfaceItem& item) {
  if (bracket_.is_enough(item.upper)) {
    bracket_.leave(std::max(item.upper, 0.0));
    return;
  }
  heap_.push_back(item);
  std::push_heap(heap_.begin(), heap_.end());
}

SurfaceItem SurfaceSearch::pop() {
  std::pop_heap(heap_.begin(), heap_.end());
  const SurfaceItem item = heap_.back();
  heap_.pop_back();
  return item;
}

void SurfaceSearch::run() {
  std::vector<SurfaceItem> best;
  while (!heap_.empty()) {
    const std::size_t most =
        (parts_.is_cut ? kSplitsEach : kMoreSplitsEach) * bracket_.goal().cells;
    const bool is_tired = bracket_.is_decided() && splits_ > most;
    if (bracket_.is_enough(heap_.front().upper) || looks_ > kMostLooks || is_tired) {
      // nothing else in the heap is more
      bracket_.leave(heap_.front().upper);
      heap_.clear();
      return;
    }
    best.clear();
    while (best.size() < kAtOnce && !heap_.empty()) best.push_back(pop());
    look_into(best);
  }
}

// Each by itself and from what was known before them, so that threads make no difference.
void SurfaceSearch::look_into(const std::vector<SurfaceItem>& items) {
  std::vector<SurfaceLook> looks(items.size(), new_look());
  parallel_for(workers_, items.size(), 1, [&](std::size_t i, std::size_t end, int) {
    for (; i < end; ++i) looks[i].look_into(items[i]);
  });
  for (const SurfaceLook& look : looks) take(look);
}

void SurfaceSearch::take(const SurfaceLook& look) {
  bracket_.unite(look.bracket());
  looks_ += look.looks();
  splits_ += look.splits();
  for (const SurfaceItem& item : look.items()) push(item);
}

}  // namespace impinge::depth
