// The moderator's panel: this turn's mails, the reports, the mails to the players, and corrections.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Applied, Bytes, Corrected, Letter, LogEntry, OpenGame, WaitingOrders } from "./answers";
import { copy, mailLink, say } from "./elements";
import { type Engine, MADE } from "./engine";
import { download, DropPlace, type Taken } from "./files";
import { type Addresses, addressesOf, remember, remembered } from "./kept";
import { Entry, Mistake, nameOf } from "./log";
import { counted } from "./why";

const MOST = 20; // mails at a time; a game can have thousands of players

interface PanelProps { engine: Engine; game: OpenGame; onGame(game: OpenGame): void }
type Tell = (result: ComponentChildren) => void;

export function Moderator({ engine, game, onGame }: PanelProps) {
  const [result, tell] = useState<ComponentChildren>(null);
  const [reader, setReader] = useState("");
  const [page, setPage] = useState("");

  const viewer = reader || null;
  const save = async (made: Promise<Bytes>, file: string, type: string) => download(`${game.id}-${file}`, (await made).bytes, type);
  const saveReport = () => save(engine.ask("report", { viewer }), `${reader || "everybody"}.html`, "text/html");
  async function read() {
    if (!navigator.serviceWorker?.controller) return saveReport();
    const { bytes } = await engine.ask("report", { viewer });
    const address = `./${MADE}/report-${Date.now()}.html`;
    await (await caches.open(MADE)).put(address, new Response(bytes, { headers: { "content-type": "text/html; charset=utf-8" } }));
    setPage(address);
  }
  async function audit() {
    say("The program decides every order again …");
    const { verified, text } = await engine.ask("audit");
    say("");
    tell(<p class={verified ? "good" : "bad"}>{text}</p>);
  }

  return (
    <section class="moderator" aria-label="Moderator">
      <h2>This turn</h2>
      <Mails engine={engine} onGame={onGame} tell={tell} />
      <div class="result" aria-live="polite">{result}</div>
      <div class="send">
        <label>Report to <select aria-label="Reader of the report" value={reader} onChange={(event) => setReader(event.currentTarget.value)}>
          <option value="">everybody</option>
          {[...game.seats, "moderator"].map((seat) => <option key={seat}>{seat}</option>)}
        </select></label>
        <button type="button" onClick={read}>Read</button>
        <button type="button" onClick={saveReport}>Save report</button>
        <button type="button" onClick={() => save(engine.ask("replay", { viewer }), "replay.html", "text/html")}>Replay</button>
        <button type="button" onClick={() => save(engine.ask("archive"), "archive.adjudicator.db", "application/vnd.sqlite3")}>Archive</button>
        <button type="button" onClick={audit}>Audit</button>
      </div>
      {page && (
        <div class="page">
          <iframe src={page} title="Report" sandbox="allow-same-origin" />
          <button type="button" onClick={() => setPage("")}>Close the report</button>
        </div>
      )}
      <Letters engine={engine} game={game} />
      <Corrections engine={engine} game={game} onGame={onGame} />
    </section>
  );
}

// Mails come in: one sees what the program reads and what is wrong, and adjudicates.
function Mails({ engine, onGame, tell }: Omit<PanelProps, "game"> & { tell: Tell }) {
  const [mails, setMails] = useState<Taken[]>([]);
  const [pasted, paste] = useState("");
  async function adjudicate(trial: boolean) {
    if (!mails.length && !pasted.trim() && trial) return tell(<p>Add mails first: drop files, or paste a mail.</p>);
    const all = [...mails, ...(pasted.trim() ? [{ name: "pasted.txt", bytes: new TextEncoder().encode(pasted) }] : [])];
    try {
      const found = await engine.ask("apply", { trial, names: all.map((mail) => mail.name) }, all.map((mail) => mail.bytes));
      tell(<Results found={found} verb={trial ? "would be applied" : "applied"} />);
      if (trial) return;
      setMails([]);
      paste("");
      onGame(found.game);
    } catch (error) {
      tell(<p class="bad">{(error as Error).message}</p>);
    }
  }
  return (
    <div>
      <div class="columns">
        <DropPlace title="Mails and turn files" words="Drop them here, or click to choose them." accept=".txt,.eml,.mbox" onTake={(files) => setMails([...mails, ...files])} />
        <textarea rows={4} aria-label="A pasted mail" placeholder="… or paste a mail: “red:” above the orders says whose they are." value={pasted} onInput={(event) => paste(event.currentTarget.value)} />
      </div>
      <ul class="mails">
        {mails.map((mail, at) => <li key={at}>{mail.name} <button type="button" aria-label={`Remove ${mail.name}`} onClick={() => setMails(mails.toSpliced(at, 1))}>Remove</button></li>)}
      </ul>
      <div class="send">
        <button type="button" onClick={() => adjudicate(true)}>Check</button>
        <button type="button" class="primary" onClick={() => adjudicate(false)}>Adjudicate</button>
      </div>
    </div>
  );
}

