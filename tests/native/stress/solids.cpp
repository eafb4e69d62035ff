// Solids: sides, closest points, relations and depths, held to what one thread finds and to what is
// known of spheres.
#include <cmath>

#include "depth/penetration.hpp"
#include "solids/nearest.hpp"
#include "solids/relation.hpp"
#include "solids/sides.hpp"
#include "stress.hpp"

namespace stress {
namespace {

using namespace impinge;
using impinge::solids::Relation;
using impinge::solids::Solid;

struct Part {
  bvh::PreparedTree tree;
  Solid solid;

  explicit Part(const Mesh& mesh)
      : tree(mesh.vertices.data(), mesh.vertex_count(), mesh.faces.data(), mesh.face_count(), 2),
        solid(tree, 2) {}
};

std::vector<double> points() {
  std::vector<double> all;
  for (int i = 0; i < 90; ++i) all.push_back(1.4 * std::sin(0.77 * i * i));
  return all;
}

std::vector<Question> questions(const Part& a, const Part& b, const std::vector<double>& poses) {
  const std::size_t n = poses.size() / 16;
  return {
      [&](int workers) {
        const std::vector<double> at = points();
        std::vector<std::int8_t> sides(at.size() / 3);
        impinge::solids::sides_of(a.tree.tree(), at.data(), sides.size(), a.solid.sense(), workers,
                                  kQuiet, sides.data());
        return Answer(sides.begin(), sides.end());
      },
      [&](int workers) {
        const std::vector<double> at = points();
        std::vector<double> near(at.size()), distances(at.size() / 3);
        std::vector<std::int32_t> faces(at.size() / 3);
        impinge::solids::nearest_of(a.tree.tree(), at.data(), faces.size(), workers, kQuiet,
                                    {near.data(), distances.data(), faces.data()});
        return distances;
      },
      [&, n](int workers) {
        std::vector<Relation> relations(n);
        impinge::solids::relations_of_poses(a.solid, b.solid, poses.data(), n, workers, kQuiet,
                                            relations.data());
        Answer all;
        for (const Relation relation : relations) all.push_back(double(int(relation)));
        return all;
      },
      [&](int workers) {
        const double limit = 0;
        const auto found = depth::penetrations_of({&a.solid, &b.solid}, {}, {{0, 1}}, &limit,
                                                  {0, 1e-2, 2000}, workers, kQuiet);
        return Answer{double(int(found[0].relation)), found[0].lower, found[0].upper,
                      found[0].measures.volume};
      },
  };
}

}  // namespace

void solids(int rounds) {
  const Mesh big = sphere(8, 0), small = sphere(6, 0.9, 0.6);
  const std::vector<double> poses = poses_along_x(5);
  std::vector<Answer> expected;
  {
    const Part a(big), b(small);
    for (const Question& ask : questions(a, b, poses)) expected.push_back(ask(1));
  }
  expect({expected[3][0]}, {double(int(Relation::overlapping))}, "relation of two spheres");
  for (int round = 0; round < rounds; ++round) {
    const Part a(big), b(small);
    ask_together(questions(a, b, poses), expected, "solids");
  }
}

}  // namespace stress
