// What was found: overlaps, curves, contact points, numbered pins, gaps with their dimension lines.

import { BufferAttribute, BufferGeometry, Color, Group, Mesh, Points, Vector3 } from "three";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { make } from "./dom.js";
import { CLASH, NEAR, TOUCH, curve, dots, hidden, marked, tinted } from "./materials.js";
import { triangles } from "./shapes.js";

// the deepest; more of them would hide what they are about
const MOST_PINS = 24;

export class Marks {
  constructor(stage, parts, select) {
    this.stage = stage;
    this.parts = parts;
    this.select = select;
    this.node = new Group();
    this.drawn = [];
    this.clashes = [];
    this.looks = Object.fromEntries(
      [["clash", CLASH], ["contact", TOUCH]].map(([name, colour]) => [name, { solid: marked(colour), clear: tinted(colour), hidden: hidden(colour) }]),
    );
    this.curves = [false, true].map((under) => this.addLines(CLASH, under));
    this.touches = [false, true].map((under) => this.addLines(TOUCH, under));
    this.gaps = [false, true].map((under) => this.addLines(NEAR, under));
    const size = 6 * stage.renderer.getPixelRatio();
    this.points = this.addPoints(TOUCH, size);
    this.ends = this.addPoints(NEAR, size);
    this.layer = make("div", { class: "pins" });
    stage.host.append(this.layer);
    stage.after.push(() => this.placePins());
  }

  addLines(colour, under) {
    const lines = new LineSegments2(new LineSegmentsGeometry(), curve(colour, { hidden: under }));
    lines.frustumCulled = false;
    lines.renderOrder = under ? 4 : 5;
    lines.visible = false;
    this.node.add(lines);
    return lines;
  }

  addPoints(colour, size) {
    const points = new Points(new BufferGeometry(), dots(colour, size));
    points.frustumCulled = false;
    points.renderOrder = 6;
    this.node.add(points);
    return points;
  }

  tint(dark) {
    const colour = new Color(dark ? 0xffc2c4 : 0x4a000a);
    for (const lines of this.curves) lines.material.color = colour;
    const near = new Color(dark ? 0x7db4ee : NEAR);
    for (const lines of this.gaps) lines.material.color = near;
    this.ends.material.uniforms.colour.value = near;
    this.stage.invalidate();
  }

  // A new result: findings with what is drawn of them, or contact points.
  fill(hits, arrays) {
    this.clashes = hits.clashes;
    this.source = arrays;
    this.every = hits.points > 0;
  }

  // Draw these findings, or the one that is selected.
  draw(selected, listed) {
    for (const mesh of this.drawn) {
      mesh.removeFromParent();
      mesh.geometry.dispose();
    }
    this.drawn = [];
    const shown = selected ? [selected] : listed;
    const apart = this.parts.amount > 0;
    for (const clash of shown) {
      this.addFaces(clash);
      this.addPieces(clash);
    }
    // lines and points are where the parts were before they were moved apart
    for (const [lines, clashes] of [[this.curves, true], [this.touches, false]]) {
      const own = apart ? [] : shown.filter((clash) => clash.clashes === clashes);
      this.fillLines(lines, own.map(({ curve: [start, count] }) => this.source.segments.subarray(6 * start, 6 * (start + count))));
    }
    const gaps = apart ? [] : shown.filter(({ gap }) => gap).map(({ gap }) => new Float32Array(gap.flat()));
    this.fillLines(this.gaps, gaps);
    fillPoints(this.ends, gaps);
    const spots = this.every ? [this.source.points] : shown.map(({ dots: [start, count] }) => this.source.points.subarray(3 * start, 3 * (start + count)));
    fillPoints(this.points, apart && !this.every ? [] : spots);
    this.fillPins(selected, listed);
  }

  addFaces(clash) {
    const looks = this.looks[clash.clashes ? "clash" : "contact"];
    for (const [body, start, count] of clash.faces) {
      const part = this.parts.list[body];
      const chosen = this.source.faces.subarray(start, start + count);
      const clear = part.state !== "solid";
      this.addMesh(part.node, triangles(part.shape.vertices, part.shape.faces, chosen), clear ? looks.clear : looks.solid, clear ? 3 : 1);
    }
  }

  // The overlap shines through what hides it; its pieces stay with the part they are of.
  addPieces(clash) {
    const looks = this.looks[clash.clashes ? "clash" : "contact"];
    for (const [body, start, count] of clash.pieces) {
      if (!count) continue;
      const corners = this.source.pieces.subarray(9 * start, 9 * (start + count));
      const front = this.addMesh(this.node, corners, looks.solid, 1);
      const behind = this.addMesh(this.node, corners, looks.hidden, 3, front.geometry);
      for (const mesh of [front, behind]) mesh.position.copy(this.parts.list[body].offset);
    }
  }

  addMesh(parent, corners, material, order, same) {
    const geometry = same ?? new BufferGeometry().setAttribute("position", new BufferAttribute(corners, 3));
    const mesh = new Mesh(geometry, material);
    mesh.renderOrder = order;
    mesh.frustumCulled = false;
    parent.add(mesh);
    this.drawn.push(mesh);
    return mesh;
  }

  fillLines(pair, pieces) {
    const ends = joined(pieces);
    for (const lines of pair) {
      lines.geometry.dispose();
      lines.geometry = new LineSegmentsGeometry();
      if (ends.length) lines.geometry.setPositions(ends);
      lines.visible = ends.length > 0;
    }
  }

  // Numbers of clashes, and the widths of gaps.
  fillPins(selected, listed) {
    const shown = [true, false].flatMap((clashes) => listed.filter((clash) => (clashes ? clash.clashes : clash.gap && (!selected || selected === clash))).slice(0, MOST_PINS));
    while (this.layer.children.length > shown.length) this.layer.lastChild.remove();
    while (this.layer.children.length < shown.length) {
      const pin = make("button", { type: "button", onclick: () => this.select(pin.clash) });
      this.layer.append(pin);
    }
    shown.forEach((clash, k) => {
      const pin = this.layer.children[k];
      pin.clash = clash;
      pin.place = new Vector3(...clash.centre);
      pin.className = clash.gap ? "pin gap-pin" : "pin";
      pin.textContent = clash.gap ? Number(clash.distance.toPrecision(3)) : clash.number;
      pin.title = clash.title;
      pin.classList.toggle("dim", selected != null && clash !== selected);
    });
  }

  placePins() {
    const apart = this.parts.amount > 0;
    const taken = [];
    for (const pin of this.layer.children) {
      const at = apart ? null : this.stage.project(pin.place);
      pin.hidden = at == null;
      if (at == null) continue;
      // pins side by side where clashes lie behind each other
      const width = pin.clash.gap ? 12 + 6 * pin.textContent.length : 22;
      while (taken.some(([x, y, wide]) => at[0] - x < wide && x - at[0] < width && Math.abs(y - at[1]) < 20)) at[0] += 4;
      taken.push([...at, width]);
      pin.style.transform = `translate(${at[0].toFixed(1)}px, ${at[1].toFixed(1)}px)`;
    }
  }
}

function fillPoints(points, pieces) {
  const places = joined(pieces);
  points.geometry.dispose();
  points.geometry = new BufferGeometry();
  points.geometry.setAttribute("position", new BufferAttribute(places, 3));
  points.visible = places.length > 0;
}

function joined(pieces) {
  const whole = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
