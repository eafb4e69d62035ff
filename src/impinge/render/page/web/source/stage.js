// The canvas: camera, lights, and a picture only when something changed.

import {
  Box3, Color, DirectionalLight, Group, HemisphereLight, MathUtils, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const UPS = { y: [0, 1, 0], z: [0, 0, 1] };
const FROM = { y: [0.55, 0.48, 0.9], z: [0.55, -0.9, 0.48] };
const FLIGHT = 650;
// how much larger than what it shows a picture is
const MARGIN = 1.08;

export class Stage {
  constructor(host, up) {
    this.host = host;
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.canvas = this.renderer.domElement;
    host.prepend(this.canvas);
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(32, 1, 0.1, 100);
    this.camera.up.set(...UPS[up]);
    this.camera.position.set(...FROM[up]);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.update();
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.invalidate());
    // a flight that is under way gives in to the hand, and so does what is kept in the picture
    this.controls.addEventListener("start", () => (this.flight = this.framing = null));
    this.centre = new Vector3();
    this.radius = 1;
    this.after = [];
    this.drawn = 0;
    this.flight = null;
    this.framing = null;
    this.asked = false;
    this.addLights();
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  // lights go with the camera: what is looked at is lit
  addLights() {
    const sky = new HemisphereLight(new Color(0xffffff), new Color(0x9aa4b0), 1.25);
    sky.position.copy(this.camera.up);
    const key = new DirectionalLight(0xffffff, 1.9);
    key.position.set(-0.5, 0.8, 0.9);
    const fill = new DirectionalLight(0xffffff, 0.5);
    fill.position.set(0.9, -0.2, 0.5);
    const lamps = new Group();
    lamps.add(key, fill, key.target, fill.target);
    this.camera.add(lamps);
    this.scene.add(sky, this.camera);
  }

  resize() {
    const width = Math.max(this.host.clientWidth, 1), height = Math.max(this.host.clientHeight, 1);
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.size = new Vector2(width, height);
    if (this.framing) this.look(...this.framing(), { at_once: true });
    this.invalidate();
  }

  invalidate() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame((now) => {
      this.asked = false;
      this.draw(now);
    });
  }

  draw(now) {
    if (this.flight) this.fly(now);
    const far = this.camera.position.distanceTo(this.centre) + 3 * this.radius;
    this.camera.far = far;
    this.camera.near = Math.max(far - 8 * this.radius, far * 2e-4);
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
    this.drawn++;
    this.host.dataset.drawn = this.drawn;
    for (const callback of this.after) callback();
  }

  // What the whole scene is: the middle and the radius of all that is shown, and boxes around it.
  surround(centre, radius, boxes) {
    this.centre.copy(centre);
    this.radius = radius || 1;
    this.boxes = boxes;
  }

  // From where all these boxes are in the picture, as the camera looks now: the point to look at and how far away.
  fit(boxes) {
    const around = boxes.reduce((whole, box) => whole.union(box), new Box3());
    const centre = around.getCenter(new Vector3()), radius = around.getSize(new Vector3()).length() / 2 || 1;
    const inverse = this.camera.quaternion.clone().invert();
    const half = Math.tan(MathUtils.degToRad(this.camera.fov) / 2) / MARGIN;
    const slopes = [half * this.camera.aspect, half];
    // a corner is seen if it is on the inner side of the four planes through the eye
    const reach = [[-Infinity, -Infinity], [-Infinity, -Infinity]];
    const corner = new Vector3();
    let nearest = -Infinity;
    for (const { min, max } of boxes) {
      for (let k = 0; k < 8; k++) {
        corner.set(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z);
        corner.sub(centre).applyQuaternion(inverse);
        nearest = Math.max(nearest, corner.z);
        for (const [axis, slope] of slopes.entries()) {
          const at = corner.getComponent(axis);
          reach[axis][0] = Math.max(reach[axis][0], at + slope * corner.z);
          reach[axis][1] = Math.max(reach[axis][1], slope * corner.z - at);
        }
      }
    }
    const away = slopes.map((slope, axis) => (reach[axis][0] + reach[axis][1]) / (2 * slope));
    const [right, up] = reach.map(([one, other]) => (one - other) / 2);
    centre.add(new Vector3(right, up, 0).applyQuaternion(this.camera.quaternion));
    return [centre, Math.max(...away, nearest + 0.05 * radius)];
  }

  look(centre, distance, { at_once = false } = {}) {
    const toward = this.camera.position.clone().sub(this.controls.target).normalize();
    const eye = centre.clone().addScaledVector(toward, distance);
    if (at_once || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.camera.position.copy(eye);
      this.controls.target.copy(centre);
      this.controls.update();
      this.flight = null;
    } else {
      this.flight = {
        since: null, eye, centre: centre.clone(),
        from: this.camera.position.clone(), target: this.controls.target.clone(),
      };
    }
    this.invalidate();
  }

  // Look from aside where the eye would see a line (a unit vector) end on.
  aside(line) {
    const { position } = this.camera, { target } = this.controls;
    const away = position.distanceTo(target);
    const toward = position.clone().sub(target).normalize();
    const along = toward.dot(line);
    if (Math.abs(along) < 0.7) return;
    toward.addScaledVector(line, -along);
    if (toward.lengthSq() < 1e-6) toward.crossVectors(line, this.camera.up);
    position.copy(target).addScaledVector(toward.normalize(), away);
    this.controls.update();
  }

  // Look at what `framing` tells, and again when the canvas gets another size, until a hand turns it.
  keep(framing, options) {
    this.framing = framing;
    this.look(...framing(), options);
  }

  frame(boxes, options) {
    this.keep(() => this.fit(boxes), options);
  }

  home(options) {
    this.frame(this.boxes, options);
  }

  fly(now) {
    const flight = this.flight;
    flight.since ??= now;
    const t = Math.min((now - flight.since) / FLIGHT, 1);
    const s = t * t * (3 - 2 * t);
    this.controls.target.lerpVectors(flight.target, flight.centre, s);
    this.camera.position.lerpVectors(flight.from, flight.eye, s);
    if (t === 1) this.flight = null;
    this.controls.update();
    this.invalidate();
  }

  // Where a point of the scene is on the canvas; null behind the eye.
  project(point) {
    const at = point.clone().project(this.camera);
    if (at.z > 1) return null;
    return [((at.x + 1) / 2) * this.size.x, ((1 - at.y) / 2) * this.size.y];
  }

  ray(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((event.clientY - box.top) / box.height) * 2;
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2(x, y), this.camera);
    return caster;
  }
}
