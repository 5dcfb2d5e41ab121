// The log, which says what every order cost and why; the slider through time; the standings; mistakes in orders.
import type { LogRow, OrderProblem, Standing } from "./answers";
import { amount, paid, Rule, Terms, type Unit } from "./why";

// What the desk needs to know about a game to name its seats and amounts.
export interface Named {
  unit: Unit;
  players: Record<string, string>;
}

// A seat as people call it: the name of its player, if there is one, and the seat.
export const nameOf = (seat: string, { players }: Named) => (Object.hasOwn(players, seat) && players[seat] ? `${players[seat]} (${seat})` : seat);

interface LogProps {
  rows: readonly LogRow[];
  game: Named;
  viewer: string;
  at: number | null; // the entry whose board is shown; null: the present one
  onAt?(n: number | null): void; // shows the board after an entry, if the file has it
}

// The log, the latest entry first: what others did since the viewer's last order has a heading of its own.
export function Log({ rows, game, viewer, at, onAt }: LogProps) {
  const entries = [...Map.groupBy(rows, (row) => row.n).values()].reverse();
  const last = entries.findIndex(([first]) => first!.seat === viewer);
  const news = last > 0 ? entries.slice(0, last) : [];
  const list = (shown: LogRow[][]) => (
    <ol class="log">
      {shown.map((entry) => (
        <Entry key={entry[0]!.n} rows={entry} game={game} isShown={entry[0]!.n === at} onAt={onAt} />
      ))}
    </ol>
  );
  return (
    <div class="logs" tabIndex={0} role="group" aria-label="Log">
      {news.length > 0 && <h4>Since your last order</h4>}
      {news.length > 0 && list(news)}
      {news.length > 0 && <h4>Before</h4>}
      {list(entries.slice(news.length))}
    </div>
  );
}

// An entry: who ordered what, what it cost each seat and why, and what happened.
export function Entry({ rows, game, isShown = false, onAt }: { rows: readonly LogRow[]; game: Named; isShown?: boolean; onAt?: LogProps["onAt"] }) {
  const [first] = rows as [LogRow];
  return (
    <li value={first.n} class={[first.undone_by == null ? "" : "undone", isShown ? "shown" : ""].join(" ").trim() || undefined}>
      {first.seat && <b>{nameOf(first.seat, game)} </b>}
      <code>{first.order}</code>
      {first.seat && <span class="cost"> {paid(first.min, first.after, game.unit)}</span>}
      {onAt && (
        <button type="button" class="moment" aria-pressed={isShown} aria-label={`Show the board after entry ${first.n}`} onClick={() => onAt(isShown ? null : first.n)}>
          board
        </button>
      )}
      <Terms why={first.why} unit={game.unit} />
      {rows.slice(1).map((row) => (
        <p key={row.seat}>
          {nameOf(row.seat!, game)} <span class="cost">{paid(row.min, row.after, game.unit)}</span> <Terms why={row.why} unit={game.unit} />
        </p>
      ))}
      {rows.flatMap((row) => row.told).map((told, at) => (
        <p key={at}>{told}</p>
      ))}
      {(first.notes ?? []).map((note, at) => (
        <p key={at} class="note">{note}</p>
      ))}
    </li>
  );
}

// A slider over the entries from `first` to `last`; its end is the present, with the orders that one has written.
export function Slider({ first, last, at, onAt }: { first: number; last: number; at: number | null; onAt(n: number | null): void }) {
  const go = (n: number) => onAt(n > last ? null : Math.max(first, n));
  const now = at ?? last + 1;
  return (
    <div class="time" role="group" aria-label="Time">
      <button type="button" aria-label="One entry back" disabled={now <= first} onClick={() => go(now - 1)}>◀</button>
      <input type="range" aria-label="Board after entry" min={first} max={last + 1} value={now} aria-valuetext={at === null ? "now" : `after entry ${at}`} onInput={(event) => go(Number(event.currentTarget.value))} />
      <button type="button" aria-label="One entry on" disabled={at === null} onClick={() => go(now + 1)}>▶</button>
      <output>{at === null ? "now" : `after ${at}`}</output>
    </div>
  );
}

// The standings. `before` has the amounts at an earlier time by seat: the difference follows the amount.
export function Standings({ standings, game, before }: { standings: readonly Standing[]; game: Named; before: Map<string, number> }) {
  const heads = ["Place", "Player", game.unit[2] || "score", "Where"];
  return (
    <table class="standings">
      <thead><tr>{heads.map((head) => <th key={head} scope="col">{head}</th>)}</tr></thead>
      <tbody>
        {standings.map((one) => {
          const more = one.score - (before.get(one.seat) ?? one.score);
          return (
            <tr key={one.seat}>
              <td>{one.place ?? ""}</td>
              <td>{nameOf(one.seat, game)}</td>
              <td>{amount(one.score, game.unit)}{more ? ` (${more > 0 ? "+" : ""}${amount(more, game.unit)})` : ""}</td>
              <td>{one.note ?? ""}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

// A mistake in orders, after its `place` in words: the line as it is `written`, if a reader cannot see it, and a correction.
export function Mistake({ problem, place, written = "" }: { problem: Pick<OrderProblem, "message" | "rule" | "suggestions">; place: string; written?: string }) {
  const [suggestion] = problem.suggestions;
  return (
    <li>
      <b>{place}: </b>
      {written && <code>{written} </code>}
      {problem.message} <Rule number={problem.rule} />
      {suggestion && <span> Try: <code>{suggestion}</code></span>}
    </li>
  );
}
