#include "mesh/stars.hpp"

#include <algorithm>

#include "base/buffer.hpp"
#include "base/sort.hpp"
#include "geometry/plane.hpp"

namespace impinge {
namespace {

struct Rim {
  std::int32_t from, to;  // the far edge of one triangle of the star
};

// Strings the far edges together. Notes per vertex hold for the star they were made in only.
class FanFinder {
 public:
  bool closed = false;

  explicit FanFinder(std::size_t vertices) : notes_(vertices) {}

  // The rim vertices in order, or none when the edges form no single chain or ring.
  const std::vector<std::int32_t>& walk(const std::vector<Rim>& rims) {
    ++star_;
    chain_.clear();
    for (const Rim& r : rims) {
      Note& from = notes_[r.from];
      Note& to = notes_[r.to];
      if (from.left_in == star_ || to.entered_in == star_) return chain_;
      from.left_in = to.entered_in = star_;
      from.next = r.to;
    }
    const auto start = std::find_if(rims.begin(), rims.end(), [this](const Rim& r) {
      return notes_[r.from].entered_in != star_;
    });
    closed = start == rims.end();
    std::int32_t at = closed ? rims.front().from : start->from;
    for (std::size_t i = 0; i < rims.size(); ++i) {
      // Closed too early: there is another ring or chain.
      if (notes_[at].left_in != star_ || (i > 0 && at == chain_.front())) {
        chain_.clear();
        return chain_;
      }
      chain_.push_back(at);
      at = notes_[at].next;
    }
    if (!closed) chain_.push_back(at);
    return chain_;
  }

