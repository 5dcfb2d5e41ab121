// Rows of lists and tables that several desks show: the log, the standings, mistakes in orders.
import { amount, paid } from "./choice.js";
import { make } from "./elements.js";

// A seat as people call it: the name of its player, if there is one, and the seat.
export const nameOf = (seat, { players }) => (Object.hasOwn(players, seat) && players[seat] ? `${players[seat]} (${seat})` : seat);

// An entry of the log: who ordered what, its cost, the clock after it, and what happened. `name` gives the name of a seat for
// people; `isNew` marks an entry that the reader has not seen.
export function logLine(row, unit, name, isNew = false) {
  const cost = row.seat ? paid(row.min, row.after, unit) : "";
  return make(
    "li",
    { value: row.n, class: row.undone_by == null ? "" : "undone" },
    isNew ? make("mark", {}, "new") : null,
    isNew ? " " : null,
    row.seat ? make("b", {}, name(row.seat), " ") : null,
    make("code", {}, row.order),
    cost ? make("span", { class: "cost" }, ` ${cost}`) : null,
    row.told.length ? make("p", {}, row.told.join(" ")) : null,
  );
}

// The rows of the standings. `before` has the amounts at an earlier time by seat: the difference follows the amount.
export function standingRows(standings, game, name, before = new Map()) {
  const [, , account] = game.unit;
  const heads = ["Place", "Player", account || "score", "Where"];
  return [
    make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, standings.map((one) => {
      const more = one.score - (before.get(one.seat) ?? one.score);
      const change = more ? ` (${more > 0 ? "+" : ""}${amount(more, game.unit)})` : "";
      const cells = [String(one.place ?? ""), name(one.seat), `${amount(one.score, game.unit)}${change}`, one.note ?? ""];
      return make("tr", {}, cells.map((cell) => make("td", {}, cell)));
    })),
  ];
}

// A mistake in orders, after its `place` in words: the line as it is written, if a reader cannot see it, and a correction.
export function problemLine(one, place, written = "") {
  return make(
    "li",
    {},
    make("b", {}, `${place}: `),
    written ? make("code", {}, `${written} `) : null,
    one.message,
    one.rule ? make("small", {}, ` ${one.rule}`) : null,
    one.suggestions.length ? make("span", {}, " Try: ", make("code", {}, one.suggestions[0])) : null,
  );
}
