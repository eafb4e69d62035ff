// The connection to the server: newest message in, shown in the next picture, then acknowledged.

import { unpack } from "./message.js";

const RETRY = 1500;

export class Link {
  constructor(address, { receive, state }) {
    this.address = address;
    this.receive = receive;
    this.state = state;
    this.open();
  }

  open() {
    this.socket = new WebSocket(this.address);
    this.socket.binaryType = "arraybuffer";
    this.socket.addEventListener("open", () => this.state(true));
    this.socket.addEventListener("message", (event) => this.arrive(event.data));
    this.socket.addEventListener("close", () => {
      this.state(false);
      setTimeout(() => this.open(), RETRY);
    });
  }

  arrive(data) {
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
