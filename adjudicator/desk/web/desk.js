// The page: it opens a game, chooses whose desk is shown, and hands files back to the person.
//
// Where to look: engine.js asks Python, which worker.js runs. player.js, moderator.js, lesson.js and auditor.js are the
// desks. A player's desk is made of board.js, editor.js, choice.js (what can be clicked next), drafts.js and what_if.js.
// A moderator's begins with new_game.js and is made of mails.js, letters.js, corrections.js and game_file.js.
// tasks.js lists your games, which kept.js keeps. elements.js, rows.js and files.js have what all desks use.
import { AuditorDesk } from "./auditor.js";
import { button, counted, fill, make, say } from "./elements.js";
import { Engine, MADE } from "./engine";
import { dropPlace } from "./files.js";
import { GameFile } from "./game_file.js";
import { keep } from "./kept.js";
import { LessonPanel } from "./lesson.js";
import { keepAddresses } from "./letters.js";
import { ModeratorPanel } from "./moderator.js";
import { NewGame } from "./new_game.js";
import { PlayerDesk } from "./player.js";
import { nameOf } from "./rows.js";
import { TaskList } from "./tasks.js";

const main = document.getElementById("main");
const actions = document.getElementById("actions");
const engine = new Engine(new URL("worker.js", import.meta.url));
const tasks = new TaskList(open);
let desk = null;
let file = null; // the moderator's game file
let usualSeats = [];

start();

async function start() {
  if ("serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("./service.js").catch(() => {});
  if ("caches" in window) caches.delete(MADE).catch(() => {});
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address goes on naming the file
    main.focus();
  });
  welcome();
  say("Python is loading …");
  await showReport();
  try {
    await engine.ready;
    say("");
    document.body.dataset.ready = "yes";
    await openAddress();
    addEventListener("hashchange", openAddress); // another link in the same tab
  } catch (error) {
    say(`The desk could not start: ${error.message}`, "bad");
  }
}

// A player's file has the same address after each turn: ask the server whether the browser's copy is still right.
const FRESH = { cache: "no-cache" };

// The link …/#file=URL names a file of the same host: undefined if it names anything else, null if it names nothing.
function namedFile() {
  const wanted = new URLSearchParams(location.hash.slice(1)).get("file");
  if (!wanted) return null;
  const address = URL.canParse(wanted, location.href) ? new URL(wanted, location.href) : undefined;
  return address?.origin === location.origin ? address : undefined;
}

// The link of a club goes on with &to=ADDRESS&token=TOKEN: where orders go, and what shows that they are the player's.
function namedPost() {
  const { to, token } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  return to && /^[a-z0-9-]{8,80}$/.test(token) ? { to, token } : null;
}

// While Python loads, show the report that lies beside the file as a page, if there is one. Its zoom runs, but cannot reach
// the desk.
async function showReport() {
  const address = namedFile();
  if (!address?.pathname.endsWith(".json")) return;
  address.pathname = address.pathname.replace(/json$/, "html");
  const found = await fetch(address, FRESH).catch(() => null);
  if (found?.ok) fill(main, make("iframe", { class: "report", src: address.href, title: "Your report", sandbox: "allow-scripts" }));
}

async function openAddress() {
  const [, ruleset, number] = /\blesson=([a-z-]+)(?:\.(\d+))?/.exec(location.hash) ?? [];
  if (ruleset) return file && !file.mayClose() ? null : learn(ruleset, Number(number ?? 1));
  const address = namedFile();
  if (address === undefined) return say("This link names no file of this host: download the file and open it here.", "bad");
  if (address === null) return;
  const found = await fetch(address, FRESH).catch(() => null);
  if (!found?.ok) return say(`There is no file at ${address.pathname}.`, "bad");
  await open(address.pathname.split("/").pop(), new Uint8Array(await found.arrayBuffer()), namedPost());
}

function welcome() {
  const drop = dropPlace(
    "Open a game",
    "Drop your game file here, or click to choose it. A player gets one with each report, a moderator has the file of the game. Drop several of your own files to see where it is your turn.",
    (files) => (files.length === 1 ? open(files[0].name, files[0].bytes, null, files[0]) : keepAll(files)),
    { kind: "drop", id: "file", accept: ".json,.txt", keepsHandles: true },
  );
  tasks.show();
  const games = make("div", { class: "games" });
  const newGame = new NewGame(engine, moderate);
  fill(main, make("div", { class: "welcome" }, tasks.element, drop, make("section", {}, make("h2", {}, "Play here"), make("p", { class: "hint" }, "You play one seat, and simulated players play the others. Or you play all seats. Or you learn to write orders in ten small tasks."), games), newGame.element, new AuditorDesk(engine, open).element));
  engine.ready.then(async () => {
    const found = await engine.ask("games");
    if (found.error) return say(found.error.message, "bad");
    usualSeats = found.seats;
    newGame.offer(found.games, usualSeats);
    fill(games, found.games.map((game) => make("div", { class: "game" }, make("strong", {}, game.name), make("span", {}, playersOf(game)), make("button", { type: "button", class: "primary", "aria-label": `Play one seat of ${game.name}`, onclick: () => practice(game, false) }, "Play one seat"), make("button", { type: "button", "aria-label": `Play all seats of ${game.name}`, onclick: () => practice(game, true) }, "Play all seats"), make("button", { type: "button", "aria-label": `Learn the orders of ${game.name}`, onclick: () => learn(game.id, 1) }, "Learn the orders"))));
  }, () => {});
}

