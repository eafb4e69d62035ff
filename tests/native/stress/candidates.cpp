// The detectors of the papers: pairs held to the oracle, images and contact points to what one
// thread finds.
#include <algorithm>

#include "brute/brute.hpp"
#include "cdfc/collide.hpp"
#include "contact_points/proximity.hpp"
#include "contact_points/ray.hpp"
#include "dop/collide.hpp"
#include "raster/gather.hpp"
#include "raster/masks.hpp"
#include "stress.hpp"

namespace stress {
namespace {

using namespace impinge;

template <class Keys>
Answer pairs_of(const Keys& keys, std::size_t offset) {
  Answer pairs;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    pairs.insert(pairs.end(), {double(key_a(keys[i])), double(key_b(keys[i]) - offset),
                               double(int(key_kind(keys[i])))});
  }
  return pairs;
}

Answer brute(const Mesh& a, const Mesh& b) {
  Answer pairs;
  for (const BruteHit& hit : brute_pairs(a.body(), b.body(), Kernel::exact, {}, 1, kQuiet)) {
    pairs.insert(pairs.end(), {double(hit.a), double(hit.b), double(int(hit.kind))});
  }
  return pairs;
}

dop::Tree dop_tree(const Mesh& mesh) {
  return dop::Tree(mesh.vertices.data(), mesh.vertex_count(), mesh.faces.data(), mesh.face_count(),
                   *dop::Directions::of(24), false, 2);
}

Answer by_clusters(const Mesh& a, const Mesh& b, int workers) {
  const Wanted wanted({nullptr, nullptr}, nullptr);
  const Soup soup({a.body(), b.body()}, wanted, workers);
  const cdfc::Balls balls{
      {soup.centroid(0), soup.centroid(1), soup.centroid(2)}, soup.radius(), soup.size()};
  const cdfc::Rows centres{-0.4, 0, 0, 0.4, 0, 0, 0, 0.3, 0.3};
  const cdfc::Members members = cdfc::members(balls, centres, {}, workers);
  cdfc::Counters counters;
  return pairs_of(cdfc::collide({soup, wanted, {}}, members, workers, kQuiet, counters),
                  a.face_count());
}

Answer as_image(const Mesh& a, const Mesh& b, int workers) {
  constexpr int kSide = 64;
  const std::vector<BodyMesh> bodies{a.body(), b.body()};
  const bool flags[2] = {true, true}, alone[2] = {false, false};
  const raster::Projection projection{
      {0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {4000, 4000, 4000}, {8192, 8192, 1 << 22}};
  const raster::Gathered all = raster::gather(bodies, alone, projection, kSide, true, workers);
  const raster::Seen seen{
      all.snapped.get(), all.faces.get(), all.body.get(), flags, alone, 2, all.size, kSide};
  std::vector<std::uint8_t> mask(kSide * kSide);
  raster::sample_rays(seen, {}, workers, kQuiet, mask.data());
  Answer image(mask.begin(), mask.end());
  raster::sample_squares(seen, workers, kQuiet, mask.data());
  add(image, mask);
  return image;
}

Answer contacts(const contact_points::Skin& a, const contact_points::Skin& b, int workers) {
  const std::vector<const contact_points::Skin*> skins{&a, &b};
  Answer all;
  for (const auto along : {contact_points::Along::octree, contact_points::Along::tree}) {
    const auto found =
        contact_points::ray_contacts(skins, nullptr, {}, {}, {along, true}, workers, kQuiet);
    for (std::size_t i = 0; i < found.contacts.size(); ++i) {
      add(all, found.contacts[i].vertex);
      all.push_back(found.contacts[i].weight);
    }
  }
  const auto near = contact_points::proximity_contacts(skins, nullptr, {}, 0.05, workers, kQuiet);
  for (std::size_t i = 0; i < near.contacts.size(); ++i) add(all, near.contacts[i].vertex);
  return all;
}

contact_points::Skin* new_skin(const Mesh& mesh) {
  return new contact_points::Skin(mesh.vertices.data(), mesh.vertex_count(), mesh.faces.data(),
                                  mesh.face_count(), 2);
}

std::vector<Question> questions(const Mesh& a, const Mesh& b, const dop::Tree& dop_a,
                                const dop::Tree& dop_b, const contact_points::Skin& skin_a,
                                const contact_points::Skin& skin_b) {
  return {
      [&](int workers) {
        const std::vector<dop::Body> bodies{{&dop_a, Pose()}, {&dop_b, Pose()}};
        return pairs_of(dop::collide_scene(bodies, nullptr, {}, {}, workers, kQuiet).keys,
                        a.face_count());
      },
      [&](int workers) { return by_clusters(a, b, workers); },
      [&](int workers) { return as_image(a, b, workers); },
      [&](int workers) { return contacts(skin_a, skin_b, workers); },
  };
}

}  // namespace

void candidates(int rounds) {
  const Mesh rest = sphere(12, 0), b = sphere(9, 0.4);
  const Mesh states[] = {rest, bent(rest, 0.2)};
  dop::Tree dop_a = dop_tree(rest);
  const dop::Tree dop_b = dop_tree(b);
  for (int round = 0; round < rounds; ++round) {
    const Mesh& a = states[round % 2];
    dop_a.refit(a.vertices.data(), 2);
    // made anew: what they make when first asked is made by many at once
    const std::unique_ptr<contact_points::Skin> alone_a(new_skin(a)), alone_b(new_skin(b)),
        skin_a(new_skin(a)), skin_b(new_skin(b));
    std::vector<Answer> expected;
    for (const Question& ask : questions(a, b, dop_a, dop_b, *alone_a, *alone_b)) {
      expected.push_back(ask(1));
    }
    expect(expected[0], brute(a, b), "pairs by DOP trees");
    expect(expected[1], brute(a, b), "pairs by clusters");
    ask_together(questions(a, b, dop_a, dop_b, *skin_a, *skin_b), expected, "candidates");
  }
}

}  // namespace stress
