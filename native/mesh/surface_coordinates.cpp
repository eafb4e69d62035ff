#include "mesh/surface_coordinates.hpp"

#include <algorithm>
#include <limits>

namespace impinge {
namespace {

constexpr int kLandmarks = 3;
constexpr std::int32_t kUnseen = std::numeric_limits<std::int32_t>::max();

// Breadth first over the vertices of one connected part.
class Walk {
 public:
  Walk(const std::vector<std::int32_t>& faces, std::size_t vertices)
      : faces_(faces), first_(vertices + 1, 0), around_(faces.size()), seen_(faces.size() / 3, 0) {
    for (const std::int32_t v : faces) ++first_[v + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < faces.size(); ++i) {
      around_[next[faces[i]]++] = static_cast<std::uint32_t>(i / 3);
    }
  }

  // Steps to every vertex that can be reached from `start`; `reached()` lists them, nearest first.
  void run(std::int32_t start, std::vector<std::int32_t>& steps) {
    ++round_;
    queue_.assign(1, start);
    steps[start] = 0;
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      const std::int32_t v = queue_[at];
      for (std::uint32_t i = first_[v]; i < first_[v + 1]; ++i) {
        const std::uint32_t face = around_[i];
        if (seen_[face] == round_) continue;
        seen_[face] = round_;
        for (int k = 0; k < 3; ++k) {
          const std::int32_t w = faces_[3 * face + k];
          if (steps[w] != kUnseen) continue;
          steps[w] = steps[v] + 1;
          queue_.push_back(w);
        }
      }
    }
  }
  const std::vector<std::int32_t>& reached() const { return queue_; }
  bool used(std::int32_t v) const { return first_[v] != first_[v + 1]; }

 private:
  const std::vector<std::int32_t>& faces_;
  std::vector<std::uint32_t> first_, around_;
  std::vector<std::uint32_t> seen_;  // in which round
  std::uint32_t round_ = 0;
  std::vector<std::int32_t> queue_;
};

}  // namespace

std::vector<std::array<float, 3>> surface_coordinates(const std::vector<std::int32_t>& faces,
                                                      std::size_t vertices) {
  Walk walk(faces, vertices);
  std::vector<std::int32_t> steps[kLandmarks], probe(vertices, kUnseen);
  for (auto& s : steps) s.assign(vertices, kUnseen);
  for (std::size_t v = 0; v < vertices; ++v) {
    const auto id = static_cast<std::int32_t>(v);
    if (steps[0][v] != kUnseen || !walk.used(id)) continue;
    // Each landmark is as far from the earlier ones as can be; the first is far from anywhere.
    walk.run(id, probe);
    std::int32_t landmark = walk.reached().back();
    for (int i = 0; i < kLandmarks; ++i) {
      walk.run(landmark, steps[i]);
      std::int32_t farthest = -1;
      for (const std::int32_t w : walk.reached()) {
        std::int32_t nearest = steps[0][w];
        for (int j = 1; j <= i; ++j) nearest = std::min(nearest, steps[j][w]);
        if (nearest > farthest) {
          farthest = nearest;
          landmark = w;
        }
      }
    }
  }
  std::vector<std::array<float, 3>> result(faces.size() / 3);
  for (std::size_t f = 0; f < result.size(); ++f) {
    for (int i = 0; i < kLandmarks; ++i) {
      result[f][i] = static_cast<float>(steps[i][faces[3 * f]] + steps[i][faces[3 * f + 1]] +
                                        steps[i][faces[3 * f + 2]]) /
                     3;
    }
  }
  return result;
}

}  // namespace impinge
