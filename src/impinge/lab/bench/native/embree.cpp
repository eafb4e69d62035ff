// Embree as a peer of the benchmark: its trees find candidates, CGAL's exact predicates decide.
#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif
#include <CGAL/intersections.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

#include "exact.hpp"

namespace {

RTCDevice device() {
  static const RTCDevice only = rtcNewDevice(nullptr);
  return only;
}

// Other scenes are rebuilt, whatever the quality of their geometry.
void allow_refit(RTCScene scene) {
  rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
  rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
}

// Pairs found by the threads of one call, each in its own list.
class Found {
 public:
  explicit Found(std::vector<Pair>& pairs) : pairs_(pairs), number_(++calls()) {}

  std::vector<Pair>& mine() {
    thread_local std::uint64_t call = 0;
    thread_local std::vector<Pair>* list = nullptr;
    if (call != number_) {
      const std::lock_guard lock(mutex_);
      lists_.push_back(std::make_unique<std::vector<Pair>>());
      list = lists_.back().get();
      call = number_;
    }
    return *list;
  }

  ~Found() {
    for (const auto& list : lists_) pairs_.insert(pairs_.end(), list->begin(), list->end());
  }

 private:
  static std::atomic<std::uint64_t>& calls() {
    static std::atomic<std::uint64_t> count{0};
    return count;
  }

  std::vector<Pair>& pairs_;
  std::uint64_t number_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<std::vector<Pair>>> lists_;
};

// A tree of triangles as user geometry, the only kind that rtcCollide accepts.
class Soup {
 public:
  std::vector<Point> points;
  const Face* faces;

  Soup(const Surface& mesh, RTCBuildQuality quality)
      : points(points_of(mesh)), faces(mesh.faces), scene_(rtcNewScene(device())) {
    if (quality == RTC_BUILD_QUALITY_REFIT) allow_refit(scene_);
    geometry_ = rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryBuildQuality(geometry_, quality);
    rtcSetGeometryUserPrimitiveCount(geometry_, unsigned(mesh.face_count));
    rtcSetGeometryUserData(geometry_, this);
    rtcSetGeometryBoundsFunction(geometry_, bounds, nullptr);
    rtcAttachGeometry(scene_, geometry_);
    commit();
  }
  Soup(const Soup&) = delete;
  ~Soup() {
    rtcReleaseGeometry(geometry_);
    rtcReleaseScene(scene_);
  }

  // After `points` have changed.
  void commit() {
    rtcCommitGeometry(geometry_);
    rtcCommitScene(scene_);
  }

  Triangle triangle(std::uint32_t face) const { return ::triangle(points, faces[face]); }
  RTCScene scene() const { return scene_; }

 private:
  // Rounded outwards, so that no pair is lost to float.
  static void bounds(const RTCBoundsFunctionArguments* arguments) {
    const Soup& soup = *static_cast<const Soup*>(arguments->geometryUserPtr);
    const Face& face = soup.faces[arguments->primID];
    const Point &p = soup.points[face[0]], &q = soup.points[face[1]], &r = soup.points[face[2]];
    float *low = &arguments->bounds_o->lower_x, *high = &arguments->bounds_o->upper_x;
    constexpr float far = std::numeric_limits<float>::infinity();
    for (int k = 0; k < 3; ++k) {
      low[k] = std::nextafter(float(std::min({p[k], q[k], r[k]})), -far);
      high[k] = std::nextafter(float(std::max({p[k], q[k], r[k]})), far);
    }
  }

  RTCScene scene_;
  RTCGeometry geometry_;
};

struct Between {
  const Soup &a, &b;
  Found& found;

  static void test(void* self, RTCCollision* candidates, unsigned count) {
    const Between& query = *static_cast<const Between*>(self);
    for (unsigned k = 0; k < count; ++k) {
      const auto [_, one, __, other] = candidates[k];
      if (CGAL::do_intersect(query.a.triangle(one), query.b.triangle(other)))
        query.found.mine().push_back({std::int32_t(one), std::int32_t(other)});
    }
  }
};

void collide(const Soup& a, const Soup& b, std::vector<Pair>& pairs) {
  pairs.clear();
  Found found(pairs);
  Between query{a, b, found};
  rtcCollide(a.scene(), b.scene(), Between::test, &query);
}

struct Pairs : Question {
  Surface moving;
  Soup a, b;

  Pairs(const Surface& first, const Surface& second)
      : moving(second), a(first, RTC_BUILD_QUALITY_MEDIUM), b(second, RTC_BUILD_QUALITY_REFIT) {}

  void run(const double* pose) {
    move(moving, pose, b.points);
    b.commit();
    collide(a, b, pairs);
  }
};

// Neighbours meet in what they share; do they meet elsewhere? The rules of CGAL's mesh package.
bool neighbours_meet(const Soup& soup, std::uint32_t one, std::uint32_t other) {
  Face f = soup.faces[one], g = soup.faces[other];
  int shared = 0;
  // the shared vertices first, in the same order in both
  for (int i = 0; i < 3; ++i)
    for (int j = shared; j < 3; ++j)
      if (f[i] == g[j]) {
        std::swap(g[j], g[shared]);
        std::swap(f[i], f[shared]);
        ++shared;
        break;
      }
  const auto at = [&](std::int32_t v) -> const Point& { return soup.points[v]; };
  const auto face = [&](const Face& t) { return triangle(soup.points, t); };
  if (shared == 0) return CGAL::do_intersect(face(f), face(g));
  if (shared == 1)
    return CGAL::do_intersect(face(f), Kernel::Segment_3(at(g[1]), at(g[2]))) ||
           CGAL::do_intersect(face(g), Kernel::Segment_3(at(f[1]), at(f[2])));
  if (shared == 2)
    return CGAL::coplanar(at(f[0]), at(f[1]), at(f[2]), at(g[2])) &&
           CGAL::coplanar_orientation(at(f[0]), at(f[1]), at(f[2]), at(g[2])) == CGAL::POSITIVE;
  return false;
}

struct Itself : Question {
  Soup soup;