function Results({ found: { game, log, problems, ignored, notes }, verb }: { found: Applied; verb: string }) {
  return (
    <>
      <p class={problems.length ? "bad" : "good"}>{counted(log.length, "order")} {verb}, {counted(problems.length, "problem")}.</p>
      {log.length > 0 && <ul>{log.map((entry, at) => <Entry key={at} entry={entry} unit={game.unit} />)}</ul>}
      {problems.length > 0 && (
        <ul class="bad">{problems.map((one, at) => <Mistake key={at} problem={one} place={`${one.seat} ${one.source}${one.line ? `, line ${one.line}` : ""}`} written={one.text.trim()} />)}</ul>
      )}
      {ignored.length > 0 && (
        <details>
          <summary>Not read as orders: {counted(ignored.length, "line")}</summary>
          <ul>{ignored.map((one, at) => <li key={at}>{one.source}, line {one.line} ({one.reason}): <code>{one.text.trim()}</code></li>)}</ul>
        </details>
      )}
      {notes.length > 0 && <ul>{notes.map(([seat, words], at) => <li key={at}>{seat}: {words}</li>)}</ul>}
    </>
  );
}

// Mails to the players with their reports, for the moderator's mail program. The browser keeps the addresses by game.
function Letters({ engine, game }: Omit<PanelProps, "onGame">) {
  const [isOpen, open] = useState(false);
  const [shown, show] = useState(MOST);
  const [letters, setLetters] = useState<Letter[]>([]);
  const [addresses, setAddresses] = useState<Addresses>(() => Object.assign(Object.create(null), remembered(addressesOf(game)))); // a seat may be called `constructor`
  useEffect(() => {
    let isNewest = isOpen;
    if (isOpen) void engine.ask("letters", { seats: game.seats.slice(0, shown) }).then((found) => isNewest && setLetters(found.letters));
    return () => void (isNewest = false);
  }, [isOpen, shown, game.state]);
  function address(seat: string, to: string) {
    const changed = Object.assign(Object.create(null), addresses, { [seat]: to });
    remember(addressesOf(game), changed);
    setAddresses(changed);
  }
  async function save(seat: string) {
    const { bytes } = await engine.ask("letter", { seat, to: (addresses[seat] ?? "").trim() });
    download(`${game.id}-${seat}.eml`, bytes, "message/rfc822");
  }
  const copied = (text: string) => copy(text, "The report is copied: paste it into a mail.", "download the mail instead.");
  return (
    <details class="part" onToggle={(event) => open(event.currentTarget.open)}>
      <summary>Mails to the players</summary>
      <ul class="letters">
        {letters.map(({ seat, subject, text }) => {
          const [name, to] = [nameOf(seat, game), (addresses[seat] ?? "").trim()];
          const whole = mailLink(to, subject, text.replace(/\r?\n/g, "\r\n"));
          return (
            <li key={seat}>
              <strong>{name}</strong>
              <input type="email" aria-label={`Mail address of ${name}`} placeholder="Mail address" autocomplete="off" value={addresses[seat] ?? ""} onInput={(event) => address(seat, event.currentTarget.value)} />
              <div class="send">
                <button type="button" aria-label={`Copy the report to ${name}`} onClick={() => copied(`${subject}\n\n${text}`)}>Copy</button>
                <a class="button" aria-label={`Write a mail to ${name}`} href={whole ?? mailLink(to, subject, "") ?? undefined} onClick={() => void (whole ?? copied(text))}>{whole ? "Write a mail" : "Copy and write a mail"}</a>
                <button type="button" aria-label={`Download .eml for ${name}`} onClick={() => save(seat)}>Download .eml</button>
              </div>
              <details><summary>{subject}</summary><pre tabIndex={0}>{text}</pre></details>
            </li>
          );
        })}
        {game.seats.length > shown && <li><button type="button" onClick={() => show(shown + MOST)}>Show more</button></li>}
      </ul>
    </details>
  );
}

