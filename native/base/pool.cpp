#include "base/pool.hpp"

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif
#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif
#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace impinge {
namespace {

constexpr int kMaxWorkers = 256;
constexpr int kSpins = 8000;  // some 100 us: cheaper than sleeping between two short queries

void pause_briefly() {
#if defined(__x86_64__) || defined(_M_X64)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

long process_id() {
#if defined(__unix__) || defined(__APPLE__)
  return static_cast<long>(getpid());
#else
  return 0;
#endif
}

#if defined(__linux__)

// Linux likes to wake a thread on the core of the one that wakes it, where it may wait for a
// millisecond. So that core is taken from the workers as long as there is another for each.
class KeepAway {
 public:
  void add(pthread_t worker) {
    workers_.push_back(worker);
    left_out_ = -1;
  }
  void from_caller(int wanted) {
    const int core = sched_getcpu();
    if (core < 0 || core == left_out_ || core >= CPU_SETSIZE) return;
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) != 0 || CPU_COUNT(&cores) <= wanted) return;
    left_out_ = core;
    CPU_CLR(core, &cores);
    for (const pthread_t worker : workers_) pthread_setaffinity_np(worker, sizeof cores, &cores);
  }

 private:
  std::vector<pthread_t> workers_;
  int left_out_ = -1;
};

#else

struct KeepAway {
  void add(std::thread::native_handle_type) {}
  void from_caller(int) {}
};

#endif

// The caller never waits for a worker that has not started: it closes the job and waits only for
// the workers inside it. An odd generation means that a job is open.
class Pool {
 public:
  const long owner = process_id();

  void run(int workers, void (*body)(void*, int), void* context) {
    if (in_use_.exchange(true)) {
      body(context, 0);
      return;
    }
    const Release release{in_use_};
    start_threads(workers - 1);
    body_ = body;
    context_ = context;
    active_limit_ = workers;
    failure_ = nullptr;
    generation_.fetch_add(1);
    if (sleepers_.load() > 0) {
      keep_away_.from_caller(workers - 1);
      {
        std::lock_guard<std::mutex> lock(mutex_);
      }
      wake_.notify_all();
    }
    call(0);
    generation_.fetch_add(1);
    for (int spins = 0; active_.load(std::memory_order_acquire) > 0; ++spins) {
      if (spins < kSpins) {
        pause_briefly();
      } else {
        std::this_thread::yield();
      }
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Release {
    std::atomic<bool>& flag;
    ~Release() { flag.store(false); }
  };

  void start_threads(int wanted) {
    for (; threads_ < wanted && threads_ < kMaxWorkers; ++threads_) {
      // Detached, and the pool is never destroyed: nothing to join when the process ends.
      std::thread thread([this, id = threads_ + 1] { work(id); });
      keep_away_.add(thread.native_handle());
      thread.detach();
    }
  }

  void call(int worker) {
    try {
      body_(context_, worker);
    } catch (...) {
      std::lock_guard<std::mutex> lock(failure_mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void work(int id) {
    std::uint64_t seen = 0;
    while (true) {
      const std::uint64_t generation = wait_for_job(seen);
      seen = generation;
      active_.fetch_add(1);
      if (generation_.load() == generation && id < active_limit_) call(id);
      active_.fetch_sub(1);
    }
  }

  std::uint64_t wait_for_job(std::uint64_t seen) {
    const auto is_new = [seen](std::uint64_t g) { return g != seen && (g & 1); };
    for (int spins = 0; spins < kSpins; ++spins) {
      const std::uint64_t g = generation_.load(std::memory_order_acquire);
      if (is_new(g)) return g;
      pause_briefly();
    }
    std::unique_lock<std::mutex> lock(mutex_);
    sleepers_.fetch_add(1);
    std::uint64_t g = 0;
    wake_.wait(lock, [&] { return is_new(g = generation_.load()); });
    sleepers_.fetch_sub(1);
    return g;
  }

  std::mutex mutex_, failure_mutex_;
  std::condition_variable wake_;
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<int> active_{0}, sleepers_{0};
  std::atomic<bool> in_use_{false};
  int threads_ = 0;
  KeepAway keep_away_;
  int active_limit_ = 0;
  void (*body_)(void*, int) = nullptr;
  void* context_ = nullptr;
  std::exception_ptr failure_;
};

// A forked child has none of the parent's threads, so it gets a pool of its own.
Pool& pool() {
  static std::atomic<Pool*> current{new Pool};
  Pool* p = current.load();
  if (p->owner != process_id()) {
    Pool* fresh = new Pool;
    if (!current.compare_exchange_strong(p, fresh)) {
      delete fresh;
      return *current.load();
    }
    return *fresh;
  }
  return *p;
}

}  // namespace

int resolve_workers(int requested) {
  // Asking the system takes as long as a small query.
  static const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int workers = requested > 0 ? requested : (cores > 0 ? cores : 1);
  return workers < kMaxWorkers ? workers : kMaxWorkers;
}

void detail::run_on_pool(int workers, void (*body)(void*, int), void* context) {
  pool().run(workers, body, context);
}

}  // namespace impinge
