#include "bvh/self/sheets.hpp"

#include <algorithm>
#include <memory>

#include "base/pool.hpp"

namespace impinge::bvh {
namespace {

constexpr std::size_t kSlotGrain = 4096;
constexpr int kMostFinders = 4;  // each has notes about all vertices
constexpr std::int32_t kNone = -1, kOdd = -2;

std::size_t slots_below(int level) { return std::size_t{1} << (3 * (level + 1)); }

// The slot across each edge: none where the surface ends, odd where more than two faces meet or
// two that do not agree which side is up.
class Across {
 public:
  Across(const Tree& tree, const Stars& stars, int workers)
      : tree_(tree), slots_(3 * tree.face_count()) {
    parallel_for(workers, tree.face_count(), kSlotGrain, [&](std::size_t b, std::size_t e, int) {
      for (; b < e; ++b) {
        for (int k = 0; k < 3; ++k) slots_[3 * b + k] = find(stars, b, k);
      }
    });
  }

  std::int32_t corner(std::size_t slot, int k) const {
    return tree_.corners(slot / kLanes).id[k][slot % kLanes];
  }
  std::int32_t operator()(std::size_t slot, int k) const { return slots_[3 * slot + k]; }

 private:
  std::int32_t find(const Stars& stars, std::size_t slot, int k) const {
    const std::int32_t from = corner(slot, k), to = corner(slot, (k + 1) % 3);
    if (from == to) return kOdd;
    // around the end with fewer faces, since thousands may meet in the other
    const auto count = [&](std::int32_t v) { return stars.first[v + 1] - stars.first[v]; };
    const std::int32_t end = count(from) < count(to) ? from : to;
    int same = 0, opposite = 0;
    std::int32_t across = kNone;
    for (std::uint32_t i = stars.first[end]; i < stars.first[end + 1]; ++i) {
      const std::uint32_t other = stars.slots[i];
      const std::int32_t id[] = {corner(other, 0), corner(other, 1), corner(other, 2)};
      for (int j = 0; j < 3; ++j) {
        const std::int32_t p = id[j], q = id[j == 2 ? 0 : j + 1];
        same += p == from && q == to;
        if (p != to || q != from) continue;
        ++opposite;
        across = static_cast<std::int32_t>(other);
      }
      if (same > 1 || opposite > 1) return kOdd;
    }
    return across;
  }

  const Tree& tree_;
  std::vector<std::int32_t> slots_;
};

}  // namespace

// Strings the edges of a rim together. Belongs to one thread; notes per vertex hold for the rim
// that they were made in only.
class Sheets::Finder {
 public:
  Finder(const Tree& tree, const Across& across)
      : faces_(tree.face_count()), across_(across), notes_(tree.vertex_count()) {}

  // Appends the rim, if there is one.
  Part find(int level, std::size_t node, std::vector<std::int32_t>& vertices,
            std::vector<std::int32_t>& ends) {
    const std::size_t first_vertex = vertices.size(), first_end = ends.size();
    if (list_edges(level, node)) walk(vertices, ends);
    if (vertices.size() - first_vertex > kLongest) {
      vertices.resize(first_vertex);
      ends.resize(first_end);
    }
    const auto number = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
    return {number(first_vertex), number(vertices.size() - first_vertex), number(first_end),
            number(ends.size() - first_end)};
  }

 private:
  struct Edge {
    std::int32_t from, to;
    std::int32_t next;  // that starts there too
  };
  struct Note {
    std::uint32_t rim = 0;
    std::int32_t first = kNone;  // edge that starts there and was not walked
    std::int32_t place = kNone;  // in the walk
  };

