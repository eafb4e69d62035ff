// The one wrapper around threads: a small pool that runs a loop in chunks.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace impinge {

// Threads to use for a request; 0 asks for all cores.
int resolve_workers(int requested);

namespace detail {
// Calls body(context, worker) on up to `workers` threads, the caller being worker 0. Returns when
// every call has ended. Runs on the caller alone while another thread uses the pool.
void run_on_pool(int workers, void (*body)(void*, int), void* context);

// What is left of one part of a loop, in a line of memory of its own.
struct alignas(64) Run {
  std::atomic<std::size_t> next;
  std::size_t end;
};
constexpr int kMaxRuns = 16;
}  // namespace detail

// Calls f(begin, end, worker) for chunks of [0, n), begin being a multiple of grain. Each worker
// begins with its own part of the loop, the same in every loop over the same things, so that it
// finds in its cache what it left there; then it helps with the others. Exceptions reach the
// caller.
template <class F>
void parallel_for(int workers, std::size_t n, std::size_t grain, F&& f) {
  if (n == 0) return;
  if (workers <= 1 || n <= grain) {
    f(std::size_t{0}, n, 0);
    return;
  }
  struct Context {
    F& f;
    std::size_t grain;
    int count;
    detail::Run runs[detail::kMaxRuns];
  } context{f, grain, std::min(workers, detail::kMaxRuns), {}};
  const std::size_t chunks = (n + grain - 1) / grain;
  const auto start = [&](int run) {
    const auto share = static_cast<std::size_t>(run), all = static_cast<std::size_t>(context.count);
    return std::min(n, chunks * share / all * grain);
  };
  for (int i = 0; i < context.count; ++i) {
    context.runs[i].next.store(start(i), std::memory_order_relaxed);
    context.runs[i].end = start(i + 1);
  }
  detail::run_on_pool(
      workers,
      [](void* p, int worker) {
        auto& c = *static_cast<Context*>(p);
        for (int i = 0; i < c.count; ++i) {
          detail::Run& run = c.runs[(worker + i) % c.count];
          while (true) {
            const std::size_t begin = run.next.fetch_add(c.grain, std::memory_order_relaxed);
            if (begin >= run.end) break;
            try {
              c.f(begin, std::min(begin + c.grain, run.end), worker);
            } catch (...) {
              // the others stop at their next chunk
              for (detail::Run& each : c.runs) each.next.store(each.end);
              throw;
            }
          }
        }
      },
      &context);
}

}  // namespace impinge
