// The connection to the server: newest message in, shown in the next picture, then acknowledged.

import { unpack } from "./message.js";

// how long to wait before each attempt to find the server again [ms]
const RETRIES = [1000, 3000, 9000];

export class Link {
  constructor(address, { receive, state }) {
    this.address = address;
    this.receive = receive;
    this.state = state;
    this.failed = 0;
    this.alive = false;
    this.open();
  }

  open() {
    this.socket = new WebSocket(this.address);
    this.socket.binaryType = "arraybuffer";
    this.socket.addEventListener("message", (event) => this.arrive(event.data));
    this.socket.addEventListener("close", ({ reason }) => {
      this.alive = false;
      this.state(false, reason);
      const delay = RETRIES[this.failed++];
      if (delay) setTimeout(() => this.open(), delay);
    });
  }

  arrive(data) {
    // a server that only says why it closes has not been found again
    if (!this.alive) {
      this.alive = true;
      this.failed = 0;
      this.state(true);
    }
    // a hidden tab draws no pictures, and must not stop the scene for the others
    const soon = document.hidden ? (work) => setTimeout(work, 0) : requestAnimationFrame;
    soon(() => {
      this.receive(unpack(data));
      this.send({ type: "ack" });
    });
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
