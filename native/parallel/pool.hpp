// The one wrapper around threads: a small pool that runs a loop in chunks.
#pragma once

#include <atomic>
#include <cstddef>

namespace impinge {

// Threads to use for a request; 0 asks for all cores.
int resolve_workers(int requested);

namespace detail {
// Calls body(context, worker) on up to `workers` threads, the caller being worker 0. Returns when
// every call has ended. Runs on the caller alone while another thread uses the pool.
void run_on_pool(int workers, void (*body)(void*, int), void* context);
}  // namespace detail

// Calls f(begin, end, worker) for chunks of [0, n). Exceptions reach the caller.
template <class F>
void parallel_for(int workers, std::size_t n, std::size_t grain, F&& f) {
  if (n == 0) return;
  if (workers <= 1 || n <= grain) {
    f(std::size_t{0}, n, 0);
    return;
  }
  struct Context {
    F& f;
    std::atomic<std::size_t> next;
    std::size_t n, grain;
  } context{f, {0}, n, grain};
  detail::run_on_pool(
      workers,
      [](void* p, int worker) {
        auto& c = *static_cast<Context*>(p);
        while (true) {
          const std::size_t begin = c.next.fetch_add(c.grain, std::memory_order_relaxed);
          if (begin >= c.n) return;
          try {
            c.f(begin, begin + c.grain < c.n ? begin + c.grain : c.n, worker);
          } catch (...) {
            c.next.store(c.n);  // the others stop at their next chunk
            throw;
          }
        }
      },
      &context);
}

}  // namespace impinge
