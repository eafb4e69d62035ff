#include "solids/pieces.hpp"

#include <algorithm>
#include <compare>

#include "geometry/facing.hpp"
#include "solids/polygon.hpp"

namespace impinge::solids {
namespace {

// Where an edge of one surface passes a face of the other.
struct Passage {
  std::uint32_t surface, edge, face;
  auto operator<=>(const Passage&) const = default;
};

// The least of the sides on one edge.
std::uint32_t edge_of(const Rings& rings, std::uint32_t side) {
  std::uint32_t least = side;
  for (std::uint32_t other = rings.next(side); other != side; other = rings.next(other)) {
    least = std::min(least, other);
  }
  return least;
}

class Builder {
 public:
  // Of what is inside the other solid, or outside.
  explicit Builder(const Overlay& overlay, bool is_outside = false)
      : overlay_(overlay), is_outside_(is_outside) {
    find_passages();
    for (int i = 0; i < 2; ++i) {
      vertex_[i].assign(overlay.surface(i).body().tree->vertex_count(), -1);
    }
  }

  void add_whole_faces() {
    for (int i = 0; i < 2; ++i) {
      for (const std::int32_t face : overlay_.part(i).whole_faces()) {
        pieces_.pieces.push_back(
            {{corner(i, face, 0), corner(i, face, 1), corner(i, face, 2)}, i, face});
      }
    }
  }
  void add_cut_faces() {
    for (int i = 0; i < 2; ++i) {
      for (const CutFaceInside& face : overlay_.part(i).cut_faces()) add_cut_face(i, face);
    }
  }
  Pieces take() { return std::move(pieces_); }

 private:
  // A segment of the rim of the part of a face that is wanted.
  struct Segment {
    std::int32_t from, to;
    bool operator<(const Segment& other) const { return from < other.from; }
  };

  Passage passage(const Overlay::Crossing& crossing, int edge) const {
    const int own = edge / 3;
    const PlacedSurface& surface = overlay_.surface(own);
    const std::int32_t face[2] = {crossing.a, crossing.b};
    const auto side =
        static_cast<std::uint32_t>(3 * face[own] + surface.side_of_triangle(edge % 3));
    return {static_cast<std::uint32_t>(own), edge_of(surface.rings(), side),
            static_cast<std::uint32_t>(face[1 - own])};
  }

  // Those at the tail and the head of each crossing are named first.
  void find_passages() {
    const auto& crossings = overlay_.crossings();
    std::vector<Passage> all;
    for (const auto& c : crossings) {
      all.push_back(passage(c, c.cut.tail));
      all.push_back(passage(c, c.cut.head));
    }
    std::vector<Passage> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    pieces_.corners.resize(sorted.size());
    pieces_.passages = static_cast<std::int32_t>(sorted.size());
    pieces_.crossing.resize(sorted.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto at = std::lower_bound(sorted.begin(), sorted.end(), all[i]) - sorted.begin();
      passages_.push_back(static_cast<std::int32_t>(at));
      std::copy_n(crossings[i / 2].cut.at[i % 2], 3, pieces_.corners[at].data());
      pieces_.crossing[at] = static_cast<std::uint32_t>(i / 2);
    }
  }

  // What is wanted is on the left of a cut that runs from its start to its end.
  std::int32_t start(const FaceCut& cut) const { return passage(cut, cut.reversed != is_outside_); }
  std::int32_t end(const FaceCut& cut) const { return passage(cut, cut.reversed == is_outside_); }
  std::int32_t passage(const FaceCut& cut, bool at_head) const {
    return passages_[2 * cut.crossing + at_head];
  }
  bool starts_on(const FaceCut& cut, int edge) const {
    return (is_outside_ ? cut.head_edge : cut.tail_edge) == edge;
  }
  bool ends_on(const FaceCut& cut, int edge) const {
    return (is_outside_ ? cut.tail_edge : cut.head_edge) == edge;
  }

