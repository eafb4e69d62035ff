// What collides: red faces, curves, contact points, numbered pins.

import { BufferAttribute, BufferGeometry, Group, Mesh, Points, Vector3, Color } from "three";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { make } from "./dom.js";
import { CLASH, TOUCH, curve, dots, marked, tinted } from "./materials.js";
import { triangles } from "./shapes.js";

const MOST_PINS = 60;

export class Marks {
  constructor(stage, parts, select) {
    this.stage = stage;
    this.parts = parts;
    this.select = select;
    this.node = new Group();
    this.faces = [];
    this.clashes = [];
    this.materials = [TOUCH, CLASH].map((colour) => ({ solid: marked(colour), clear: tinted(colour) }));
    this.lines = [false, true].map((hidden) => this.addLines(hidden));
    this.points = new Points(new BufferGeometry(), dots(TOUCH, 6 * stage.renderer.getPixelRatio()));
    this.points.frustumCulled = false;
    this.points.renderOrder = 6;
    this.node.add(this.points);
    this.layer = make("div", { class: "pins" });
    stage.host.append(this.layer);
    stage.after.push(() => this.placePins());
  }

  addLines(hidden) {
    const lines = new LineSegments2(new LineSegmentsGeometry(), curve(CLASH, { hidden }));
    lines.frustumCulled = false;
    lines.renderOrder = hidden ? 4 : 5;
    lines.visible = false;
    this.node.add(lines);
    return lines;
  }

  tint(dark) {
    const colour = new Color(dark ? 0xffc2c4 : 0x4a000a);
    for (const lines of this.lines) lines.material.color = colour;
    this.stage.invalidate();
  }

  // A new result: clashes with their faces and curves, or contact points.
  fill(hits, arrays) {
    this.clashes = hits.clashes;
    this.source = arrays;
    this.fillPoints(arrays.points ?? new Float32Array(0));
    this.fillPins();
  }

  fillPoints(points) {
    this.points.geometry.dispose();
    this.points.geometry = new BufferGeometry();
    this.points.geometry.setAttribute("position", new BufferAttribute(points, 3));
    this.points.visible = points.length > 0;
  }

  fillPins() {
    const shown = this.clashes.filter((clash) => clash.crosses).slice(0, MOST_PINS);
    while (this.layer.children.length > shown.length) this.layer.lastChild.remove();
    while (this.layer.children.length < shown.length) {
      const pin = make("button", { type: "button", class: "pin", onclick: () => this.select(pin.clash) });
      this.layer.append(pin);
    }
    shown.forEach((clash, k) => {
      const pin = this.layer.children[k];
      pin.clash = clash;
      pin.place = new Vector3(...clash.centre);
      pin.textContent = clash.number;
      pin.title = clash.title;
    });
  }

  // Draw the marks of one clash, or of all that cross.
  draw(selected) {
    for (const { mesh } of this.faces) {
      mesh.removeFromParent();
      mesh.geometry.dispose();
    }
    this.faces = [];
    const shown = selected ? [selected] : this.clashes.filter((clash) => clash.crosses);
    for (const clash of shown) this.addFaces(clash);
    this.drawLines(shown);
    for (const pin of this.layer.children) pin.classList.toggle("dim", selected != null && pin.clash !== selected);
    this.selected = selected;
  }

  addFaces(clash) {
    const looks = this.materials[Number(clash.crosses)];
    for (const [body, start, count] of clash.faces) {
      const part = this.parts.list[body];
      const chosen = this.source.faces.subarray(start, start + count);
      const geometry = new BufferGeometry();
      const corners = triangles(part.shape.vertices, part.shape.faces, chosen);
      geometry.setAttribute("position", new BufferAttribute(corners, 3));
      const clear = part.state !== "solid";
      const mesh = new Mesh(geometry, clear ? looks.clear : looks.solid);
      mesh.renderOrder = clear ? 3 : 1;
      mesh.frustumCulled = false;
      part.node.add(mesh);
      this.faces.push({ mesh });
    }
  }

  drawLines(shown) {
    const pieces = shown.map(({ curve: [start, count] }) => this.source.segments.subarray(6 * start, 6 * (start + count)));
    const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const ends = new Float32Array(total);
    let at = 0;
    for (const piece of pieces) {
      ends.set(piece, at);
      at += piece.length;
    }
    for (const lines of this.lines) {
      lines.geometry.dispose();
      lines.geometry = new LineSegmentsGeometry();
      if (total) lines.geometry.setPositions(ends);
      // curves are where the parts were before they were moved apart
      lines.visible = total > 0 && this.parts.amount === 0;
    }
  }

  placePins() {
    const apart = this.parts.amount > 0;
    const taken = [];
    for (const pin of this.layer.children) {
      const at = apart ? null : this.stage.project(pin.place);
      pin.hidden = at == null;
      if (at == null) continue;
      // pins side by side where clashes lie behind each other
      while (taken.some(([x, y]) => Math.abs(x - at[0]) < 22 && Math.abs(y - at[1]) < 20)) at[0] += 22;
      taken.push(at);
      pin.style.transform = `translate(${at[0].toFixed(1)}px, ${at[1].toFixed(1)}px)`;
    }
  }
}
