// The door to Python: numbered requests to the worker, and its answers.
import type { Problem, Refused, Requests } from "./answers";
import { say } from "./elements";

type Name = keyof Requests;

// The values of a request, which may be left out if none must be given, and the bytes of its files.
type Values<N extends Name> = Requests[N]["values"];
type Asked<N extends Name> = {} extends Values<N> ? [values?: Values<N>, bytes?: Uint8Array[]] : [values: Values<N>, bytes?: Uint8Array[]];

// Why Python did not do what it was asked; `problems` are the mistakes in a set-up. What nobody catches is said in the bar.
export class Refusal extends Error {
  constructor(message: string, readonly problems: readonly Problem[] = []) {
    super(message);
  }
}
addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof Refusal)) return;
  event.preventDefault();
  say(event.reason.message, "bad");
});

// The store of pages that Python has made; the service worker shows them. The page empties it whenever it opens.
export const MADE = "made";

interface Waiting { resolve(answer: any): void; reject(error: Error): void }

export class Engine {
  #worker!: Worker;
  #waiting = new Map<number, Waiting>();
  #number = 0;
  ready!: Promise<void>;

  constructor(readonly address: URL) {
    this.#start();
  }

  #start() {
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

  // Return the answer to request `name`; a file is in `bytes`. Throws a `Refusal`.
  ask<N extends Name>(name: N, ...[values, bytes]: Asked<N>): Promise<Requests[N]["answer"]> {
    const number = ++this.#number;
    this.#worker.postMessage({ number, name, text: JSON.stringify(values ?? {}), bytes });
    return new Promise((resolve, reject) => this.#waiting.set(number, { resolve, reject }));
  }

  #answer({ number, said, bytes, error }: { number: number; said: string; bytes?: Uint8Array; error?: string }) {
    const { resolve, reject } = this.#waiting.get(number)!;
    this.#waiting.delete(number);
    if (error === undefined) {
      const answer: Refused | object = bytes ? { bytes } : JSON.parse(said);
      return "error" in answer ? reject(new Refusal(answer.error.message, answer.error.problems)) : resolve(answer);
    }
    // Python itself has failed, and does not recover: begin anew, without a game.
    const failure = new Refusal(`Python has stopped (${error}). Open your file again.`);
    for (const waiting of [reject, ...[...this.#waiting.values()].map((one) => one.reject)]) waiting(failure);
    this.#waiting.clear();
    this.#worker.terminate();
    this.#start();
  }
}
