// The bodies: how each is drawn, where it is, whether it is seen.

import { Box3, BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, LineSegments, Matrix4, Mesh, Sphere, Vector3 } from "three";
import { edges, glass, solid } from "./materials.js";
import { creased, smooth } from "./shapes.js";

const GHOST = new Color(0xa8b6c4);
const INK = new Color(0x0c141d);

// What bodies of one mesh share: vertices, faces and what is drawn of them.
export class Shape {
  constructor({ vertices, faces, deforms }) {
    this.vertices = vertices;
    this.faces = faces;
    this.deforms = deforms;
    this.geometry = new BufferGeometry();
    this.lines = null;
    if (deforms) {
      this.normals = new Float32Array(vertices.length);
      smooth(vertices, faces, this.normals);
      this.geometry.setIndex(new BufferAttribute(faces, 1));
      this.attach(vertices, this.normals);
      for (const name of ["position", "normal"]) this.geometry.attributes[name].setUsage(DynamicDrawUsage);
    } else {
      const made = creased(vertices, faces);
      this.attach(made.positions, made.normals);
      this.lines = new BufferGeometry();
      this.lines.setAttribute("position", new BufferAttribute(made.edges, 3));
    }
    this.geometry.computeBoundingBox();
  }

  attach(positions, normals) {
    this.geometry.setAttribute("position", new BufferAttribute(positions, 3));
    this.geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  }

  deform(vertices) {
    this.vertices.set(vertices);
    smooth(this.vertices, this.faces, this.normals);
    this.geometry.attributes.position.needsUpdate = true;
    this.geometry.attributes.normal.needsUpdate = true;
    // computed when somebody asks; the sphere, which only sorts what is drawn, may be an old one
    this.geometry.boundingBox = null;
  }

  dispose() {
    this.geometry.dispose();
    this.lines?.dispose();
  }
}

export class Part {
  constructor(index, { name, path, colour, pose }, shape) {
    this.index = index;
    this.name = name;
    this.path = path;
    this.shape = shape;
    this.colour = new Color().setRGB(...colour, "srgb");
    this.solid = solid(this.colour);
    this.veil = glass(this.colour, 0.3);
    this.ghost = glass(GHOST, 0.16);
    this.lineMaterial = edges();
    this.mesh = new Mesh(shape.geometry, this.solid);
    this.mesh.userData.part = this;
    this.mesh.frustumCulled = !shape.deforms;
    this.node = new Group();
    this.node.matrixAutoUpdate = false;
    this.node.add(this.mesh);
    if (shape.lines) {
      this.edges = new LineSegments(shape.lines, this.lineMaterial);
      this.node.add(this.edges);
    }
    this.pose = new Matrix4();
    this.offset = new Vector3();
    this.visible = true;
    this.place(pose);
    this.centre = this.box().getCenter(new Vector3());
  }

  place(pose) {
    // rows of a matrix, as everywhere else
    this.pose.fromArray(pose).transpose();
    this.settle();
  }

  settle() {
    this.node.matrix.makeTranslation(this.offset).multiply(this.pose);
    this.node.matrixWorldNeedsUpdate = true;
  }

  box() {
    if (!this.shape.geometry.boundingBox) this.shape.geometry.computeBoundingBox();
    return this.shape.geometry.boundingBox.clone().applyMatrix4(this.pose);
  }

  // "solid", "veil" (its colour, seen through), "ghost" or "faint"
  look(state) {
    this.state = state;
    this.mesh.material = state === "faint" ? this.ghost : this[state];
    this.mesh.renderOrder = state === "solid" ? 0 : 2;
    this.ghost.uniforms.density.value = state === "faint" ? 0.04 : 0.16;
    this.lineMaterial.color = state === "solid" || state === "veil" ? INK : GHOST;
    this.lineMaterial.opacity = { solid: 0.5, veil: 0.3, ghost: 0.3, faint: 0.1 }[state];
  }

  show(visible) {
    this.visible = visible;
    this.node.visible = visible;
  }

  dispose() {
    for (const material of [this.solid, this.veil, this.ghost, this.lineMaterial]) material.dispose();
  }
}

// All of them in one group; what they do together.
export class Parts {
  constructor() {
    this.node = new Group();
    this.list = [];
    this.shapes = [];
    this.amount = 0;
  }

  fill(scene, arrays) {
    this.clear();
    this.shapes = scene.shapes.map(
      ({ deforms }, k) => new Shape({ vertices: arrays[`vertices${k}`], faces: arrays[`faces${k}`], deforms }),
    );
    this.list = scene.bodies.map((body, index) => new Part(index, body, this.shapes[body.shape]));
    for (const part of this.list) this.node.add(part.node);
    this.measure();
  }

  clear() {
    for (const part of this.list) part.dispose();
    for (const shape of this.shapes) shape.dispose();
    this.node.clear();
  }

  measure() {
    const box = new Box3();
    this.boxes = this.list.filter((part) => part.shape.vertices.length).map((part) => part.box());
    for (const one of this.boxes) box.union(one);
    const sphere = box.isEmpty() ? new Sphere(new Vector3(), 1) : box.getBoundingSphere(new Sphere());
    this.centre = sphere.center;
    this.radius = sphere.radius;
  }

  // New positions of bodies that moved or deformed.
  update(changes, arrays) {
    for (const { body, pose, deforms } of changes) {
      const part = this.list[body];
      if (deforms) part.shape.deform(arrays[`moved${body}`]);
      part.place(pose);
    }
  }

  // New colours of all parts, three numbers each.
  paint(colours) {
    this.list.forEach(({ colour }, k) => colour.setRGB(...colours.subarray(3 * k, 3 * k + 3), "srgb"));
    for (const part of this.list) part.solid.color.copy(part.colour);
  }

  explode(amount) {
    this.amount = amount;
    for (const part of this.list) {
      part.offset.copy(part.centre).sub(this.centre).multiplyScalar(1.6 * amount);
      part.settle();
    }
  }

  // The part under the mouse, and where it is hit.
  pick(caster) {
    for (const shape of this.shapes) if (shape.deforms) shape.geometry.computeBoundingSphere();
    const seen = this.list.filter((part) => part.visible && (part.state === "solid" || part.state === "veil")).map((part) => part.mesh);
    const [first] = caster.intersectObjects(seen, false);
    return first ? { part: first.object.userData.part, point: first.point } : null;
  }
}
