// The table of a seat: the board, the action bar below it, the hand, the orders that one writes, and the log.
//
// The board shows where the orders lead, as far as the seat can know it, so that the next click offers what is legal then.
// An order that one is choosing lies on it as a ghost. Python plays all of this on from the seat's own view.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Board, LegalRow, Look, Supposed } from "./answers";
import { Bar } from "./bar";
import { drawn, Figures, isWide, Legend, type Offer } from "./board";
import { Choice } from "./choice";
import type { Engine } from "./engine";
import { Entry, Log, nameOf, Slider, Standings } from "./log";
import { MailLinks, type Outcome, type Read, SendButton, type Sending, Sheet, sheetText, useDrafts } from "./sheet";
import { counted, OpenRule, range, RuleText } from "./why";

export interface TableProps {
  engine: Engine;
  viewer: string; // a seat or "moderator"
  state: number; // grows with each change of the game
  keeps: boolean; // whether the browser keeps the drafts
  sending: Sending;
  note?: string; // what the club says about the orders it has
  history?: { undo?: () => void; redo?: () => void }; // takes back a move of practice
  suggested?: { text: string }; // a new one replaces the sheet
  onFork?: (n: number) => void; // begins a game of one's own after an entry
}

const NOTHING: Read = { problems: [], foreseen: [], ignored: [], costs: [] };
const NONE: never[] = [];
const UNKNOWN = { ways: NONE, of: "" };

