#include "solids/relation.hpp"

#include <algorithm>
#include <vector>

#include "base/pool.hpp"
#include "bvh/pair/collide.hpp"
#include "bvh/pair/pairing.hpp"
#include "geometry/facing.hpp"
#include "solids/germ.hpp"
#include "solids/tangle.hpp"
#include "solids/touching_faces.hpp"

namespace impinge::solids {
namespace {

// Every piece of a boundary has, on its rim, a segment in which two faces meet, or it is a whole
// shell: for a piece of a face whose rim has none is all of the face, the next faces around are of
// the same kind, and so on. A segment is looked at with all faces around it; a shell without one
// meets the other boundary in points at most, and any germ of it tells where it is.
class SimplePair {
 public:
  SimplePair(const PlacedSolid& a, const PlacedSolid& b) : solid_{&a, &b} {
    for (int i = 0; i < 2; ++i) met_[i].assign(solid_[i]->rings().shells(), false);
  }

  // `keys`: all meeting pairs of faces.
  Relation relation(const Buffer<Key>& keys) {
    const auto faces_a = static_cast<std::uint32_t>(solid_[0]->rings().faces());
    for (const Key key : keys) {
      add_pair(key_kind(key), static_cast<std::int32_t>(key_a(key)),
               static_cast<std::int32_t>(key_b(key) - faces_a));
      if (kinds_.is_settled()) return Relation::overlapping;
    }
    add_shells(0, PieceKinds::a_inside, PieceKinds::a_outside);
    add_shells(1, PieceKinds::b_inside, PieceKinds::b_outside);
    return kinds_.relation(touch_);
  }

 private:
  bool is_boundary(int i, std::int32_t face) const {
    return solid_[i]->bounds(static_cast<std::size_t>(face));
  }

  void add_pair(Kind kind, std::int32_t face_a, std::int32_t face_b) {
    if (!is_boundary(0, face_a) || !is_boundary(1, face_b)) return;
    touch_ = true;
    if (kind == Kind::point) return;
    const FaceOf a{*solid_[0], face_a}, b{*solid_[1], face_b};
    met_[0][a.solid.rings().shell(face_a)] = true;
    met_[1][b.solid.rings().shell(face_b)] = true;
    if (kind == Kind::crossing) {
      kinds_.add(PieceKinds::crossing);
    } else if (kind == Kind::coplanar) {
      kinds_.add(kinds_in_plane(a, b));
    } else {
      kinds_.add(kinds_along_segment(a, b));
    }
  }

  void add_shells(int own, unsigned inside, unsigned outside) {
    const PlacedSolid &solid = *solid_[own], &other = *solid_[1 - own];
    for (std::size_t s = 0; s < met_[own].size(); ++s) {
      if (met_[own][s] || !solid.shell_bounds(s)) continue;
      const Triangle t = solid.triangle(solid.rings().first_of_shell(s));
      const int axis = axis_with_area(t);
      const FaceGerm germ{{t[0], t[1], t[2]}};
      kinds_.add(winding(other, germ, axis) > 0 ? inside : outside);
    }
  }

  const PlacedSolid* solid_[2];
  std::vector<bool> met_[2];  // shells, in more than points
  PieceKinds kinds_;
  bool touch_ = false;
};

// Of surfaces that do not meet: whether some shell of one is inside the other solid. The winding
// number is one all over a shell.
bool has_shell_inside(const PlacedSolid& own, const PlacedSolid& other) {
  for (std::size_t s = 0; s < own.rings().shells(); ++s) {
    const Triangle t = own.triangle(own.rings().first_of_shell(s));
    if (winding(other, FaceGerm{{t[0], t[1], t[2]}}, axis_with_area(t)) > 0) return true;
  }
  return false;
}

Relation tangled_relation(const PlacedSolid& a, const PlacedSolid& b, const Buffer<Key>& keys) {
  if (keys.empty() && !has_shell_inside(a, b) && !has_shell_inside(b, a)) return Relation::apart;
  Tangle tangle({&a, &b});
  tangle.add_pairs(keys);
  tangle.add_pairs(a.own_pairs());
  tangle.add_pairs(b.own_pairs(), static_cast<std::uint32_t>(a.rings().faces()));
  tangle.run();
  const PieceKinds kinds = tangle.kinds();
  return kinds.relation(!kinds.overlap() && tangle.touch());
}

// Whether a crossing of two faces that bound their solids is soon found.
bool clearly_overlap(const PlacedSolid& a, const PlacedSolid& b) {
  const auto faces_a = static_cast<std::uint32_t>(a.rings().faces());
  const bvh::Job job = make_job(a.body(), b.body(), 0, faces_a);
  const Rule rule{.touching = false, .first = true};
  Buffer<Key> keys;
  bvh::Pairing(job, rule, keys).find_first();
  return !keys.empty() && a.bounds(key_a(keys[0])) && b.bounds(key_b(keys[0]) - faces_a);
}

}  // namespace

Relation relation_of(const PlacedSolid& a, const PlacedSolid& b, int workers,
                     const Ticker::Callback& tick) {
  if (bvh::clearly_apart(a.body(), b.body())) return Relation::apart;
  const bool are_simple = a.is_simple() && b.is_simple();
  if (are_simple && clearly_overlap(a, b)) return Relation::overlapping;
  const std::vector<bvh::Body> bodies{a.body(), b.body()};
  const auto found = bvh::collide_scene(bodies, nullptr, {}, Rule{}, workers, tick);
  return are_simple ? SimplePair(a, b).relation(found.keys) : tangled_relation(a, b, found.keys);
}

void relations_of_poses(const Solid& a, const Solid& b, const double* poses, std::size_t n,
                        int workers, const Ticker::Callback& tick, Relation* relations) {
  const PlacedSolid resting(a, Pose());
  const Ticker::Callback quiet;
  Ticker ticker(n, tick);
  parallel_for(workers, n, 1, [&](std::size_t i, std::size_t end, int worker) {
    for (; i < end; ++i) {
      const PlacedSolid moved(b, Pose(poses + 16 * i));
      relations[i] = relation_of(resting, moved, 1, quiet);
      ticker.done(worker);
    }
  });
}

PairRelations relations_of_pairs(const std::vector<const Solid*>& solids, const double* poses,
                                 const std::vector<BodyPair>* only, int workers,
                                 const Ticker::Callback& tick) {
  std::vector<Bounds> bounds;
  std::vector<PlacedSolid> placed;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    placed.emplace_back(*solids[i], Pose(poses + 16 * i));
    bounds.push_back(placed.back().body().frame().world_bounds());
  }
  PairRelations found;
  found.pairs = broad_phase(bounds, only, workers);
  found.relations.resize(found.pairs.size());
  const Ticker::Callback quiet;
  Ticker ticker(found.pairs.size(), tick);
  parallel_for(workers, found.pairs.size(), 1, [&](std::size_t i, std::size_t end, int worker) {
    for (; i < end; ++i) {
      const auto [a, b] = found.pairs[i];
      found.relations[i] = relation_of(placed[a], placed[b], 1, quiet);
      ticker.done(worker);
    }
  });
  return found;
}

}  // namespace impinge::solids
