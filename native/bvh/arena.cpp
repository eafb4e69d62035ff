#include "bvh/arena.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace impinge {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;

}  // namespace

// Touching fresh memory page by page costs as much as a third of a build: large pages are asked
// for. The last one may stay empty in part when that wastes little; otherwise it stays small pages.
void Arena::allocate(std::size_t bytes) {
  const std::size_t alignment = bytes < kLargePage ? kLine : kLargePage;
  const std::size_t whole = (bytes + kLargePage - 1) / kLargePage * kLargePage;
  const bool fill = whole - bytes <= bytes / 5;
  taken_ = 0;
  block_.reset();
  block_ = {
      static_cast<std::byte*>(::operator new(fill ? whole : bytes, std::align_val_t{alignment})),
      Release{alignment}};
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (alignment == kLargePage) {
    madvise(block_.get(), fill ? whole : whole - kLargePage, MADV_HUGEPAGE);
  }
#endif
}

}  // namespace impinge
