// Mails come in: one sees what the program reads and what is wrong, and adjudicates.
import { button, counted, fill, make } from "./elements.js";
import { dropPlace } from "./files.js";
import { logLine, problemLine } from "./rows.js";

export class Mails {
  #engine;
  #tell;
  #onChange;
  #mails = [];

  // `tell(part, …)` shows a result; `onChange()` is called when the game has changed.
  constructor(engine, tell, onChange) {
    this.#engine = engine;
    this.#tell = tell;
    this.#onChange = onChange;
    this.list = make("ul", { class: "mails" });
    this.pasted = make("textarea", { rows: 4, "aria-label": "A pasted mail", placeholder: "… or paste a mail: “red:” above the orders says whose they are." });
    const drop = dropPlace("Mails and turn files", "Drop them here, or click to choose them.", (files) => this.#add(files), { accept: ".txt,.eml,.mbox" });
    this.element = make(
      "div",
      {},
      make("div", { class: "columns" }, drop, this.pasted),
      this.list,
      make("div", { class: "send" }, button("Check", () => this.#adjudicate(true)), button("Adjudicate", () => this.#adjudicate(false), "primary")),
    );
  }

  #add(files) {
    this.#mails.push(...files);
    this.#show();
  }

  #show() {
    fill(
      this.list,
      this.#mails.map((mail, at) =>
        make("li", {}, mail.name, " ", make("button", { type: "button", "aria-label": `Remove ${mail.name}`, onclick: () => this.#remove(at) }, "Remove")),
      ),
    );
  }

  #remove(at) {
    this.#mails.splice(at, 1);
    this.#show();
  }

  async #adjudicate(isTrial) {
    const mails = [...this.#mails];
    if (!mails.length && !this.pasted.value.trim() && isTrial) return this.#tell(make("p", {}, "Add mails first: drop files, or paste a mail."));
    if (this.pasted.value.trim()) mails.push({ name: "pasted.txt", bytes: new TextEncoder().encode(this.pasted.value) });
    const found = await this.#engine.ask("apply", { trial: isTrial, names: mails.map((mail) => mail.name) }, mails.map((mail) => mail.bytes));
    if (found.error) return this.#tell(make("p", { class: "bad" }, found.error.message));
    this.#tell(...resultOf(found, isTrial ? "would be applied" : "applied"));
    if (isTrial) return;
    this.#mails = [];
    this.pasted.value = "";
    this.#show();
    if (found.changed) await this.#onChange();
  }
}

function resultOf({ game, log, problems, ignored, notes }, verb) {
  return [
    make("p", { class: problems.length ? "bad" : "good" }, `${counted(log.length, "order")} ${verb}, ${counted(problems.length, "problem")}.`),
    log.length ? make("ul", {}, log.map((row) => logLine(row, game.unit, (seat) => seat))) : null,
    problems.length
      ? make("ul", { class: "bad" }, problems.map((one) => problemLine(one, `${one.seat} ${one.source}${one.line ? `, line ${one.line}` : ""}`, one.text.trim())))
      : null,
    ignored.length ? make("details", {}, make("summary", {}, `Not read as orders: ${counted(ignored.length, "line")}`), make("ul", {}, ignored.map((one) => make("li", {}, `${one.source}, line ${one.line} (${one.reason}): `, make("code", {}, one.text.trim()))))) : null,
    notes.length ? make("ul", {}, notes.map(([seat, words]) => make("li", {}, `${seat}: ${words}`))) : null,
  ];
}
