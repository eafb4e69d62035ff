// Everything that is seen: a stage with parts and marks, kept up to date by messages.

import { Box3, Vector3 } from "three";
import { Marks } from "./marks.js";
import { Parts } from "./parts.js";
import { Stage } from "./stage.js";

export class Model extends EventTarget {
  constructor(host) {
    super();
    this.host = host;
    this.stage = null;
    this.selected = null;
    this.clashes = [];
    this.limited = new Set();
    // clashes are seen through all that hides them
    this.xray = false;
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  apply(message) {
    if (message.scene) this.begin(message.scene, message.arrays);
    if (message.changes) this.parts.update(message.changes, message.arrays);
    if (message.arrays.colours) this.parts.paint(message.arrays.colours);
    if (message.hits) this.judge(message.hits, message.arrays);
    this.stage?.invalidate();
  }

  begin(scene, arrays) {
    const first = this.stage == null;
    if (first) {
      this.stage = new Stage(this.host, scene.up);
      this.parts = new Parts();
      this.marks = new Marks(this.stage, this.parts, (clash) => this.toggle(clash));
      this.stage.scene.add(this.parts.node, this.marks.node);
      this.recolour();
    }
    this.scene = scene;
    this.selected = null;
    this.parts.fill(scene, arrays);
    const { centre, radius, boxes } = scene.frame ? framed(scene.frame) : this.parts;
    this.stage.surround(centre, radius, boxes);
    this.span = 2 * radius;
    this.restyle();
    if (first) this.stage.home({ at_once: true });
    this.judged = false;
    this.tell("scene", scene);
  }

  judge(hits, arrays) {
    // the same two parts stay chosen while they are dragged
    const chosen = this.selected?.bodies.join();
    this.clashes = hits.clashes;
    this.solid = hits.solid;
    this.marks.fill(hits, arrays);
    this.selected = chosen ? hits.clashes.find((clash) => clash.bodies.join() === chosen) ?? null : null;
    // contacts are many, and mostly meant
    this.limited = new Set(hits.clashes.filter(({ verdict }) => verdict !== "contact"));
    // the first picture shows what clashes: a part far off would make all of it tiny
    if (!this.judged && !this.scene.frame && this.stage.framing) this.frame(hits.focus);
    this.judged = true;
    this.restyle();
    this.tell("hits", hits);
    if (chosen) this.tell("select", this.selected);
  }

  frame(bodies) {
    const shown = bodies.map((body) => this.parts.list[body]).filter((part) => part.shape.vertices.length);
    if (!shown.length) return;
    const boxes = shown.map((part) => part.box());
    this.span = boxes.reduce((whole, box) => whole.union(box), new Box3()).getSize(new Vector3()).length();
    this.stage.frame(boxes, { at_once: true });
  }

  // Only these findings are drawn, unless one is chosen.
  limit(clashes) {
    if (clashes.size === this.limited?.size && this.clashes.every((clash) => clashes.has(clash) === this.limited.has(clash))) return;
    this.limited = clashes;
    if (this.stage) this.restyle();
  }

  get listed() {
    return this.clashes.filter((clash) => this.limited.has(clash));
  }

  // The bodies of what is wrong, or of what is too near where nothing is.
  involved() {
    const wrong = this.clashes.filter((clash) => clash.clashes);
    const found = wrong.length ? wrong : this.clashes.filter((clash) => clash.gap);
    return new Set(found.flatMap((clash) => clash.bodies));
  }

  toggle(clash) {
    this.select(this.selected === clash ? null : clash);
  }

  // Fly to a clash and fade the rest; null shows everything again.
  select(clash, { fly = true } = {}) {
    this.selected = clash;
    if (clash && this.parts.amount) this.explode(0);
    this.restyle();
    if (clash && fly) {
      const box = new Box3(new Vector3(...clash.low), new Vector3(...clash.high));
      const size = box.getSize(new Vector3()).length();
      // enough around it to know where it is
      box.expandByScalar(Math.max((clash.gap ? 4 : 0.3) * size, 0.0075 * this.span));
      if (clash.gap) this.stage.aside(new Vector3(...clash.gap[1]).sub(new Vector3(...clash.gap[0])).normalize());
      this.stage.keep(() => this.stage.fit([box]));
    }
    this.host.dataset.selected = clash ? clash.number : "";
    this.tell("select", clash);
  }

  restyle() {
    const looks = this.selected ? this.looksAt(this.selected) : this.looks();
    this.parts.list.forEach((part, index) => part.look(looks[index]));
    this.marks.draw(this.selected, this.listed);
    this.stage.invalidate();
  }

  looks() {
    const involved = this.involved();
    if (!this.xray || !involved.size) return this.parts.list.map(() => "solid");
    const shown = this.solid ? new Set(this.solid) : involved;
    return this.parts.list.map((part) => (shown.has(part.index) ? "solid" : "ghost"));
  }

  looksAt({ bodies, gap }) {
    const [one, two] = bodies.map((body) => this.parts.list[body]);
    // the larger one would hide the clash, and gaps are often inside of either
    const clear = gap ? [one, two] : one === two ? [] : [extent(one) > extent(two) ? one : two];
    return this.parts.list.map((part) => (!bodies.includes(part.index) ? "faint" : clear.includes(part) ? "veil" : "solid"));
  }

  seeThrough(on) {
    this.xray = on;
    this.restyle();
    this.tell("xray", on);
  }

  show(indices, visible) {
    for (const index of indices) this.parts.list[index].show(visible);
    this.stage.invalidate();
    this.tell("visible");
  }

  explode(amount) {
    if (amount && this.selected) this.select(null);
    this.parts.explode(amount);
    this.marks.draw(this.selected, this.listed);
    this.stage.invalidate();
    this.tell("explode", amount);
  }

  home() {
    this.select(null);
    this.stage.home();
  }

  recolour() {
    this.marks?.tint(getComputedStyle(this.host).getPropertyValue("--dark").trim() === "1");
  }
}

function framed([low, high]) {
  const box = new Box3(new Vector3(...low), new Vector3(...high));
  return { centre: box.getCenter(new Vector3()), radius: box.getSize(new Vector3()).length() / 2, boxes: [box] };
}

function extent(part) {
  return part.box().getSize(new Vector3()).length();
}