 private:
  struct Note {
    std::uint32_t left_in = 0, entered_in = 0;
    std::int32_t next = 0;
  };
  std::vector<Note> notes_;
  std::uint32_t star_ = 0;
  std::vector<std::int32_t> chain_;
};

struct Fan {
  std::int32_t centre;
  std::int32_t rims;
  std::uint32_t first;
  bool closed;
};

}  // namespace

Stars::Stars(const std::int32_t* faces, std::size_t face_count, std::size_t vertices) {
  find(vertices, face_count, [=](std::size_t slot, int k) { return faces[3 * slot + k]; });
}

Stars::Stars(std::span<const Corners8> faces, std::size_t face_count, std::size_t vertices) {
  find(vertices, face_count,
       [=](std::size_t slot, int k) { return faces[slot / kLanes].id[k][slot % kLanes]; });
}

template <class Corner>
void Stars::find(std::size_t vertices, std::size_t faces, const Corner& corner) {
  first.assign(vertices + 1, 0);
  const auto repeats = [&](std::size_t slot, int k) {
    return (k > 0 && corner(slot, k) == corner(slot, 0)) ||
           (k > 1 && corner(slot, k) == corner(slot, 1));
  };
  for (std::size_t s = 0; s < faces; ++s) {
    for (int k = 0; k < 3; ++k) {
      if (!repeats(s, k)) ++first[corner(s, k) + 1];
    }
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  slots.resize(first[vertices]);
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::size_t s = 0; s < faces; ++s) {
    for (int k = 0; k < 3; ++k) {
      if (!repeats(s, k)) slots[next[corner(s, k)]++] = static_cast<std::uint32_t>(s);
    }
  }

  FanFinder finder(vertices);
  std::vector<Fan> fans;
  std::vector<std::int32_t> chains;
  std::vector<Rim> rims;
  for (std::size_t v = 0; v < vertices; ++v) {
    const std::size_t count = first[v + 1] - first[v];
    if (count < 2) continue;  // no pair
    rims.clear();
    for (std::size_t i = first[v]; i < first[v + 1]; ++i) {
      for (int k = 0; k < 3; ++k) {
        if (corner(slots[i], k) != static_cast<std::int32_t>(v)) continue;
        rims.push_back({corner(slots[i], (k + 1) % 3), corner(slots[i], (k + 2) % 3)});
      }
    }
    if (rims.size() != count) {
      irregular.push_back(static_cast<std::int32_t>(v));
      continue;
    }
    const auto& chain = finder.walk(rims);
    if (chain.size() < 3) {
      irregular.push_back(static_cast<std::int32_t>(v));
      continue;
    }
    fans.push_back({static_cast<std::int32_t>(v), static_cast<std::int32_t>(chain.size()),
                    static_cast<std::uint32_t>(chains.size()), finder.closed});
    chains.insert(chains.end(), chain.begin(), chain.end());
  }
  // Stars of the same shape side by side; neighbours stay near each other.
  std::vector<std::uint64_t> order(fans.size()), spare;
  for (std::size_t i = 0; i < fans.size(); ++i) {
    order[i] = (std::uint64_t{!fans[i].closed} << 63) |
               (static_cast<std::uint64_t>(fans[i].rims) << 32) | i;
  }
  sort_keys(order.data(), order.size(), 32, spare);
  const auto fan = [&](std::size_t i) -> const Fan& {
    return fans[static_cast<std::uint32_t>(order[i])];
  };
  ids.reserve(chains.size() + 2 * fans.size());
  for (std::size_t i = 0; i < fans.size();) {
    std::size_t j = i + 1;
    while (j < fans.size() && j < i + kLanes && order[j] >> 32 == order[i] >> 32) ++j;
    const Fan& shape = fan(i);
    blocks.push_back({static_cast<std::uint32_t>(ids.size()), shape.rims,
                      static_cast<std::int32_t>(j - i), shape.closed});
    const auto lane_fan = [&](int lane) -> const Fan& { return fan(std::min(i + lane, j - 1)); };
    for (int lane = 0; lane < kLanes; ++lane) ids.push_back(lane_fan(lane).centre);
    for (std::int32_t r = 0; r < shape.rims; ++r) {
      for (int lane = 0; lane < kLanes; ++lane) ids.push_back(chains[lane_fan(lane).first + r]);
    }
    i = j;
  }
}

std::size_t Stars::bytes() const {
  return blocks.size() * sizeof(Block) + ids.size() * sizeof(ids[0]) +
         irregular.size() * sizeof(irregular[0]) + first.size() * sizeof(first[0]) +
         slots.size() * sizeof(slots[0]);
}

namespace {

Float8 turn(const Flat8& p, const Flat8& q) { return mul_sub(p.x, q.y, p.y * q.x); }

// Lanes in which the step from p to q crosses the positive x axis upwards, given a positive turn.
Mask8 steps_over_axis(const Flat8& p, const Flat8& q) {
  const Float8 zero(0.0f);
  return (zero > p.y) & (zero <= q.y);
}

}  // namespace

unsigned certify(const Stars& stars, const Stars::Block& block, const Point4* points, float error) {
  const std::int32_t* ids = stars.ids.data() + block.first;
  const Point8 centre = gather(points, ids);
  thread_local Buffer<Point8> arms;
  arms.resize(block.rims);
  const Float8 zero(0.0f), one(1.0f);
  Float8 size = zero;
  for (int i = 0; i < block.rims; ++i) {
    arms[i] = gather(points, ids + kLanes * (i + 1));
    for (int k = 0; k < 3; ++k) {
      arms[i].at[k] = arms[i].at[k] - centre.at[k];
      size = max(size, abs(arms[i].at[k]));
    }
  }
  const int turns = block.closed ? block.rims : block.rims - 1;
  Point8 normal{{zero, zero, zero}};
  for (int i = 0; i < turns; ++i) {
    const Point8 &p = arms[i], &q = arms[i + 1 < block.rims ? i + 1 : 0];
    const Point8 area = cross(p, q);
    for (int k = 0; k < 3; ++k) normal.at[k] = normal.at[k] + area.at[k];
  }
  const Plane8 plane(normal);
  // With S the largest arm, e the error of a coordinate and u = 2^-24: an arm is off by 2e + uS,
  // a projected coordinate (three terms, factors up to 1.01, four roundings) by 6.2e + 16uS and
  // at most 3.1S itself, a turn by 4 (3.1S)(6.2e + 16uS) + 6u (3.1S)^2 < 77eS + 257uS^2.
  size = size + Float8(4 * error);
  const Float8 tolerance = size * mul_add(size, Float8(300 * 0x1p-24f), Float8(80 * error));
  const Flat8 start = plane.flatten(arms[0]);
  Flat8 at = start;
  Float8 rounds = zero;
  Mask8 good = zero <= zero;
  const auto step = [&](const Flat8& next) {
    good = good & (turn(at, next) > tolerance);
    rounds = rounds + select(steps_over_axis(at, next), one, zero);
    at = next;
  };
  Flat8 mean{zero, zero};
  const auto lean = [&](const Flat8& p) {
    const Float8 r = sqrt(mul_add(p.x, p.x, p.y * p.y));
    mean.x = mean.x + p.x / r;
    mean.y = mean.y + p.y / r;
  };
  lean(at);
  for (int i = 1; i < block.rims; ++i) {
    step(plane.flatten(arms[i]));
    lean(at);
  }
  if (!block.closed) {
    // An open fan is closed by a made-up rim vertex opposite its middle, taken as exact.
    const Float8 r = sqrt(mul_add(mean.x, mean.x, mean.y * mean.y));
    step({zero - size * mean.x / r, zero - size * mean.y / r});
  }
  step(start);
  return bits(good & (rounds <= one) & (one <= rounds));
}

}  // namespace impinge
