// Costs in the unit of the game, the terms that make them up, and the texts of the rules behind them.
import { createContext } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";
import type { Part } from "./answers";

// The unit of a game: its short and long name, the account that it is paid from, and how amounts are written.
export type Unit = readonly string[];

export const counted = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;

// An amount in the game's unit; seconds are written as minutes and seconds.
export function amount(cost: number, unit: Unit) {
  const sign = cost < 0 ? "−" : "";
  if (unit[3] !== "m:ss") return `${sign}${Math.abs(cost)}`;
  return `${sign}${Math.floor(Math.abs(cost) / 60)}:${String(Math.abs(cost) % 60).padStart(2, "0")}`;
}

// The cost of one order, and the clock after it if that is known.
export function paid(min: number, after: number | null | undefined, unit: Unit) {
  return `${amount(min, unit)} ${unit[0]}${after == null ? "" : ` → ${amount(after, unit)}`}`;
}

// The cost of one order, or the least and the greatest of several; empty if chance decides.
export function range(rows: readonly { min: number | null }[], unit: Unit, dash = "–") {
  const known = rows.map((row) => row.min).filter((cost) => cost !== null);
  if (!known.length) return "";
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return most > least ? `${amount(least, unit)}${least < 0 ? " to " : dash}${amount(most, unit)}` : amount(least, unit);
}

// The terms of a cost, each with its sign and its rule.
export function Terms({ why, unit }: { why: readonly Part[]; unit: Unit }) {
  if (!why.length) return null;
  return (
    <ul class="terms">
      {why.map((term, at) => (
        <li key={at}>
          <b>{at && term.amount >= 0 ? "+" : ""}{amount(term.amount, unit)}</b> {term.what} <Rule number={term.rule} />
        </li>
      ))}
    </ul>
  );
}

// Shows the text of a rule, given its number: the table provides this to all its parts.
export const OpenRule = createContext<(number: string) => void>(() => {});

// The number of a rule, which opens its text.
export function Rule({ number }: { number: string | null | undefined }) {
  const open = useContext(OpenRule);
  return number ? <button type="button" class="rule" title={`Rule ${number}`} onClick={() => open(number)}>{number}</button> : null;
}

// The text of a rule over the page, until one closes it.
export function RuleText({ number, text, onClose }: { number: string; text: string; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog class="rule-text" ref={dialog} aria-label={`Rule ${number}`} onClose={onClose} onClick={(event) => event.target === dialog.current && dialog.current!.close()}>
      <h3>{number}</h3>
      <p>{text.split("`").map((part, at) => (at % 2 ? <code key={at}>{part}</code> : part))}</p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