// Corrections of a game, each with a reason that the record keeps: undo, amend, and the pending orders.
function Corrections({ engine, game, onGame }: PanelProps) {
  const [isOpen, open] = useState(false);
  const [reason, setReason] = useState("");
  const [changes, setChanges] = useState("");
  const [log, setLog] = useState<LogEntry[]>([]);
  const [to, setTo] = useState(0);
  const [pending, setPending] = useState<WaitingOrders | null>(null);
  const [result, tell] = useState<ComponentChildren>(null);
  const valid = log.filter((entry) => !entry.undone_by);
  const earlier = valid.slice(0, -1);
  const before = earlier.findLast((entry) => entry.turn < valid.at(-1)!.turn) ?? valid[0];
  useEffect(() => {
    if (!isOpen) return;
    void Promise.all([engine.ask("look", { viewer: "moderator" }), engine.ask("pending")]).then(([look, waiting]) => {
      setLog(look.log);
      setPending(waiting);
    });
  }, [isOpen, game.state]);
  useEffect(() => setTo(before?.n ?? 0), [log]);

  // Show what became of a change, or why it was refused.
  async function change<A extends { game: OpenGame }>(asked: Promise<A>, told: (found: A) => ComponentChildren) {
    try {
      const found = await asked;
      tell(told(found));
      onGame(found.game);
    } catch (error) {
      tell(<p class="bad">{(error as Error).message}</p>);
    }
  }
  const corrected = ({ game: { unit }, entry, correction: { dropped, warnings } }: Corrected) => {
    setChanges("");
    const aside = Object.entries(dropped).map(([seat, number]) => `${seat} ${counted(number, "order")}`);
    return (
      <>
        <p class="good">The game is corrected.</p>
        <ul><Entry entry={entry} unit={unit} /></ul>
        {aside.length > 0 && <p>Set aside: {aside.join(", ")}.</p>}
        {warnings.map((words, at) => <p key={at} class="bad">{words}</p>)}
      </>
    );
  };
  const moved = () => <p class="good">The pending orders are changed.</p>;
  const orders = (all: string[]) => <ol>{all.map((order, at) => <li key={at}><code>{order}</code></li>)}</ol>;
  return (
    <details class="part" onToggle={(event) => open(event.currentTarget.open)}>
      <summary>Correct the game</summary>
      <label class="field">Reason, for the record<input autocomplete="off" required value={reason} onInput={(event) => setReason(event.currentTarget.value)} /></label>
      <label class="field">Undo all after<select value={to} onChange={(event) => setTo(Number(event.currentTarget.value))}>
        {earlier.map((entry) => (
          <option key={entry.number} value={entry.n}>entry {entry.number}: {entry.seat ? `${entry.seat} ${entry.order}` : entry.order || "the set-up"}{entry === before && " (before the last turn)"}</option>
        ))}
      </select></label>
      <div class="send"><button type="button" disabled={valid.length < 2} onClick={() => change(engine.ask("undo", { to, reason }), corrected)}>Undo</button></div>
      <label class="field">Change the position: one change on each line<textarea rows={3} placeholder={"clock of red=31\nhand of red-=H5\ndiscard+=H5"} value={changes} onInput={(event) => setChanges(event.currentTarget.value)} />
        <small class="hint">Use the names in the game file. `=` sets a value, `+=` adds to a list, `-=` removes from it.</small></label>
      <div class="send"><button type="button" onClick={() => change(engine.ask("amend", { changes: changes.split("\n").map((line) => line.trim()).filter(Boolean), reason }), corrected)}>Amend</button></div>
      {pending && (
        <div>
          <h3>Pending orders</h3>
          {!pending.waiting.length && <p class="hint">No orders are pending.</p>}
          <ul>{pending.waiting.map(({ seat, turn, orders: all }, at) => (
            <li key={at}><b>{seat}</b>, since turn {turn} {orders(all)}<button type="button" aria-label={`Withdraw ${seat}`} onClick={() => change(engine.ask("withdraw", { seat, reason }), moved)}>Withdraw</button></li>
          ))}</ul>
          {pending.set_aside.length > 0 && <h3>Orders that were set aside</h3>}
          <ul>{pending.set_aside.map((sheet) => (
            <li key={sheet.n}><b>{sheet.seat}</b> {sheet.reason} {orders(sheet.orders)}<button type="button" aria-label={`Bring back ${sheet.seat} ${sheet.n}`} onClick={() => change(engine.ask("bring_back", { number: sheet.n }), moved)}>Bring back</button></li>
          ))}</ul>
        </div>
      )}
      <div class="result" aria-live="polite">{result}</div>
    </details>
  );
}
