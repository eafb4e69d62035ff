// The tree of parts: groups of parts with a like name, to hide, to show, to find.

import { button, icon, make } from "./dom.js";

export class Tree {
  constructor(model) {
    this.model = model;
    this.rows = [];
    this.search = make("input", { type: "search", placeholder: "Find a part", "aria-label": "Find a part", oninput: () => this.filter() });
    this.count = make("span", { class: "count" });
    this.list = make("ul", { class: "tree", role: "tree" });
    const all = button("eye", "Show all parts", () => this.model.show(this.model.parts.list.map((p) => p.index), true));
    this.element = make(
      "section", { class: "panel parts" },
      make("h2", {}, "Parts", this.count, make("span", { class: "gap" }), all), this.search, this.list,
    );
    model.addEventListener("scene", () => this.fill());
    model.addEventListener("visible", () => this.refresh());
    model.addEventListener("hits", () => this.refresh());
  }

  fill() {
    const { list } = this.model.parts;
    this.count.textContent = list.length.toLocaleString("en");
    this.rows = [];
    this.list.replaceChildren(...this.items(list, 0));
    this.search.value = "";
    this.refresh();
  }

  // Parts by the branch they hang on at this depth; a branch with one part is that part.
  items(parts, depth) {
    const branches = new Map();
    for (const part of parts) {
      const name = part.path[depth] ?? part.name;
      if (!branches.has(name)) branches.set(name, []);
      branches.get(name).push(part);
    }
    return [...branches].flatMap(([name, members]) => {
      if (members.length === 1) return [this.leaf(members[0])];
      return depth < members[0].path.length ? [this.branch(name, members, depth)] : members.map((part) => this.leaf(part));
    });
  }

  leaf(part) {
    const eye = button("eye", `Hide ${part.name}`, () => this.model.show([part.index], !part.visible));
    const chip = make("span", { class: "chip" });
    chip.style.background = `#${part.colour.getHexString("srgb")}`;
    const name = make("span", { class: "name", title: part.name }, part.name);
    const faces = make("span", { class: "count" }, (part.shape.faces.length / 3).toLocaleString("en"));
    const item = make("li", { role: "treeitem" }, make("div", { class: "row" }, chip, name, faces, eye));
    this.rows.push({ item, eye, parts: [part], name: part.name });
    return item;
  }

  branch(name, members, depth) {
    const indices = members.map((part) => part.index);
    const fold = make("button", { type: "button", class: "fold", "aria-expanded": "false", onclick: () => this.unfold(item, fold) }, icon("open"));
    const eye = button("eye", `Hide all of ${name}`, () => this.model.show(indices, !members.some((part) => part.visible)));
    const label = make("span", { class: "name", title: name }, name);
    const count = make("span", { class: "count" }, `${members.length} ×`);
    const inner = make("ul", { role: "group" }, ...this.items(members, depth + 1));
    const item = make("li", { role: "treeitem", class: "branch" }, make("div", { class: "row" }, fold, label, count, eye), inner);
    this.rows.push({ item, eye, parts: members, name });
    return item;
  }

  unfold(item, fold) {
    const open = item.classList.toggle("open");
    fold.setAttribute("aria-expanded", String(open));
  }

  refresh() {
    const clashing = new Set(this.model.clashes.filter((clash) => clash.clashes).flatMap((clash) => clash.bodies));
    for (const { item, eye, parts } of this.rows) {
      const seen = parts.some((part) => part.visible);
      item.classList.toggle("off", !seen);
      item.classList.toggle("clashing", parts.some((part) => clashing.has(part.index)));
      eye.replaceChildren(icon(seen ? "eye" : "hidden"));
    }
  }

  filter() {
    const wanted = this.search.value.trim().toLowerCase();
    this.list.classList.toggle("found", wanted !== "");
    for (const { item, parts } of this.rows) {
      item.hidden = wanted !== "" && !parts.some((part) => part.name.toLowerCase().includes(wanted));
    }
  }
}
