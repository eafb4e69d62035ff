#include "pairs/findings.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/pool.hpp"
#include "base/sort.hpp"

namespace impinge {
namespace {

// So many keys are worth another thread's help.
constexpr std::size_t kKeysToShare = 16384;
// Memory is kept for the next query up to this size: fresh pages are slow.
constexpr std::size_t kKeysToKeep = std::size_t{1} << 19;

using Shares = std::vector<std::unique_ptr<Findings::Share>>;

Shares& idle_shares() {
  thread_local Shares idle;
  return idle;
}

// By the ids; what is left of the order within equal ones is made there.
void sort_pairs(Key* keys, std::size_t n, Buffer<Key>& spare) {
  constexpr int kFirstIdBit = kIdBits + 3;
  sort_keys(keys, n, kFirstIdBit, spare);
}

// One of several pieces of what two sorted runs become together.
void merge_piece(std::span<const Key> a, std::span<const Key> b, std::size_t piece,
                 std::size_t pieces, Key* to) {
  if (a.size() < b.size()) std::swap(a, b);
  if (a.empty()) return;
  const auto cut = [&](std::size_t i) { return a.data() + a.size() * i / pieces; };
  const auto match = [&](std::size_t i) {
    const Key *first = b.data(), *last = first + b.size();
    return i == pieces ? last : i == 0 ? first : std::lower_bound(first, last, *cut(i));
  };
  std::merge(cut(piece), cut(piece + 1), match(piece), match(piece + 1),
             to + (cut(piece) - a.data()) + (match(piece) - b.data()));
}

// Of sorted keys; how many are left.
std::size_t without_repeats(Key* begin, Key* end) {
  return static_cast<std::size_t>(std::unique(begin, end) - begin);
}

}  // namespace

bool Findings::has_repeats() const {
  return std::any_of(shares_.begin(), shares_.end(),
                     [](const auto& share) { return share->repeats; });
}

Findings::Findings(int workers) {
  Shares& idle = idle_shares();
  for (int i = 0; i < std::max(1, workers); ++i) {
    if (idle.empty()) {
      shares_.push_back(std::make_unique<Share>());
    } else {
      shares_.push_back(std::move(idle.back()));
      idle.pop_back();
    }
  }
}

Findings::~Findings() {
  for (auto& share : shares_) {
    if (share->keys.capacity() > kKeysToKeep) continue;
    share->keys.clear();
    share->runs.clear();
    share->repeats = false;
    idle_shares().push_back(std::move(share));
  }
}

// Each thread's keys are sorted on their own, then merged two by two.
Buffer<Key> Findings::together() {
  std::size_t n = 0;
  for (const auto& share : shares_) n += share->keys.size();
  const int workers = n < kKeysToShare ? 1 : static_cast<int>(shares_.size());
  parallel_for(workers, shares_.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b)
      sort_pairs(shares_[b]->keys.data(), shares_[b]->keys.size(), shares_[b]->spare);
  });
  std::vector<std::span<const Key>> runs;
  for (const auto& share : shares_) runs.emplace_back(share->keys);
  const auto pieces = static_cast<std::size_t>(workers);
  Buffer<Key> keys, merged;
  do {
    merged.resize(n);
    if (runs.size() % 2) runs.emplace_back();
    std::vector<std::span<Key>> pairs;
    for (Key* to = merged.data(); 2 * pairs.size() < runs.size();) {
      const std::size_t i = 2 * pairs.size();
      pairs.emplace_back(to, runs[i].size() + runs[i + 1].size());
      to += pairs.back().size();
    }
    parallel_for(workers, pairs.size() * pieces, 1, [&](std::size_t b, std::size_t e, int) {
      for (; b < e; ++b) {
        const std::size_t i = b / pieces;
        merge_piece(runs[2 * i], runs[2 * i + 1], b % pieces, pieces, pairs[i].data());
      }
    });
    runs.assign(pairs.begin(), pairs.end());
    keys.swap(merged);
  } while (runs.size() > 1);
  if (has_repeats()) keys.resize(without_repeats(keys.begin(), keys.end()));
  return keys;
}

Buffer<Key> Findings::by_job(std::size_t jobs, std::vector<std::size_t>& ends) {
  std::vector<std::size_t> start(jobs + 1, 0);
  for (const auto& share : shares_) {
    for (const Share::Run& run : share->runs) start[run.job + 1] += run.end - run.begin;
  }
  for (std::size_t i = 0; i < jobs; ++i) start[i + 1] += start[i];
  Buffer<Key> keys;
  keys.resize(start.back());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (const auto& share : shares_) {
    for (const Share::Run& run : share->runs) {
      std::copy(share->keys.begin() + run.begin, share->keys.begin() + run.end,
                keys.data() + next[run.job]);
      next[run.job] += run.end - run.begin;
    }
  }
  for (std::size_t i = 0; i < jobs; ++i) {
    sort_pairs(keys.data() + start[i], start[i + 1] - start[i], shares_[0]->spare);
  }
  ends.assign(start.begin() + 1, start.end());
  if (has_repeats()) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < jobs; ++i) {
      Key* const run = keys.data() + start[i];
      const std::size_t kept = without_repeats(run, keys.data() + start[i + 1]);
      std::copy_n(run, kept, keys.data() + n);
      ends[i] = n += kept;
    }
    keys.resize(n);
  }
  return keys;
}

}  // namespace impinge
