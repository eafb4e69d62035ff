// A report: its tables are sorted and searched, and their rows lead into the view.

import { make } from "./dom.js";
import { Filter } from "./filter.js";

export function enliven(model, { clashes }) {
  for (const table of document.querySelectorAll("table.sortable")) {
    sortable(table);
    if (table.querySelector("[data-clash]")) filtered(table, model, clashes);
    else searchable(table);
  }
  if (model) leading(model);
}

// The rows that are listed are those that the view shows.
function filtered(table, model, clashes) {
  const filter = new Filter();
  const found = new Map(clashes.map((clash) => [String(clash.number), clash]));
  const apply = () => {
    for (const row of table.tBodies[0].rows) row.hidden = !filter.wants(found.get(row.dataset.clash));
    model?.limit(new Set(clashes.filter((clash) => filter.wants(clash))));
  };
  filter.offer(clashes);
  filter.addEventListener("change", apply);
  table.closest(".scroll").before(filter.element);
  apply();
}

// Rows lead into the view.
function leading(model) {
  for (const row of document.querySelectorAll("[data-clash]")) {
    const clash = () => model.clashes.find((one) => String(one.number) === row.dataset.clash);
    if (!clash()) continue;
    row.classList.add("leads");
    row.addEventListener("click", (event) => {
      if (event.target.closest("a")) return;
      model.toggle(clash());
      if (model.selected) model.host.scrollIntoView({ block: "nearest", behavior: "smooth" });
    });
  }
  model.addEventListener("select", ({ detail }) => {
    for (const row of document.querySelectorAll("[data-clash]")) {
      row.classList.toggle("chosen", detail != null && row.dataset.clash === String(detail.number));
    }
  });
}

function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.textContent) return;
    head.tabIndex = 0;
    head.classList.add("sorts");
    const sort = () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const body = table.tBodies[0];
      const rows = [...body.rows].sort((a, b) => compare(a.cells[column], b.cells[column]));
      body.append(...(up ? rows : rows.reverse()));
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), sort()));
  });
}

function compare(a, b) {
  const value = (cell) => cell.querySelector("[data-value]")?.dataset.value ?? cell.textContent.replaceAll(",", "");
  const [one, two] = [a, b].map((cell) => Number.parseFloat(value(cell)));
  if (!Number.isNaN(one) && !Number.isNaN(two) && one !== two) return one - two;
  return a.textContent.localeCompare(b.textContent, "en", { numeric: true });
}

function searchable(table) {
  const search = make("input", { type: "search", placeholder: "Search", "aria-label": "Search this table", class: "search" });
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const row of table.tBodies[0].rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  });
  table.closest(".scroll").before(search);
}
