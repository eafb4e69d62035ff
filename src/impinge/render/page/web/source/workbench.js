// The whole window: parts at the left, the scene in the middle, what was found at the right.

import { button, counted, make, pressed } from "./dom.js";
import { Drag } from "./drag.js";
import { Link } from "./link.js";
import { ClashList } from "./list.js";
import { Model } from "./model.js";
import { Player } from "./player.js";
import { Stages } from "./stages.js";
import { themeButton } from "./theme.js";
import { Tree } from "./tree.js";

export class Workbench {
  constructor(root) {
    this.view = make("main", { class: "view" });
    this.note = make("div", { class: "note", role: "status", hidden: true });
    this.hint = make("div", { class: "hint" });
    this.view.append(this.note, this.hint);
    this.model = new Model(this.view);
    this.tree = new Tree(this.model);
    this.list = new ClashList(this.model);
    this.stages = new Stages();
    this.player = new Player((message) => this.send(message));
    this.drag = new Drag(this.model, (message) => this.send(message));
    this.bar = this.makeBar();
    root.append(
      this.bar, make("aside", { class: "left" }, this.tree.element), this.view,
      make("aside", { class: "right" }, this.list.element, this.stages.element), this.player.element,
    );
    this.player.element.hidden = true;
    // some scenes go on by pairs of bodies and never list triangles
    this.list.element.hidden = this.stages.element.hidden = true;
    addEventListener("keydown", (event) => this.key(event));
    this.model.addEventListener("explode", ({ detail }) => (this.explode.value = detail));
    this.model.addEventListener("hits", ({ detail }) => this.judge(detail));
  }

  makeBar() {
    this.title = make("h1");
    this.verdict = make("span", { class: "verdict" });
    this.choices = make("span", { class: "choices" });
    this.explode = make("input", {
      type: "range", min: 0, max: 1, step: 0.01, value: 0, name: "explode", "aria-label": "Explode",
      oninput: () => this.model.explode(Number(this.explode.value)),
    });
    this.exploding = make("label", { class: "explode" }, make("span", {}, "Explode"), this.explode);
    this.xray = button("pin", "See through what does not clash (X)", () => this.model.seeThrough(!this.model.xray), "X-ray");
    this.model.addEventListener("xray", ({ detail }) => pressed(this.xray, detail));
    pressed(this.xray, false);
    this.moving = button("move", "Drag parts with the mouse (M, or hold Shift)", () => this.setMoving(!this.drag.always), "Move");
    this.back = button("back", "Put all parts back", () => this.send({ type: "home" }));
    const fit = button("fit", "Show everything (Esc)", () => this.model.home());
    const theme = themeButton(() => this.model.recolour());
    pressed(this.moving, false);
    this.moving.hidden = this.back.hidden = true;
    return make(
      "header", { class: "top" },
      this.title, this.verdict, make("span", { class: "gap" }), this.choices, this.exploding,
      this.xray, this.moving, this.back, fit, theme,
    );
  }

  setMoving(on) {
    this.drag.always = on;
    pressed(this.moving, on);
    this.view.classList.toggle("moving", on);
  }

  key(event) {
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.key === "Escape") this.model.home();
    if (event.key === "x") this.model.seeThrough(!this.model.xray);
    if (event.key === "m" && !this.moving.hidden) this.setMoving(!this.drag.always);
    if (event.key === " " && !this.player.element.hidden && event.target.tagName !== "BUTTON") {
      event.preventDefault();
      this.player.play.click();
    }
  }

  // Talk to a server from now on.
  connect(address) {
    this.link = new Link(address, {
      receive: (message) => this.receive(message),
      state: (open, reason) => {
        this.say(open ? null : reason ? `The server said: ${reason}.` : "The server has ended; this is the last it showed.");
        this.drag.busy = false;
      },
    });
  }

  send(message) {
    this.link?.send(message);
  }

  receive(message) {
    if (message.changes) message.changes = message.changes.filter(({ body }) => !this.drag.holds(body));
    this.model.apply(message);
    if (message.state) this.settle(message.state);
    if (message.hits) {
      this.drag.answered();
      document.body.dataset.results = Number(document.body.dataset.results ?? 0) + 1;
    }
    if (message.frame) this.player.frame(message.frame.stages);
    // clashes are inside parts: the first picture looks through them
    if (message.hits && !this.looked && !message.state?.player) this.model.seeThrough(this.model.involved().size > 0);
    this.looked ||= message.hits != null;
    document.body.dataset.ready = "true";
  }

  settle(state) {
    if (this.title.textContent !== state.title) {
      this.title.textContent = state.title;
      document.title = `${state.title} – Impinge`;
    }
    this.view.classList.toggle("live", state.live);
    this.hint.textContent = state.live && state.movable ? "Shift-drag moves a part" : "";
    this.moving.hidden = this.back.hidden = !(state.live && state.movable);
    this.fillChoices(state.choices);
    this.player.element.hidden = !state.player;
    if (state.player) this.player.fill(state.player);
    this.say(state.problem);
  }

  fillChoices(choices) {
    const text = JSON.stringify(choices);
    if (text === this.shownChoices) return;
    this.shownChoices = text;
    this.choices.replaceChildren(
      ...choices.map(({ name, label, options, value }) => {
        const select = make("select", { name, onchange: () => this.send({ type: "choose", name, value: select.value }) });
        for (const option of options) select.append(make("option", { value: option, selected: option === value }, option));
        return make("label", {}, make("span", {}, label), select);
      }),
    );
  }

  judge(hits) {
    const clashes = hits.clashes.filter((clash) => clash.clashes).length;
    const [near, contact] = ["near", "contact"].map((verdict) => hits.clashes.filter((clash) => clash.verdict === verdict).length);
    this.stages.fill(hits);
    this.stages.element.hidden = false;
    this.list.element.hidden = hits.noun === "contacts";
    this.verdict.className = `verdict ${clashes ? "clash" : near ? "near" : contact || hits.points ? "touch" : ""}`;
    if (clashes) this.verdict.textContent = counted(clashes, "clash");
    else if (near) this.verdict.textContent = `${counted(near, "pair")} too near`;
    else if (hits.points) this.verdict.textContent = counted(hits.points, "contact");
    else this.verdict.textContent = contact ? "Parts only touch" : "No collision";
  }

  say(text) {
    this.note.textContent = text ?? "";
    this.note.hidden = !text;
  }
}
