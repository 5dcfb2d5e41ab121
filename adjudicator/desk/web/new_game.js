// A form to begin a game as its moderator. The program describes its fields, and each mistake is shown beside its field.
import { button, fill, make } from "./elements.js";

let fields = 0;

export class NewGame {
  #engine;
  #begun;
  #games = [];
  #seats = [];
  #rows = [];
  #options = [];

  // `begun(game, addresses)` shows the new game; `addresses` has the players' mail addresses by seat.
  constructor(engine, begun) {
    this.#engine = engine;
    this.#begun = begun;
    this.ruleset = field("Game", make("select", { onchange: () => this.#show() }));
    this.id = field("Name of the game", make("input"), "The game file gets this name. Use letters, digits, dots and dashes.");
    this.components = field("Component set", make("select"));
    this.players = make("div", { class: "rows" });
    this.add = field("", button("Add a player", () => this.#addRow().seat.input.focus()));
    this.options = make("fieldset", { class: "fields" });
    this.fault = make("p", { class: "bad", role: "alert" });
    this.element = make(
      "details",
      { class: "new-game", hidden: true },
      make("summary", {}, "Begin a game as its moderator"),
      make(
        "form",
        { noValidate: true, "aria-label": "New game", onsubmit: (event) => { event.preventDefault(); this.#begin(); } },
        make("div", { class: "fields" }, this.ruleset.element, this.id.element, this.components.element),
        this.players,
        this.add.element,
        this.options,
        this.fault,
        make("button", { type: "submit", class: "primary" }, "Begin the game"),
      ),
    );
  }

  // Offer these `games`, as `adjudicator games --json` describes them, with the usual names of `seats`.
  offer(games, seats) {
    this.#games = games;
    this.#seats = seats;
    this.element.hidden = !games.length;
    if (this.element.hidden) return;
    fill(this.ruleset.input, games.map((game) => make("option", { value: game.id }, game.name)));
    this.#show();
  }

  get #game() {
    return this.#games.find((game) => game.id === this.ruleset.input.value);
  }

  #show() {
    const game = this.#game;
    this.id.input.value = game.id;
    fill(this.components.input, game.component_sets.map((name) => make("option", { value: name }, name)));
    this.components.element.hidden = game.component_sets.length < 2;
    this.#options = game.options.filter((option) => !option.per_seat).map(optionField);
    fill(this.options, make("legend", {}, "Options"), this.#options.map((option) => option.element));
    this.options.hidden = !this.#options.length;
    this.#rows = [];
    while (this.#rows.length < Math.max(game.players[0], Math.min(2, game.players[1]))) this.#addRow();
    this.#blame([]);
  }

  #addRow() {
    const name = this.#seats.find((seat) => !this.#rows.some((row) => row.seat.input.value === seat)) ?? `seat${this.#rows.length + 1}`;
    const row = {
      seat: field("Seat", make("input", { value: name, maxLength: 24, autocapitalize: "none" })),
      player: field("Player", make("input", { autocomplete: "off" })),
      address: field("Mail address", make("input", { type: "email", autocomplete: "off" })),
      options: this.#game.options.filter((option) => option.per_seat).map(optionField),
      remove: button("Remove", () => {
        this.#rows.splice(this.#rows.indexOf(row), 1);
        this.#showRows();
        this.add.input.focus();
      }),
    };
    this.#rows.push(row);
    this.#showRows();
    return row;
  }

  #showRows() {
    const [least, most] = this.#game.players;
    this.add.input.disabled = this.#rows.length >= most;
    fill(this.players, this.#rows.map(({ seat, player, address, options, remove }, at) => {
      remove.disabled = this.#rows.length <= least;
      remove.setAttribute("aria-label", `Remove player ${at + 1}`);
      return make("fieldset", { class: "fields" }, make("legend", {}, `Player ${at + 1}`), [seat, player, address, ...options].map((one) => one.element), remove);
    }));
  }

  // The field of each part of the set-up that a problem can name.
  #parts() {
    const parts = { id: this.id, seat: this.add };
    for (const option of this.#options) parts[`option:${option.name}`] = option;
    for (const [at, { seat, player, options }] of this.#rows.entries()) {
      Object.assign(parts, { [`seat:${at}`]: seat, [`player:${at}`]: player });
      for (const option of options) parts[`option:${option.name}.${seatOf(seat)}`] = option;
    }
    return parts;
  }

  async #begin() {
    const wrong = this.#rows.find(({ address }) => !address.input.checkValidity());
    this.#blame([]);
    if (wrong) return blame(wrong.address, "Write one address, such as ann@example.org.");
    const found = await this.#engine.ask("new", {
      ruleset: this.#game.id,
      id: this.id.input.value.trim(),
      components: this.components.input.value,
      players: this.#rows.map(({ seat, player }) => [seatOf(seat), player.input.value.trim()]),
      options: Object.fromEntries(Object.entries(this.#parts()).filter(([part, { input }]) => part.startsWith("option:") && input.value.trim()).map(([part, { input }]) => [part.slice(7), input.value.trim()])),
    });
    if (found.error) return this.#blame(found.error.problems.length ? found.error.problems : [found.error]);
    await this.#begun(found.game, Object.fromEntries(this.#rows.map(({ seat, address }) => [seatOf(seat), address.input.value.trim()])));
  }

  // Show each of `problems` beside the field that it names, or else above the button.
  #blame(problems) {
    const parts = this.#parts();
    for (const one of [...Object.values(parts), ...this.#rows.map((row) => row.address)]) blame(one, "");
    const others = problems.filter(({ part, message }) => !parts[part] || void blame(parts[part], message));
    this.fault.textContent = others.map((one) => one.message).join(" ");
    this.element.querySelector("[aria-invalid=true]")?.focus();
  }
}

const seatOf = ({ input }) => input.value.trim().toLowerCase();

function optionField(option) {
  const input = option.choices.length
    ? make("select", {}, option.choices.map((value) => make("option", { value, selected: value === option.default }, value)))
    : make("input", { placeholder: option.default, autocomplete: "off" });
  return { ...field(option.name, input, option.help), name: option.name };
}

// A field with a name, its explanation, and a place for the mistake in it.
function field(name, input, help = "") {
  const id = `field-${++fields}`;
  const fault = make("small", { class: "bad", id: `${id}-fault` });
  input.id = id;
  input.setAttribute("aria-describedby", `${id}-help ${id}-fault`);
  return { input, fault, element: make("div", { class: "field" }, name ? make("label", { for: id }, name) : null, input, fault, make("small", { class: "hint", id: `${id}-help` }, help)) };
}

function blame({ input, fault }, message) {
  fault.textContent = message;
  if (message) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}
