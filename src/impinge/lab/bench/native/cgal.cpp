// CGAL as a peer of the benchmark: a C interface that Python loads.
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Rigid_triangle_mesh_collision_detection.h>
#include <CGAL/Surface_mesh.h>

#include <iterator>
#include <limits>
#include <utility>

#include "exact.hpp"

#ifdef CGAL_LINKED_WITH_TBB
#include <tbb/parallel_for.h>
#endif

namespace {

using Mesh = CGAL::Surface_mesh<Point>;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, std::vector<Triangle>::iterator>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

Mesh mesh_of(const Surface& surface) {
  Mesh mesh;
  mesh.reserve(surface.vertex_count, 3 * surface.face_count / 2, surface.face_count);
  for (const Point& point : points_of(surface)) mesh.add_vertex(point);
  for (std::int64_t f = 0; f < surface.face_count; ++f) {
    const Face& face = surface.faces[f];
    mesh.add_face(Mesh::Vertex_index(face[0]), Mesh::Vertex_index(face[1]),
                  Mesh::Vertex_index(face[2]));
  }
  return mesh;
}

template <class Body>
void for_each(std::int64_t count, const Body& body) {
#ifdef CGAL_LINKED_WITH_TBB
  tbb::parallel_for(std::int64_t(0), count, body);
#else
  for (std::int64_t k = 0; k < count; ++k) body(k);
#endif
}

// A tree over triangles that are kept; the fastest kind for queries one by one.
struct Built : Question {
  std::vector<Triangle> triangles;
  Tree tree;

  explicit Built(const Surface& surface) {
    const std::vector<Point> points = points_of(surface);
    triangles.reserve(surface.face_count);
    for (std::int64_t f = 0; f < surface.face_count; ++f)
      triangles.push_back(triangle(points, surface.faces[f]));
    tree.insert(triangles.begin(), triangles.end());
    tree.build();
  }

  void rays(const double* origins, const double* directions, std::int64_t count, double* t) {
    for_each(count, [&](std::int64_t k) {
      const double *o = origins + 3 * k, *d = directions + 3 * k;
      const Point origin(o[0], o[1], o[2]);
      const Kernel::Vector_3 direction(d[0], d[1], d[2]);
      const auto hit = tree.first_intersection(Kernel::Ray_3(origin, direction));
      t[k] = std::numeric_limits<double>::infinity();
      if (!hit) return;
      if (const Point* point = boost::get<Point>(&hit->first))
        t[k] = (*point - origin) * direction / direction.squared_length();
    });
  }
};

// CGAL has no search of all pairs between two trees: one is asked about each triangle that is near.
struct Pairs : Question {
  Built a;
  Surface b;
  std::vector<Point> points;

  Pairs(const Surface& first, const Surface& second) : a(first), b(second) {}

  void run(const double* pose) {
    pairs.clear();
    move(b, pose, points);
    const CGAL::Bbox_3 around = a.tree.bbox();
    std::vector<Tree::Primitive_id> found;
    for (std::int64_t f = 0; f < b.face_count; ++f) {
      const Triangle moved = triangle(points, b.faces[f]);
      if (!CGAL::do_overlap(moved.bbox(), around)) continue;
      found.clear();
      a.tree.all_intersected_primitives(moved, std::back_inserter(found));
      for (const auto& other : found)
        pairs.push_back({std::int32_t(other - a.triangles.begin()), std::int32_t(f)});
    }
  }
};

struct Touch : Question {
  Mesh a, b;
  CGAL::Rigid_triangle_mesh_collision_detection<Mesh> detection;
  std::size_t moving;

  Touch(const Surface& first, const Surface& second) : a(mesh_of(first)), b(mesh_of(second)) {
    detection.add_mesh(a);
    moving = detection.add_mesh(b);
  }

  bool run(const double* m) {
    detection.set_transformation(
        moving, CGAL::Aff_transformation_3<Kernel>(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7],
                                                   m[8], m[9], m[10], m[11]));
    return !detection.get_all_intersections(moving).empty();
  }
};

struct Itself : Question {
  Mesh mesh;

  explicit Itself(const Surface& surface) : mesh(mesh_of(surface)) {}

  void run(const double* vertices) {
    for (const Mesh::Vertex_index v : mesh.vertices()) {
      const double* p = vertices + 3 * v.idx();
      mesh.point(v) = Point(p[0], p[1], p[2]);
    }
    std::vector<std::pair<Mesh::Face_index, Mesh::Face_index>> found;
    CGAL::Polygon_mesh_processing::self_intersections<CGAL::Parallel_if_available_tag>(
        mesh, std::back_inserter(found));
    pairs.clear();
    for (const auto& [one, other] : found)
      pairs.push_back({std::int32_t(one.idx()), std::int32_t(other.idx())});
  }
};

}  // namespace

extern "C" {
Question* pairs_new(Surface a, Surface b) { return new Pairs(a, b); }
std::int64_t pairs_run(Question* question, const double* pose) {
  static_cast<Pairs*>(question)->run(pose);
  return std::int64_t(question->pairs.size());
}

Question* touch_new(Surface a, Surface b) { return new Touch(a, b); }
std::int64_t touch_run(Question* question, const double* pose) {
  return static_cast<Touch*>(question)->run(pose);
}

Question* itself_new(Surface mesh) { return new Itself(mesh); }
std::int64_t itself_run(Question* question, const double* vertices) {
  static_cast<Itself*>(question)->run(vertices);
  return std::int64_t(question->pairs.size());
}

Question* built_new(Surface mesh) { return new Built(mesh); }
void rays_run(Question* question, const double* origins, const double* directions,
              std::int64_t count, double* t) {
  static_cast<Built*>(question)->rays(origins, directions, count, t);
}
}
