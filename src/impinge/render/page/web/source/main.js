// Where the page begins: it may be the window of a server, a file on its own, a report or a view.

import { glance } from "./glance.js";
import { embedded } from "./message.js";
import { enliven } from "./report.js";
import { Workbench } from "./workbench.js";

async function begin() {
  const { mode } = document.body.dataset;
  if (mode === "live") {
    const address = new URL("live", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    new Workbench(document.body).connect(address.href);
    return;
  }
  const host = document.getElementById("scene");
  const message = await embedded(document.getElementById("model").textContent);
  if (mode === "alone") {
    new Workbench(document.body).receive(message);
    return;
  }
  // without WebGL the picture stays
  let model = null;
  try {
    host.classList.add("alive");
    model = glance(host, message);
  } catch (error) {
    host.classList.remove("alive");
    host.dataset.problem = String(error);
  }
  if (mode === "report") enliven(model, message.hits);
}

begin();
