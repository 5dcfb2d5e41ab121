// Drafts of a turn's orders, side by side. The browser keeps them, but only a saved file or a sent mail is safe.
import { button, fill, make } from "./elements.js";

export class Drafts {
  #editor;
  #place = null;
  #keeps = false;
  #turn = 0;
  #texts = [""];
  #at = 0;

  constructor(editor) {
    this.#editor = editor;
    this.element = make("div", { class: "drafts", role: "group", "aria-label": "Drafts" });
  }

  // Show the drafts for this `turn` at `place`, which names the game and the seat. With `keeps` the browser keeps them there
  // until there is another turn.
  begin(place, turn, keeps) {
    if (place === this.#place && turn === this.#turn) return;
    const kept = keeps ? read(place) : {};
    const isOther = this.#place !== null && place !== this.#place;
    [this.#place, this.#turn, this.#keeps, this.#at] = [place, turn, keeps, 0];
    this.#texts = kept.turn === turn ? kept.texts : [isOther ? "" : this.#editor.text];
    if (this.#editor.text !== this.#texts[0]) this.#editor.text = this.#texts[0];
    this.#show();
  }

  get texts() {
    return this.#texts;
  }

  // The index of the draft in the editor.
  get at() {
    return this.#at;
  }

  keep(text) {
    this.#texts[this.#at] = text;
    if (this.#keeps) write(this.#place, { turn: this.#turn, texts: this.#texts });
  }

  choose(at) {
    this.#at = at;
    this.#editor.text = this.#texts[at];
    this.#show();
  }

  #show() {
    fill(
      this.element,
      this.#texts.map((_, at) => make("button", { type: "button", "aria-pressed": String(at === this.#at), onclick: () => this.choose(at) }, `Draft ${at + 1}`)),
      button("New draft", () => this.choose(this.#texts.push(this.#texts[this.#at]) - 1)),
    );
  }
}

// A browser may refuse to keep anything, and what it kept may be damaged.
function read(place) {
  try {
    const { turn, texts } = JSON.parse(localStorage.getItem(place));
    return texts.length ? { turn, texts: texts.map(String) } : {};
  } catch {
    return {};
  }
}

function write(place, drafts) {
  try {
    localStorage.setItem(place, JSON.stringify(drafts));
  } catch {
    // the text is still in the editor
  }
}