// Open a file; `opened` is where it comes from, if the browser may write into it.
async function open(name, bytes, post = null, opened = null) {
  if (file && !file.mayClose()) return;
  say(`Opening ${name} …`);
  const found = await engine.ask("open", { name }, [bytes]);
  if (found.error) return say(found.error.message, "bad");
  say("");
  file = found.game.own ? null : new GameFile(engine, found.game.id, opened?.handle && name.endsWith(".json") ? opened : null);
  await show(found.game, null, found.game.own ? await keep(found.game, name, bytes, post) : null);
}

// Show a new game to its moderator, and keep the `addresses` of its players.
async function moderate(game, addresses) {
  keepAddresses(game.id, addresses);
  file = new GameFile(engine, game.id);
  file.changed();
  say("");
  await show(game);
}

// Add several players' own files to the list of games.
async function keepAll(files) {
  const refused = [];
  for (const { name, bytes } of files) {
    const { error, game } = await engine.ask("open", { name }, [bytes]);
    if (game?.own) await keep(game, name, bytes);
    else refused.push(error ? error.message : `${name} has a whole game: open it alone.`);
  }
  say(refused.join(" "), refused.length ? "bad" : "");
  await tasks.show();
}

function playersOf({ players: [least, most] }) {
  return least === most ? `${least} players` : `${least} to ${most.toLocaleString("en")} players`;
}

// Teach the orders of a game; …/#lesson=checkered-flag.3 opens its third task.
async function learn(ruleset, number) {
  const lesson = new LessonPanel(engine, ruleset);
  fill(main, lesson.element);
  fill(actions, button("Close", leave));
  await lesson.show(number);
}

// Begin a game for one person, who plays one seat or all of them; …/#seed=7 always gives the same one.
async function practice(game, isAll) {
  const seed = new URLSearchParams(location.hash.slice(1)).get("seed");
  const seats = usualSeats.slice(0, Math.max(2, game.players[0]));
  const players = Object.fromEntries(seats.map((seat, at) => [seat, isAll ? seat[0].toUpperCase() + seat.slice(1) : at ? `Robot ${at}` : "You"]));
  const found = await engine.ask("new", { ruleset: game.id, players: Object.entries(players), practice: true, id: `practice-${game.id}`, seed: /^\d{1,9}$/.test(seed ?? "") ? Number(seed) : undefined });
  if (found.error) return say(found.error.message, "bad");
  if (!isAll) await answerForOthers(seats[0]);
  await show(found.game, isAll ? found.game.due[0] : seats[0], null, isAll);
}

// Show the desk of a seat. With `you` the person plays that seat, and the program answers for the others, or with `isAll` the
// person plays them, too. The file of a whole game is a moderator's: the panel for the turn comes with it. `post` says where
// a player's orders go.
async function show(game, you, post = null, isAll = false) {
  const isModerators = !game.own && !you;
  const viewer = game.own ?? you ?? "moderator";
  desk = new PlayerDesk(engine, viewer, !you, post);
  const panel = isModerators ? new ModeratorPanel(engine, game, () => (file.changed(), desk.show())) : null;
  file ??= game.own ? null : new GameFile(engine, game.id);
  fill(main, panel?.element, desk.element);
  fill(
    actions,
    isModerators || isAll
      ? make("label", {}, isAll ? "Seat " : "View as ", make("select", { id: "viewer", onchange: (event) => desk.show(event.target.value) }, [...(isAll ? [] : ["moderator"]), ...game.seats].map((seat) => make("option", { value: seat, selected: seat === viewer }, nameOf(seat, game)))))
      : null,
    you ? button("Play these orders", () => play(isAll ? null : you), "primary") : null,
    file?.mark,
    file?.button,
    button("Close", leave),
  );
  await desk.show();
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

// Adjudicate the orders in the editor. Then the others answer: simulated players for all but `you`, or without `you` the
// person, who goes on with the next seat.
async function play(you) {
  const found = await engine.ask("apply", { texts: { [desk.viewer]: desk.editor.text } });
  if (found.error) return say(found.error.message, "bad");
  const { game, problems } = found;
  if (problems.some((one) => one.code === "orders/empty")) return say("There are no orders: write one, or choose one from the list.", "bad");
  if (found.changed) file.changed();
  const mistakes = problems.length;
  if (!mistakes) desk.editor.text = "";
  if (you) await answerForOthers(you);
  const next = you || mistakes || game.over || game.due.includes(desk.viewer) ? desk.viewer : game.due[0];
  if (!you) document.getElementById("viewer").value = next;
  await desk.show(next);
  const then = mistakes ? ` Mistakes: ${mistakes}. Line ${problems[0].line}: ${problems[0].message}` : game.over ? " The game is over." : you ? "" : ` Now it is ${next}’s turn.`;
  say(`Applied: ${counted(found.log.length, "order")}.${then}`, mistakes ? "bad" : "good");
}

// Let simulated players decide until it is `you` again, or the game is over.
async function answerForOthers(you) {
  const look = await engine.ask("look", { viewer: you });
  if (look.error) return say(look.error.message, "bad");
  let { game } = look;
  for (let orders = 0; orders < 500; orders++) {
    const other = game.due.find((seat) => seat !== you);
    if (game.over || game.due.includes(you) || !other) return;
    const { order, error } = await engine.ask("choose", { seat: other, seed: orders });
    if (error) return say(error.message, "bad");
    const found = await engine.ask("apply", { texts: { [other]: order } });
    if (found.error || found.problems.length) return say(found.error?.message ?? found.problems[0].message, "bad");
    ({ game } = found);
  }
}

// Go back to the first page. The address names the game no longer, so that its link opens it again.
function leave() {
  if (file && !file.mayClose()) return;
  if (namedFile() !== null) history.replaceState(null, "", location.pathname);
  desk = file = null;
  fill(actions);
  say("");
  welcome();
}
