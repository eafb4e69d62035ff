// The list of what was found; a press flies there.

import { counted, make } from "./dom.js";
import { Filter, facts } from "./filter.js";

const MOST_ROWS = 400;

export class ClashList {
  constructor(model) {
    this.model = model;
    this.filter = new Filter();
    this.filter.addEventListener("change", () => this.fill());
    this.about = make("p", { class: "about" });
    this.warned = make("summary");
    this.warnings = make("details", { class: "warnings", hidden: true }, this.warned, make("ul"));
    this.list = make("ol", { class: "clashes" });
    this.element = make("section", { class: "panel found" }, this.filter.element, this.about, this.warnings, this.list);
    model.addEventListener("scene", () => this.fill());
    model.addEventListener("hits", ({ detail }) => this.take(detail));
    model.addEventListener("select", () => this.mark());
  }

  take({ clashes, about, warnings }) {
    this.filter.offer(clashes);
    this.about.textContent = about.join(" ");
    this.warnings.hidden = !warnings.length;
    this.warned.textContent = counted(warnings.length, "warning");
    this.warnings.lastChild.replaceChildren(...warnings.map((text) => make("li", {}, text)));
    this.fill();
  }

  fill() {
    const { clashes } = this.model;
    const rows = clashes.filter((clash) => this.filter.wants(clash));
    this.model.limit(new Set(rows));
    // a row that is being pressed must not be another one
    const key = rows.map((clash) => `${clash.number}:${clash.bodies}:${clash.verdict}`).join();
    if (key === this.key && rows.length) rows.slice(0, MOST_ROWS).forEach((clash, k) => this.update(this.list.children[k], clash));
    else this.rebuild(rows, clashes.length);
    this.key = key;
    this.mark();
  }

  rebuild(rows, all) {
    const items = rows.slice(0, MOST_ROWS).map((clash) => this.row(clash));
    if (rows.length > MOST_ROWS) items.push(make("li", { class: "none" }, `and ${(rows.length - MOST_ROWS).toLocaleString("en")} more`));
    if (!rows.length) items.push(make("li", { class: "none" }, all ? "None of these is wanted." : "No parts meet."));
    this.list.replaceChildren(...items);
  }

  row(clash) {
    const told = make("small");
    const press = make(
      "button", { type: "button", title: clash.title, onclick: () => this.model.toggle(item.clash) },
      make("span", { class: `badge ${clash.verdict}` }, String(clash.number)),
      make("span", { class: "what" }, make("b", {}, clash.title), told),
    );
    const item = make("li", {}, press);
    item.told = told;
    this.update(item, clash);
    return item;
  }

  update(item, clash) {
    item.clash = clash;
    item.told.textContent = facts(clash);
  }

  mark() {
    for (const item of this.list.children) item.classList.toggle("chosen", item.clash != null && item.clash === this.model.selected);
  }
}
