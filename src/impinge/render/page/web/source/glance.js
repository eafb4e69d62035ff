// One view inside another page: a report or the answer of a notebook.

import { button, make, pressed } from "./dom.js";
import { Model } from "./model.js";

export function glance(host, message) {
  const model = new Model(host);
  const explode = make("input", {
    type: "range", min: 0, max: 1, step: 0.01, value: 0, name: "explode", "aria-label": "Explode",
    oninput: () => model.explode(Number(explode.value)),
  });
  model.addEventListener("explode", ({ detail }) => (explode.value = detail));
  const xray = button("pin", "See through what does not clash", () => model.seeThrough(!model.xray), "X-ray");
  model.addEventListener("xray", ({ detail }) => pressed(xray, detail));
  const fit = button("fit", "Show everything", () => model.home());
  const caption = make("span", { class: "caption" });
  model.addEventListener("select", ({ detail }) => (caption.textContent = detail ? `${detail.number}  ${detail.title}` : ""));
  host.append(make("div", { class: "tools" }, caption, make("span", { class: "gap" }), make("label", { class: "explode" }, make("span", {}, "Explode"), explode), xray, fit));
  model.apply(message);
  model.seeThrough(model.involved().size > 0);
  host.addEventListener("keydown", (event) => event.key === "Escape" && model.home());
  host.dataset.ready = "true";
  return model;
}
