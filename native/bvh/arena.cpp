#include "bvh/arena.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace impinge {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;

}  // namespace

// Touching fresh memory page by page costs as much as a third of a build: large pages are asked
// for, but only where they are filled to the end.
void Arena::allocate(std::size_t bytes) {
  const std::size_t alignment = bytes < kLargePage ? kLine : kLargePage;
  taken_ = 0;
  block_.reset();
  block_ = {static_cast<std::byte*>(::operator new(bytes, std::align_val_t{alignment})),
            Release{alignment}};
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (bytes >= kLargePage) madvise(block_.get(), bytes / kLargePage * kLargePage, MADV_HUGEPAGE);
#endif
}

}  // namespace impinge
