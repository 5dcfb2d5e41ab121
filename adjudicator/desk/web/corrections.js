// Corrections of a game, each with a reason that the record keeps: undo, amend, and the pending orders.
import { button, counted, fill, make } from "./elements.js";
import { logLine } from "./rows.js";

export class Corrections {
  #engine;
  #onChange;

  // `onChange()` is called when the game has changed.
  constructor(engine, onChange) {
    this.#engine = engine;
    this.#onChange = onChange;
    this.reason = make("input", { autocomplete: "off", required: true });
    this.entries = make("select");
    this.undo = button("Undo", () => this.#correct("undo", { to: Number(this.entries.value) }));
    this.changes = make("textarea", { rows: 3, placeholder: "clock of red=31\nhand of red-=H5\ndiscard+=H5" });
    this.pending = make("div");
    this.result = make("div", { class: "result", "aria-live": "polite" });
    this.element = make(
      "details",
      { class: "part", ontoggle: () => this.show() },
      make("summary", {}, "Correct the game"),
      labelled("Reason, for the record", this.reason),
      labelled("Undo all after", this.entries),
      make("div", { class: "send" }, this.undo),
      labelled("Change the position: one change on each line", this.changes, "Use the names in the game file. `=` sets a value, `+=` adds to a list, `-=` removes from it."),
      make("div", { class: "send" }, button("Amend", () => this.#correct("amend", { changes: this.changes.value.split("\n").map((line) => line.trim()).filter(Boolean) }))),
      this.pending,
      this.result,
    );
  }

  // Show the entries and the pending orders of the game as it is now, if they are shown at all.
  async show() {
    if (!this.element.open) return;
    const [look, waiting] = await Promise.all([this.#engine.ask("look", { viewer: "moderator" }), this.#engine.ask("pending")]);
    if (look.error || waiting.error) return;
    const valid = look.log.filter((row) => row.undone_by == null);
    const last = valid.at(-1);
    this.undo.disabled = valid.length < 2;
    const before = valid.findLast((row) => row.turn < last.turn) ?? valid[0];
    fill(this.entries, valid.filter((row) => row !== last).map((row) => make("option", { value: row.n, selected: row === before }, `entry ${row.n}: ${row.seat ? `${row.seat} ${row.order}` : row.order || "the set-up"}${row === before ? " (before the last turn)" : ""}`)));
    this.#showPending(waiting);
  }

  #showPending({ waiting, set_aside: aside }) {
    fill(
      this.pending,
      make("h3", {}, "Pending orders"),
      waiting.length ? make("ul", {}, waiting.map((sheet) => make("li", {}, make("b", {}, sheet.seat), `, since turn ${sheet.turn} `, orders(sheet), action("Withdraw", sheet.seat, () => this.#change("withdraw", { seat: sheet.seat, reason: this.reason.value }))))) : make("p", { class: "hint" }, "No orders are pending."),
      aside.length ? make("h3", {}, "Orders that were set aside") : null,
      aside.length ? make("ul", {}, aside.map((sheet) => make("li", {}, make("b", {}, sheet.seat), ` ${sheet.reason} `, orders(sheet), action("Bring back", `${sheet.seat} ${sheet.n}`, () => this.#change("bring_back", { number: sheet.n }))))) : null,
    );
  }

  async #correct(name, values) {
    const found = await this.#ask(name, { ...values, reason: this.reason.value });
    if (!found) return;
    const { entry, dropped, warnings } = found.correction;
    const setAside = Object.entries(dropped).map(([seat, number]) => `${seat} ${counted(number, "order")}`);
    fill(
      this.result,
      make("p", { class: "good" }, "The game is corrected."),
      make("ul", {}, logLine(entry, found.game.unit, (seat) => seat)),
      setAside.length ? make("p", {}, `Set aside: ${setAside.join(", ")}.`) : null,
      warnings.map((words) => make("p", { class: "bad" }, words)),
    );
    this.changes.value = "";
    await this.#onChange();
  }

  async #change(name, values) {
    if (!(await this.#ask(name, values))) return;
    fill(this.result, make("p", { class: "good" }, "The pending orders are changed."));
    await this.#onChange();
  }

  async #ask(name, values) {
    const found = await this.#engine.ask(name, values);
    if (!found.error) return found;
    fill(this.result, make("p", { class: "bad" }, found.error.message));
    return null;
  }
}

const orders = (sheet) => make("ol", {}, sheet.orders.map((order) => make("li", {}, make("code", {}, order))));
const action = (text, what, onclick) => make("button", { type: "button", "aria-label": `${text} ${what}`, onclick }, text);
const labelled = (text, input, help = "") => make("label", { class: "field" }, text, input, help ? make("small", { class: "hint" }, help) : null);