  // A vertex of a face as a corner of pieces.
  std::int32_t corner(int i, std::int32_t face, int k) {
    const PlacedSurface& surface = overlay_.surface(i);
    const std::int32_t id = surface.corner(face, k);
    std::int32_t& known = vertex_[i][id];
    if (known < 0) {
      known = static_cast<std::int32_t>(pieces_.corners.size());
      double point[3];
      surface.vertex(id, point);
      pieces_.corners.push_back({point[0], point[1], point[2]});
    }
    return known;
  }

  void add_cut_face(int i, const CutFaceInside& face) {
    const Triangle t = overlay_.surface(i).triangle(face.face);
    rim_.clear();
    for (const FaceCut& cut : face.cuts) rim_.push_back({start(cut), end(cut)});
    for (int k = 0; k < 3; ++k) add_edge(i, face, t, k);
    const int axis = axis_with_area(t), front = facing(t, axis) < 0 ? -1 : 1;
    for (const auto& triangle : triangulate(loops(), axis, front)) {
      pieces_.pieces.push_back({{triangle[0], triangle[1], triangle[2]}, i, face.face});
    }
  }

  // Along an edge it goes in and out in turn. The order is that of the positions, from the lower
  // end of the edge, and for equal ones that of the names: the same for all faces of the edge.
  void add_edge(int i, const CutFaceInside& face, const Triangle& t, int k) {
    const int next = corner_after(k);
    std::vector<std::int32_t> in, out;
    for (const FaceCut& cut : face.cuts) {
      if (ends_on(cut, k)) in.push_back(end(cut));
      if (starts_on(cut, k)) out.push_back(start(cut));
    }
    const bool rises = before(t[k], t[next]);
    const auto comes_first = [&](std::int32_t x, std::int32_t y) {
      if (!rises) std::swap(x, y);
      const double *p = pieces_.corners[x].data(), *q = pieces_.corners[y].data();
      return before(p, q) || (!before(q, p) && x < y);
    };
    std::sort(in.begin(), in.end(), comes_first);
    std::sort(out.begin(), out.end(), comes_first);
    if (face.inside[k] != is_outside_) in.insert(in.begin(), corner(i, face.face, k));
    if (face.inside[next] != is_outside_) out.push_back(corner(i, face.face, next));
    for (std::size_t j = 0; j < in.size(); ++j) rim_.push_back({in[j], out[j]});
  }

  std::vector<std::vector<Vertex2>> loops() {
    std::sort(rim_.begin(), rim_.end());
    std::vector<char> used(rim_.size(), 0);
    std::vector<std::vector<Vertex2>> loops;
    for (std::size_t first = 0; first < rim_.size(); ++first) {
      if (used[first]) continue;
      auto& loop = loops.emplace_back();
      for (std::size_t at = first; !used[at]; at = follower(rim_[at].to, used, first)) {
        used[at] = 1;
        loop.push_back({rim_[at].from, pieces_.corners[rim_[at].from].data()});
      }
    }
    return loops;
  }

  // A segment that begins where another ends, and was not used; the first one in the end.
  std::size_t follower(std::int32_t from, const std::vector<char>& used, std::size_t first) const {
    auto at = static_cast<std::size_t>(
        std::lower_bound(rim_.begin(), rim_.end(), Segment{from, 0}) - rim_.begin());
    while (at < rim_.size() && rim_[at].from == from && used[at]) ++at;
    return at < rim_.size() && rim_[at].from == from ? at : first;
  }

  const Overlay& overlay_;
  const bool is_outside_;
  std::vector<std::int32_t> passages_;   // of the tail and the head of each crossing
  std::vector<std::int32_t> vertex_[2];  // corners that are vertices, -1 if there is none
  std::vector<Segment> rim_;
  Pieces pieces_;
};

}  // namespace

Pieces pieces_of(const Overlay& overlay) {
  Builder builder(overlay);
  builder.add_whole_faces();
  builder.add_cut_faces();
  return builder.take();
}

Pieces pieces_of_cut_faces(const Overlay& overlay) {
  Builder builder(overlay);
  builder.add_cut_faces();
  return builder.take();
}

Pieces outside_of_cut_faces(const Overlay& overlay) {
  Builder builder(overlay, true);
  builder.add_cut_faces();
  return builder.take();
}

}  // namespace impinge::solids