export function Table(props: TableProps) {
  const { engine, viewer, sending, note, history, suggested, onFork } = props;
  const { look, drafts, read, ways, failure, before, isBusy } = useOrders(props);
  const ahead = ways[drafts.at] ?? null; // where the orders lead; null: none are written
  const now = ahead ?? look;
  const [moment, setMoment] = useState<{ n: number; board: Board } | null>(null);
  const [rule, setRule] = useState<{ number: string; text: string } | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useEffect(() => setMoment(null), [look]);
  const top = useRef<HTMLElement>(null); // a phone shows the board and the log one after the other
  useEffect(() => void (moment && !isWide() && top.current!.scrollIntoView()), [moment === null]);
  useEffect(() => setOutcome(null), [drafts.text]);
  useEffect(() => void (suggested && drafts.write(suggested.text)), [suggested]);

  // The choice of the next order among those that are legal after the orders on the sheet

  const legal = !look || sending.kind === "none" ? NONE : ahead ? ahead.legal : look.legal.length ? look.legal : (look.ahead ?? NONE);
  const known = useRef<readonly LegalRow[]>(NONE); // what completes a line while it is still a mistake
  if (legal.length) known.current = legal;
  const [choice, setChoice] = useState(new Choice(NONE));
  useLayoutEffect(() => setChoice(new Choice(legal)), [legal]);
  const base = useMemo(() => now && drawn(now.picture), [now]);
  const things = useMemo(() => new Set([...(base?.things ?? NONE), ...(now?.choices ?? NONE).map(([name]) => name)]), [base]);
  const chosen = useMemo(() => choice.settled(things), [choice, things]);
  const variants = useMemo(() => choice.variants(things), [choice, things]);
  const candidate = variants[choice.turn % variants.length]?.order;
  const [ghost, setGhost] = useState<{ order: string; board: Board | null } | null>(null);
  useNewest(async (isNewest) => {
    const board = candidate ? await engine.ask("what_if", { viewer, text: drafts.text, order: candidate }).catch(() => null) : null;
    if (isNewest()) setGhost(candidate ? { order: candidate, board } : null);
  }, [candidate]);
  const over = moment?.board ?? (candidate && ghost ? ghost.board : null);
  const lifted = useMemo(() => over && drawn(over.picture), [over]);

  function choose(thing: string) {
    if (chosen.includes(thing)) setChoice(variants.length > 1 ? choice.turned() : choice.without(thing));
    else setChoice(choice.with(thing) ?? choice.none());
  }

  function confirm(order: string) {
    setChoice(new Choice(NONE)); // until Python has said what is legal then
    drafts.write(`${drafts.text.trimEnd()}\n${order}\n`.trimStart());
  }

  function undo() {
    setChoice(new Choice(legal));
    drafts.write(drafts.text.trimEnd().replace(/(^|\n)[^\n]*$/u, "$1"));
  }

  function take(found: Outcome) {
    setOutcome(found);
    if (found.clear) drafts.write("");
    if (found.isSent) drafts.keepSent(drafts.text);
  }

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isWriting = (event.composedPath()[0] as Element).closest?.("input, select, textarea, [contenteditable]");
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting) return;
      if (event.key.toLowerCase() === "r" && variants.length > 1) setChoice(choice.turned());
      if (event.key === "Escape" && !choice.isEmpty) setChoice(choice.none());
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });

  // What had the focus may be gone, as a tile of the hand that lies on the board now: the keyboard goes on at the bar.
  const table = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) table.current?.querySelector<HTMLElement>(".bar")?.focus({ preventScroll: true });
  });

  async function goTo(n: number | null) {
    setMoment(n === null ? null : { n, board: await engine.ask("moment", { viewer, n }) });
  }

  async function openRule(number: string) {
    setRule({ number, ...(await engine.ask("rule", { number })) });
  }

  if (!look || !now || !base) return <p class="hint">{failure || "The board is being drawn …"}</p>;
  const { game } = look;
  const { unit } = game;
  const hasPrices = choice.all.some((row) => row.min);
  const offers = new Map<string, Offer>();
  for (const [thing, rows] of moment ? NONE : choice.offers(things)) {
    const cost = range(rows, unit, " to ");
    const orders = rows.length === 1 ? rows[0].order : counted(rows.length, "order");
    offers.set(thing, { words: `${thing}: ${orders}${cost && `, ${cost} ${unit[0]}`}`, price: hasPrices ? range(rows, unit) : "" });
  }
  const numbers = look.log.map((one) => one.n);
  const onAt = game.moments ? goTo : undefined;
  const board = moment?.board ?? now;
  const slider = onAt && numbers.length > 0 && <Slider first={Math.min(...numbers)} last={Math.max(...numbers)} at={moment?.n ?? null} onAt={goTo} />;
  const figures = { drawn: lifted ?? base, offers, chosen: moment ? NONE : chosen, own: viewer, onThing: choose };
  const hasDetails = figures.drawn.picture.figures.some((one) => one.kind === "detail");
  const sheet = sheetText(game, viewer, drafts.text);
  const hasOrders = drafts.text.trim() !== "";
  const said = outcome?.words ? <p class={`said ${outcome.kind}`} role="status">{outcome.words}</p> : note && <p class="said hint">{note}</p>;

  return (
    <OpenRule.Provider value={openRule}>
      <div ref={table} onFocusIn={() => (hadFocus.current = true)} class={sending.kind === "none" ? "desk reader" : "desk"} aria-busy={isBusy || (candidate !== undefined && ghost?.order !== candidate)}>
        <div class="play">
          <section class="board" aria-label="Board" ref={top}>
            <h2 class="headline">{moment ? `After entry ${moment.n}` : over ? "Your next order" : ahead ? "After your orders" : headline(look, viewer)}</h2>
            {moment && !isWide() && slider}
            {moment && (
              <p class="past">
                This is the board as it was. <button type="button" onClick={() => goTo(null)}>Back to now</button>
                {onFork && <button type="button" onClick={() => onFork(moment.n)}>Play on from here</button>}
              </p>
            )}
            <p class="spoken">{board.description.join(" ")}</p>
            <div class={`shown ${moment ? "past" : over ? "ghost" : ahead ? "supposed" : ""}`}>
              <Figures {...figures} label="Boards" kinds={hasDetails ? ["detail"] : ["board", "half"]} />
            </div>
            {hasDetails && (
              <details>
                <summary>The whole board</summary>
                <Figures {...figures} label="The whole board" kinds={["board", "half"]} />
              </details>
            )}
          </section>
          <Bar due={now.position.due} game={game} viewer={viewer} ends={endsOf(look, ahead, viewer)} choice={choice} variants={variants} onChoice={(next) => (setMoment(null), setChoice(next))} onConfirm={confirm} undo={hasOrders ? undo : history?.undo} redo={hasOrders ? undefined : history?.redo} said={said}>
            {hasOrders && <SendButton sending={sending} text={drafts.text} turn={game.turn} sheet={sheet} isSent={drafts.isSent} onOutcome={take} />}
            {failure && <p class="bad">{failure}</p>}
          </Bar>
        </div>
        <div class="beside">
          <section class="hand" aria-label="Hand and panels">
            <div class="cards">
              {now.choices.map(([name, what]) => (
                <button key={name} type="button" data-id={name} class={offers.has(name) ? "card offered" : "card"} aria-pressed={chosen.includes(name)} onClick={() => choose(name)}>
                  <strong>{name}</strong> <span>{what}</span>
                </button>
              ))}
            </div>
            <Figures {...figures} label="Panels" kinds={["panel"]} />
          </section>
          {sending.kind !== "none" && (
            <details class="writing" open={isWide()}>
              <summary>Your orders{hasOrders && `: ${counted(drafts.text.trim().split("\n").length, "line")}`}</summary>
              <div class="drafts" role="group" aria-label="Drafts">
                {drafts.texts.map((_, at) => <button key={at} type="button" aria-pressed={at === drafts.at} onClick={() => drafts.choose(at)}>Draft {at + 1}</button>)}
                <button type="button" onClick={drafts.add}>New draft</button>
              </div>
              <Sheet engine={engine} look={look} viewer={viewer} text={drafts.text} legal={known.current} read={read} onText={drafts.write} />
              {sending.kind === "mail" && <MailLinks {...sending} game={game} viewer={viewer} sheet={sheet} />}
              {ways.length > 1 && (
                <ul class="ways" aria-label="Where your drafts lead">
                  {ways.map((way, at) => (
                    <li key={at} class={at === drafts.at ? "chosen" : undefined}>
                      <b>Draft {at + 1}</b>
                      <ol>{way.log.map((one) => <Entry key={one.number} entry={one} unit={unit} />)}</ol>
                      <p>{way.words}</p>
                    </li>
                  ))}
                </ul>
              )}
            </details>
          )}
          <section class="record" aria-label="Game">
            <h3>Log</h3>
            {(!moment || isWide()) && slider}
            <Log entries={look.log} game={game} viewer={viewer} at={moment?.n ?? null} onAt={onAt} />
            <h3>Standings</h3>
            <Standings standings={board.position.standings} game={game} before={ahead && !moment ? scoresIn(look) : before} />
          </section>
          <Legend picture={figures.drawn.picture} />
        </div>
        {rule && <RuleText key={rule.number} {...rule} onClose={() => setRule(null)} />}
      </div>
    </OpenRule.Provider>
  );
}

