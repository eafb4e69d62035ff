// The list of clashes and contacts; a click flies there.

import { make, number } from "./dom.js";

const MOST_ROWS = 400;

export class ClashList {
  constructor(model) {
    this.model = model;
    this.kind = true;
    this.tabs = [true, false].map((crosses) =>
      make("button", { type: "button", role: "tab", onclick: () => this.turn(crosses) }),
    );
    this.search = make("input", { type: "search", placeholder: "Find a clash", "aria-label": "Find a clash", oninput: () => this.fill() });
    this.list = make("ol", { class: "clashes" });
    this.element = make("section", { class: "panel found" }, make("h2", { role: "tablist" }, ...this.tabs), this.search, this.list);
    model.addEventListener("scene", () => this.fill());
    model.addEventListener("hits", () => this.fill());
    model.addEventListener("select", () => this.mark());
  }

  turn(crosses) {
    this.kind = crosses;
    this.fill();
  }

  fill() {
    const { clashes } = this.model;
    const crossing = clashes.filter((clash) => clash.crosses).length;
    const labels = [`Clashes ${crossing.toLocaleString("en")}`, `Contacts ${(clashes.length - crossing).toLocaleString("en")}`];
    this.tabs.forEach((tab, k) => {
      tab.textContent = labels[k];
      tab.setAttribute("aria-selected", String(this.kind === (k === 0)));
    });
    const wanted = this.search.value.trim().toLowerCase();
    const rows = clashes.filter((clash) => clash.crosses === this.kind && clash.title.toLowerCase().includes(wanted));
    // a row that is being pressed must not be another one
    const key = [this.kind, wanted, ...rows.map((clash) => `${clash.number}:${clash.bodies}`)].join();
    if (key === this.key) rows.slice(0, MOST_ROWS).forEach((clash, k) => this.update(this.list.children[k], clash));
    else this.rebuild(rows, wanted);
    this.key = key;
    this.mark();
  }

  rebuild(rows, wanted) {
    const items = rows.slice(0, MOST_ROWS).map((clash) => this.row(clash));
    if (rows.length > MOST_ROWS) items.push(make("li", { class: "none" }, `and ${(rows.length - MOST_ROWS).toLocaleString("en")} more`));
    if (!rows.length) items.push(make("li", { class: "none" }, this.nothing(wanted)));
    this.list.replaceChildren(...items);
  }

  nothing(wanted) {
    if (wanted) return "None of that name.";
    return this.kind ? "No parts cross." : "No parts only touch.";
  }

  row(clash) {
    const facts = make("small");
    const press = make(
      "button", { type: "button", onclick: () => this.model.toggle(item.clash) },
      make("span", { class: clash.crosses ? "badge" : "badge touch" }, String(clash.number)),
      make("span", { class: "what" }, make("b", {}, clash.title), facts),
    );
    const item = make("li", {}, press);
    item.facts = facts;
    this.update(item, clash);
    return item;
  }

  update(item, clash) {
    const kinds = Object.entries(clash.kinds).filter(([, count]) => count).map(([kind, count]) => `${count.toLocaleString("en")} ${kind}`);
    item.clash = clash;
    item.facts.textContent = clash.crosses ? `${kinds[0]} · curve ${number(clash.length)}` : kinds.join(" · ");
  }

  mark() {
    for (const item of this.list.children) item.classList.toggle("chosen", item.clash != null && item.clash === this.model.selected);
  }
}
