// The player's desk: the board, what is asked, your hand, your orders, what may be ordered, and the log.
import { Board } from "./board.js";
import { amount, Choice, costs } from "./choice.js";
import { Drafts } from "./drafts.js";
import { Editor } from "./editor.js";
import { counted, fill, make, say } from "./elements.js";
import { download } from "./files.js";

const MOST = 40; // orders in the list at a time; the others are reached by choosing things or typing
const LONGEST_LINK = 1900; // characters of a mailto link that all mail programs take

export class PlayerDesk {
  #engine;
  #keeps;
  #viewer;
  #look = null;
  #choice = new Choice([]);
  #timer = 0;

  // With `keeps` the browser keeps the drafts of the viewer's orders.
  constructor(engine, viewer, keeps) {
    this.#engine = engine;
    this.#keeps = keeps;
    this.#viewer = viewer;
    this.board = new Board((thing) => this.#chose(thing));
    this.editor = new Editor((text) => this.#changed(text));
    this.drafts = new Drafts(this.editor);
    this.headline = make("h2", { class: "headline" });
    this.asked = make("p", { class: "asked" });
    this.hand = make("div", { class: "hand" });
    this.picked = make("p", { class: "picked", "aria-live": "polite" });
    this.orders = make("ul", { class: "orders", "aria-label": "Legal orders" });
    this.problems = make("div", { class: "problems", "aria-live": "polite" });
    this.standings = make("table", { class: "standings" });
    this.log = make("ol", { class: "log", tabIndex: 0, "aria-label": "Log" });
    this.send = make("div", { class: "send" });
    this.element = make(
      "div",
      { class: "desk" },
      make("section", { class: "table", "aria-label": "Board" }, this.headline, this.board.element),
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
    this.#look = look;
    const { position, game } = look;
    const name = (seat) => (game.players[seat] ? `${game.players[seat]} (${seat})` : seat);
    this.element.classList.toggle("reader", viewer === "moderator");
    this.headline.textContent = headline(look, viewer, name);
    this.board.show(look.picture, look.description);
    this.#choice = new Choice(look.legal.length ? look.legal : (look.ahead ?? []));
    const own = position.due.filter((one) => one.seat === viewer);
    fill(
      this.asked,
      ...(own.length ? own : position.due).map((one) =>
        make("span", {}, own.length ? one.ask : `${name(one.seat)} must decide: ${one.ask}`, one.rule ? make("small", {}, ` ${one.rule} `) : null),
      ),
    );
    this.#showHand(look.choices);
    this.#showOrders();
    this.editor.offer(this.#choice.rows, game.unit);
    fill(this.standings, standingRows(position.standings, game, name));
    fill(this.log, look.log.map((row) => logLine(row, game.unit, name)));
    this.log.scrollTop = this.log.scrollHeight;
    this.drafts.begin(this.#keeps ? `drafts ${game.id} ${viewer}` : "", game.turn);
    this.#showSending();
    await this.#check(this.editor.text);
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
    const { chosen, left } = this.#choice;
    fill(
      this.picked,
      chosen.length
        ? [`Chosen: ${chosen.join(", ")}. ${counted(left.length, "order")}. `, make("button", { type: "button", onclick: () => this.#clear() }, "Start again")]
        : left.length
          ? `${counted(left.length, "order")}. Click on the board or on a card to narrow them down.`
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
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(text), 60);
  }

  async #check(text) {
    if (!text.trim()) {
      this.editor.mark([]);
      fill(this.problems);
      this.#showSending();
      return;
    }
    const found = await this.#engine.newest("check", { viewer: this.#viewer, text });
    if (found === null) return;
    if (found.error) return fill(this.problems, make("p", { class: "bad" }, found.error.message));
    this.editor.mark([...found.problems, ...found.foreseen.map((one) => ({ ...one, severity: "warning" }))]);
    fill(
      this.problems,
      found.problems.length
        ? make("ul", {}, found.problems.map((one) => problemLine(one)))
        : make("p", { class: "good" }, "No mistake was found."),
      found.foreseen.length ? make("ul", { class: "foreseen" }, found.foreseen.map((one) => problemLine(one))) : null,
    );
    this.#showSending();
  }

  #showSending() {
    const { game } = this.#look;
    const text = this.#sheet();
    const subject = `${game.id} turn ${game.turn}`;
    const link = `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(mailText(text))}`;
    fill(
      this.send,
      make("button", { type: "button", class: "primary", onclick: () => copy(text) }, "Copy my orders"),
      link.length <= LONGEST_LINK
        ? make("a", { class: "button", href: link }, "Write a mail")
        : make("span", { class: "hint" }, "Too long for a mail link: copy your orders into a mail."),
      make("button", { type: "button", onclick: () => download(`${game.id}-${this.#viewer}.txt`, text, "text/plain") }, "Save as text"),
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

function headline(look, viewer, name) {
  const { game, position } = look;
  if (game.over) return "The game is over.";
  if (game.due.includes(viewer)) return `${name(viewer)}, it is your turn.`;
  const due = position.due.map((one) => name(one.seat));
  return `Turn ${game.turn}: ${due.join(", ")} must decide.`;
}

function standingRows(standings, game, name) {
  const [, , account] = game.unit;
  return [
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Place"), make("th", { scope: "col" }, "Player"), make("th", { scope: "col" }, account || "score"), make("th", { scope: "col" }, "Where"))),
    make("tbody", {}, standings.map((one) => make("tr", {}, make("td", {}, String(one.place ?? "")), make("td", {}, name(one.seat)), make("td", {}, amount(one.score, game.unit)), make("td", {}, one.note ?? "")))),
  ];
}

function logLine(row, unit, name) {
  const cost = row.seat ? `${row.min >= 0 ? "" : "−"}${amount(Math.abs(row.min), unit)} ${unit[0]}` : "";
  return make(
    "li",
    { value: row.n, class: row.undone_by == null ? "" : "undone" },
    row.seat ? make("b", {}, name(row.seat), " ") : null,
    make("code", {}, row.order),
    cost ? make("span", { class: "cost" }, ` ${cost}`) : null,
    row.told.length ? make("p", {}, row.told.join(" ")) : null,
  );
}

function problemLine(one) {
  return make("li", {}, make("b", {}, `Line ${one.line}: `), one.message, one.rule ? make("small", {}, ` ${one.rule}`) : null, one.suggestions.length ? make("span", {}, " Try: ", make("code", {}, one.suggestions[0])) : null);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say("Your orders are copied: paste them into a mail.", "good");
  } catch {
    say("The browser did not allow copying: use “Save as text”.", "bad");
  }
}
