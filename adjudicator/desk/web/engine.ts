// The door to Python: numbered requests to the worker; a newer request of the same kind makes an older answer void.
import type { Refused, Requests } from "./answers";

export type Name = keyof Requests;
export type Answer<N extends Name> = Requests[N]["answer"];

// The values of a request, which may be left out if none must be given, and the bytes of its files.
type Values<N extends Name> = Requests[N]["values"];
type Asked<N extends Name> = {} extends Values<N> ? [values?: Values<N>, bytes?: Uint8Array[]] : [values: Values<N>, bytes?: Uint8Array[]];

export class Stopped extends Error {}

// The store of pages that Python has made; the service worker shows them. The page empties it whenever it opens.
export const MADE = "made";

interface Waiting { resolve(answer: any): void; reject(error: Error): void }

export class Engine {
  #worker!: Worker;
  #waiting = new Map<number, Waiting>();
  #latest = new Map<Name, number>();
  #number = 0;
  ready!: Promise<void>;

  constructor(readonly address: URL) {
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

  // Return the answer to request `name`; a file is in `bytes`. A problem is an `error` in the answer.
  ask<N extends Name>(name: N, ...[values, bytes]: Asked<N>): Promise<Answer<N> | Refused> {
    const number = ++this.#number;
    this.#worker.postMessage({ number, name, text: JSON.stringify(values ?? {}), bytes });
    return new Promise((resolve, reject) => this.#waiting.set(number, { resolve, reject }));
  }

  // Ask like `ask`, but return null if the same question has been asked again meanwhile.
  async newest<N extends Name>(name: N, ...asked: Asked<N>): Promise<Answer<N> | Refused | null> {
    const turn = (this.#latest.get(name) ?? 0) + 1;
    this.#latest.set(name, turn);
    const answer = await this.ask(name, ...asked);
    return this.#latest.get(name) === turn ? answer : null;
  }

  #answer({ number, said, bytes, error }: { number: number; said: string; bytes?: Uint8Array; error?: string }) {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (!waiting) return;
    if (error === undefined) return waiting.resolve(bytes ? { bytes } : JSON.parse(said));
    // Python itself has failed, and does not recover: begin anew, without a game.
    waiting.resolve({ error: { kind: "bug", message: `Python has stopped (${error}). Open your file again.`, problems: [] } });
    this.restart();
  }
}
