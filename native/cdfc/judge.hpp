// Pairs of triangles, decided: boxes, the float filter, the exact test.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bvh/filter.hpp"
#include "bvh/tree.hpp"
#include "cdfc/collide.hpp"

namespace impinge::cdfc {

// Ids of triangles and of their corners.
struct Triangles8 {
  std::uint32_t id[kLanes];
  std::int32_t corner[3][kLanes];
};

// Belongs to one thread; results are appended to `keys`.
class Judge {
 public:
  explicit Judge(const Query& query) : query_(query), batch_(std::make_unique<Batch>()) {}

  // Eight pairs; those from `count` on do not count.
  void add(const Triangles8& a, const Triangles8& b, int count);
  void finish() { drain(); }
  // Neighbours that were not certain.
  void decide(std::uint32_t a, std::uint32_t b);

  std::vector<Key> keys;
  std::uint64_t tests = 0, uncertain = 0;

 private:
  // Of a float coordinate in the frame.
  static constexpr auto kError = static_cast<float>(1.001 * kRounding);

  void drain();
  void report(std::uint32_t a, std::uint32_t b, Kind kind);

  const Query& query_;
  std::unique_ptr<Batch> batch_;
};

}  // namespace impinge::cdfc
