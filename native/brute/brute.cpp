#include "brute/brute.hpp"

#include <algorithm>
#include <tuple>

#include "base/pool.hpp"
#include "geometry/triangle_box.hpp"

namespace impinge {
namespace {

// A triangle with its box; `body` is 0 or 1.
struct Item {
  Triangle triangle;
  TriangleBox box;
  std::int32_t face;
  int body;
};

// Boxes that grow by half the margin overlap where triangles are within it.
void append_items(const BodyMesh& mesh, int body, double margin, std::vector<Item>& items) {
  for (std::size_t f = 0; f < mesh.face_count; ++f) {
    const Triangle t = mesh.triangle(f);
    items.push_back({t, TriangleBox(t), static_cast<std::int32_t>(f), body});
    if (margin > 0) items.back().box.grow(0.5 * margin);
  }
}

// Sweep along x: each item against those that start before it ends. `test(p, q)` gives the kind.
template <class Test>
std::vector<BruteHit> sweep(std::vector<Item> items, const Rule& rule, int workers,
                            const Ticker::Callback& tick, const Test& test) {
  std::sort(items.begin(), items.end(), [](const Item& p, const Item& q) {
    return std::tie(p.box.low[0], p.body, p.face) < std::tie(q.box.low[0], q.body, q.face);
  });
  workers = resolve_workers(workers);
  std::vector<std::vector<BruteHit>> found(workers);
  constexpr std::size_t grain = 64;
  const std::size_t chunks = (items.size() + grain - 1) / grain;
  Ticker ticker(chunks, tick);
  const auto run_chunk = [&](std::size_t chunk, int worker) {
    const std::size_t end = std::min(items.size(), (chunk + 1) * grain);
    for (std::size_t i = chunk * grain; i < end; ++i) {
      for (std::size_t j = i + 1; j < items.size() && items[j].box.low[0] <= items[i].box.high[0];
           ++j) {
        if (!items[i].box.meets(items[j].box)) continue;
        const bool in_order =
            std::tie(items[i].body, items[i].face) < std::tie(items[j].body, items[j].face);
        const Item &p = in_order ? items[i] : items[j], &q = in_order ? items[j] : items[i];
        const Kind kind = test(p, q);
        if (counts(kind, rule)) found[worker].push_back({p.face, q.face, kind});
      }
    }
    ticker.done(worker);
  };
  parallel_for(workers, chunks, 1, [&](std::size_t begin, std::size_t end, int worker) {
    for (; begin < end; ++begin) run_chunk(begin, worker);
  });

  std::vector<BruteHit> hits;
  for (const auto& part : found) hits.insert(hits.end(), part.begin(), part.end());
  std::sort(hits.begin(), hits.end(), [](const BruteHit& p, const BruteHit& q) {
    return std::tie(p.a, p.b) < std::tie(q.a, q.b);
  });
  return hits;
}

}  // namespace

std::vector<BruteHit> brute_pairs(const BodyMesh& a, const BodyMesh& b, Kernel kernel,
                                  const Rule& rule, int workers, const Ticker::Callback& tick) {
  std::vector<Item> items;
  append_items(a, 0, rule.margin, items);
  append_items(b, 1, rule.margin, items);
  return sweep(std::move(items), rule, workers, tick, [&](const Item& p, const Item& q) {
    if (p.body == q.body) return Kind::none;
    return rule.margin > 0 ? decide(p.triangle, q.triangle, false, rule)
                           : classify_by(kernel, p.triangle, q.triangle);
  });
}

std::vector<BruteHit> brute_self_pairs(const BodyMesh& mesh, const Rule& rule, int workers,
                                       const Ticker::Callback& tick) {
  std::vector<Item> items;
  append_items(mesh, 0, rule.margin, items);
  return sweep(std::move(items), rule, workers, tick, [&](const Item& p, const Item& q) {
    return decide(p.triangle, q.triangle, true, rule);
  });
}

}  // namespace impinge