  // A tree that is only refitted grows worse as the mesh folds; rebuilding is faster here.
  explicit Itself(const Surface& mesh) : soup(mesh, RTC_BUILD_QUALITY_MEDIUM) {}

  void run(const double* vertices) {
    for (std::size_t v = 0; v < soup.points.size(); ++v)
      soup.points[v] = Point(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]);
    soup.commit();
    pairs.clear();
    Found found(pairs);
    std::pair<const Soup&, Found&> query(soup, found);
    rtcCollide(soup.scene(), soup.scene(), test, &query);
  }

  static void test(void* pointer, RTCCollision* candidates, unsigned count) {
    auto& [soup, found] = *static_cast<std::pair<const Soup&, Found&>*>(pointer);
    for (unsigned k = 0; k < count; ++k) {
      const auto [_, one, __, other] = candidates[k];
      if (one < other && neighbours_meet(soup, one, other))
        found.mine().push_back({std::int32_t(one), std::int32_t(other)});
    }
  }
};

struct Bodies : Question {
  std::vector<Surface> meshes;
  std::vector<std::unique_ptr<Soup>> soups;

  Bodies(const Surface* first, std::int64_t count) : meshes(first, first + count) {
    for (const Surface& mesh : meshes)
      soups.push_back(std::make_unique<Soup>(mesh, RTC_BUILD_QUALITY_REFIT));
  }

  void place(const double* poses) {
    for (std::size_t k = 0; k < meshes.size(); ++k) {
      move(meshes[k], poses + 16 * k, soups[k]->points);
      soups[k]->commit();
    }
  }
};

// A mesh for rays, in float32.
struct Built : Question {
  RTCScene scene = rtcNewScene(device());
  RTCGeometry geometry = rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_TRIANGLE);
  float* points;

  Built(const float* vertices, std::int64_t vertex_count, const Face* faces,
        std::int64_t face_count, bool refit) {
    if (refit) {
      allow_refit(scene);
      rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_REFIT);
    }
    // a buffer of Embree's own: one of ours would have to be padded
    points = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                                         RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                                         std::size_t(vertex_count)));
    std::copy_n(vertices, 3 * vertex_count, points);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, faces, 0,
                               sizeof(Face), std::size_t(face_count));
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcCommitScene(scene);
  }
  ~Built() override {
    rtcReleaseGeometry(geometry);
    rtcReleaseScene(scene);
  }

  void refit(const float* vertices, std::int64_t vertex_count) {
    std::copy_n(vertices, 3 * vertex_count, points);
    rtcUpdateGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(geometry);
    rtcCommitScene(scene);
  }

  void rays(const float* origins, const float* directions, std::int64_t count, float* t) {
    tbb::parallel_for(std::int64_t(0), count, [&](std::int64_t k) {
      const float *o = origins + 3 * k, *d = directions + 3 * k;
      constexpr float far = std::numeric_limits<float>::infinity();
      RTCRayHit ray{};
      std::tie(ray.ray.org_x, ray.ray.org_y, ray.ray.org_z) = std::tie(o[0], o[1], o[2]);
      std::tie(ray.ray.dir_x, ray.ray.dir_y, ray.ray.dir_z) = std::tie(d[0], d[1], d[2]);
      ray.ray.tfar = far;
      ray.ray.mask = ~0u;
      ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
#if RTC_VERSION_MAJOR >= 4
      rtcIntersect1(scene, &ray);
#else
            RTCIntersectContext context;
            rtcInitIntersectContext(&context);
            rtcIntersect1(scene, &context, &ray);
#endif
      t[k] = ray.hit.geomID == RTC_INVALID_GEOMETRY_ID ? far : ray.ray.tfar;
    });
  }
};

}  // namespace

extern "C" {
Question* pairs_new(Surface a, Surface b) { return new Pairs(a, b); }
std::int64_t pairs_run(Question* question, const double* pose) {
  static_cast<Pairs*>(question)->run(pose);
  return std::int64_t(question->pairs.size());
}

Question* itself_new(Surface mesh) { return new Itself(mesh); }
std::int64_t itself_run(Question* question, const double* vertices) {
  static_cast<Itself*>(question)->run(vertices);
  return std::int64_t(question->pairs.size());
}

Question* bodies_new(const Surface* meshes, std::int64_t count) {
  return new Bodies(meshes, count);
}
void bodies_place(Question* question, const double* poses) {
  static_cast<Bodies*>(question)->place(poses);
}
std::int64_t bodies_run(Question* question, std::int64_t one, std::int64_t other) {
  const auto& soups = static_cast<Bodies*>(question)->soups;
  collide(*soups[one], *soups[other], question->pairs);
  return std::int64_t(question->pairs.size());
}

Question* built_new(const float* vertices, std::int64_t vertex_count, const Face* faces,
                    std::int64_t face_count, bool refit) {
  return new Built(vertices, vertex_count, faces, face_count, refit);
}
void refit_run(Question* question, const float* vertices, std::int64_t vertex_count) {
  static_cast<Built*>(question)->refit(vertices, vertex_count);
}
void rays_run(Question* question, const float* origins, const float* directions, std::int64_t count,
              float* t) {
  static_cast<Built*>(question)->rays(origins, directions, count, t);
}
}
