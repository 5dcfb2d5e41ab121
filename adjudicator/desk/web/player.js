// The player's desk: the board, what is asked, your hand, your orders, what may be ordered, and the log.
import { Board } from "./board.js";
import { amount, Choice, costs, paid } from "./choice.js";
import { Drafts } from "./drafts.js";
import { Editor } from "./editor.js";
import { button, counted, fill, make, say } from "./elements.js";
import { download } from "./files.js";
import { logLine, nameOf, problemLine, standingRows } from "./rows.js";
import { WhatIf } from "./what_if.js";

const MOST = 40; // orders in the list at a time; the others are reached by choosing things or typing
const LONGEST_LINK = 1900; // characters of a mailto link that all mail programs take

export class PlayerDesk {
  #engine;
  #keeps;
  #post;
  #viewer;
  #look = null;
  #choice = new Choice([]);
  #isChecking = false;
  #isStale = false; // the text has changed since the last check began
  #seen = new Map(); // what each viewer saw last: the number of the last entry, and the scores
  #before; // the scores that the viewer saw before

  // With `keeps` the browser keeps the drafts of the viewer's orders. `post` says where they go, if that is known: the address
  // of a club, and the token of the seat.
  constructor(engine, viewer, keeps, post) {
    this.#engine = engine;
    this.#keeps = keeps;
    this.#post = post;
    this.#viewer = viewer;
    this.board = new Board((thing) => this.#chose(thing));
    this.editor = new Editor({
      changed: (text) => this.#changed(text),
      wordsAfter: async (text) => (await engine.ask("words", { text })).words ?? [],
    });
    this.drafts = new Drafts(this.editor);
    this.whatIf = new WhatIf(engine, this.drafts, () => this.#playOn());
    this.headline = make("h2", { class: "headline" });
    this.asked = make("p", { class: "asked" });
    this.hand = make("div", { class: "hand" });
    this.picked = make("p", { class: "picked", tabIndex: -1, "aria-live": "polite" });
    this.orders = make("ul", { class: "orders", "aria-label": "Legal orders" });
    this.problems = make("div", { class: "problems", "aria-live": "polite" });
    this.costs = make("p", { class: "costs hint" });
    this.standings = make("table", { class: "standings" });
    this.log = make("ol", { class: "log", tabIndex: 0, "aria-label": "Log" });
    this.send = make("div", { class: "send" });
    this.element = make(
      "div",
      { class: "desk" },
      make("section", { class: "table", "aria-label": "Board" }, this.headline, this.whatIf.words, this.board.element, this.whatIf.ways),
      make(
        "section",
        { class: "turn", "aria-label": "Your turn" },
        this.asked,
        this.hand,
        make(
          "div",
          { class: "writing" },
          make("h3", {}, "Your orders"),
          this.drafts.element,
          this.editor.element,
          this.problems,
          this.costs,
          this.send,
          make("h3", {}, "What you can order"),
          this.picked,
          this.orders,
        ),
      ),
      make("section", { class: "record", "aria-label": "Game" }, make("h3", {}, "Standings"), this.standings, make("h3", {}, "Log"), this.log),
    );
  }

  get viewer() {
    return this.#viewer;
  }

  async show(viewer = this.#viewer) {
    this.#viewer = viewer;
    const look = await this.#engine.newest("look", { viewer });
    if (look === null) return;
    if (look.error) return say(look.error.message, "bad");
    const { game } = (this.#look = look);
    const seen = this.#seen.get(viewer);
    this.#before = seen?.scores;
    this.#seen.set(viewer, { n: look.log.at(-1)?.n ?? 0, scores: scoresIn(look) });
    this.element.classList.toggle("reader", viewer === "moderator");
    this.#showGame();
    fill(this.log, look.log.map((row) => logLine(row, game.unit, (seat) => this.#name(seat), row.n > (seen?.n ?? Infinity))));
    this.log.scrollTop = this.log.scrollHeight;
    this.drafts.begin(`drafts ${game.id} ${viewer}`, game.turn, this.#keeps);
    this.#showSending();
    await this.#check();
  }

  // Show the position of the game.
  #showGame() {
    const look = this.#look;
    const title = headline(look, this.#viewer, (seat) => this.#name(seat));
    this.#showTable(title, { ...look, legal: look.legal.length ? look.legal : (look.ahead ?? []) });
  }

  // Show a position: that of the game, or the one to which a what-if leads.
  #showTable(title, { picture, description, position, choices, legal }) {
    const { game } = this.#look;
    this.headline.textContent = title;
    this.board.show(picture, description);
    this.board.element.classList.toggle("supposed", this.whatIf.isOpen);
    this.#choice = new Choice(legal);
    this.#showAsked(position.due);
    this.#showHand(choices);
    this.#showOrders();
    this.editor.offer(this.#choice.rows, game, this.#look.keywords, this.#viewer);
    const before = this.whatIf.isOpen ? scoresIn(this.#look) : this.#before;
    fill(this.standings, standingRows(position.standings, game, (seat) => this.#name(seat), before));
  }

  // Show where the orders lead while a what-if is open, else the game as it is.
  async #playOn() {
    if (!this.whatIf.isOpen) return this.#showGame();
    const found = await this.whatIf.ask(this.#viewer, this.#look.game, (seat) => this.#name(seat));
    if (found !== null) this.#showTable(`What if you send draft ${this.drafts.at + 1}?`, found);
  }

  #name(seat) {
    return nameOf(seat, this.#look.game);
  }

  // Show the questions to the viewer, or else those to others.
  #showAsked(due) {
    const own = due.filter((one) => one.seat === this.#viewer);
    fill(
      this.asked,
      ...(own.length ? own : due).map((one) =>
        make("span", {}, own.length ? one.ask : `${this.#name(one.seat)} must decide: ${one.ask}`, one.rule ? make("small", {}, ` ${one.rule} `) : null),
      ),
    );
  }

  #showHand(choices) {
    fill(
      this.hand,
      choices.map(([name, what]) =>
        make("button", { type: "button", class: "card", onclick: () => this.#chose(name), "data-id": name }, make("strong", {}, name), make("span", {}, what)),
      ),
    );
  }

  #chose(thing) {
    this.#choice.choose(thing);
    const left = this.#choice.left;
    if (left.length === 1 && this.#choice.chosen.length) this.#order(left[0]);
    else this.#showOrders();
  }

  #order(row) {
    this.editor.add(row.order);
    this.#choice.clear();
    this.#showOrders();
    say(`Added: ${row.order}`);
  }

  #showOrders() {
    const { game } = this.#look;
    const hadFocus = this.orders.contains(document.activeElement) || this.picked.contains(document.activeElement);
    const { chosen, left } = this.#choice;
    fill(
      this.picked,
      chosen.length
        ? [`Chosen: ${chosen.join(", ")}. ${counted(left.length, "order")}. `, button("Start again", () => this.#clear())]
        : left.length
          ? `${counted(left.length, "order")}. Click on the board or on a card to narrow them down.`
          : this.whatIf.isOpen
            ? this.whatIf.words.textContent
            : this.#look.game.over
              ? "The game is over."
              : "You have nothing to order now.",
    );
    fill(
      this.orders,
      left.slice(0, MOST).map((row) =>
        make(
          "li",
          {},
          make("button", { type: "button", title: row.why.map((part) => part.what ?? part.why ?? "").join(" + "), onclick: () => this.#order(row) }, make("code", {}, row.order), make("span", {}, costs([row], game.unit).slice(2))),
        ),
      ),
      left.length > MOST ? make("li", { class: "more" }, `… and ${left.length - MOST} more: choose something, or write the beginning of an order.`) : null,
    );
    if (hadFocus) (this.orders.querySelector("button") ?? this.picked).focus(); // not lost with the button that had it
    const things = new Set([...this.element.querySelectorAll("[data-id]")].map((one) => one.getAttribute("data-id")));
    const offers = this.#choice.offers(things, game.unit);
    this.board.offer(offers);
    for (const card of this.hand.children) {
      card.classList.toggle("offered", offers.has(card.getAttribute("data-id").toLowerCase()));
      card.setAttribute("aria-pressed", String(chosen.includes(card.getAttribute("data-id"))));
    }
  }

  #clear() {
    this.#choice.clear();
    this.#showOrders();
  }

  #changed(text) {
    this.drafts.keep(text);
    this.#check();
  }

  // Check the text at once, or after the check that is running: then only the newest text counts.
  async #check() {
    this.#isStale = true;
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await this.#checkOnce(this.editor.text);
      }
    } finally {
      this.#isChecking = false;
    }
  }

  async #checkOnce(text) {
    const asked = { viewer: this.#viewer, text };
    const found = text.trim() ? await this.#engine.ask("check", asked) : { problems: [], foreseen: [], ignored: [], isEmpty: true };
    if (this.#isStale) return;
    this.#showProblems(found);
    const { costs: lines } = found.error || found.isEmpty ? {} : await this.#engine.ask("costs", asked);
    if (this.#isStale) return;
    this.#showCosts(lines ?? []);
    if (this.whatIf.isOpen) this.#playOn();
  }

  #showProblems(found) {
    if (found.error) return fill(this.problems, make("p", { class: "bad" }, found.error.message));
    const warnings = [...found.foreseen, ...found.ignored.map(notRead)];
    this.editor.mark([...found.problems, ...warnings.map((one) => ({ ...one, severity: "warning" }))]);
    fill(
      this.problems,
      found.problems.length
        ? make("ul", {}, found.problems.map((one) => problemLine(one, `Line ${one.line}`)))
        : found.ignored.length || found.isEmpty
          ? null
          : make("p", { class: "good" }, "No mistake was found."),
      warnings.length ? make("ul", { class: "foreseen" }, warnings.map((one) => problemLine(one, `Line ${one.line}`))) : null,
    );
    this.#showSending();
  }

  // Show what each line costs beside it, and below the text in words.
  #showCosts(lines) {
    const { unit } = this.#look.game;
    const words = ({ min, after }) => `${paid(min, null, unit)}${after === null ? "" : `, ${unit[2]} ${amount(after, unit)}`}`;
    this.editor.price(
      lines.map((one) => {
        const isKnown = one.min !== null;
        return { line: one.line, text: isKnown ? paid(one.min, one.after, unit) : "?", words: isKnown ? words(one) : one.unknown };
      }),
    );
    const known = lines.filter((one) => one.min !== null);
    const unknown = lines.find((one) => one.min === null);
    fill(
      this.costs,
      known.length > 1 ? `${known.length} lines cost ${paid(known.reduce((sum, one) => sum + one.min, 0), null, unit)}. ` : null,
      unknown ? `The cost of line ${unknown.line} is not known. ${unknown.unknown}` : null,
      known.length ? make("span", { class: "spoken" }, known.map((one) => ` Line ${one.line}: ${words(one)}.`).join("")) : null,
    );
  }

  #showSending() {
    const { game } = this.#look;
    const text = this.#sheet();
    const { to, token } = this.#post ?? { to: "" };
    const subject = token ? `[${game.id}/${this.#viewer}#${token}] turn ${game.turn}` : `${game.id} turn ${game.turn}`;
    const link = `mailto:${encodeURIComponent(to).replace("%40", "@")}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(mailText(text))}`;
    fill(
      this.send,
      button("Copy my orders", () => copy(text), "primary"),
      link.length <= LONGEST_LINK
        ? make("a", { class: "button", href: link }, "Write a mail")
        : make("span", { class: "hint" }, "Too long for a mail link: copy your orders into a mail."),
      button("Save as text", () => download(`${game.id}-${this.#viewer}.txt`, text, "text/plain")),
      this.whatIf.switch,
    );
  }

  // The text that one sends: headers, the seat, and the orders.
  #sheet() {
    const { game } = this.#look;
    return [`game ${game.id}`, `turn ${game.turn}`, `${this.#viewer}:`, ...this.editor.text.split("\n").filter((line) => line.trim()).map((line) => `  ${line.trim()}`), ""].join("\n");
  }
}

// Some mail programs drop the ends of lines: the adjudicator also reads ` |` as one.
const mailText = (text) => text.trimEnd().split("\n").map((line) => `${line} |\r\n`).join("");

// A warning about a line of text that the program does not read as an order.
const notRead = ({ line, text, reason }) => ({ line, column: 1, width: text.length, message: `The program ignores this line: ${reason}.`, suggestions: [] });

const scoresIn = ({ position }) => new Map(position.standings.map((one) => [one.seat, one.score]));

function headline(look, viewer, name) {
  const { game, position } = look;
  if (game.over) return "The game is over.";
  if (game.due.includes(viewer)) return `${name(viewer)}, it is your turn.`;
  const due = position.due.map((one) => name(one.seat));
  return `Turn ${game.turn}: ${due.join(", ")} must decide.`;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say("Your orders are copied: paste them into a mail.", "good");
  } catch {
    say("The browser did not allow copying: use “Save as text”.", "bad");
  }
}
