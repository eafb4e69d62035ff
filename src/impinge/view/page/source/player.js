// A running scene: play, pause, step, its parameters, and plots of how fast it goes.

import { button, icon, make, number } from "./dom.js";
import { Plot } from "./plots.js";

export class Player {
  constructor(send) {
    this.send = send;
    this.playing = false;
    this.play = button("play", "Play", () => this.send({ type: this.playing ? "pause" : "play" }));
    this.play.classList.add("primary");
    this.step = button("step", "One step", () => this.send({ type: "step" }));
    this.restart = button("restart", "Start again", () => this.send({ type: "restart" }));
    this.clock = make("span", { class: "clock" });
    this.sliders = make("div", { class: "sliders" });
    this.rate = new Plot("Frames in a second", "fps");
    this.times = new Plot("Time of a frame", "ms");
    this.element = make(
      "footer", { class: "player" },
      make("div", { class: "buttons" }, this.play, this.step, this.restart, this.clock),
      this.sliders, this.rate.element, this.times.element,
    );
    this.controls = new Map();
    this.shown = 0;
  }

  fill({ playing, clock, parameters }) {
    this.playing = playing;
    this.play.replaceChildren(icon(playing ? "pause" : "play"));
    this.play.title = playing ? "Pause" : "Play";
    this.play.setAttribute("aria-label", this.play.title);
    this.clock.textContent = clock;
    for (const parameter of parameters) this.slider(parameter);
  }

  slider({ name, label, low, high, step, value, unit }) {
    if (!this.controls.has(name)) {
      const input = make("input", { type: "range", min: low, max: high, step, value, name, "aria-label": label });
      const shown = make("output");
      input.addEventListener("input", () => {
        shown.textContent = `${number(Number(input.value))}${unit}`;
        input.held = true;
        this.send({ type: "set", name, value: Number(input.value) });
      });
      input.addEventListener("change", () => (input.held = false));
      this.controls.set(name, { input, shown });
      this.sliders.append(make("label", {}, make("span", {}, label), shown, input));
    }
    const { input, shown } = this.controls.get(name);
    // what the hand holds is not moved
    if (input.held) return;
    input.value = value;
    shown.textContent = `${number(value)}${unit}`;
  }

  // A frame of the motion came; its stages in seconds.
  frame(stages) {
    const now = performance.now();
    if (this.shown && now - this.shown < 2000) this.rate.add({ fps: 1000 / Math.max(now - this.shown, 1) });
    this.shown = now;
    this.times.add(Object.fromEntries(stages.map(({ name, seconds }) => [name, 1e3 * seconds])));
  }
}
