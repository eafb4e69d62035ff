// FCL as a peer of the benchmark: its trees, its narrow phase and its broad phase.

// The library is compiled for any processor: objects must be laid out here as they are there.
#define EIGEN_MAX_ALIGN_BYTES 16
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/collision_object.h>
#include <fcl/narrowphase/distance.h>

#include <limits>
#include <memory>

#include "question.hpp"

namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;

const fcl::CollisionRequestd every_contact(std::numeric_limits<std::size_t>::max());
const fcl::CollisionRequestd first_contact(1);

std::shared_ptr<Model> model_of(const Surface& mesh) {
  std::vector<fcl::Vector3d> points;
  points.reserve(mesh.vertex_count);
  for (std::int64_t v = 0; v < mesh.vertex_count; ++v) points.emplace_back(mesh.vertices + 3 * v);
  std::vector<fcl::Triangle> faces;
  faces.reserve(mesh.face_count);
  for (std::int64_t f = 0; f < mesh.face_count; ++f) {
    const Face& face = mesh.faces[f];
    faces.emplace_back(face[0], face[1], face[2]);
  }
  auto model = std::make_shared<Model>();
  model->beginModel(int(mesh.face_count), int(mesh.vertex_count));
  model->addSubModel(points, faces);
  model->endModel();
  return model;
}

fcl::Transform3d transform_of(const double* pose) {
  fcl::Transform3d transform;
  transform.matrix() = Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(pose);
  return transform;
}

struct Built : Question {
  std::shared_ptr<Model> model;

  explicit Built(const Surface& mesh) : model(model_of(mesh)) {}
};

struct Two : Question {
  std::shared_ptr<Model> a, b;
  fcl::Transform3d still = fcl::Transform3d::Identity();
  fcl::CollisionResultd result;

  Two(const Surface& first, const Surface& second) : a(model_of(first)), b(model_of(second)) {}

  std::size_t collide(const double* pose, const fcl::CollisionRequestd& request) {
    result.clear();
    return fcl::collide(a.get(), still, b.get(), transform_of(pose), request, result);
  }

  void run(const double* pose) {
    const std::size_t count = collide(pose, every_contact);
    pairs.clear();
    for (std::size_t k = 0; k < count; ++k) {
      const fcl::Contactd& contact = result.getContact(k);
      pairs.push_back({std::int32_t(contact.b1), std::int32_t(contact.b2)});
    }
  }

  double distance(const double* pose) const {
    fcl::DistanceResultd nearest;
    return fcl::distance(a.get(), still, b.get(), transform_of(pose), fcl::DistanceRequestd(),
                         nearest);
  }
};

struct Bodies : Question {
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
  std::vector<std::int32_t> numbers;
  fcl::DynamicAABBTreeCollisionManagerd manager;
  fcl::CollisionResultd result;

  Bodies(const Surface* meshes, std::int64_t count) : numbers(count) {
    for (std::int64_t k = 0; k < count; ++k) {
      numbers[k] = std::int32_t(k);
      objects.push_back(std::make_unique<fcl::CollisionObjectd>(model_of(meshes[k])));
      objects.back()->setUserData(&numbers[k]);
      manager.registerObject(objects.back().get());
    }
    manager.setup();
  }

  void run(const double* poses) {
    for (std::size_t k = 0; k < objects.size(); ++k) {
      objects[k]->setTransform(transform_of(poses + 16 * k));
      objects[k]->computeAABB();
    }
    manager.update();
    pairs.clear();
    manager.collide(this, narrow);
  }

  // Two entries for each collision: the bodies, then their faces.
  static bool narrow(fcl::CollisionObjectd* one, fcl::CollisionObjectd* other, void* pointer) {
    Bodies& self = *static_cast<Bodies*>(pointer);
    self.result.clear();
    const std::size_t count = fcl::collide(one, other, every_contact, self.result);
    const Pair both = {number(one), number(other)};
    for (std::size_t k = 0; k < count; ++k) {
      const fcl::Contactd& contact = self.result.getContact(k);
      self.pairs.push_back(both);
      self.pairs.push_back({std::int32_t(contact.b1), std::int32_t(contact.b2)});
    }
    return false;
  }

  static std::int32_t number(const fcl::CollisionObjectd* object) {
    return *static_cast<const std::int32_t*>(object->getUserData());
  }
};

}  // namespace

extern "C" {
Question* pairs_new(Surface a, Surface b) { return new Two(a, b); }
std::int64_t pairs_run(Question* question, const double* pose) {
  static_cast<Two*>(question)->run(pose);
  return std::int64_t(question->pairs.size());
}

Question* touch_new(Surface a, Surface b) { return new Two(a, b); }
std::int64_t touch_run(Question* question, const double* pose) {
  return std::int64_t(static_cast<Two*>(question)->collide(pose, first_contact));
}

Question* distance_new(Surface a, Surface b) { return new Two(a, b); }
double distance_run(Question* question, const double* pose) {
  return static_cast<Two*>(question)->distance(pose);
}

Question* bodies_new(const Surface* meshes, std::int64_t count) {
  return new Bodies(meshes, count);
}
std::int64_t bodies_run(Question* question, const double* poses) {
  static_cast<Bodies*>(question)->run(poses);
  return std::int64_t(question->pairs.size());
}

Question* built_new(Surface mesh) { return new Built(mesh); }
}
