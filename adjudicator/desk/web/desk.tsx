// The page: it opens a game, chooses whose table is shown, and hands files back to the person.
//
// Where to look: engine.ts asks Python, which worker.ts runs, or a club (club.tsx). table.tsx is the table of a seat, with all that belongs to it;
// first.tsx and new_game.tsx are the first page, moderator.tsx is the moderator's panel. files.tsx and kept.ts have the files
// of the person and what the browser keeps.
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { KnownGame, OpenGame, TaskToSolve } from "./answers";
import { ClubTable, type Served } from "./club";
import { say } from "./elements";
import { MADE, OwnPython, Refusal } from "./engine";
import { type Origin, type Taken, writeGame } from "./files";
import { First } from "./first";
import { type Addresses, addressesOf, keep, type Post, remember } from "./kept";
import { nameOf } from "./log";
import { Moderator } from "./moderator";
import { type Outcome, type Sending } from "./sheet";
import { Table } from "./table";
import { counted } from "./why";

const main = document.getElementById("main")!;
const actions = document.getElementById("actions")!;

// Who sits at the page: a player with an own file, a moderator, one person with simulated players, or one for all seats.
type Role = "own" | "moderator" | "alone" | "all";
type Screen =
  | { kind: "first" }
  | { kind: "report"; address: string }
  | { kind: "lesson"; ruleset: string; number: number; task: TaskToSolve }
  | { kind: "game"; role: Role; game: OpenGame; viewer: string; post: Post | null; origin: Origin | null };

