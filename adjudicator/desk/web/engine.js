// The door to Python: numbered requests to the worker; a newer request of the same kind makes an older answer void.

export class Stopped extends Error {}

// The store of pages that Python has made; the service worker shows them. The page empties it whenever it opens.
export const MADE = "made";

export class Engine {
  #worker;
  #waiting = new Map();
  #latest = new Map();
  #number = 0;
  ready;

  constructor(address) {
    this.address = address;
    this.restart();
  }

  // Begin anew with an empty worker: this is how a request that takes too long is stopped.
  restart() {
    this.#worker?.terminate();
    for (const { reject } of this.#waiting.values()) reject(new Stopped("the request was stopped"));
    this.#waiting.clear();
    this.#worker = new Worker(this.address, { type: "module", name: "adjudicator" });
    this.ready = new Promise((resolve, reject) => {
      this.#worker.onmessage = ({ data }) => {
        if ("ready" in data) data.ready ? resolve() : reject(new Error(data.error));
        else this.#answer(data);
      };
      this.#worker.onerror = (event) => reject(new Error(event.message || "the worker could not be loaded"));
    });
    this.ready.catch(() => {});
  }

  // Return the answer to request `name` as a value; its bytes, if it has any, are in `bytes`. A problem is an `error` in it.
  ask(name, values = {}, bytes = undefined) {
    const number = ++this.#number;
    this.#worker.postMessage({ number, name, text: JSON.stringify(values), bytes });
    return new Promise((resolve, reject) => this.#waiting.set(number, { resolve, reject }));
  }

  // Ask like `ask`, but return null if the same question has been asked again meanwhile.
  async newest(name, values = {}, bytes = undefined) {
    const turn = (this.#latest.get(name) ?? 0) + 1;
    this.#latest.set(name, turn);
    const answer = await this.ask(name, values, bytes);
    return this.#latest.get(name) === turn ? answer : null;
  }

  #answer({ number, said, bytes, error }) {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (!waiting) return;
    if (error === undefined) return waiting.resolve({ ...JSON.parse(said), bytes });
    // Python itself has failed, and does not recover: begin anew, without a game.
    waiting.resolve({ error: { kind: "bug", message: `Python has stopped (${error}). Open your file again.` } });
    this.restart();
  }
}
