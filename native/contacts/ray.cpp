#include "contacts/ray.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "contacts/shooter.hpp"
#include "parallel/pool.hpp"

namespace impinge {
namespace {

constexpr std::size_t kVerticesPerTask = 256;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Some vertices of one body against another, or against itself.
struct Task {
  std::uint32_t body, other;
  std::size_t begin, end;
  const std::int32_t* rest;
};

void cut(std::vector<Task>& tasks, const Shell& shell, std::uint32_t body, std::uint32_t other,
         const std::int32_t* rest) {
  const std::size_t count = shell.used().size();
  for (std::size_t b = 0; b < count; b += kVerticesPerTask) {
    tasks.push_back({body, other, b, std::min(count, b + kVerticesPerTask), rest});
  }
}

double diagonal_of(const std::vector<Bounds>& all) {
  Bounds whole = kNoBounds;
  for (const Bounds& b : all) include(whole, b.lo, b.hi);
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    const double side = whole.hi[k] - whole.lo[k];
    if (side > 0) square += side * side;
  }
  return std::sqrt(square);
}

}  // namespace

void RayCounters::add(const RayCounters& other) {
  shot += other.shot;
  unreliable += other.unreliable;
  entering += other.entering;
  outside += other.outside;
  tests += other.tests;
}

RayContacts ray_contacts(const std::vector<const Shell*>& bodies, const std::vector<BodyPair>* only,
                         const std::vector<std::uint32_t>& alone,
                         const std::vector<const std::int32_t*>& rest, const RayOptions& options,
                         int workers, const Ticker::Callback& tick) {
  RayContacts found;
  auto start = std::chrono::steady_clock::now();
  std::vector<Bounds> bounds(bodies.size());
  parallel_for(workers, bodies.size(), 16, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      bodies[b]->measure();
      bounds[b] = bodies[b]->bounds();
    }
  });
  const std::vector<BodyPair> pairs = broad_phase(bounds, only, workers);
  std::vector<Task> tasks;
  std::vector<bool> involved(bodies.size(), false);
  for (const BodyPair& p : pairs) {
    involved[p.a] = involved[p.b] = true;
    cut(tasks, *bodies[p.a], p.a, p.b, nullptr);
    if (options.symmetric) cut(tasks, *bodies[p.b], p.b, p.a, nullptr);
  }
  for (std::size_t i = 0; i < alone.size(); ++i) {
    involved[alone[i]] = true;
    cut(tasks, *bodies[alone[i]], alone[i], alone[i], rest[i]);
  }
  // the order of the tasks is that of the contacts
  std::sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) {
    if (a.body != b.body) return a.body < b.body;
    return a.other != b.other ? a.other < b.other : a.begin < b.begin;
  });
  found.body_pairs = pairs.size();
  found.broad_seconds = seconds_since(start);

  start = std::chrono::steady_clock::now();
  std::vector<const Shell*> shells;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (involved[i]) shells.push_back(bodies[i]);
  }
  const bool apart = shells.size() >= static_cast<std::size_t>(workers);
  parallel_for(apart ? workers : 1, shells.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) shells[b]->prepare(options.along, apart ? 1 : workers);
  });
  found.build_seconds = seconds_since(start);

  start = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<Shooter>> shooters;
  const double diagonal = diagonal_of(bounds);
  for (int w = 0; w < workers; ++w) {
    shooters.push_back(std::make_unique<Shooter>(options.along, diagonal));
  }
  std::vector<std::vector<PointContact>> parts(tasks.size());
  Ticker ticker(tasks.size(), tick);
  parallel_for(workers, tasks.size(), 1, [&](std::size_t b, std::size_t e, int worker) {
    for (; b < e; ++b) {
      if (!ticker.pulse(worker)) return;
      const Task& task = tasks[b];
      const Shell& shell = *bodies[task.body];
      const auto vertices = shell.used().subspan(task.begin, task.end - task.begin);
      const auto i = static_cast<std::int32_t>(task.body),
                 j = static_cast<std::int32_t>(task.other);
      if (i == j) {
        shooters[worker]->within(shell, i, vertices, task.rest, parts[b]);
      } else {
        shooters[worker]->between(shell, *bodies[task.other], i, j, vertices, parts[b]);
      }
      ticker.done(worker);
    }
  });
  for (const auto& part : parts) {
    found.contacts.insert(found.contacts.end(), part.begin(), part.end());
  }
  for (const auto& shooter : shooters) found.counters.add(shooter->counters);
  found.rays_seconds = seconds_since(start);
  return found;
}

std::vector<std::int32_t> faces_in_sight(const Shell& shell, Along along, int workers) {
  std::vector<std::int32_t> faces(shell.vertex_count(), -1);
  if (shell.empty()) return faces;
  shell.prepare(along, workers);
  const double diagonal = diagonal_of({shell.bounds()});
  const auto vertices = shell.used();
  parallel_for(workers, vertices.size(), kVerticesPerTask, [&](std::size_t b, std::size_t e, int) {
    Shooter shooter(along, diagonal);
    for (; b < e; ++b) {
      faces[static_cast<std::size_t>(vertices[b])] = shooter.in_sight(shell, vertices[b]);
    }
  });
  return faces;
}

}  // namespace impinge
