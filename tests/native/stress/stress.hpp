// What the stress programs share: small meshes, many threads at once, answers that must agree.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/ticker.hpp"
#include "mesh/body_mesh.hpp"

namespace stress {

using impinge::BodyMesh;

struct Mesh {
  std::vector<double> vertices;
  std::vector<std::int32_t> faces;

  std::size_t vertex_count() const { return vertices.size() / 3; }
  std::size_t face_count() const { return faces.size() / 3; }
  BodyMesh body() const { return {vertices.data(), vertex_count(), faces.data(), face_count()}; }
};

// A closed sphere of so many rings, moved along x and y; its poles are many vertices each.
Mesh sphere(int rings, double x, double size = 1);
// The same vertices, bent.
Mesh bent(const Mesh& mesh, double amount);
// Poses (n, 4, 4) along a line.
std::vector<double> poses_along_x(int count);

inline const impinge::Ticker::Callback kQuiet = [](double) {};

// An answer as numbers that can be compared.
using Answer = std::vector<double>;

template <class Numbers>
void add(Answer& answer, const Numbers& numbers) {
  for (const auto& number : numbers) answer.push_back(static_cast<double>(number));
}

// Ends the program when an answer is another than was expected.
void expect(const Answer& found, const Answer& expected, const char* what);

// Every question is asked by several threads at once, each with its own number of workers.
using Question = std::function<Answer(int workers)>;
void ask_together(const std::vector<Question>& questions, const std::vector<Answer>& expected,
                  const char* what);

void trees(int rounds);
void candidates(int rounds);
void solids(int rounds);

}  // namespace stress
