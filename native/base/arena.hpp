// One block of memory for all arrays of a tree, not initialised.
#pragma once

#include <cstddef>
#include <type_traits>

#include "base/block.hpp"

namespace impinge {

class Arena {
 public:
  // How much of the block an array takes.
  template <class T>
  static constexpr std::size_t bytes_of(std::size_t n) {
    return (n * sizeof(T) + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;
  }

  // Forgets what was taken before.
  void allocate(std::size_t bytes) {
    taken_ = 0;
    block_.reset();
    block_ = make_block<std::byte>(bytes);
  }

  template <class T>
  T* take(std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kBlockAlignment);
    std::byte* at = block_.get() + taken_;
    taken_ += bytes_of<T>(n);
    return reinterpret_cast<T*>(at);
  }
  std::size_t bytes() const { return taken_; }

 private:
  Block<std::byte> block_;
  std::size_t taken_ = 0;
};

}  // namespace impinge
