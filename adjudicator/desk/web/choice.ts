// What can be chosen next among the legal orders: one clicks things, or takes the next words from a list.
//
// A thing of the table carries the words by which orders name it. A click keeps the orders that have these words one after
// another, so `brake 3` is never the place `to 3`.
import type { LegalRow } from "./answers";

// The next `words` on the way to an order, and the orders to which they lead.
export interface Branch {
  words: string;
  rows: LegalRow[];
}

export class Choice {
  readonly left: LegalRow[]; // the orders that what was chosen leaves

  // `all` are the legal orders, `things` those that were clicked, the last one first, and `begun` the words that were taken.
  // `turn` counts the turns of the candidate through the orders that differ only in what nobody can click.
  constructor(
    readonly all: readonly LegalRow[],
    readonly things: string[] = [],
    readonly begun = "",
    readonly turn = 0,
  ) {
    this.left = all.filter((row) => spaced(row.order).startsWith(begun) && things.every((thing) => names(row, thing)));
  }

  get isEmpty() {
    return !this.things.length && !this.begun;
  }

  // Choose `thing`, with as many of the earlier things and words as go with it; `null` if no order names it.
  with(thing: string): Choice | null {
    const begun = new Choice(this.all, [thing], this.begun).left.length ? this.begun : "";
    const kept = [thing];
    if (!new Choice(this.all, kept, begun).left.length) return null;
    for (const earlier of this.things) {
      if (new Choice(this.all, [...kept, earlier], begun).left.length) kept.push(earlier);
    }
    return new Choice(this.all, kept, begun);
  }

  without(thing: string) {
    return new Choice(this.all, this.things.filter((one) => one !== thing), this.begun);
  }

  take({ rows }: Branch) {
    return new Choice(this.all, this.things, spaced(common(rows).join(" ")));
  }

  none() {
    return new Choice(this.all);
  }

  turned() {
    return new Choice(this.all, this.things, this.begun, this.turn + 1);
  }

  // The words with which all orders left begin; as long as nothing is chosen, they are no order themselves.
  get shared() {
    const words = common(this.left).join(" ");
    return this.isEmpty && this.left.some((row) => spaced(row.order) === spaced(words)) ? "" : words;
  }

  // The next words of the orders left. An order that ends where others go on is a branch without words.
  get branches(): Branch[] {
    const at = this.shared.split(" ").filter(Boolean).length;
    const groups = Map.groupBy(this.left, (row) => spaced(row.order).split(" ")[at + 1]);
    return [...groups.values()].map((rows) => ({ words: common(rows).slice(at).join(" "), rows }));
  }

  // The things of the `table` that lead on, each with its orders: those that tell the orders left apart.
  telling(table: Iterable<string>): Map<string, LegalRow[]> {
    const found = [...table].map((thing): [string, LegalRow[]] => [thing, this.left.filter((row) => names(row, thing))]);
    return new Map(found.filter(([, rows]) => rows.length && (rows.length < this.left.length || (this.isEmpty && rows.length === 1))));
  }

  // The things of the `table` that all orders left name, once something is chosen.
  settled(table: Iterable<string>): string[] {
    return this.isEmpty || !this.left.length ? [] : [...table].filter((thing) => this.left.every((row) => names(row, thing)));
  }

  // The things to show as choices: those that lead on, or else those that could take the place of the last one.
  offers(table: Iterable<string>) {
    const found = this.telling(table);
    return found.size || !this.things.length ? found : this.without(this.things[0]!).telling(table);
  }

  // The complete orders: the one left, that of the words taken, or those that name no thing that leads on. Short ones are
  // first, so that a tile turns before it does anything else.
  variants(table: Iterable<string>): LegalRow[] {
    if (this.isEmpty || this.left.length === 1) return this.isEmpty ? [] : this.left;
    if (!this.things.length) return this.left.filter((row) => spaced(row.order) === this.begun);
    const more = [...this.telling(table).keys()];
    const length = (row: LegalRow) => row.order.split(" ").length;
    return this.left
      .filter((row) => !more.some((thing) => names(row, thing)))
      .sort((one, other) => length(one) - length(other) || one.order.localeCompare(other.order, "en", { numeric: true }));
  }
}

const names = (row: LegalRow, thing: string) => spaced(row.order).includes(spaced(thing));

// The words of `text` in lower case, with one blank before and after each.
const spaced = (text: string) => ` ${text.toLowerCase().replace(/[\s,]+/gu, " ").trim()} `;

// The words, as they are written, with which all `rows` begin.
function common(rows: readonly LegalRow[]): string[] {
  const [first = [], ...others] = rows.map((row) => row.order.split(/\s+/u));
  const end = first.findIndex((word, at) => others.some((other) => spaced(other[at] ?? "") !== spaced(word)));
  return end < 0 ? first : first.slice(0, end);
}
