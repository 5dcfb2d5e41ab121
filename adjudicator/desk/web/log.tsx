// The log, which says what every order cost and why; the slider through time; the standings; mistakes in orders.
import type { LogEntry, OrderProblem, Standing } from "./answers";
import { amount, Rule, Terms, type Unit } from "./why";

// What the desk needs to know about a game to name its seats and amounts.
export interface Named {
  unit: Unit;
  players: Record<string, string>;
}

// A seat as people call it: the name of its player, if there is one, and the seat.
export const nameOf = (seat: string, { players }: Named) => (Object.hasOwn(players, seat) && players[seat] ? `${players[seat]} (${seat})` : seat);

interface LogProps {
  entries: readonly LogEntry[];
  game: Named;
  viewer: string;
  at: number | null; // the entry whose board is shown; null: the present one
  onAt?: (n: number | null) => void; // shows the board after an entry, if the file has it
}

// The log, the latest entry first: what others did since the viewer's last order has a heading of its own.
export function Log({ entries, game, viewer, at, onAt }: LogProps) {
  const latest = [...entries].reverse();
  const last = latest.findIndex((one) => one.seat === viewer);
  const parts: Record<string, LogEntry[]> = last > 0 ? { "Since your last order": latest.slice(0, last), Before: latest.slice(last) } : { "": latest };
  return (
    <div class="log" tabIndex={0} role="group" aria-label="Log">
      {Object.entries(parts).map(([title, shown]) => (
        <section key={title} aria-label={title || undefined} class={title === "Before" ? undefined : "new"}>
          {title && <h4>{title}</h4>}
          <ol>
            {shown.map((one) => (
              <Entry key={one.number} entry={one} unit={game.unit} isShown={one.n === at} onAt={onAt} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

// An entry: who ordered what, what it cost each seat and why, and what happened.
export function Entry({ entry, unit, isShown = false, onAt }: { entry: LogEntry; unit: Unit; isShown?: boolean; onAt?: LogProps["onAt"] }) {
  const { costs, n, number, order, player, told, undone_by: undone, written, notes, note, comment } = entry;
  const paid = ({ amount, after }: LogEntry["costs"][number]) => `${amount} ${unit[0]}${after && ` → ${after}`}`;
  return (
    <li class={undone ? "undone" : isShown ? "shown" : undefined}>
      <span class="number">{number}</span> {player && <b>{player} </b>}
      <code>{order}</code>
      {costs.map((cost, at) => (
        <div key={cost.seat}>
          {(at > 0 || cost.terms.length > 0 || cost.after) && <span class="cost">{at > 0 && `${cost.player}: `}{paid(cost)}</span>}
          <Terms why={cost.terms} unit={unit} />
        </div>
      ))}
      {told.length > 0 && <ul class="told">{told.map((sentence, at) => <li key={at}>{sentence}</li>)}</ul>}
      {written && <p>Written: <code>{written}</code></p>}
      {notes.map((one, at) => <p key={at}>{one}</p>)}
      {note && <p class="note">{note}</p>}
      {comment && <p class="note">Moderator: {comment}</p>}
      {undone && <p>Undone by entry {undone}.</p>}
      {onAt && (
        <button type="button" class="moment" aria-pressed={isShown} aria-label={`Board after entry ${number}`} onClick={() => onAt(isShown ? null : n)}>Board</button>
      )}
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
