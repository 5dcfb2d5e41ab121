// Which legal orders are left after the things that were chosen, and which things could be chosen next.

// The words of an order: letters, digits and what joins them ("C2", "H3", "Port-Royal").
export const wordsOf = (order) => order.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu) ?? [];

const names = (order, thing) => {
  const wanted = wordsOf(thing);
  const found = wordsOf(order);
  return wanted.length > 0 && found.some((_, at) => wanted.every((word, more) => found[at + more] === word));
};

export class Choice {
  chosen = [];

  constructor(rows) {
    this.rows = rows;
  }

  get left() {
    return this.rows.filter((row) => this.chosen.every((thing) => names(row.order, thing)));
  }

  // Choose `thing`. If no order names it together with the earlier ones, the choice begins anew with it.
  choose(thing) {
    if (this.chosen.includes(thing)) this.chosen = this.chosen.filter((one) => one !== thing);
    else {
      this.chosen.push(thing);
      if (!this.left.length) this.chosen = this.rows.some((row) => names(row.order, thing)) ? [thing] : [];
    }
    return this.left;
  }

  clear() {
    this.chosen = [];
  }

  // The things in `all` that some order left names, each with words about its orders and their cost.
  offers(all, unit) {
    const found = new Map();
    const left = this.left;
    for (const thing of all) {
      const rows = left.filter((row) => names(row.order, thing));
      if (rows.length) found.set(thing.toLowerCase(), `${thing}: ${rows.length === 1 ? rows[0].order : `${rows.length} orders`}${costs(rows, unit)}`);
    }
    return found;
  }
}

// The cost of one order, or the range of several.
export function costs(rows, unit) {
  const known = rows.map((row) => row.min).filter((cost) => cost !== null && cost !== undefined);
  if (!known.length) return "";
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return `, ${amount(least, unit)}${most > least ? ` to ${amount(most, unit)}` : ""} ${unit[0]}`;
}

// The cost of orders that are written, and the clock after them, if both are known.
export function paid(min, after, unit) {
  return `${amount(min, unit)} ${unit[0]}${after === null || after === undefined ? "" : ` → ${amount(after, unit)}`}`;
}

// An amount in the game's unit; seconds are written as minutes and seconds.
export function amount(cost, unit) {
  const sign = cost < 0 ? "−" : "";
  if (unit[3] !== "m:ss") return `${sign}${Math.abs(cost)}`;
  return `${sign}${Math.floor(Math.abs(cost) / 60)}:${String(Math.abs(cost) % 60).padStart(2, "0")}`;
}
