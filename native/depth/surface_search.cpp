#include "depth/surface_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "depth/convex_bound.hpp"
#include "depth/faces_near.hpp"
#include "geometry/triangle_distance.hpp"

namespace impinge::depth {
namespace {

constexpr std::size_t kMostLooks = 200'000;
constexpr double kSurplus = 0.125;  // by which looks may be too far, in radii of what they tell
// For a cell inside; more when it is not known which parts are inside.
constexpr std::size_t kSplitsEach = 64, kMoreSplitsEach = 256;
constexpr double kRounded = 0x1p-44;
constexpr std::size_t kFewFaces = 64;  // are taken one by one
constexpr int kFirstPieces = 8;        // for a point to begin with
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

// Nor than from the faces that these corners are on.
double most_from_curve(const solids::Overlay& overlay, const solids::Pieces& pieces,
                       const solids::Pieces::Piece& piece, const Triangle& t) {
  double least = kUnknown;
  std::optional<CornerDistances> before;
  std::int32_t last = -1;
  for (int i = 0; i < 3; ++i) {
    if (piece.corner[i] >= pieces.passages) continue;
    const auto& crossing = overlay.crossings()[pieces.crossing[piece.corner[i]]];
    const std::int32_t face = piece.surface == 0 ? crossing.b : crossing.a;
    if (face == last) continue;
    const CornerDistances own(t.v, 3, overlay.surface(1 - piece.surface).triangle(face));
    least = std::min(least, before ? least_of_means(*before, own) : own.most());
    before = own;
    last = face;
  }
  return least;
}

}  // namespace

const bvh::Tree& SurfaceSearch::tree_of(int surface) const {
  return is_cut_ ? to_[surface]->solid().tree().tree() : to_[surface]->tree();
}

void SurfaceSearch::add(const solids::Overlay& overlay) {
  is_cut_ = true;
  for (int i = 0; i < 2; ++i) {
    const auto& whole = overlay.part(i).whole_faces();
    if (whole.size() > kFewFaces) {
      mark(i, whole);
      add_node(i, tree_of(i).boxes().top(), 0);
    } else {
      for (const std::int32_t face : whole) {
        add_triangle(i, overlay.surface(i).triangle(face), kUnknown);
      }
    }
  }
  overlay_ = &overlay;
  pieces_ = pieces_of_cut_faces(overlay);
  for (std::size_t i = 0; i < pieces_.pieces.size(); ++i) {
    const auto& piece = pieces_.pieces[i];
    // most of them are near the curve in which the surfaces cross
    const double upper = is_mesh(1 - piece.surface) ? reach_from_curve(pieces_, piece) : kUnknown;
    const auto surface = static_cast<std::int8_t>(piece.surface);
    push({upper, surface, kPiece, static_cast<std::uint32_t>(i), 0, {}});
  }
  for (int i = 0; i < kFirstPieces && !heap_.empty() && heap_.front().level == kPiece; ++i) {
    look_into(pop());
  }
}

void SurfaceSearch::add_piece(const solids::Pieces::Piece& piece, double upper) {
  Triangle t;
  for (int k = 0; k < 3; ++k) std::copy_n(pieces_.at(piece, k), 3, t.v[k]);
  if (is_mesh(1 - piece.surface)) {
    upper = std::min(upper, most_from_curve(*overlay_, pieces_, piece, t));
    if (bracket_.is_enough(upper)) {
      bracket_.leave(upper);
      return;
    }
  }
  add_triangle(piece.surface, t, upper);
}

// Else there are faces that bound nothing.
bool SurfaceSearch::is_mesh(int surface) const {
  return &to_[surface]->tree() == &to_[surface]->solid().tree().tree();
}

void SurfaceSearch::add_all(const Bounds& within) {
  within_ = within;
  for (int i = 0; i < 2; ++i) {
    if (!tree_of(i).empty()) add_node(i, tree_of(i).boxes().top(), 0);
  }
}

void SurfaceSearch::mark(int surface, const std::vector<std::int32_t>& faces) {
  const bvh::Tree& tree = tree_of(surface);
  std::vector<std::uint8_t> inside(tree.face_count(), 0);
  for (const std::int32_t face : faces) inside[face] = 1;
  Marks& marks = marks_[surface];
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

// The distance of a point of a surface from the other one, negative when it is known to be outside
// of that solid; a little more when that is enough to know of all points within the radius.
double SurfaceSearch::look(int surface, const double* point, double radius) {
  DistanceTo& to = *to_[1 - surface];
  ++looks_;
  const double about = to.find_about(point, kSurplus * radius);
  if (bracket_.is_enough(about + radius)) return about;
  const double distance = to.find(point);
  // triangles of rounded parts may cover more than these
  const bool is_known = is_cut_ && distance <= bracket_.lower();
  if (!is_known && to.is_outside(point)) return -distance;
  bracket_.reach(distance, point);
  return distance;
}

void SurfaceSearch::push(const Item& item) {
  if (bracket_.is_enough(item.upper)) {
    bracket_.leave(std::max(item.upper, 0.0));
    return;
  }
  heap_.push_back(item);
  std::push_heap(heap_.begin(), heap_.end());
}

SurfaceSearch::Item SurfaceSearch::pop() {
  std::pop_heap(heap_.begin(), heap_.end());
  const Item item = heap_.back();
  heap_.pop_back();
  return item;
}

void SurfaceSearch::add_node(int surface, std::int32_t level, std::uint32_t index) {
  const bvh::Tree& tree = tree_of(surface);
  const Box box = tree.boxes().box(level, index);
  const Frame& frame = tree.frame();
  double centre[3], squared = 0;
  for (int k = 0; k < 3; ++k) {
    centre[k] = frame.centre[k] + 0.5 * (double(box.lo[k]) + box.hi[k]) / frame.scale;
    const double half = (0.5 * (double(box.hi[k]) - box.lo[k]) + kRounding) / frame.scale;
    if (centre[k] - half > within_.hi[k] || centre[k] + half < within_.lo[k]) return;
    squared += half * half;
  }
  ++looks_;
  // the centre is no point of the surface
  DistanceTo& to = *to_[1 - surface];
  const double radius = std::sqrt(squared), surplus = kSurplus * radius;
  double distance = to.find_about(centre, surplus);
  if (!is_cut_ && to.is_outside(centre)) distance = surplus - distance;
  double upper = distance + radius;
  if (level == 0 && !bracket_.is_enough(upper))
    upper = std::min(upper, most_in_leaf(surface, index));
  push({upper, static_cast<std::int8_t>(surface), level, index, to.slot(), {}});
}

// The corners of a leaf seen from the face that was found last: its triangles are small, and much
// flatter than their box.
double SurfaceSearch::most_in_leaf(int surface, std::size_t leaf) const {
  const bvh::Tree& tree = tree_of(surface);
  double corners[CornerDistances::kMost][3];
  int count = 0;
  for_each_bit(lanes_of(surface, leaf), [&](int c) {
    const Triangle t = bvh::PlacedTree{&tree, Pose()}.triangle(leaf * kLanes + std::size_t(c));
    for (int k = 0; k < 3; ++k) std::copy_n(t[k], 3, corners[count++]);
  });
  return CornerDistances(corners, count, to_[1 - surface]->triangle()).most();
}

void SurfaceSearch::add_triangle(int surface, const Triangle& t, double upper) {
  const Disc disc(t);
  upper = std::min(upper, look(surface, disc.centre, disc.radius) + disc.radius);
  Item item{upper, static_cast<std::int8_t>(surface), kTriangle, 0, to_[1 - surface]->slot(), t};
  if (!bracket_.is_enough(upper)) item.upper = tighter(surface, t, upper);
  const bool is_open = is_cut_ && !bracket_.is_enough(item.upper);
  if (is_open && to_[1 - surface]->is_outside(disc.centre) && is_clear(surface, t, disc)) return;
  push(item);
}

// Whether a triangle meets no face of the other surface, so that it is outside with its centre.
bool SurfaceSearch::is_clear(int surface, const Triangle& t, const Disc& disc) const {
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    largest = std::max({largest, std::abs(t[k][0]), std::abs(t[k][1]), std::abs(t[k][2])});
  }
  return for_each_face_near(to_[1 - surface]->tree(), disc.centre, disc.radius,
                            [&](const Triangle& face, std::int32_t) {
                              return triangle_distance(t, face).value > kRounded * largest;
                            });
}

// By the face that is closest to the centre, and the one closest to the corner farthest from it.
double SurfaceSearch::tighter(int surface, const Triangle& t, double upper) {
  const DistanceTo& to = *to_[1 - surface];
  const CornerDistances first(t.v, 3, to.triangle());
  upper = std::min(upper, first.most());
  if (bracket_.is_enough(upper)) return upper;
  look(surface, t[first.farthest()], 0);
  if (bracket_.is_enough(upper)) return upper;
  return std::min(upper, least_of_means(first, CornerDistances(t.v, 3, to.triangle())));
}

void SurfaceSearch::run() {
  while (!heap_.empty()) {
    const Item item = pop();
    const std::size_t most = (is_cut_ ? kSplitsEach : kMoreSplitsEach) * bracket_.goal().cells;
    const bool is_tired = bracket_.is_decided() && splits_ > most;
    if (bracket_.is_enough(item.upper) || looks_ > kMostLooks || is_tired) {
      // nothing else in the heap is more
      bracket_.leave(item.upper);
      heap_.clear();
    } else {
      look_into(item);
    }
  }
}

void SurfaceSearch::look_into(const Item& item) {
  if (item.level == kPiece) {
    add_piece(pieces_.pieces[item.index], item.upper);
    return;
  }
  // what is close to it is close to its parts
  to_[1 - item.surface]->start_at(item.nearest);
  if (item.level == kTriangle) {
    split(item);
  } else {
    open(item);
  }
}

void SurfaceSearch::split(const Item& item) {
  ++splits_;
  const Triangle base = to_[1 - item.surface]->triangle_in(item.nearest);
  // what is outside is parted from what is flush with the other surface
  const bool is_stray = is_cut_ && to_[1 - item.surface]->is_outside(Disc(item.t).centre);
  depth::split(item.t, base, is_stray ? bracket_.spare() : 0.0, parts_);
  for (const Triangle& part : parts_) add_triangle(item.surface, part, item.upper);
}

unsigned SurfaceSearch::lanes_of(int surface, std::size_t leaf) const {
  const Marks& marks = marks_[surface];
  return marks.empty() ? tree_of(surface).lanes(leaf) : marks[0][leaf];
}

void SurfaceSearch::open(const Item& item) {
  const bvh::Tree& tree = tree_of(item.surface);
  if (item.level == 0) {
    for_each_bit(lanes_of(item.surface, item.index), [&](int c) {
      const std::size_t slot = item.index * kLanes + std::size_t(c);
      add_triangle(item.surface, bvh::PlacedTree{&tree, Pose()}.triangle(slot), item.upper);
    });
    return;
  }
  const Marks& marks = marks_[item.surface];
  const unsigned children =
      marks.empty() ? tree.boxes().children(item.level, item.index) : marks[item.level][item.index];
  for_each_bit(children, [&](int c) {
    add_node(item.surface, item.level - 1, item.index * kLanes + std::uint32_t(c));
  });
}

}  // namespace impinge::depth
