// Light or dark: as the system has it, until the button says otherwise.

import { button } from "./dom.js";

export function themeButton(changed) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const apply = () => {
    root.dataset.theme ||= system.matches ? "dark" : "light";
    changed();
  };
  system.addEventListener("change", () => {
    root.dataset.theme = system.matches ? "dark" : "light";
    changed();
  });
  apply();
  return button("theme", "Light or dark", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    changed();
  });
}
