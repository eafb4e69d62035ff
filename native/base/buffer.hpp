// A growable array that does not initialise what it holds and keeps its memory when cleared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "base/block.hpp"

namespace impinge {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  void clear() { size_ = 0; }

  void reserve(std::size_t wanted) {
    if (wanted <= capacity_) return;
    const std::size_t grown = std::max(wanted, 2 * capacity_);
    Block<T> bigger = make_block<T>(grown);
    std::copy_n(data_.get(), size_, bigger.get());
    data_ = std::move(bigger);
    capacity_ = grown;
  }
  void resize(std::size_t n) {
    reserve(n);
    size_ = n;
  }
  void push(const T& x) {
    if (size_ == capacity_) reserve(std::max<std::size_t>(64, size_ + 1));
    data_[size_++] = x;
  }
  // Room for `extra` more items; the caller writes them and calls `advance`.
  T* grow(std::size_t extra) {
    reserve(size_ + extra);
    return data_.get() + size_;
  }
  void advance(std::size_t n) { size_ += n; }
  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  Block<T> data_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace impinge
