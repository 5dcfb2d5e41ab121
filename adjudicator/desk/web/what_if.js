// What if: where the orders of each draft lead, as far as the player can know it. Python plays them on from the player's
// own view, so nothing secret takes part, and stops where chance or another player decides.
import { button, fill, make } from "./elements.js";
import { logLine } from "./rows.js";

export class WhatIf {
  #engine;
  #drafts;
  #onChange;
  #asked = 0;
  isOpen = false;

  // `onChange()` shows the board again after the what-if was opened or closed.
  constructor(engine, drafts, onChange) {
    this.#engine = engine;
    this.#drafts = drafts;
    this.#onChange = onChange;
    this.switch = button("What if?", () => this.#turn(!this.isOpen));
    this.switch.title = "See where your orders lead, as far as you can know it";
    this.switch.setAttribute("aria-pressed", "false");
    this.words = make("p", { class: "unknown", role: "status" });
    this.ways = make("ul", { class: "ways", "aria-label": "Where your drafts lead" });
    this.#show();
  }

  // Ask where each draft of `viewer` leads. Return the answer for the draft in the editor, or null if a newer question or
  // a closed what-if made it void.
  async ask(viewer, game, name) {
    const asked = ++this.#asked;
    const answers = await Promise.all(this.#drafts.texts.map((text) => this.#engine.ask("what_if", { viewer, text })));
    if (asked !== this.#asked || !this.isOpen) return null;
    const chosen = answers[this.#drafts.at];
    fill(this.words, chosen.error ? chosen.error.message : `${chosen.ahead ? "If it were your turn now: " : ""}${chosen.words}`);
    fill(this.ways, answers.map((answer, at) => this.#way(answer, at, game, name)));
    return chosen.error ? null : chosen;
  }

  #way({ error, log, words }, at, game, name) {
    return make(
      "li",
      { class: at === this.#drafts.at ? "chosen" : "" },
      button(`Draft ${at + 1}`, () => this.#drafts.choose(at)),
      make("ol", {}, (log ?? []).map((row) => logLine(row, game.unit, name))),
      make("p", {}, error ? error.message : words),
    );
  }

  #turn(isOpen) {
    this.isOpen = isOpen;
    this.#asked += 1;
    this.switch.setAttribute("aria-pressed", String(isOpen));
    this.#show();
    this.#onChange();
  }

  #show() {
    this.words.hidden = !this.isOpen;
    this.ways.hidden = !this.isOpen;
    fill(this.words);
    fill(this.ways);
  }
}
