// Parts moved by hand, in the plane of the screen; where they are goes to the server.

import { Plane, Vector3 } from "three";

export class Drag {
  constructor(model, send) {
    this.model = model;
    this.send = send;
    this.always = false;
    this.held = null;
    this.offsets = new Map();
    this.busy = false;
    this.waiting = null;
    model.addEventListener("scene", () => this.start());
  }

  start() {
    this.offsets.clear();
    const { canvas } = this.model.stage;
    if (canvas.dataset.drags) return;
    canvas.dataset.drags = "true";
    // before the camera's own listeners
    canvas.addEventListener("pointerdown", (event) => this.take(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => this.drop(), { capture: true });
  }

  take(event) {
    if (event.button !== 0 || !(this.always || event.shiftKey)) return;
    const { stage, parts } = this.model;
    if (parts.amount) return;
    const hit = parts.pick(stage.ray(event));
    if (!hit) return;
    event.stopImmediatePropagation();
    stage.canvas.setPointerCapture(event.pointerId);
    const toward = stage.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(toward, hit.point);
    this.held = { part: hit.part, plane, from: hit.point, offset: new Vector3(), pose: hit.part.pose.clone() };
    stage.canvas.classList.add("dragging");
  }

  move(event) {
    if (!this.held) return;
    event.stopImmediatePropagation();
    const { part, plane, from, offset, pose } = this.held;
    const at = this.model.stage.ray(event).ray.intersectPlane(plane, new Vector3());
    if (!at) return;
    offset.copy(at).sub(from);
    part.pose.makeTranslation(offset).multiply(pose);
    part.settle();
    this.model.stage.invalidate();
    const place = new Vector3().setFromMatrixPosition(part.pose).toArray();
    this.ask({ type: "move", body: part.index, place });
  }

  drop() {
    if (!this.held) return;
    this.held.part.centre.add(this.held.offset);
    this.held = null;
    this.model.stage.canvas.classList.remove("dragging");
  }

  // One question under way; of those that wait only the newest is asked.
  ask(question) {
    if (this.busy) {
      this.waiting = question;
      return;
    }
    this.busy = true;
    this.send(question);
  }

  answered() {
    this.busy = false;
    const { waiting } = this;
    this.waiting = null;
    if (waiting) this.ask(waiting);
  }

  // What the server says about a part in the hand is older than the hand.
  holds(body) {
    return this.held?.part.index === body;
  }
}
