#include "mesh/neighbours.hpp"

#include <algorithm>

#include "raster/exact.hpp"

namespace impinge::raster {

void exact_neighbours(const ExactQuery& query, std::int32_t body, std::size_t first,
                      std::int32_t vertex_offset, int workers, const Ticker::Callback& tick,
                      Findings& findings, ExactCounters& counters) {
  const BodyMesh& mesh = query.bodies[body];
  if (mesh.face_count == 0) return;
  std::vector<std::int32_t> faces(3 * mesh.face_count);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    faces[i] = query.seen.faces[3 * first + i] - vertex_offset;
  }
  const Stars stars(faces.data(), mesh.face_count, mesh.vertex_count);
  Bounds bounds = kNoBounds;
  for (const std::int32_t v : faces) {
    include(bounds, mesh.vertices + 3 * std::size_t(v), mesh.vertices + 3 * std::size_t(v));
  }
  const Frame frame = frame_of(bounds);
  std::vector<Point4> points(mesh.vertex_count);  // others than those of faces may be anywhere
  for (const std::int32_t v : faces) {
    points[v] = in_frame(frame, mesh.vertices + 3 * std::size_t(v));
  }

  std::vector<std::uint64_t> tests(static_cast<std::size_t>(std::max(1, workers)), 0);
  test_neighbours(stars, faces.data(), points.data(), workers, tick,
                  [&](int worker, std::uint32_t p, std::uint32_t q) {
                    const std::size_t a = first + p, b = first + q;
                    ++tests[static_cast<std::size_t>(worker)];
                    const Kind kind =
                        decide(query.triangle(a), query.triangle(b), true, query.rule);
                    if (kind == Kind::none) return;
                    findings[worker].keys.push(make_key(static_cast<std::uint32_t>(a),
                                                        static_cast<std::uint32_t>(b), kind));
                  });
  for (const std::uint64_t own : tests) counters.tests += own;
}

}  // namespace impinge::raster
