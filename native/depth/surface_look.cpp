#include "depth/surface_look.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "depth/convex_bound.hpp"
#include "depth/faces_near.hpp"
#include "geometry/triangle_distance.hpp"

namespace impinge::depth {
namespace {

constexpr double kSurplus = 0.125;  // by which looks may be too far, in radii of what they tell
constexpr double kRounded = 0x1p-44;

// No point of a piece is farther from the other surface than from the faces that its corners on
// both are on.
double most_from_curve(const solids::Overlay& overlay, const solids::Pieces& pieces,
                       const solids::Pieces::Piece& piece, const Triangle& t) {
  double least = std::numeric_limits<double>::infinity();
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

void SurfaceLook::look_into(const SurfaceItem& item) {
  if (item.level == SurfaceItem::kPiece) {
    add_piece(item);
    return;
  }
  // what is close to it is close to its parts
  to_[1 - item.surface].start_at(item.nearest);
  if (item.level == SurfaceItem::kTriangle) {
    split(item);
  } else {
    open(item);
  }
}

void SurfaceLook::split(const SurfaceItem& item) {
  ++splits_;
  const Triangle base = to_[1 - item.surface].triangle_in(item.nearest);
  // what is outside is parted from what is flush with the other surface
  const bool is_stray = parts_.is_cut && to_[1 - item.surface].is_outside(Disc(item.t).centre);
  depth::split(item.t, base, is_stray ? bracket_.spare() : 0.0, split_);
  for (const Triangle& part : split_) add_triangle(item.surface, part, item.upper);
}

unsigned SurfaceLook::lanes_of(int surface, std::size_t leaf) const {
  const auto& marks = parts_.marks[surface];
  return marks.empty() ? tree_of(surface).lanes(leaf) : marks[0][leaf];
}

void SurfaceLook::open(const SurfaceItem& item) {
  const bvh::Tree& tree = tree_of(item.surface);
  if (item.level == 0) {
    for_each_bit(lanes_of(item.surface, item.index), [&](int c) {
      const std::size_t slot = item.index * kLanes + std::size_t(c);
      add_triangle(item.surface, bvh::PlacedTree{&tree, Pose()}.triangle(slot), item.upper);
    });
    return;
  }
  const auto& marks = parts_.marks[item.surface];
  const unsigned children =
      marks.empty() ? tree.boxes().children(item.level, item.index) : marks[item.level][item.index];
  for_each_bit(children, [&](int c) {
    add_node(item.surface, item.level - 1, item.index * kLanes + std::uint32_t(c));
  });
}

// Most of them are near the curve in which the surfaces cross.
void SurfaceLook::add_piece(const SurfaceItem& item) {
  const solids::Pieces& pieces = *parts_.pieces;
  const solids::Pieces::Piece& piece = pieces.pieces[item.index];
  double upper = item.upper;
  Triangle t;
  for (int k = 0; k < 3; ++k) std::copy_n(pieces.at(piece, k), 3, t.v[k]);
  if (to_[1 - piece.surface].is_mesh()) {
    upper = std::min(upper, most_from_curve(*parts_.overlay, pieces, piece, t));
    if (bracket_.is_enough(upper)) {
      bracket_.leave(upper);
      return;
    }
  }
  add_triangle(piece.surface, t, upper);
}

// The distance of a point of a surface from the other one, negative when it is known to be outside
// of that solid; a little more when that is enough to know of all points within the radius.
double SurfaceLook::look(int surface, const double* point, double radius) {
  DistanceTo& to = to_[1 - surface];
  ++looks_;
  const double about = to.find_about(point, kSurplus * radius);
  if (bracket_.is_enough(about + radius)) return about;
  const double distance = to.find(point);
  // triangles of rounded parts may cover more than these
  const bool is_known = parts_.is_cut && distance <= bracket_.lower();
  if (!is_known && to.is_outside(point)) return -distance;
  bracket_.reach(distance, point);
  return distance;
}

void SurfaceLook::add_node(int surface, std::int32_t level, std::uint32_t index) {
  const bvh::Tree& tree = tree_of(surface);
  const Box box = tree.boxes().box(level, index);
  const Frame& frame = tree.frame();
  double centre[3], squared = 0;
  for (int k = 0; k < 3; ++k) {
    centre[k] = frame.centre[k] + 0.5 * (double(box.lo[k]) + box.hi[k]) / frame.scale;
    const double half = (0.5 * (double(box.hi[k]) - box.lo[k]) + kRounding) / frame.scale;
    if (centre[k] - half > parts_.within.hi[k] || centre[k] + half < parts_.within.lo[k]) return;
    squared += half * half;
  }
  ++looks_;
  // the centre is no point of the surface
  DistanceTo& to = to_[1 - surface];
  const double radius = std::sqrt(squared), surplus = kSurplus * radius;
  double distance = to.find_about(centre, surplus);
  if (!parts_.is_cut && to.is_outside(centre)) distance = surplus - distance;
  double upper = distance + radius;
  if (level == 0 && !bracket_.is_enough(upper))
    upper = std::min(upper, most_in_leaf(surface, index));
  items_.push_back({upper, static_cast<std::int8_t>(surface), level, index, to.slot(), {}});
}

// The corners of a leaf seen from the face that was found last: its triangles are small, and much
// flatter than their box.
double SurfaceLook::most_in_leaf(int surface, std::size_t leaf) const {
  const bvh::Tree& tree = tree_of(surface);
  double corners[CornerDistances::kMost][3];
  int count = 0;
  for_each_bit(lanes_of(surface, leaf), [&](int c) {
    const Triangle t = bvh::PlacedTree{&tree, Pose()}.triangle(leaf * kLanes + std::size_t(c));
    for (int k = 0; k < 3; ++k) std::copy_n(t[k], 3, corners[count++]);
  });
  return CornerDistances(corners, count, to_[1 - surface].triangle()).most();
}

void SurfaceLook::add_triangle(int surface, const Triangle& t, double upper) {
  const Disc disc(t);
  upper = std::min(upper, look(surface, disc.centre, disc.radius) + disc.radius);
  SurfaceItem item{upper, static_cast<std::int8_t>(surface), SurfaceItem::kTriangle,
                   0,     to_[1 - surface].slot(),           t};
  if (!bracket_.is_enough(upper)) item.upper = tighter(surface, t, upper);
  const bool is_open = parts_.is_cut && !bracket_.is_enough(item.upper);
  if (is_open && to_[1 - surface].is_outside(disc.centre) && is_clear(surface, t, disc)) return;
  items_.push_back(item);
}

// Whether a triangle meets no face of the other surface, so that it is outside with its centre.
bool SurfaceLook::is_clear(int surface, const Triangle& t, const Disc& disc) const {
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    largest = std::max({largest, std::abs(t[k][0]), std::abs(t[k][1]), std::abs(t[k][2])});
  }
  return for_each_face_near(to_[1 - surface].tree(), disc.centre, disc.radius,
                            [&](const Triangle& face, std::int32_t) {
                              return triangle_distance(t, face).value > kRounded * largest;
                            });
}

// By the face that is closest to the centre, and the one closest to the corner farthest from it.
double SurfaceLook::tighter(int surface, const Triangle& t, double upper) {
  const DistanceTo& to = to_[1 - surface];
  const CornerDistances first(t.v, 3, to.triangle());
  upper = std::min(upper, first.most());
  if (bracket_.is_enough(upper)) return upper;
  look(surface, t[first.farthest()], 0);
  if (bracket_.is_enough(upper)) return upper;
  return std::min(upper, least_of_means(first, CornerDistances(t.v, 3, to.triangle())));
}

}  // namespace impinge::depth
