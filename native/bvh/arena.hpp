// One block of memory for all arrays of a tree, not initialised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

namespace impinge {

class Arena {
 public:
  // How much of the block an array takes.
  template <class T>
  static constexpr std::size_t bytes_of(std::size_t n) {
    return (n * sizeof(T) + kLine - 1) / kLine * kLine;
  }

  // Forgets what was taken before.
  void allocate(std::size_t bytes);

  template <class T>
  T* take(std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kLine);
    std::byte* at = block_.get() + taken_;
    taken_ += bytes_of<T>(n);
    return reinterpret_cast<T*>(at);
  }
  std::size_t bytes() const { return taken_; }

 private:
  static constexpr std::size_t kLine = 64;

  struct Release {
    std::size_t alignment;
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t{alignment}); }
  };

  std::unique_ptr<std::byte, Release> block_{nullptr, Release{kLine}};
  std::size_t taken_ = 0;
};

}  // namespace impinge
