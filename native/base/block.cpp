#include "base/block.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace impinge {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;
constexpr std::size_t kLeastKept = std::size_t{1} << 16;
constexpr std::size_t kMostBlocks = 64;
// Of all together: ever, and when others are needed.
constexpr std::size_t kMostBytes = std::size_t{1} << 27, kSpareBytes = std::size_t{1} << 25;

// Ahead of each block.
struct alignas(kBlockAlignment) Header {
  std::size_t size;  // of both
  void* memory;      // in which both are
};

// Allocators are slow to give aligned memory: small blocks are aligned here.
bool is_small(std::size_t size) { return size < kLeastKept; }

std::align_val_t alignment_of(std::size_t size) {
  return std::align_val_t{size < kLargePage ? alignof(Header) : kLargePage};
}

std::size_t round_up(std::size_t size, std::size_t step) { return (size + step - 1) / step * step; }

// Of large pages the last one may stay empty in part when that wastes little.
bool fills_pages(std::size_t size) { return round_up(size, kLargePage) - size <= size / 8; }

// Blocks of nearly one size can stand for each other.
std::size_t rounded(std::size_t used) {
  if (is_small(used)) return used;
  const std::size_t size = round_up(used, std::bit_floor(used) / 8);
  return fills_pages(size) ? round_up(size, kLargePage) : size;
}

// Touching fresh memory page by page costs as much as a third of a build. Large pages must be asked
// for before the first touch.
void ask_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t size) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (size >= kLargePage) madvise(memory, size / kLargePage * kLargePage, MADV_HUGEPAGE);
#endif
}

Header* create(std::size_t size) {
  if (is_small(size)) {
    std::size_t room = size + alignof(Header);
    void *const memory = ::operator new(room), *start = memory;
    return new (std::align(alignof(Header), size, start, room)) Header{size, memory};
  }
  void* const memory = ::operator new(size, alignment_of(size));
  ask_for_large_pages(memory, size);
  return new (memory) Header{size, memory};
}

void destroy(Header* block) {
  if (is_small(block->size)) {
    ::operator delete(block->memory);
  } else {
    ::operator delete(block->memory, alignment_of(block->size));
  }
}

// All that is kept, the latest at the end. Who finds it locked goes without: that is rare, and a
// lock that was held when the process forked stays so.
class Kept {
 public:
  Kept() { blocks_.reserve(kMostBlocks); }

  // Null when there is none; then as much goes back to the system as the caller will ask it for, so
  // that blocks of many sizes do not pile up.
  Header* find(std::size_t size) {
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock) return nullptr;
    const auto found = std::find_if(blocks_.rbegin(), blocks_.rend(),
                                    [&](const Header* block) { return block->size == size; });
    if (found == blocks_.rend()) {
      shrink(kMostBlocks, std::max(kSpareBytes, bytes_ - std::min(bytes_, size)));
      return nullptr;
    }
    Header* block = *found;
    blocks_.erase(std::next(found).base());
    bytes_ -= size;
    return block;
  }

  bool keep(Header* block) {
    if (is_small(block->size) || block->size > kMostBytes) return false;
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock) return false;
    shrink(kMostBlocks - 1, kMostBytes - block->size);
    blocks_.push_back(block);
    bytes_ += block->size;
    return true;
  }

 private:
  void shrink(std::size_t count, std::size_t bytes) {
    auto oldest = blocks_.begin();
    for (; bytes_ > bytes || blocks_.end() - oldest > std::ptrdiff_t(count); ++oldest) {
      bytes_ -= (*oldest)->size;
      destroy(*oldest);
    }
    blocks_.erase(blocks_.begin(), oldest);
  }

  std::mutex mutex_;
  std::vector<Header*> blocks_;
  std::size_t bytes_ = 0;
};

// Never destroyed: arrays are given back until the process ends.
Kept& kept() {
  static Kept* const kept = new Kept;
  return *kept;
}

}  // namespace

void* take_block(std::size_t bytes) {
  if (bytes > SIZE_MAX / 2) throw std::bad_alloc();
  const std::size_t size = rounded(bytes + sizeof(Header));
  Header* block = is_small(size) ? nullptr : kept().find(size);
  return (block ? block : create(size)) + 1;
}

void give_back(void* block) noexcept {
  if (!block) return;
  Header* header = static_cast<Header*>(block) - 1;
  if (!kept().keep(header)) destroy(header);
}

}  // namespace impinge
