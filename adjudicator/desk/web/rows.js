// Rows of lists and tables that several desks show: the log, the standings, mistakes in orders.
import { amount } from "./choice.js";
import { make } from "./elements.js";

// An entry of the log: who ordered what, its cost, and what happened. `name` gives the name of a seat for people.
export function logLine(row, unit, name) {
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

export function standingRows(standings, game, name) {
  const [, , account] = game.unit;
  const heads = ["Place", "Player", account || "score", "Where"];
  return [
    make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, standings.map((one) => {
      const cells = [String(one.place ?? ""), name(one.seat), amount(one.score, game.unit), one.note ?? ""];
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
