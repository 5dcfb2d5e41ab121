// The door to Python, which runs in this browser or at a club: requests, and their answers.
import type { Problem, Receipt, Refused, Requests, SeatState } from "./answers";
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

// Who answers the requests of the page.
export interface Engine {
  // Return the answer to request `name`; a file is in `bytes`. Throws a `Refusal`.
  ask<N extends Name>(name: N, ...asked: Asked<N>): Promise<Requests[N]["answer"]>;
}

// Return `answer`, unless it says why the request was not answered.
function granted(answer: Refused | object): any {
  if ("error" in answer) throw new Refusal(answer.error.message, answer.error.problems);
  return answer;
}

interface Waiting { resolve(answer: any): void; reject(error: Error): void }

// Python in a worker of this page: numbered requests, answered in their order.
export class OwnPython implements Engine {
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

  ask<N extends Name>(name: N, ...[values, bytes]: Asked<N>): Promise<Requests[N]["answer"]> {
    const number = ++this.#number;
    this.#worker.postMessage({ number, name, text: JSON.stringify(values ?? {}), bytes });
    return new Promise((resolve, reject) => this.#waiting.set(number, { resolve, reject }));
  }

  #answer({ number, said, bytes, error }: { number: number; said: string; bytes?: Uint8Array; error?: string }) {
    const { resolve, reject } = this.#waiting.get(number)!;
    this.#waiting.delete(number);
    if (error === undefined) {
      try {
        return resolve(granted(bytes ? { bytes } : JSON.parse(said)));
      } catch (refusal) {
        return reject(refusal as Refusal);
      }
    }
    // Python itself has failed, and does not recover: begin anew, without a game.
    const failure = new Refusal(`Python has stopped (${error}). Open your file again.`);
    for (const waiting of [reject, ...[...this.#waiting.values()].map((one) => one.reject)]) waiting(failure);
    this.#waiting.clear();
    this.#worker.terminate();
    this.#start();
  }
}

// A club that serves this page at the address `base`: its Python answers from what a seat knows, and it takes orders.
export class ClubPython implements Engine {
  onState: (state: number) => void = () => {};
  #state = 1; // grows when the position has another name
  #position: string;

  constructor(readonly base: string, readonly token: string, position: string) {
    this.#position = position;
  }

  async ask<N extends Name>(name: N, ...[values]: Asked<N>): Promise<Requests[N]["answer"]> {
    const answer = await this.#fetch("ask", { name, values: values ?? {} });
    if (answer.game) answer.game.state = this.#state;
    return answer;
  }

  now(): Promise<SeatState> {
    return this.#fetch("state?words=1");
  }

  // Send orders for a `turn`. However often they come with the same `key`, they count once. A receipt in the state "new" says
  // that the club has only stored them: the same request gets another one later.
  send(text: string, turn: number, key: string): Promise<Receipt> {
    return this.#fetch("orders", { text, turn, key });
  }

  async #fetch(what: string, body?: object): Promise<any> {
    const headers = { accept: "application/json", ...(body && { "content-type": "application/json", "x-token": this.token }) };
    const said = await fetch(`${this.base}/${what}`, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body), cache: "no-store" }).catch(() => null);
    if (said?.status === 401) throw new Refusal("You are logged out. Log in in another tab, then load this page again.");
    const answer = await said?.json().catch(() => null);
    if (!said || !answer) throw new Refusal("The club does not answer. What you have written stays here: try again in a moment.");
    const position = said.headers.get("x-position") || answer.position || this.#position;
    if (position !== this.#position) {
      this.#position = position;
      this.onState(++this.#state);
    }
    return granted(answer);
  }
}
