// The auditor's desk: the program decides recorded games again, and says where the first difference is.
import { button, fill, make } from "./elements.js";
import { dropPlace } from "./files.js";

export class AuditorDesk {
  #engine;
  #open;

  // `open(name, bytes)` shows a game.
  constructor(engine, open) {
    this.#engine = engine;
    this.#open = open;
    this.results = make("ul", { class: "verdicts", "aria-live": "polite" });
    this.element = make(
      "section",
      {},
      make("h2", {}, "Audit recorded games"),
      dropPlace("Games, scripts and archives", "Drop them here, or click to choose them: the program decides every order again.", (files) => this.#audit(files)),
      this.results,
    );
  }

  async #audit(files) {
    fill(this.results);
    for (const { name, bytes } of files) {
      const item = make("li", {}, `${name}: the program decides every order again …`);
      this.results.append(item);
      const { error, results } = await this.#engine.ask("audit_file", { name }, [bytes]);
      fill(
        item,
        error ? make("p", { class: "bad" }, error.message) : results.map((one) => make("p", { class: verdictClass(one) }, one.text)),
        results?.length === 1 && results[0].verified !== null ? button(`Look at ${name}`, () => this.#open(name, bytes)) : null,
      );
    }
  }
}

const verdictClass = ({ verified }) => (verified === null ? "hint" : verified ? "good" : "bad");
