// Which findings are listed and drawn: chosen by verdict, by depth and by words.

import { make, number, pressed } from "./dom.js";

export const VERDICTS = ["duplicate", "inside", "clash", "contact", "near"];
const STEPS = 100;

export class Filter extends EventTarget {
  constructor() {
    super();
    this.off = null;
    this.least = 0;
    this.chips = VERDICTS.map((verdict) => make("button", { type: "button", class: `chip ${verdict}`, hidden: true, onclick: () => this.turn(verdict) }));
    this.depth = make("input", { type: "range", min: 0, max: STEPS, value: 0, name: "depth", "aria-label": "Least depth", oninput: () => this.slide() });
    this.depthText = make("output");
    this.deep = make("label", { class: "depth", hidden: true }, this.depthText, this.depth);
    this.search = make("input", { type: "search", placeholder: "Find a part", "aria-label": "Find what was found", oninput: () => this.tell() });
    this.element = make("div", { class: "filter" }, make("div", { class: "chips", role: "group", "aria-label": "Verdicts" }, ...this.chips), this.deep, this.search);
  }

  tell() {
    this.dispatchEvent(new Event("change"));
  }

  // A new result: how many there are of each verdict, and between which depths.
  offer(clashes) {
    const counts = VERDICTS.map((verdict) => clashes.filter((clash) => clash.verdict === verdict).length);
    const wrong = clashes.some((clash) => clash.verdict !== "contact");
    // contacts are many, and mostly meant: they are listed when nothing else is
    if (!this.off && clashes.length) this.off = new Set(wrong ? ["contact"] : []);
    this.chips.forEach((chip, k) => {
      chip.hidden = counts[k] === 0;
      chip.textContent = `${VERDICTS[k]} ${counts[k].toLocaleString("en")}`;
      pressed(chip, !this.off?.has(VERDICTS[k]));
    });
    const depths = clashes.map((clash) => clash.depth).filter((depth) => depth > 0);
    this.low = Math.min(...depths);
    this.high = Math.max(...depths);
    this.deep.hidden = !(this.high > this.low);
    this.showDepth();
  }

  turn(verdict) {
    this.off ??= new Set();
    if (!this.off.delete(verdict)) this.off.add(verdict);
    this.chips.forEach((chip, k) => pressed(chip, !this.off.has(VERDICTS[k])));
    this.tell();
  }

  // Depths lie decades apart: each step is a factor.
  slide() {
    const step = Number(this.depth.value);
    const least = this.low * (this.high / this.low) ** ((step - 1) / (STEPS - 1));
    // rounded down, so that the deepest is never lost
    this.least = step === 0 ? 0 : step === STEPS ? this.high : Number(least.toPrecision(2)) * (1 - 1e-9);
    this.showDepth();
    this.tell();
  }

  showDepth() {
    this.depthText.textContent = this.least > 0 ? `Depth from ${number(this.least)}` : "Any depth";
  }

  // A gap has no depth, and that of a surface is not known: neither is left out for it.
  wants(clash) {
    if (this.off?.has(clash.verdict)) return false;
    if (!this.deep.hidden && clash.verdict !== "near" && clash.depth != null && clash.depth < this.least) return false;
    return this.finds(clash.title);
  }

  finds(text) {
    const found = text.toLowerCase();
    return this.search.value.toLowerCase().split(/\s+/).every((word) => found.includes(word));
  }
}

// What is known of two parts, in a line.
export function facts({ clashes, verdict, reason, depth, volume, distance, kinds, length, surface }) {
  const told = [reason ? `${verdict} (${reason})` : verdict];
  if (verdict === "near" || (verdict === "contact" && distance > 0)) told.push(`gap ${number(distance)}`);
  if (depth > 0) told.push(`${number(depth)} deep`);
  if (volume > 0) told.push(`volume ${number(volume)}`);
  if (depth == null && clashes) told.push(surface ? "open part, depth unknown" : `${kinds.crossing.toLocaleString("en")} crossing`, `curve ${number(length)}`);
  return told.join(" · ");
}
