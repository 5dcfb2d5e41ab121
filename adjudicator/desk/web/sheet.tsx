// The sheet: the orders that one writes, in several drafts, what they cost, and how one sends them.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Ignored, LegalRow, LineCost, Look, OpenGame, OrderProblem } from "./answers";
import { Editor } from "./editor";
import type { Engine } from "./engine";
import { copy, mailLink } from "./elements";
import { download } from "./files";
import { remember, remembered } from "./kept";
import { Mistake } from "./log";
import { amount, paid, type Unit } from "./why";

// What becomes of the orders: they go by mail, or the page takes them, or the viewer writes none.
export type Sending =
  | { kind: "mail"; to: string; token: string }
  | { kind: "play"; label: string; send(text: string, turn: number): Promise<Outcome> }
  | { kind: "none" };

// What became of orders in words, and of the sheet: it is emptied now (`clear`), or when they are played (`isSent`).
export interface Outcome {
  words: string;
  kind: "good" | "bad";
  clear: boolean;
  isSent?: boolean;
}

interface Drafts {
  place: string;
  turn: number;
  texts: string[];
  at: number;
  sent: Sent | null;
}

// The text that was sent, when `last` was the last entry of its seat.
interface Sent {
  text: string;
  last: number;
}

// The drafts of a turn's orders. The browser may keep them, but only a saved file or a sent mail is safe. Orders that were sent
// stay on the sheet until the seat has another entry than the `last` one: then they were played.
export function useDrafts(place: string, turn: number, keeps: boolean, last: number) {
  const [now, set] = useState<Drafts>({ place: "", turn: 0, texts: [""], at: 0, sent: null });
  useLayoutEffect(() => {
    if (!place || (place === now.place && turn === now.turn)) return;
    const kept: { turn: number; texts: string[]; sent?: Sent | null } | null = keeps ? remembered(place) : null;
    // The next turn of the same seat begins with what is still written.
    const texts = kept?.turn === turn && kept.texts?.length ? kept.texts.map(String) : [place === now.place ? now.texts[now.at] : ""];
    set({ place, turn, texts, at: 0, sent: kept?.sent ?? null });
  }, [place, turn]);
  useLayoutEffect(() => {
    const { sent } = now;
    if (sent && last > sent.last) set((old) => ({ ...old, texts: old.texts.map((text) => (text === sent.text ? "" : text)), sent: null }));
  }, [now.sent, last]);
  useEffect(() => {
    if (keeps && now.place) remember(now.place, { turn: now.turn, texts: now.texts, ...(now.sent && { sent: now.sent }) });
  }, [now]);
  return {
    texts: now.texts,
    at: now.at,
    text: now.texts[now.at],
    isSent: now.sent?.text === now.texts[now.at],
    keepSent: (text: string) => set((old) => ({ ...old, sent: { text, last } })),
    write: (text: string) => set((old) => ({ ...old, texts: old.texts.with(old.at, text) })),
    choose: (at: number) => set((old) => ({ ...old, at })),
    add: () => set((old) => ({ ...old, texts: [...old.texts, old.texts[old.at]], at: old.texts.length })),
  };
}

// What Python says about a text: its mistakes, and the cost of each line as far as the seat can know it.
export interface Read {
  problems: readonly OrderProblem[];
  foreseen: readonly OrderProblem[];
  ignored: readonly Ignored[];
  costs: readonly LineCost[];
}

interface SheetProps {
  engine: Engine;
  look: Look;
  viewer: string;
  text: string;
  legal: readonly LegalRow[];
  read: Read;
  onText(text: string): void;
}

