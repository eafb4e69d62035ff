// Numbers in groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace impinge {

class Groups {
 public:
  // for_each(f) calls f(group, member) for all members, and does so whenever it is asked; of one
  // group they stay in that order.
  template <class ForEach>
  Groups(std::size_t count, const ForEach& for_each) : starts_(count + 1, 0) {
    for_each([&](std::int32_t group, std::int32_t) { ++starts_[std::size_t(group) + 1]; });
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    members_.resize(starts_.back());
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    for_each([&](std::int32_t group, std::int32_t member) { members_[next[group]++] = member; });
  }

  std::span<const std::int32_t> operator[](std::int32_t group) const {
    return {members_.data() + starts_[group], starts_[std::size_t(group) + 1] - starts_[group]};
  }

 private:
  std::vector<std::uint32_t> starts_;
  std::vector<std::int32_t> members_;
};

}  // namespace impinge
