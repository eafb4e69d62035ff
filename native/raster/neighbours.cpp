#include "bvh/mesh_neighbours.hpp"
#include "raster/exact.hpp"

namespace impinge {

void exact_neighbours(const ExactQuery& query, std::int32_t body, std::size_t first,
                      std::int32_t vertex_offset, int workers, const Ticker::Callback& tick,
                      std::vector<Key>& keys, ExactCounters& counters) {
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

  struct Found {
    std::vector<Key> keys;
    std::uint64_t tests = 0;
  };
  std::vector<Found> found(std::max(1, workers));
  test_neighbours(stars, faces.data(), points.data(), workers, tick,
                  [&](int worker, std::uint32_t p, std::uint32_t q) {
                    const std::size_t a = first + p, b = first + q;
                    ++found[worker].tests;
                    const Kind kind = classify_self(query.triangle(a), query.triangle(b),
                                                    query.report_duplicates);
                    if (kind == Kind::none || (kind != Kind::crossing && !query.touching)) return;
                    found[worker].keys.push_back(make_key(static_cast<std::uint32_t>(a),
                                                          static_cast<std::uint32_t>(b), kind));
                  });
  for (const Found& one : found) {
    keys.insert(keys.end(), one.keys.begin(), one.keys.end());
    counters.tests += one.tests;
  }
}

}  // namespace impinge