// The editor, with the cost of each line beside it, mistakes and warnings below it, and the sum of the costs.
export function Sheet({ engine, look, viewer, text, legal, read, onText }: SheetProps) {
  const place = useRef<HTMLDivElement>(null);
  const change = useRef(onText);
  change.current = onText;
  const [editor] = useState(
    () =>
      new Editor((written) => change.current(written), async (begun) => (await engine.ask("words", { text: begun })).words),
  );
  const { unit } = look.game;
  const warnings = [...read.foreseen, ...read.ignored.map(notRead)];
  const known = read.costs.filter((one) => one.min !== null);
  const unknown = read.costs.find((one) => one.min === null);
  useEffect(() => {
    place.current!.replaceChildren(editor.element);
    return () => editor.close();
  }, []);
  useLayoutEffect(() => {
    if (editor.text !== text) editor.text = text;
  }, [text]);
  useEffect(() => editor.offer(legal, unit, look.keywords, [`turn ${look.game.turn}`, `game ${look.game.id}`, `${viewer}:`]), [legal, look, viewer]);
  useEffect(() => {
    editor.mark([...read.problems, ...warnings.map((one) => ({ ...one, severity: "warning" as const }))]);
    editor.price(read.costs.map((one) => ({ line: one.line, text: one.min === null ? "?" : paid(one.min, one.after, unit), words: costWords(one, unit) })));
  }, [read]);
  return (
    <>
      <div ref={place} />
      <div class="verdict" aria-live="polite">
        {read.problems.length > 0 && <ul class="problems">{read.problems.map((one, at) => <Mistake key={at} problem={one} place={`Line ${one.line}`} />)}</ul>}
        {text.trim() && !read.problems.length && !read.ignored.length && <p class="good">No mistake was found.</p>}
        {warnings.length > 0 && <ul class="foreseen">{warnings.map((one, at) => <Mistake key={at} problem={one} place={`Line ${one.line}`} />)}</ul>}
      </div>
      <p class="costs hint">
        {known.length > 1 && `${known.length} lines cost ${paid(known.reduce((sum, one) => sum + one.min!, 0), null, unit)}. `}
        {unknown && `The cost of line ${unknown.line} is not known. ${unknown.unknown}`}
        {known.length > 0 && <span class="spoken">{known.map((one) => ` Line ${one.line}: ${costWords(one, unit)}.`).join("")}</span>}
      </p>
    </>
  );
}

// A warning about a line of text that the program does not read as an order.
const notRead = ({ line, text, reason }: Ignored) => ({ line, column: 1, width: text.length, message: `The program ignores this line: ${reason}.`, rule: "", suggestions: [] });

const costWords = ({ min, after, unknown }: LineCost, unit: Unit) =>
  min === null ? unknown ?? "" : `${paid(min, null, unit)}${after === null ? "" : `, ${unit[2]} ${amount(after, unit)}`}`;

// The one thing to do with written orders: play them, or copy them into a mail.
export function SendButton({ sending, text, turn, sheet, isSent, onOutcome }: { sending: Sending; text: string; turn: number; sheet: string; isSent: boolean; onOutcome(outcome: Outcome): void }) {
  const [isBusy, setBusy] = useState(false);
  if (sending.kind === "none") return null;
  async function act() {
    if (sending.kind !== "play") return copy(sheet, "Your orders are copied: paste them into a mail.", "use “Save as text”.");
    setBusy(true);
    try {
      onOutcome(await sending.send(text, turn));
    } catch (error) {
      onOutcome({ words: (error as Error).message, kind: "bad", clear: false });
      throw error;
    } finally {
      setBusy(false);
    }
  }
  return <button type="button" class={isSent ? undefined : "primary"} disabled={isBusy} onClick={act}>{isSent ? "Send again" : sending.kind === "play" ? sending.label : "Copy my orders"}</button>;
}

// The text that one sends: headers, the seat, and the orders.
export function sheetText(game: OpenGame, viewer: string, text: string) {
  const orders = text.split("\n").filter((line) => line.trim()).map((line) => `  ${line.trim()}`);
  return [`game ${game.id}`, `turn ${game.turn}`, `${viewer}:`, ...orders, ""].join("\n");
}

// The other ways to send orders: a mail that the browser begins, and a file.
export function MailLinks({ to, token, game, viewer, sheet }: { to: string; token: string; game: OpenGame; viewer: string; sheet: string }) {
  const subject = token ? `[${game.id}/${viewer}#${token}] turn ${game.turn}` : `${game.id} turn ${game.turn}`;
  const body = sheet.trimEnd().split("\n").map((line) => `${line} |\r\n`).join(""); // some mail programs drop the ends of lines
  const link = mailLink(to, subject, body);
  return (
    <div class="send">
      {link ? <a class="button" href={link}>Write a mail</a> : <span class="hint">Too long for a mail link: copy your orders into a mail.</span>}
      <button type="button" onClick={() => download(`${game.id}-${viewer}.txt`, sheet, "text/plain")}>Save as text</button>
    </div>
  );
}
