// Your games: those in which it is your turn come first. The list has the players' own files that were opened before.
import { button, fill, make } from "./elements.js";
import { forget, keptFiles } from "./kept.js";

export class TaskList {
  #open;

  // `open(name, bytes)` shows a game.
  constructor(open) {
    this.#open = open;
    this.element = make("section", { class: "tasks", hidden: true, "aria-label": "Your games" });
  }

  async show() {
    const files = await keptFiles();
    const isDue = ({ game }) => game.due.includes(game.own);
    const [due, others] = [files.filter(isDue), files.filter((file) => !isDue(file))];
    this.element.hidden = !files.length;
    fill(
      this.element,
      make("h2", {}, "Your games"),
      due.length ? make("ul", {}, due.map((file) => this.#task(file, "Your turn in "))) : make("p", { class: "hint" }, "You have nothing to decide in these games."),
      others.length && due.length ? make("h3", {}, "Nothing to do") : null,
      others.length ? make("ul", { class: "waiting" }, others.map((file) => this.#task(file, ""))) : null,
      make("p", { class: "hint" }, "This browser keeps copies of the files that you opened. Keep your own files, too: a browser may forget its copies."),
    );
  }

  #task({ key, game, name, bytes, opened }, words) {
    const day = new Date(opened).toLocaleDateString("en", { day: "numeric", month: "long" });
    const where = game.over ? "the game is over" : `turn ${game.turn}`;
    return make(
      "li",
      {},
      make("button", { type: "button", class: words ? "primary" : "", onclick: () => this.#open(name, bytes) }, `${words}${game.id}`),
      make("span", {}, `${game.name}, ${game.own}, ${where}, file opened on ${day}`),
      make("button", { type: "button", "aria-label": `Forget ${game.id}`, onclick: () => forget(key).then(() => this.show()) }, "Forget"),
    );
  }
}
