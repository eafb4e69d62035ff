#include "stress.hpp"

#include <cmath>

namespace stress {

Mesh sphere(int rings, double x, double size) {
  Mesh mesh;
  const int around = 2 * rings;
  for (int i = 0; i <= rings; ++i) {
    for (int j = 0; j < around; ++j) {
      const double a = 3.14159265358979 * i / rings, b = 3.14159265358979 * 2 * j / around;
      // exactly one point at each pole
      const double s = i == 0 || i == rings ? 0 : size * std::sin(a);
      const double p[3] = {s * std::cos(b) + x, s * std::sin(b) + 0.1 * x, size * std::cos(a)};
      mesh.vertices.insert(mesh.vertices.end(), p, p + 3);
    }
  }
  for (int i = 0; i < rings; ++i) {
    for (int j = 0; j < around; ++j) {
      const int a = i * around + j, b = i * around + (j + 1) % around;
      if (i > 0) mesh.faces.insert(mesh.faces.end(), {a, a + around, b});
      if (i + 1 < rings) mesh.faces.insert(mesh.faces.end(), {b, a + around, b + around});
    }
  }
  return mesh;
}

Mesh bent(const Mesh& mesh, double amount) {
  Mesh moved = mesh;
  for (std::size_t i = 0; i < moved.vertices.size(); i += 3) {
    moved.vertices[i] += amount * moved.vertices[i + 2] * moved.vertices[i + 2];
  }
  return moved;
}

std::vector<double> poses_along_x(int count) {
  std::vector<double> poses;
  for (int i = 0; i < count; ++i) {
    const double pose[16] = {1, 0, 0, -1.2 + 0.3 * i, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    poses.insert(poses.end(), pose, pose + 16);
  }
  return poses;
}

void expect(const Answer& found, const Answer& expected, const char* what) {
  if (found == expected) return;
  std::fprintf(stderr, "%s: %zu numbers where %zu are expected, or other ones\n", what,
               found.size(), expected.size());
  std::exit(1);
}

void ask_together(const std::vector<Question>& questions, const std::vector<Answer>& expected,
                  const char* what) {
  constexpr std::size_t kThreads = 6;
  std::vector<Answer> found(std::max(kThreads, questions.size()));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < found.size(); ++i) {
    threads.emplace_back(
        [&, i] { found[i] = questions[i % questions.size()](1 + static_cast<int>(i % 3)); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < found.size(); ++i) {
    expect(found[i], expected[i % questions.size()], what);
  }
}

}  // namespace stress
