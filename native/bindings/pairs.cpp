#include "bindings/pairs.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "bindings/poses.hpp"

namespace impinge {
namespace {

// Which body a face belongs to; mostly the same as that of the face before.
class OwnerOfFace {
 public:
  explicit OwnerOfFace(const std::vector<std::uint32_t>& ends) : ends_(ends) {}

  std::int32_t operator()(std::uint32_t id) {
    if (id - start_ >= count_) {
      owner_ = std::upper_bound(ends_.begin(), ends_.end(), id) - ends_.begin();
      start_ = owner_ ? ends_[owner_ - 1] : 0;
      count_ = ends_[owner_] - start_;
    }
    return static_cast<std::int32_t>(owner_);
  }
  std::int32_t index(std::uint32_t id) const { return static_cast<std::int32_t>(id - start_); }

 private:
  const std::vector<std::uint32_t>& ends_;
  std::uint32_t start_ = 0, count_ = 0;
  std::ptrdiff_t owner_ = 0;
};

struct Matrix {
  double entries[16];

  explicit Matrix(const nb::bytes& placement) {
    if (placement.size() != sizeof entries) throw nb::value_error("a placement has 16 numbers");
    std::memcpy(entries, placement.data(), sizeof entries);
  }
};

std::uint32_t checked_body(std::int32_t i, std::size_t count) {
  if (i < 0 || static_cast<std::size_t>(i) >= count) {
    throw nb::value_error("body index out of range");
  }
  return static_cast<std::uint32_t>(i);
}

}  // namespace

Pose placed(const nb::bytes& placement) { return Pose(Matrix(placement).entries); }

void check_placed(const nb::bytes& placement, const Bounds& bounds) {
  check_poses(Matrix(placement).entries, 1, bounds);
}

std::vector<BodyPair> body_pairs_of(const IndexPairs& pairs, std::size_t count) {
  std::vector<BodyPair> all;
  all.reserve(pairs.shape(0));
  for (std::size_t i = 0; i < pairs.shape(0); ++i) {
    all.push_back({checked_body(pairs(i, 0), count), checked_body(pairs(i, 1), count)});
  }
  return all;
}

BodyChoice::BodyChoice(std::size_t count, const std::optional<IndexPairs>& body_pairs,
                       const Indices& self_bodies) {
  if (body_pairs) {
    pairs = body_pairs_of(*body_pairs, count);
    std::sort(pairs->begin(), pairs->end());
  }
  for (std::size_t i = 0; i < self_bodies.shape(0); ++i) {
    self.push_back(checked_body(self_bodies(i), count));
  }
}

SceneColumns::SceneColumns(std::span<const Key> keys, const std::vector<std::uint32_t>& ends,
                           int workers)
    : n(keys.size()), pairs(2 * n), owners(2 * n), kinds(n) {
  constexpr std::size_t kGrain = 4096;
  parallel_for(workers, n, kGrain, [&](std::size_t i, std::size_t last, int) {
    OwnerOfFace first(ends), second(ends);
    for (; i < last; ++i) {
      const std::uint32_t a = key_a(keys[i]), b = key_b(keys[i]);
      owners.data[2 * i] = first(a);
      owners.data[2 * i + 1] = second(b);
      pairs.data[2 * i] = first.index(a);
      pairs.data[2 * i + 1] = second.index(b);
      kinds.data[i] = static_cast<std::uint8_t>(key_kind(keys[i]));
    }
  });
}

PoseColumns::PoseColumns(std::span<const Key> keys, const std::vector<std::size_t>& run_ends,
                         std::size_t offset)
    : n(keys.size()), pairs(2 * n), pose(n), kinds(n) {
  std::size_t run = 0;
  for (std::size_t i = 0; i < n; ++i) {
    while (i >= run_ends[run]) ++run;
    pose.data[i] = static_cast<std::int32_t>(run);
    pairs.data[2 * i] = static_cast<std::int32_t>(key_a(keys[i]));
    pairs.data[2 * i + 1] = static_cast<std::int32_t>(key_b(keys[i]) - offset);
    kinds.data[i] = static_cast<std::uint8_t>(key_kind(keys[i]));
  }
}

void count(Counts& d, const Tally& tally) {
  d["candidates"] = tally.candidates;
  d["undecided"] = tally.undecided;
  d["star_tests"] = tally.star_tests;
}

void bind_pairs(nb::module_& m) {
  using namespace nb::literals;
  const auto keys = [](const Counts& counts) {
    std::vector<const char*> names;
    for (const auto& [name, number] : counts.entries()) names.push_back(name);
    return names;
  };
  const auto item = [](const Counts& counts, const std::string& wanted) {
    for (const auto& [name, number] : counts.entries()) {
      if (wanted == name) return number;
    }
    throw nb::key_error(wanted.c_str());
  };
  const auto reduce = [](nb::handle self) {
    const nb::handle dict(reinterpret_cast<PyObject*>(&PyDict_Type));
    return nb::make_tuple(dict, nb::make_tuple(dict(self)));
  };
  m.def("freeze_arrays", &freeze_arrays, "values"_a,
        nb::sig("def freeze_arrays(values: dict[str, object]) -> None"),
        "Nobody writes to the arrays among the values of a dict any more.");
  nb::class_<Counts>(m, "Counts", "What a query counted: a mapping from names to numbers.")
      .def("keys", keys)
      .def("__getitem__", item, "name"_a)
      .def("__reduce__", reduce, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
}

}  // namespace impinge
