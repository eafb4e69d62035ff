// The box tree: pairs held to the oracle; distances and rays to what one thread finds. Trees are
// asked before anything lazy is made, and again after refits.
#include <cmath>

#include "brute/brute.hpp"
#include "bvh/distance/distance.hpp"
#include "bvh/pair/collide.hpp"
#include "bvh/ray/raycast.hpp"
#include "stress.hpp"

namespace stress {
namespace {

using namespace impinge;
using bvh::PreparedTree;

Answer brute(const Mesh& a, const Mesh& b) {
  Answer pairs;
  for (const BruteHit& hit : brute_pairs(a.body(), b.body(), Kernel::exact, {}, 1, kQuiet)) {
    pairs.insert(pairs.end(), {double(hit.a), double(hit.b), double(int(hit.kind))});
  }
  return pairs;
}

Answer brute_self(const Mesh& mesh) {
  Answer pairs;
  for (const BruteHit& hit : brute_self_pairs(mesh.body(), {}, 1, kQuiet)) {
    pairs.insert(pairs.end(), {double(hit.a), double(hit.b), double(int(hit.kind))});
  }
  return pairs;
}

Answer pairs_of(const Buffer<Key>& keys, std::size_t offset) {
  Answer pairs;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    pairs.insert(pairs.end(), {double(key_a(keys[i])), double(key_b(keys[i]) - offset),
                               double(int(key_kind(keys[i])))});
  }
  return pairs;
}

std::vector<Question> questions(const PreparedTree& a, const PreparedTree& b,
                                const std::vector<double>& poses) {
  const std::size_t n = poses.size() / 16;
  return {
      [&](int workers) {
        const std::vector<bvh::Body> bodies{{a, Pose()}, {b, Pose()}};
        return pairs_of(bvh::collide_scene(bodies, nullptr, {}, {}, workers, kQuiet).keys,
                        a.tree().face_count());
      },
      [&](int workers) {
        const std::vector<bvh::Body> bodies{{a, Pose()}};
        return pairs_of(bvh::collide_scene(bodies, nullptr, {0u}, {}, workers, kQuiet).keys, 0);
      },
      [&, n](int workers) {
        Answer all;
        add(all, bvh::collide_poses(a, b, poses.data(), n, {}, workers, kQuiet).run_ends);
        std::vector<char> touches(n);
        bvh::touch_poses(a, b, poses.data(), n, {true, false, true}, workers, kQuiet,
                         reinterpret_cast<bool*>(touches.data()));
        add(all, touches);
        return all;
      },
      [&, n](int workers) {
        Answer all;
        const auto found =
            bvh::distance_poses(a, b, poses.data(), n, INFINITY, nullptr, workers, kQuiet);
        for (const bvh::Closest& closest : found.closest) all.push_back(closest.value);
        return all;
      },
      [&](int workers) {
        std::vector<double> origins, directions;
        for (int i = 0; i < 60; ++i) {
          const double at[3] = {std::sin(1.7 * i), std::cos(0.9 * i), std::sin(0.3 * i)};
          for (const double x : at) origins.push_back(3 * x), directions.push_back(-x);
        }
        Answer all;
        for (const auto mode : {bvh::RayMode::closest, bvh::RayMode::all}) {
          const auto hits = bvh::raycast(a.tree(), origins.data(), directions.data(), 60, mode,
                                         {0, INFINITY}, workers, kQuiet);
          for (std::size_t i = 0; i < hits.count; ++i) {
            all.insert(all.end(), {double(hits.ray[i]), double(hits.face[i]), hits.t[i]});
          }
        }
        return all;
      },
  };
}

PreparedTree tree_of(const Mesh& mesh) {
  return PreparedTree(mesh.vertices.data(), mesh.vertex_count(), mesh.faces.data(),
                      mesh.face_count(), 2);
}

}  // namespace

void trees(int rounds) {
  const Mesh a = sphere(14, 0), b = sphere(10, 0.4);
  const Mesh states[] = {a, bent(a, 0.2), bent(a, -1.5)};
  const std::vector<double> poses = poses_along_x(6);
  std::vector<std::vector<Answer>> expected;
  for (const Mesh& state : states) {
    const PreparedTree alone = tree_of(state), other = tree_of(b);
    std::vector<Answer>& answers = expected.emplace_back();
    for (const Question& ask : questions(alone, other, poses)) answers.push_back(ask(1));
    expect(answers[0], brute(state, b), "pairs of two trees");
    expect(answers[1], brute_self(state), "pairs of a tree with itself");
  }
  for (int round = 0; round < rounds; ++round) {
    PreparedTree first = tree_of(a);
    const PreparedTree second = tree_of(b);
    bool fresh = true;
    for (const int state : {0, 1, 2, 0}) {
      if (!fresh) first.refit(states[state].vertices.data(), 2);
      fresh = false;
      ask_together(questions(first, second, poses), expected[state], "trees");
    }
  }
}

}  // namespace stress
