// The action bar: what is asked, the order that one is choosing with its cost and why, and one thing to do next.
import type { ComponentChildren } from "preact";
import type { Decision, LegalRow } from "./answers";
import type { Choice } from "./choice";
import { type Named, nameOf } from "./log";
import { counted, range, Rule, Terms } from "./why";

const MOST = 60; // branches in the list at a time; the others are reached by choosing things or typing

export interface BarProps {
  due: readonly Decision[];
  game: Named;
  viewer: string;
  ends: string; // why no order can be chosen now, if that is so
  choice: Choice;
  variants: readonly LegalRow[]; // the complete orders that the choice allows; one of them is the candidate
  onChoice(choice: Choice): void;
  onConfirm(order: string): void;
  undo?: () => void; // takes the last order, or the last move, back
  redo?: () => void;
  said?: ComponentChildren; // what came of orders, or what a club says about those that it has
  children: ComponentChildren; // what to do with the orders when none is half chosen
}

export function Bar({ due, game, viewer, ends, choice, variants, onChoice, onConfirm, undo, redo, said, children }: BarProps) {
  const own = due.filter((one) => one.seat === viewer);
  const candidate = variants.length ? variants[choice.turn % variants.length] : undefined;
  const branches = choice.branches.filter((one) => one.words);
  const { unit } = game;
  const hasCosts = choice.all.some((row) => row.min);
  return (
    <section class="bar" aria-label="Your turn" tabIndex={-1}>
      <div class="asked">
        {(own.length ? own : due).map((one, at) => (
          <p key={at}>
            {own.length ? one.ask : `${nameOf(one.seat, game)} must decide: ${one.ask}`} <Rule number={one.rule} />
          </p>
        ))}
      </div>
      <div class="do">
        {candidate && <button type="button" class="primary" onClick={() => onConfirm(candidate.order)}>Confirm</button>}
        {!choice.isEmpty && <button type="button" onClick={() => onChoice(choice.none())}>Cancel</button>}
        {choice.isEmpty && children}
        {choice.isEmpty && undo && <button type="button" onClick={undo}>Undo</button>}
        {choice.isEmpty && redo && <button type="button" onClick={redo}>Redo</button>}
      </div>
      <p class="candidate" aria-live="polite">
        {candidate ? (
          <>
            <code>{candidate.order}</code> {candidate.min === null ? "the cost is not known" : <b class="cost">{range([candidate], unit)} {unit[0]}</b>}
            {variants.length > 1 && (
              <button type="button" class="turn" title="Also with the key R, or with another click" onClick={() => onChoice(choice.turned())}>
                ↻ {(choice.turn % variants.length) + 1} of {variants.length}
              </button>
            )}
          </>
        ) : choice.isEmpty ? (
          choice.all.length ? `${counted(choice.all.length, "order")}: click on the board, or choose here.` : ends
        ) : (
          `Chosen: ${[...choice.things].reverse().join(", ") || choice.shared}. ${counted(choice.left.length, "order")}.`
        )}
      </p>
      {choice.isEmpty && said}
      {candidate && <Terms why={candidate.why ?? []} unit={unit} />}
      {branches.length > 0 && (
        <ul class="branches" aria-label={choice.shared ? `After ${choice.shared}` : "What you can order"}>
          {choice.shared && <li><code>{choice.shared}</code></li>}
          {branches.slice(0, MOST).map((one) => (
            <li key={one.words}>
              <button type="button" class="branch" aria-label={`${choice.shared} ${one.words}`.trim()} onClick={() => onChoice(choice.take(one))}>
                <code>{one.words}{one.rows.length > 1 && " …"}</code> {hasCosts && <small>{range(one.rows, unit)}</small>}
              </button>
            </li>
          ))}
          {branches.length > MOST && <li>… and {branches.length - MOST} more: choose something, or write the beginning of an order.</li>}
        </ul>
      )}
    </section>
  );
}
