// Pairs of triangles of a soup, handed to the judge.
#pragma once

#include <cstdint>
#include <memory>

#include "base/pool.hpp"
#include "base/ticker.hpp"
#include "mesh/neighbours.hpp"
#include "pairs/judge.hpp"
#include "pairs/soup.hpp"

namespace impinge {

struct SoupQuery {
  const Soup& soup;
  const Wanted& wanted;
  Rule rule;
};

// The triangles of a soup stand for themselves.
struct TrianglesOfSoup {
  const Soup& soup;

  Triangle triangle_a(std::uint32_t i) const { return soup.triangle(i); }
  Triangle triangle_b(std::uint32_t i) const { return soup.triangle(i); }
  std::uint32_t id_a(std::uint32_t i) const { return soup.id(i); }
  std::uint32_t id_b(std::uint32_t i) const { return soup.id(i); }
  bool same_body(std::uint32_t a, std::uint32_t b) const { return soup.body(a) == soup.body(b); }
};

// Ids of triangles and of their corners.
struct Triangles8 {
  std::uint32_t id[kLanes];
  std::int32_t corner[3][kLanes];
};

// Belongs to one thread; keys are appended.
class SoupPairs {
 public:
  SoupPairs(const SoupQuery& query, Buffer<Key>& keys)
      : query_(query),
        triangles_{query.soup},
        batch_(std::make_unique<Batch>()),
        judge_(triangles_, query_.rule, kError, *batch_, keys, tally) {}

  // Eight pairs; those from `count` on do not count.
  void add(const Triangles8& a, const Triangles8& b, int count);
  void finish() { judge_.drain(); }
  // Those with a common corner that are not certain to meet in nothing else.
  void test_neighbours(std::uint32_t a, std::uint32_t b) { judge_.test_neighbours(a, b); }

  Tally tally;

 private:
  // Of a float coordinate in the frame.
  static constexpr auto kError = static_cast<float>(1.001 * kRounding);

  const SoupQuery& query_;
  const TrianglesOfSoup triangles_;
  const std::unique_ptr<Batch> batch_;
  Judge<TrianglesOfSoup> judge_;
};

// The neighbours in the bodies that are checked against themselves: calls pairs(worker), a
// SoupPairs, for those that are not certain.
template <class PairsOf>
void test_soup_neighbours(const SoupQuery& query, int workers, const Ticker::Callback& tick,
                          const PairsOf& pairs) {
  const Soup& soup = query.soup;
  for (std::size_t body = 0; body < soup.bodies().size(); ++body) {
    const WeldedStars* stars = query.wanted.stars(body);
    if (!stars) continue;
    // All faces of such a body are in the soup, one after the other.
    const std::uint32_t first = soup.first_triangle(body);
    test_neighbours(stars->stars(), stars->corners(), soup.points() + soup.first_point(body),
                    workers, tick, [&](int worker, std::uint32_t p, std::uint32_t q) {
                      pairs(worker).test_neighbours(first + p, first + q);
                    });
  }
}

}  // namespace impinge
