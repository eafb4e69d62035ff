#include "bvh/neighbours.hpp"

#include <algorithm>

#include "bvh/stars.hpp"
#include "bvh/tree.hpp"
#include "parallel/pool.hpp"
#include "raster/exact.hpp"

namespace impinge {
namespace {

constexpr std::size_t kStarsPerTask = 256;

// A fan of triangles around a vertex is mostly settled by one look at all of it; see bvh/stars.hpp.
class NeighbourTests {
 public:
  NeighbourTests(const ExactQuery& query, const std::vector<std::int32_t>& faces,
                 const Stars& stars, const std::vector<Point4>& points, std::size_t first)
      : query_(query), faces_(faces), stars_(stars), points_(points), first_(first) {}

  void blocks(std::size_t begin, std::size_t end, Ticker& ticker, int worker) {
    for (; begin < end && ticker.pulse(worker); ++begin) {
      const Stars::Block& block = stars_.blocks[begin];
      const unsigned live = (1u << block.lanes) - 1;
      const unsigned open = ~certify(stars_, block, points_.data(), kError) & live;
      for_each_bit(open, [&](int lane) { star(stars_.ids[block.first + lane], ticker, worker); });
    }
  }

  void irregular(std::size_t begin, std::size_t end, Ticker& ticker, int worker) {
    for (; begin < end && ticker.pulse(worker); ++begin) {
      star(stars_.irregular[begin], ticker, worker);
    }
  }

  std::vector<Key> keys;
  std::uint64_t tests = 0;

 private:
  static constexpr auto kError = static_cast<float>(1.001 * kRounding);

  void star(std::int32_t vertex, Ticker& ticker, int worker) {
    for_each_doubtful_pair(
        stars_, vertex, points_.data(), kError,
        [this](std::uint32_t face, int k) { return faces_[3 * std::size_t(face) + k]; },
        [&] { return ticker.pulse(worker); },
        [this](std::uint32_t p, std::uint32_t q) { test(std::min(p, q), std::max(p, q)); });
  }

  void test(std::size_t p, std::size_t q) {
    ++tests;
    const std::size_t a = first_ + p, b = first_ + q;
    const Kind kind =
        classify_self(query_.triangle(a), query_.triangle(b), query_.report_duplicates);
    if (kind == Kind::none || (kind != Kind::crossing && !query_.touching)) return;
    keys.push_back(make_key(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), kind));
  }

  const ExactQuery& query_;
  const std::vector<std::int32_t>& faces_;
  const Stars& stars_;
  const std::vector<Point4>& points_;
  const std::size_t first_;
};

}  // namespace

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

  const std::size_t blocks = (stars.blocks.size() + kStarsPerTask - 1) / kStarsPerTask;
  const std::size_t odd = (stars.irregular.size() + kStarsPerTask - 1) / kStarsPerTask;
  Ticker ticker(blocks + odd, tick);
  std::vector<NeighbourTests> testers(std::max(1, workers),
                                      NeighbourTests(query, faces, stars, points, first));
  parallel_for(workers, blocks + odd, 1, [&](std::size_t task, std::size_t end, int worker) {
    for (; task < end; ++task) {
      if (task < blocks) {
        const std::size_t begin = task * kStarsPerTask;
        testers[worker].blocks(begin, std::min(begin + kStarsPerTask, stars.blocks.size()), ticker,
                               worker);
      } else {
        const std::size_t begin = (task - blocks) * kStarsPerTask;
        testers[worker].irregular(begin, std::min(begin + kStarsPerTask, stars.irregular.size()),
                                  ticker, worker);
      }
      ticker.done(worker);
    }
  });
  for (const NeighbourTests& tester : testers) {
    keys.insert(keys.end(), tester.keys.begin(), tester.keys.end());
    counters.tests += tester.tests;
  }
}

}  // namespace impinge