  bool list_edges(int level, std::size_t node) {
    const std::size_t all = slots_below(level), end = std::min(faces_, (node + 1) * all);
    ++rim_;
    edges_.clear();
    for (std::size_t slot = node * all; slot < end; ++slot) {
      for (int k = 0; k < 3; ++k) {
        const std::int32_t other = across_(slot, k);
        if (other == kOdd) return false;
        if (other != kNone && static_cast<std::size_t>(other) / all == node) continue;
        const std::int32_t from = across_.corner(slot, k), to = across_.corner(slot, (k + 1) % 3);
        edges_.push_back({from, to, note(from).first});
        note(from).first = static_cast<std::int32_t>(edges_.size() - 1);
      }
    }
    return edges_.size() <= kLongest;
  }

  Note& note(std::int32_t vertex) {
    if (notes_[vertex].rim != rim_) notes_[vertex] = {rim_, kNone, kNone};
    return notes_[vertex];
  }

  // Whenever the walk comes to a vertex again, what lies between is a ring. As many edges of a rim
  // end in a vertex as start there, so every walk ends where it began.
  void walk(std::vector<std::int32_t>& vertices, std::vector<std::int32_t>& ends) {
    const std::size_t first_vertex = vertices.size();
    for (const Edge& edge : edges_) {
      for (std::int32_t at = edge.from;;) {
        Note& here = note(at);
        if (here.place != kNone) {
          const auto ring = path_.begin() + here.place;
          std::for_each(ring, path_.end(), [&](std::int32_t v) { note(v).place = kNone; });
          vertices.insert(vertices.end(), ring, path_.end());
          vertices.insert(vertices.end(), ring, ring + 2);
          ends.push_back(static_cast<std::int32_t>(vertices.size() - first_vertex));
          path_.erase(ring, path_.end());
        }
        if (here.first == kNone) break;
        const Edge& taken = edges_[here.first];
        here.first = taken.next;
        here.place = static_cast<std::int32_t>(path_.size());
        path_.push_back(at);
        at = taken.to;
      }
    }
  }

  const std::size_t faces_;
  const Across& across_;
  std::vector<Note> notes_;
  std::uint32_t rim_ = 0;
  std::vector<Edge> edges_;
  std::vector<std::int32_t> path_;
};

Sheets::Sheets(const Tree& tree, const Stars& stars, int workers) {
  const Across across(tree, stars, workers);
  const int top = std::min(kLevels, tree.boxes().top());
  for (int level = 1; level <= top; ++level) levels_.emplace_back(tree.boxes().nodes(level));
  struct Found {
    std::vector<std::int32_t> vertices, ends;
  };
  std::vector<Found> found(nodes(top));
  const int finding = std::min(workers, kMostFinders);
  std::vector<std::unique_ptr<Finder>> finders(static_cast<std::size_t>(finding));
  const auto each_below = [&](std::size_t i, auto&& f) {
    for (int level = 1; level <= top; ++level) {
      const int shift = 3 * (top - level);
      const std::size_t end = std::min(nodes(level), (i + 1) << shift);
      for (std::size_t node = i << shift; node < end; ++node) f(level, node);
    }
  };
  parallel_for(finding, found.size(), 1, [&](std::size_t b, std::size_t e, int worker) {
    auto& finder = finders[worker];
    if (!finder) finder = std::make_unique<Finder>(tree, across);
    for (; b < e; ++b) {
      each_below(b, [&](int level, std::size_t node) {
        levels_[level - 1][node] = finder->find(level, node, found[b].vertices, found[b].ends);
      });
    }
  });
  for (std::size_t i = 0; i < found.size(); ++i) {
    each_below(i, [&](int level, std::size_t node) {
      Part& part = levels_[level - 1][node];
      part.first_vertex += static_cast<std::uint32_t>(vertices_.size());
      part.first_end += static_cast<std::uint32_t>(ends_.size());
    });
    vertices_.insert(vertices_.end(), found[i].vertices.begin(), found[i].vertices.end());
    ends_.insert(ends_.end(), found[i].ends.begin(), found[i].ends.end());
  }
}

std::size_t Sheets::bytes() const {
  std::size_t total = (vertices_.size() + ends_.size()) * sizeof(std::int32_t);
  for (const auto& parts : levels_) total += parts.size() * sizeof(Part);
  return total;
}

}  // namespace impinge::bvh
