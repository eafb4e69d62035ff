// A running scene: play, pause, step, its parameters, and plots of how fast it goes.

import { button, icon, make, number } from "./dom.js";
import { Plot } from "./plots.js";

// frames over which their rate is taken
const RECENT = 10;
// how long a server may take to know a new value [ms]
const PATIENCE = 5000;

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
    this.shown = [];
  }

  fill({ playing, clock, parameters }) {
    // a press is lost when what it began on is replaced before it ends
    if (playing !== this.playing) {
      this.playing = playing;
      this.play.replaceChildren(icon(playing ? "pause" : "play"));
      this.play.title = playing ? "Pause" : "Play";
      this.play.setAttribute("aria-label", this.play.title);
    }
    this.clock.textContent = clock;
    for (const parameter of parameters) {
      const { low, high, step } = parameter;
      if (low === 0 && high === 1 && step === 1) this.toggle(parameter);
      else this.slider(parameter);
    }
  }

  // From 0 to 1 in one step it is a switch.
  toggle({ name, label, value }) {
    if (!this.controls.has(name)) {
      const input = make("input", { type: "checkbox", name });
      this.controls.set(name, { input, sent: null });
      input.addEventListener("change", () => this.set(name, Number(input.checked)));
      this.sliders.append(make("label", { class: "switch" }, input, make("span", {}, label)));
    }
    if (this.settled(name, value)) this.controls.get(name).input.checked = value === 1;
  }

  slider({ name, label, low, high, step, value, unit }) {
    if (!this.controls.has(name)) {
      const input = make("input", { type: "range", min: low, max: high, step, value, name, "aria-label": label });
      const shown = make("output");
      input.addEventListener("input", () => {
        shown.textContent = `${number(Number(input.value))}${unit}`;
        this.set(name, Number(input.value));
      });
      this.controls.set(name, { input, shown, sent: null });
      this.sliders.append(make("label", {}, make("span", {}, label), shown, input));
    }
    if (!this.settled(name, value)) return;
    const { input, shown } = this.controls.get(name);
    input.value = value;
    shown.textContent = `${number(value)}${unit}`;
  }

  set(name, value) {
    this.controls.get(name).sent = { value, at: performance.now() };
    this.send({ type: "set", name, value });
  }

  // Frames under way still tell the old value: until the new one comes back, the hand is right.
  settled(name, value) {
    const control = this.controls.get(name);
    if (control.sent && control.sent.value !== value && performance.now() - control.sent.at < PATIENCE) return false;
    control.sent = null;
    return true;
  }

  // A frame of the motion came; its stages in seconds.
  frame(stages) {
    const now = performance.now();
    // after a pause a new count begins
    if (now - this.shown.at(-1) > 2000) this.shown = [];
    this.shown = [...this.shown.slice(-RECENT), now];
    const passed = now - this.shown[0];
    if (passed > 0) this.rate.add({ fps: (1000 * (this.shown.length - 1)) / passed });
    this.times.add(Object.fromEntries(stages.map(({ name, seconds }) => [name, 1e3 * seconds])));
  }
}