// The game as the viewer sees it, the drafts of its orders, and what Python says about them: mistakes and costs of the draft
// that is shown, and where each of them leads.
function useOrders({ engine, viewer, state, keeps, sending }: TableProps) {
  const [{ look, by }, setLook] = useState<{ look: Look | null; by: string }>({ look: null, by: viewer });
  const [read, setRead] = useState(NOTHING);
  const [{ ways, of }, setWays] = useState<{ ways: Supposed[]; of: string }>(UNKNOWN); // `of` the text that led there
  const seen = useRef(new Map<string, Map<string, number>>()).current; // the scores that each viewer saw last
  const [before, setBefore] = useState(new Map<string, number>());
  const drafts = useDrafts(look ? `drafts ${look.game.id} ${viewer}` : "", look?.game.turn ?? 0, keeps, look?.log.findLast((one) => one.seat === viewer)?.n ?? 0);
  const { text, texts, at } = drafts;

  const unseen = useNewest(async (isNewest) => {
    const found = await engine.ask("look", { viewer });
    if (!isNewest()) return;
    setBefore(seen.get(viewer) ?? new Map());
    seen.set(viewer, scoresIn(found));
    setLook({ look: found, by: viewer });
  }, [viewer, state]);

  const unread = useNewest(async (isNewest) => {
    if (!look || sending.kind === "none" || !text.trim()) {
      setRead(NOTHING);
      setWays(UNKNOWN);
      return;
    }
    const mistakes = await engine.ask("check", { viewer, text });
    if (!isNewest()) return;
    setRead({ ...mistakes, costs: NONE });
    const found = await Promise.all(texts.map((one) => engine.ask("what_if", { viewer, text: one })));
    if (!isNewest()) return;
    setWays({ ways: found, of: text });
    const costs = await engine.ask("costs", { viewer, text });
    if (isNewest()) setRead({ ...mistakes, ...costs });
  }, [look, text, texts.length, at]);
  const isBusy = !look || look.game.state !== state || by !== viewer || (sending.kind !== "none" && text.trim() !== "" && of !== text);
  return { look, drafts, read, ways: text.trim() ? ways : NONE, failure: unseen || unread, before, isBusy }; // an empty sheet leads nowhere
}

// Ask anew whenever `about` changes, one question at a time: of those that wait only the newest is asked. Return why the last one
// was refused; empty if it was not.
function useNewest(ask: (isNewest: () => boolean) => Promise<void>, about: unknown[]) {
  const [failure, setFailure] = useState("");
  const line = useRef<{ next: typeof ask | null; isBusy: boolean }>({ next: null, isBusy: false }).current;
  useEffect(() => {
    line.next = ask;
    if (line.isBusy) return;
    void (async () => {
      line.isBusy = true;
      while (line.next) {
        const now = line.next;
        line.next = null;
        await now(() => line.next === null).then(() => setFailure(""), (error: Error) => setFailure(error.message));
      }
      line.isBusy = false;
    })();
  }, about);
  return failure;
}

const scoresIn = ({ position }: Board) => new Map(position.standings.map((one) => [one.seat, one.score]));

function headline({ game, position }: Look, viewer: string) {
  if (game.over) return "The game is over.";
  if (game.due.includes(viewer)) return `${nameOf(viewer, game)}, it is your turn.`;
  return `Turn ${game.turn}: ${position.due.map((one) => nameOf(one.seat, game)).join(", ")} must decide.`;
}

// Why there is nothing to choose.
function endsOf({ game }: Look, ahead: Supposed | null, viewer: string) {
  if (ahead) return `${ahead.ahead ? "If it were your turn now: " : ""}${ahead.words}`;
  return game.over ? "The game is over." : viewer === "moderator" ? "" : "You have nothing to order now.";
}
