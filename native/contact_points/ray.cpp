#include "contact_points/ray.hpp"

#include <algorithm>
#include <memory>

#include "base/pool.hpp"
#include "base/stopwatch.hpp"
#include "base/sum.hpp"
#include "contact_points/bodies.hpp"
#include "contact_points/shooter.hpp"

namespace impinge::contact_points {
namespace {

constexpr std::size_t kVerticesPerTask = 256;

// Some vertices of one body against another, or against itself.
struct Task {
  std::uint32_t body, other;
  std::size_t begin, end;
  const std::int32_t* rest;
};

void cut(std::vector<Task>& tasks, const Skin& skin, std::uint32_t body, std::uint32_t other,
         const std::int32_t* rest) {
  const std::size_t count = skin.used().size();
  for (std::size_t b = 0; b < count; b += kVerticesPerTask) {
    tasks.push_back({body, other, b, std::min(count, b + kVerticesPerTask), rest});
  }
}

// By body, other body and vertex: the order of the contacts.
std::vector<Task> tasks_of(const std::vector<const Skin*>& bodies,
                           const std::vector<BodyPair>& pairs,
                           const std::vector<std::uint32_t>& alone,
                           const std::vector<const std::int32_t*>& rest, bool symmetric) {
  std::vector<Task> tasks;
  for (const BodyPair& p : pairs) {
    cut(tasks, *bodies[p.a], p.a, p.b, nullptr);
    if (symmetric) cut(tasks, *bodies[p.b], p.b, p.a, nullptr);
  }
  for (std::size_t i = 0; i < alone.size(); ++i) {
    cut(tasks, *bodies[alone[i]], alone[i], alone[i], rest[i]);
  }
  std::sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) {
    if (a.body != b.body) return a.body < b.body;
    return a.other != b.other ? a.other < b.other : a.begin < b.begin;
  });
  return tasks;
}

std::vector<PointContact> execute(const std::vector<const Skin*>& bodies, const Task& task,
                                  Shooter& shooter) {
  const Skin& skin = *bodies[task.body];
  const auto vertices = skin.used().subspan(task.begin, task.end - task.begin);
  const auto i = static_cast<std::int32_t>(task.body), j = static_cast<std::int32_t>(task.other);
  std::vector<PointContact> contacts;
  if (i == j) {
    shooter.within(skin, i, vertices, task.rest, contacts);
  } else {
    shooter.between(skin, *bodies[task.other], i, j, vertices, contacts);
  }
  return contacts;
}

}  // namespace

RayContacts ray_contacts(const std::vector<const Skin*>& bodies, const std::vector<BodyPair>* only,
                         const std::vector<std::uint32_t>& alone,
                         const std::vector<const std::int32_t*>& rest, const RayOptions& options,
                         int workers, const Ticker::Callback& tick) {
  RayContacts found;
  Stopwatch watch;
  const std::vector<Bounds> bounds = measure(bodies, workers);
  const std::vector<BodyPair> pairs = broad_phase(bounds, only, workers);
  found.body_pairs = pairs.size();
  found.broad_seconds = watch.lap();

  prepare(bodies, involved(bodies.size(), pairs, alone), options.along, workers);
  found.build_seconds = watch.lap();

  const std::vector<Task> tasks = tasks_of(bodies, pairs, alone, rest, options.symmetric);
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
      parts[b] = execute(bodies, tasks[b], *shooters[static_cast<std::size_t>(worker)]);
      ticker.done(worker);
    }
  });
  found.contacts = joined(parts, workers);
  for (const auto& shooter : shooters) found.counters = sum(found.counters, shooter->counters);
  found.rays_seconds = watch.lap();
  return found;
}

std::vector<std::int32_t> faces_in_sight(const Skin& skin, Along along, int workers) {
  std::vector<std::int32_t> faces(skin.vertex_count(), -1);
  if (skin.empty()) return faces;
  skin.prepare(along, workers);
  const double diagonal = diagonal_of({skin.bounds()});
  const auto vertices = skin.used();
  parallel_for(workers, vertices.size(), kVerticesPerTask, [&](std::size_t b, std::size_t e, int) {
    Shooter shooter(along, diagonal);
    for (; b < e; ++b) {
      faces[static_cast<std::size_t>(vertices[b])] = shooter.in_sight(skin, vertices[b]);
    }
  });
  return faces;
}

}  // namespace impinge::contact_points
