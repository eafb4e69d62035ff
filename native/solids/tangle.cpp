#include "solids/tangle.hpp"

#include <algorithm>

#include "geometry/facing.hpp"
#include "solids/around_place.hpp"
#include "solids/germ.hpp"
#include "solids/solid_at_point.hpp"

namespace impinge::solids {
namespace {

// Against the clock around the line, a face with the line along an edge is on the left of it.
int half_plane_sign(const CutFace& face, int edge, const ExactVector& line) {
  const ExactVector along(
      [&](auto type) { return between<decltype(type)>(face.t[edge], face.t[corner_after(edge)]); });
  return dot_sign(along, line);
}

}  // namespace

Tangle::Tangle(std::vector<const PlacedSurface*> surfaces) : surfaces_(std::move(surfaces)) {
  first_[0] = 0;
  first_[1] = static_cast<std::uint32_t>(surfaces_[0]->rings().faces());
  first_[2] = first_[1];
  if (surfaces_.size() > 1) first_[2] += static_cast<std::uint32_t>(surfaces_[1]->rings().faces());
  for (std::size_t i = 0; i < surfaces_.size(); ++i) {
    cut_shells_[i].assign(surfaces_[i]->rings().shells(), 0);
  }
}

void Tangle::add_pairs(const Buffer<Key>& keys, std::uint32_t offset) {
  for (const Key key : keys) {
    const std::uint32_t a = key_a(key) + offset, b = key_b(key) + offset;
    for (const Link& link : {Link{a, b}, Link{b, a}}) {
      if (solid_of(a) != solid_of(b)) common_.push_back(link);
      if (key_kind(key) != Kind::point) links_.push_back(link);
    }
  }
}

const CutFace* Tangle::cut_face(std::uint32_t id) {
  const auto [at, is_new] = by_id_.try_emplace(id, nullptr);
  if (is_new) {
    const Triangle t = surfaces_[solid_of(id)]->triangle(face_of(id));
    if (has_area(t)) at->second = &faces_.emplace_back(id, t);
  }
  return at->second;
}

std::vector<const CutFace*> Tangle::others_of(std::uint32_t id) {
  std::vector<const CutFace*> others;
  for (auto link = std::lower_bound(links_.begin(), links_.end(), Link{id, 0});
       link != links_.end() && link->id == id; ++link) {
    if (const CutFace* other = cut_face(link->other)) others.push_back(other);
  }
  return others;
}

void Tangle::run() {
  std::sort(links_.begin(), links_.end());
  std::sort(common_.begin(), common_.end());
  // faces that meet the other solid tell most of what there is to know
  for (const bool common : {true, false}) {
    for (std::size_t i = 0; i < links_.size() && !is_settled(); ++i) {
      const std::uint32_t id = links_[i].id;
      if (i > 0 && links_[i - 1].id == id) continue;
      if (meets_other(id) == common) look_along(id);
    }
  }
  if (!is_settled()) add_shells();
}

// Of two solids what they are to each other is all that is asked, of one whether it has an inside,
// on which side, and whether its shells overlap.
bool Tangle::is_settled() const {
  if (surfaces_.size() == 2) return kinds_.is_settled();
  return most_[0] > 0 && (most_[0] > 1 || least_[0] < 0);
}

bool Tangle::meets_other(std::uint32_t id) const {
  const auto link = std::lower_bound(common_.begin(), common_.end(), Link{id, 0});
  return link != common_.end() && link->id == id;
}

void Tangle::look_along(std::uint32_t id) {
  const CutFace* face = cut_face(id);
  const auto others = others_of(id);
  if (!face || others.empty()) return;
  const int solid = solid_of(id);
  const std::int32_t shell = surfaces_[solid]->rings().shell(face_of(id));
  if (shell >= 0) cut_shells_[solid][shell] = 1;
  FaceCuts(*face, others).for_each_place([&](const Place& place) {
    if (!is_settled()) look_around(*face, others, place);
  });
}

// A place is looked at from the first of the faces that meet there.
void Tangle::look_around(const CutFace& face, const std::vector<const CutFace*>& others,
                         const Place& place) {
  const ExactVector& line = place.cut.along;
  AroundPlace around(line);
  const auto add = [&](const CutFace& one, int where) {
    const int solid = solid_of(one.id);
    if (where == kInside) {
      around.add(solid, one.normal, 1);
      around.add(solid, one.normal, -1);
    } else {
      around.add(solid, one.normal, half_plane_sign(one, where, line));
    }
  };
  const int own = place.on(face);
  add(face, own);
  std::vector<std::uint32_t> seen{face.id};
  for (const CutFace* other : others) {
    const int where = place.on(*other);
    if (where == kNowhere) continue;
    if (other->id < face.id) return;
    add(*other, where);
    seen.push_back(other->id);
  }
  if (own != kInside) {
    const PlacedSurface& surface = *surfaces_[solid_of(face.id)];
    const Rings& rings = surface.rings();
    const auto first =
        static_cast<std::uint32_t>(3 * face_of(face.id) + surface.side_of_triangle(own));
    for (std::uint32_t side = rings.next(first); side != first; side = rings.next(side)) {
      const std::uint32_t id = first_[solid_of(face.id)] + side / 3;
      const CutFace* one = cut_face(id);
      if (!one || std::find(seen.begin(), seen.end(), id) != seen.end()) continue;
      add(*one, surface.side_of_triangle(static_cast<int>(side % 3)));
    }
  }
  const int sign = own == kInside ? 1 : half_plane_sign(face, own, line);
  const auto signed_vector = [&](const ExactVector& v) {
    return ExactVector([&](auto type) { return sign > 0 ? v.as(type) : -v.as(type); });
  };
  // Behind the first half-plane, which is the one of the face with this sign.
  const ExactVector ahead = signed_vector(
      ExactVector([&](auto type) { return cross(face.normal.as(type), line.as(type)); }));
  const ExactVector across = signed_vector(face.normal);
  const ExactGerm germ(place.at, ahead, across, line);
  std::array<int, 2> numbers{0, 0};
  for (std::size_t i = 0; i < surfaces_.size(); ++i) numbers[i] = winding(*surfaces_[i], germ, 0);
  bool solid[2] = {false, false};
  for (const auto& step : around.steps(numbers)) {
    note(step.before, step.jump);
    for (int i = 0; i < 2; ++i) solid[i] = solid[i] || step.before[i] > 0;
  }
  touch_ = touch_ || (solid[0] && solid[1]);
}

void Tangle::note(const std::array<int, 2>& before, const std::array<int, 2>& jump) {
  bool solid[2], changes[2];
  for (int i = 0; i < 2; ++i) {
    const int behind = before[i] + jump[i];
    least_[i] = std::min({least_[i], before[i], behind});
    most_[i] = std::max({most_[i], before[i], behind});
    solid[i] = before[i] > 0;
    changes[i] = solid[i] != (behind > 0);
  }
  if (changes[0] && changes[1]) {
    kinds_.add(solid[0] == solid[1] ? PieceKinds::same_side : PieceKinds::opposite);
  } else if (changes[0]) {
    kinds_.add(solid[1] ? PieceKinds::a_inside : PieceKinds::a_outside);
  } else if (changes[1]) {
    kinds_.add(solid[0] ? PieceKinds::b_inside : PieceKinds::b_outside);
  }
}

std::vector<const CutFace*> Tangle::there(std::uint32_t id, const ExactPoint& point) {
  std::vector<const CutFace*> faces;
  for (auto link = std::lower_bound(common_.begin(), common_.end(), Link{id, 0});
       link != common_.end() && link->id == id; ++link) {
    const CutFace* other = cut_face(link->other);
    if (other && is_on(*other, point)) faces.push_back(other);
  }
  return faces;
}

bool Tangle::both_have(const CutFace& face, const ExactPoint& point) {
  const auto of_other = there(face.id, point);
  if (of_other.empty() || !looked_at_.add(point)) return false;
  const int own = solid_of(face.id);
  return is_in_solid(*surfaces_[1 - own], point, of_other) &&
         is_in_solid(*surfaces_[own], point, there(of_other.front()->id, point));
}

// A common point with no part of a cut next to it that is in both is an end of a part, or one in
// which two faces meet and nothing more.
bool Tangle::touch() {
  for (std::size_t i = 0; i < common_.size() && !touch_; ++i) {
    const Link& link = common_[i];
    if (solid_of(link.id) != 0) break;
    const CutFace *face = cut_face(link.id), *other = cut_face(link.other);
    if (!face || !other) continue;
    const Meeting meeting = meet(face->t, other->t);
    if (meeting.size == 1) touch_ = both_have(*face, point_of(meeting.site[0]));
    if (i > 0 && common_[i - 1].id == link.id) continue;
    FaceCuts(*face, others_of(link.id)).for_each_end([&](const ExactPoint& end) {
      touch_ = touch_ || both_have(*face, end);
    });
  }
  return touch_;
}

// Shells that meet nothing in more than points: one face of each will do.
void Tangle::add_shells() {
  for (std::size_t i = 0; i < surfaces_.size(); ++i) {
    const Rings& rings = surfaces_[i]->rings();
    std::vector<char>& done = cut_shells_[i];
    for (std::size_t f = 0; f < rings.faces(); ++f) {
      const std::int32_t shell = rings.shell(f);
      if (shell < 0 || done[shell]) continue;
      const auto face = static_cast<std::int32_t>(f);
      const Triangle t = surfaces_[i]->triangle(face);
      if (!has_area(t)) continue;
      done[shell] = 1;
      add_shell(i, face, t);
    }
  }
}

void Tangle::add_shell(std::size_t solid, std::int32_t face, const Triangle& t) {
  const int axis = axis_with_area(t);
  const FaceGerm germ{{t[0], t[1], t[2]}};
  std::array<int, 2> behind{0, 0}, jump{0, 0};
  for (std::size_t i = 0; i < surfaces_.size(); ++i) {
    behind[i] = winding(*surfaces_[i], germ, axis, i == solid ? face : -1);
  }
  // The ray from behind a face that looks up has the face itself to pass.
  if (facing(t, axis) > 0) behind[solid] += 1;
  jump[solid] = -1;
  note(behind, jump);
}

}  // namespace impinge::solids