function Page({ engine }: { engine: OwnPython }) {
  const [screen, setScreen] = useState<Screen>({ kind: "first" });
  const [added, setAdded] = useState(0);
  const now = useRef(screen); // what is shown when an answer of Python arrives
  const unsaved = screen.kind === "game" ? screen.game.unsaved : 0;

  function show(next: Screen) {
    const isOther = next.kind !== now.current.kind;
    setScreen((now.current = next));
    if (!isOther || next.kind === "report") return;
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  // Show the open game after a change, perhaps to another `viewer`.
  function update(game: OpenGame, viewer?: string) {
    if (now.current.kind === "game") show({ ...now.current, game, viewer: viewer ?? now.current.viewer });
  }
  const showGame = (role: Role, game: OpenGame, viewer: string, post: Post | null = null, origin: Origin | null = null) => show({ kind: "game", role, game, viewer, post, origin });
  const mayClose = () => now.current.kind !== "game" || !now.current.game.unsaved || confirm("This game has changes that are not saved. Close it anyway?");

  // Open a file; `from` is where it comes from, if the browser may write into it.
  async function open(name: string, bytes: Uint8Array, post: Post | null = null, from?: Taken) {
    if (!mayClose()) return;
    say(`Opening ${name} …`);
    const { game } = await engine.ask("open", { name }, [bytes]);
    say("");
    if (game.own) showGame("own", game, game.own, await keep(game, name, bytes, post));
    else if (game.fork) showGame("alone", game, game.fork);
    else showGame("moderator", game, "moderator", null, from?.handle && name.endsWith(".json") ? from : null);
  }

  // Add several players' own files to the list of games.
  async function addFiles(files: Taken[]) {
    const failed: string[] = [];
    for (const { name, bytes } of files) {
      try {
        const { game } = await engine.ask("open", { name }, [bytes]);
        if (!game.own) throw new Refusal(`${name} has a whole game: open it alone.`);
        await keep(game, name, bytes);
      } catch (error) {
        failed.push((error as Refusal).message);
      }
    }
    say(failed.join(" "), failed.length ? "bad" : "");
    setAdded((count) => count + 1);
  }

  function moderate(game: OpenGame, addresses: Addresses) {
    remember(addressesOf(game), addresses);
    say("");
    showGame("moderator", game, "moderator");
  }

  // Begin a game for one person, who plays one seat or all of them; …/#seed=7 always gives the same one.
  async function practice(known: KnownGame, names: readonly string[], isAlone: boolean) {
    const seed = new URLSearchParams(location.hash.slice(1)).get("seed") ?? "";
    const seats = names.slice(0, Math.max(2, known.players[0]));
    const player = (seat: string, at: number) => (isAlone ? (at ? `Robot ${at}` : "You") : seat[0].toUpperCase() + seat.slice(1));
    const players = seats.map((seat, at): [string, string] => [seat, player(seat, at)]);
    const begun = await engine.ask("new", { ruleset: known.id, players, id: `practice-${known.id}`, seed: /^\d{1,9}$/.test(seed) ? Number(seed) : undefined, practice: true });
    const { game } = isAlone ? await engine.ask("answer_first", { viewer: seats[0] }) : begun;
    showGame(isAlone ? "alone" : "all", game, isAlone ? seats[0] : game.due[0]);
  }

  // Play what is on the sheet of `viewer`. Then the others answer: simulated players, or the person for the next seat.
  async function play(viewer: string, text: string, isAlone: boolean): Promise<Outcome> {
    const { game, problems, log } = await engine.ask("play", { viewer, text, alone: isAlone });
    if (problems.some((one) => one.code === "orders/empty")) throw new Refusal("There are no orders: write one, or choose one from the list.");
    const clear = !problems.length;
    const next = isAlone || !clear || game.over || game.due.includes(viewer) ? viewer : game.due[0];
    update(game, next);
    const then = !clear ? ` Mistakes: ${problems.length}. Line ${problems[0].line}: ${problems[0].message}` : game.over ? " The game is over." : isAlone ? "" : ` Now it is ${next}’s turn.`;
    say(`Applied: ${counted(log.length, "order")}.${then}`, clear ? "good" : "bad");
    return { words: "", kind: "good", clear };
  }
  async function step(by: number) {
    const { game } = await engine.ask("step", { by });
    if (now.current.kind === "game") update(game, now.current.role === "all" ? game.due[0] : undefined);
    say(by < 0 ? "The last move is taken back." : "The move is played again.");
  }

  // Play on privately from the position after entry `n`, as the viewer knew it; simulated players have the other seats.
  async function fork(viewer: string, n: number) {
    if (!mayClose()) return;
    const { game } = await engine.ask("fork", { viewer, n });
    say(`This is a private game: it goes on after entry ${n}. What you did not know is dealt anew.`);
    if (game.fork) showGame("alone", game, game.fork);
    else showGame("all", game, game.due[0]);
  }

  // Teach the orders of a game; …/#lesson=checkered-flag.3 opens its third task.
  async function learn(ruleset: string, number: number) {
    show({ kind: "lesson", ruleset, number, task: await engine.ask("task", { ruleset, number }) });
    scrollTo(0, 0);
  }

  async function save() {
    if (now.current.kind !== "game") return;
    const { game, origin } = now.current;
    const { bytes } = await engine.ask("save");
    try {
      const written = await writeGame(game.id, bytes, origin);
      const marked = await engine.ask("saved", { state: game.state });
      if (now.current.kind === "game") show({ ...now.current, game: marked.game, origin: written });
    } catch (error) {
      if ((error as Error).name !== "AbortError") say(`The file cannot be written: ${(error as Error).message}`, "bad");
    }
  }

  // Go back to the first page. The address names the game no longer, so that its link opens it again.
  function close() {
    if (!mayClose()) return;
    if (namedFile() !== null) history.replaceState(null, "", location.pathname);
    say("");
    show({ kind: "first" });
  }

  async function openAddress() {
    const [, ruleset, number] = /\blesson=([a-z-]+)(?:\.(\d+))?/.exec(location.hash) ?? [];
    if (ruleset) return mayClose() ? learn(ruleset, Number(number ?? 1)) : undefined;
    const address = namedFile();
    if (address === undefined) return say("This link names no file of this host: download the file and open it here.", "bad");
    if (address === null) return;
    const found = await fetch(address, FRESH).catch(() => null);
    if (!found?.ok) return say(`There is no file at ${address.pathname}.`, "bad");
    await open(address.pathname.split("/").pop()!, new Uint8Array(await found.arrayBuffer()), namedPost());
  }

  useEffect(() => {
    void (async () => {
      say("Python is loading …");
      const address = await reportBeside();
      if (address) show({ kind: "report", address });
      try {
        await engine.ready;
        say("");
        document.body.dataset.ready = "yes";
        await openAddress();
        if (now.current.kind === "report") show({ kind: "first" });
        addEventListener("hashchange", openAddress); // another link in the same tab
      } catch (error) {
        say(`The desk could not start: ${(error as Error).message}`, "bad");
      }
    })();
  }, []);
  useLayoutEffect(() => {
    if (!unsaved) return; // with the words “Not saved”, not after them
    const warn = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [unsaved > 0]);
  useLayoutEffect(() => render(<Actions screen={screen} onViewer={(viewer) => screen.kind === "game" && update(screen.game, viewer)} onSave={save} onClose={close} />, actions), [screen]);

  switch (screen.kind) {
    case "report": // its zoom runs, but cannot reach the desk
      return <iframe class="report" src={screen.address} title="Your report" sandbox="allow-scripts" />;
    case "lesson":
      return <Lesson key={`${screen.ruleset}.${screen.number}`} engine={engine} {...screen} onTask={(number) => learn(screen.ruleset, number)} />;
    case "game": {
      const { role, game, viewer, post } = screen;
      const isPractice = role === "alone" || role === "all";
      const sending: Sending = isPractice
        ? { kind: "play", label: "Play these orders", send: (text) => play(viewer, text, role === "alone") }
        : viewer === "moderator" ? { kind: "none" } : { kind: "mail", to: post?.to ?? "", token: post?.token ?? "" };
      const history = isPractice ? { undo: game.undo ? () => step(-1) : undefined, redo: game.redo ? () => step(1) : undefined } : undefined;
      return (
        <>
          {role === "moderator" && <Moderator key={game.id} engine={engine} game={game} onGame={(changed) => update(changed)} />}
          <Table key={game.id} engine={engine} viewer={viewer} state={game.state} keeps={role === "own"} sending={sending} history={history} onFork={(n) => fork(viewer, n)} />
        </>
      );
    }
    default:
      return <First engine={engine} added={added} onOpen={open} onAdd={addFiles} onPractice={practice} onLearn={(ruleset) => learn(ruleset, 1)} onBegun={moderate} />;
  }
}

// What the bar of the page offers: whose table is shown, the file of the game, and the way back.
function Actions({ screen, onViewer, onSave, onClose }: { screen: Screen; onViewer(viewer: string): void; onSave(): void; onClose(): void }) {
  if (screen.kind !== "game") return screen.kind === "lesson" ? <button type="button" onClick={onClose}>Close</button> : null;
  const { role, game, viewer } = screen;
  return (
    <>
      {(role === "moderator" || role === "all") && (
        <label>{role === "all" ? "Seat " : "View as "}
          <select id="viewer" value={viewer} onChange={(event) => onViewer(event.currentTarget.value)}>
            {[...(role === "all" ? [] : ["moderator"]), ...game.seats].map((seat) => <option key={seat} value={seat}>{nameOf(seat, game)}</option>)}
          </select>
        </label>
      )}
      {role !== "own" && <strong class="unsaved" hidden={!game.unsaved}>Not saved: {counted(game.unsaved, role === "moderator" ? "change" : "move")}</strong>}
      {role !== "own" && <button type="button" onClick={onSave}>Save the game</button>}
      <button type="button" onClick={onClose}>Close</button>
    </>
  );
}

// A task that teaches the orders of a game, with the table of its seat.
function Lesson({ engine, ruleset, number, task, onTask }: { engine: OwnPython; ruleset: string; number: number; task: TaskToSolve; onTask(number: number): void }) {
  const [suggested, suggest] = useState<{ text: string }>();
  async function check(text: string): Promise<Outcome> {
    const { solved } = await engine.ask("solve", { ruleset, number, text });
    const right = number === task.tasks ? "Right. That was the last task." : "Right. Go on to the next task.";
    return { words: solved ? right : "Not yet: these orders do something else.", kind: solved ? "good" : "bad", clear: false };
  }
  return (
    <>
      <section class="lesson" aria-label="Lesson">
        <h2>Task {number} of {task.tasks}</h2>
        <p>{task.say}</p>
        <div class="send">
          <button type="button" onClick={() => suggest({ text: task.answer })}>Show an answer</button>
          {number > 1 && <button type="button" onClick={() => onTask(number - 1)}>Back</button>}
          {number < task.tasks && <button type="button" onClick={() => onTask(number + 1)}>Next task</button>}
        </div>
      </section>
      <Table engine={engine} viewer={task.seat} state={task.game.state} keeps={false} sending={{ kind: "play", label: "Check my answer", send: check }} suggested={suggested} />
    </>
  );
}

// A player's file has the same address after each turn: ask the server whether the browser's copy is still right.
const FRESH: RequestInit = { cache: "no-cache" };

// The link …/#file=URL names a file of the same host: undefined if it names anything else, null if it names nothing.
function namedFile(): URL | null | undefined {
  const wanted = new URLSearchParams(location.hash.slice(1)).get("file");
  if (!wanted) return null;
  const address = URL.canParse(wanted, location.href) ? new URL(wanted, location.href) : undefined;
  return address?.origin === location.origin ? address : undefined;
}

// The link of a club goes on with &to=ADDRESS&token=TOKEN: where orders go, and what shows that they are the player's.
function namedPost(): Post | null {
  const { to, token } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  return to && /^[a-z0-9-]{8,80}$/.test(token) ? { to, token } : null;
}

// Return the address of the report that lies beside the named file as a page, which is shown while Python loads; else null.
async function reportBeside(): Promise<string | null> {
  const address = namedFile();
  if (!address?.pathname.endsWith(".json")) return null;
  address.pathname = address.pathname.replace(/json$/, "html");
  return (await fetch(address, FRESH).catch(() => null))?.ok ? address.href : null;
}

document.querySelector(".skip")!.addEventListener("click", (event) => {
  event.preventDefault(); // the address goes on naming the file
  main.focus();
});
const served = document.querySelector<HTMLMetaElement>("meta[name=desk-server]"); // a club serves the page, and has Python
if (served) {
  render(<ClubTable base={served.content} {...(served.dataset as unknown as Omit<Served, "base">)} />, main);
} else {
  if ("serviceWorker" in navigator && isSecureContext) navigator.serviceWorker.register("./service.js").catch(() => {});
  if ("caches" in window) caches.delete(MADE).catch(() => {});
  render(<Page engine={new OwnPython(new URL("worker.js", import.meta.url))} />, main);
}
