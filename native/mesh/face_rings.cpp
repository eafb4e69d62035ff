#include "mesh/face_rings.hpp"

#include <algorithm>
#include <vector>

#include "base/pool.hpp"

namespace impinge {
namespace {

// The faces around one face. Belongs to one thread.
class Rings {
 public:
  explicit Rings(const WeldedStars& stars)
      : stars_(stars), face_seen_(stars.face_count(), 0), vertex_seen_(stars.vertex_count(), 0) {}

  void gather(std::uint32_t face, int rings) {
    ++round_;
    found_.assign(1, face);
    face_seen_[face] = round_;
    std::size_t begin = 0;
    for (int ring = 0; ring < rings && begin < found_.size(); ++ring) {
      const std::size_t end = found_.size();
      for (; begin < end; ++begin) add_neighbours(found_[begin]);
    }
  }
  bool has(std::uint32_t face) const { return face_seen_[face] == round_; }

 private:
  void add_neighbours(std::uint32_t face) {
    const Stars& around = stars_.stars();
    for (int k = 0; k < 3; ++k) {
      const std::int32_t vertex = stars_.corners()[3 * std::size_t{face} + k];
      if (vertex_seen_[vertex] == round_) continue;
      vertex_seen_[vertex] = round_;
      for (std::uint32_t i = around.first[vertex]; i < around.first[vertex + 1]; ++i) {
        const std::uint32_t next = around.slots[i];
        if (face_seen_[next] == round_) continue;
        face_seen_[next] = round_;
        found_.push_back(next);
      }
    }
  }

  const WeldedStars& stars_;
  std::vector<std::uint64_t> face_seen_, vertex_seen_;  // in which round
  std::vector<std::uint32_t> found_;
  std::uint64_t round_ = 0;
};

}  // namespace

void within_rings(const WeldedStars& stars, const std::int32_t* pairs, std::size_t n, int rings,
                  int workers, bool* within) {
  constexpr std::size_t kGrain = 1 << 16;
  parallel_for(workers, n, kGrain, [&](std::size_t i, std::size_t end, int) {
    Rings around(stars);
    for (std::int32_t gathered = -1; i < end; ++i) {
      const std::int32_t face = pairs[2 * i];
      if (face != gathered) around.gather(static_cast<std::uint32_t>(face), rings);
      gathered = face;
      within[i] = around.has(static_cast<std::uint32_t>(pairs[2 * i + 1]));
    }
  });
}

}  // namespace impinge
