// Something that is made when it is first wanted, by one thread while others wait, and then only
// read.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

namespace impinge {

template <class T>
class Lazy {
 public:
  // Null before it is made.
  const T* get() const { return ready_.load(std::memory_order_acquire); }

  // What `make()` gives, a unique_ptr, the first time.
  template <class Make>
  const T& get_or(const Make& make) const {
    if (const T* ready = get()) return *ready;
    std::lock_guard<std::mutex> lock(mutex_);
    if (!made_) {
      made_ = make();
      ready_.store(made_.get(), std::memory_order_release);
    }
    return *made_;
  }

  // While nobody reads it.
  void forget() {
    ready_.store(nullptr, std::memory_order_release);
    made_.reset();
  }

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const T> made_;
  mutable std::atomic<const T*> ready_{nullptr};
};

}  // namespace impinge
