// Small plots of the last frames: how many in a second, and what each stage took.

import { make } from "./dom.js";

export const COLOURS = ["#4f7cac", "#e0a93b", "#5fa777", "#9a7fc0", "#c8635f", "#4aa3a8", "#8b95a1", "#b98b5e"];
const KEPT = 160;

export class Plot {
  constructor(title, unit) {
    this.unit = unit;
    this.rows = [];
    this.names = [];
    this.value = make("b", {}, "–");
    this.canvas = make("canvas", { role: "img", "aria-label": title });
    this.legend = make("div", { class: "legend" });
    this.element = make("div", { class: "plot" }, make("div", { class: "plot-head" }, make("span", {}, title), this.value), this.canvas, this.legend);
  }

  // Values by name, stacked.
  add(values) {
    for (const name of Object.keys(values)) if (!this.names.includes(name)) this.names.push(name);
    this.rows.push(values);
    if (this.rows.length > KEPT) this.rows.shift();
    const recent = this.rows.slice(-15).map(total).sort((a, b) => a - b);
    const middle = recent[recent.length >> 1];
    this.value.textContent = `${middle >= 100 ? middle.toFixed(0) : middle.toFixed(1)} ${this.unit}`;
    this.draw();
  }

  clear() {
    this.rows = [];
    this.names = [];
    this.legend.replaceChildren();
  }

  draw() {
    const scale = window.devicePixelRatio, width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (!width) return;
    if (this.canvas.width !== Math.round(width * scale) || this.canvas.height !== Math.round(height * scale)) {
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
    }
    const context = this.canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const sorted = this.rows.map(total).sort((a, b) => a - b);
    // one slow frame must not flatten all others
    const top = Math.max(1.25 * sorted[Math.floor(0.97 * (sorted.length - 1))], 1e-9);
    const step = width / (KEPT - 1), left = width - (this.rows.length - 1) * step;
    const base = new Float64Array(this.rows.length);
    this.names.forEach((name, k) => {
      const below = base.slice();
      this.rows.forEach((row, i) => (base[i] += row[name] ?? 0));
      context.beginPath();
      for (let i = 0; i < base.length; i++) context.lineTo(left + i * step, height * (1 - Math.min(base[i] / top, 1)));
      for (let i = base.length - 1; i >= 0; i--) context.lineTo(left + i * step, height * (1 - Math.min(below[i] / top, 1)));
      context.closePath();
      context.globalAlpha = 0.85;
      context.fillStyle = COLOURS[k % COLOURS.length];
      context.fill();
    });
    if (this.names.length > 1 && this.legend.children.length !== this.names.length) this.fillLegend();
  }

  fillLegend() {
    this.legend.replaceChildren(
      ...this.names.map((name, k) => {
        const chip = make("i");
        chip.style.background = COLOURS[k % COLOURS.length];
        return make("span", {}, chip, name);
      }),
    );
  }
}

function total(row) {
  return Object.values(row).reduce((sum, value) => sum + value, 0);
}
