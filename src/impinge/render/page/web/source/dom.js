// Elements are made from text, never from markup: names come from files.

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

const PATHS = {
  eye: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8Z M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  hidden: "M2 2l12 12 M6.5 3.7A6.6 6.6 0 0 1 8 3.5c4 0 6.5 4.5 6.5 4.5a11 11 0 0 1-2 2.5 M4.2 4.9A11 11 0 0 0 1.5 8S4 12.5 8 12.5a6.5 6.5 0 0 0 3-.75",
  play: "M4.5 2.5v11l8.5-5.5Z",
  pause: "M5 3v10 M11 3v10",
  step: "M3.5 3v10l6.5-5Z M12.5 3v10",
  restart: "M3 8a5 5 0 1 0 1.6-3.7 M3 2.5v3h3",
  theme: "M13 9.6A5.5 5.5 0 1 1 6.4 3a4.5 4.5 0 0 0 6.6 6.6Z",
  fit: "M2.5 6V2.5H6 M10 2.5h3.5V6 M13.5 10v3.5H10 M6 13.5H2.5V10",
  move: "M8 1.5v13 M1.5 8h13 M6 3.5l2-2 2 2 M6 12.5l2 2 2-2 M3.5 6l-2 2 2 2 M12.5 6l2 2-2 2",
  back: "M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6 M6 3.5l-3 3 3 3",
  open: "M6 4l4 4-4 4",
  pin: "M8 14.5S3 9.5 3 6.5a5 5 0 0 1 10 0c0 3-5 8-5 8Z",
};

export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

export function button(name, title, press, text) {
  const content = [name ? icon(name) : null, text ?? null];
  return make("button", { type: "button", title, "aria-label": title, onclick: press }, ...content);
}

export function pressed(element, on) {
  element.setAttribute("aria-pressed", on ? "true" : "false");
}

// Four digits, or all of a large whole number.
export function number(value) {
  if (value == null) return "";
  const size = Math.abs(value);
  if (size >= 1e4 || Number.isInteger(value)) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(4)));
}

export function milliseconds(seconds) {
  const value = seconds * 1e3;
  return value >= 100 ? `${value.toFixed(0)} ms` : value >= 1 ? `${value.toFixed(1)} ms` : `${value.toFixed(3)} ms`;
}

export function counted(value, noun) {
  const plural = noun.endsWith("sh") ? `${noun}es` : `${noun}s`;
  return `${value.toLocaleString("en")} ${value === 1 ? noun : plural}`;
}
