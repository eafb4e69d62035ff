// What the last query did: time and counters of each stage.

import { make, milliseconds, number } from "./dom.js";
import { COLOURS } from "./plots.js";

export class Stages {
  constructor() {
    this.total = make("span", { class: "count" });
    this.method = make("p", { class: "method" });
    this.table = make("div", { class: "stages" });
    this.element = make("section", { class: "panel statistics" }, make("h2", {}, "Stages", make("span", { class: "gap" }), this.total), this.method, this.table);
  }

  // Nobody reads faster than this.
  fill(hits) {
    this.newest = hits;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.show(this.newest);
    }, 150);
  }

  show({ method, pairs, noun, stages }) {
    const most = Math.max(...stages.map((stage) => stage.seconds ?? 0), 1e-9);
    const total = stages.reduce((sum, stage) => sum + (stage.seconds ?? 0), 0);
    this.total.textContent = milliseconds(total);
    this.method.textContent = `${method} · ${pairs.toLocaleString("en")} ${noun}`;
    this.table.replaceChildren(...stages.map((stage, k) => this.row(stage, k, most)));
  }

  row({ name, seconds, counters }, k, most) {
    const bar = make("i");
    bar.style.width = `${(100 * (seconds ?? 0)) / most}%`;
    bar.style.background = COLOURS[k % COLOURS.length];
    const counts = Object.entries(counters).map(([key, value]) => `${key.replaceAll("_", " ")} ${number(value)}`);
    return make(
      "div", { class: "stage-row" },
      make("span", {}, name), make("span", { class: "time" }, seconds == null ? "" : milliseconds(seconds)),
      make("div", { class: "bar" }, bar), counts.length ? make("small", {}, counts.join(" · ")) : null,
    );
  }
}
