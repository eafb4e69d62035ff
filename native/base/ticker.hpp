// Word from the calling thread to its caller while a long query runs.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <stdexcept>

namespace impinge {

struct Cancelled : std::runtime_error {
  Cancelled() : std::runtime_error("cancelled by the progress callback") {}
};

// Counts finished tasks; every 50 ms the calling thread passes the finished fraction on.
class Ticker {
 public:
  using Callback = std::function<void(double)>;  // throws to stop the query

  Ticker(std::size_t tasks, const Callback& callback) : tasks_(tasks), callback_(callback) {}

  // Call after each task; only worker 0 runs on the calling thread.
  void done(int worker) {
    finished_.fetch_add(1, std::memory_order_relaxed);
    pulse(worker);
  }

  // Call now and then within a long task, and leave it when the answer is false.
  bool pulse(int worker) {
    if (stopped_.load(std::memory_order_relaxed)) return false;
    if (worker != 0 || !callback_) return true;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return true;
    last_ = now;
    try {
      callback_(static_cast<double>(finished_.load(std::memory_order_relaxed)) /
                static_cast<double>(tasks_));
    } catch (...) {
      stopped_.store(true, std::memory_order_relaxed);
      throw;
    }
    return true;
  }

 private:
  std::size_t tasks_;
  const Callback& callback_;
  std::atomic<std::size_t> finished_{0};
  std::atomic<bool> stopped_{false};
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Lets others through during work of which nothing is told. Keeps the reference.
inline Ticker::Callback silent(const Ticker::Callback& tick) {
  if (!tick) return tick;
  return [&tick](double) { tick(0); };
}

}  // namespace impinge
