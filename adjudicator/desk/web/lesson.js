// A lesson: tasks that teach the orders of a game. The board and the editor below it are those of a player.
import { button, fill, make, say } from "./elements.js";
import { PlayerDesk } from "./player.js";

export class LessonPanel {
  #engine;
  #ruleset;
  #number = 1;
  #task;

  constructor(engine, ruleset) {
    this.#engine = engine;
    this.#ruleset = ruleset;
    this.panel = make("section", { class: "lesson", "aria-label": "Lesson" });
    this.place = make("div");
    this.element = make("div", {}, this.panel, this.place);
  }

  // Show the task with this `number`, from 1.
  async show(number) {
    const task = await this.#engine.ask("task", { ruleset: this.#ruleset, number });
    if (task.error) return say(task.error.message, "bad");
    [this.#number, this.#task] = [number, task];
    this.desk = new PlayerDesk(this.#engine, task.seat, false);
    this.hint = make("p", { "aria-live": "polite" });
    fill(
      this.panel,
      make("h2", {}, `Task ${number} of ${task.tasks}`),
      make("p", {}, task.say),
      make(
        "div",
        { class: "send" },
        button("Check my answer", () => this.#check(), "primary"),
        button("Show an answer", () => (this.desk.editor.text = task.answer)),
        number > 1 ? button("Back", () => this.show(number - 1)) : null,
        number < task.tasks ? button("Next task", () => this.show(number + 1)) : null,
      ),
      this.hint,
    );
    fill(this.place, this.desk.element);
    await this.desk.show();
    scrollTo(0, 0);
  }

  async #check() {
    const { error, solved } = await this.#engine.ask("solve", { ruleset: this.#ruleset, number: this.#number, text: this.desk.editor.text });
    const isLast = this.#number === this.#task.tasks;
    this.hint.className = solved ? "good" : "bad";
    this.hint.textContent = error ? error.message : !solved ? "Not yet: these orders do something else." : isLast ? "Right. That was the last task." : "Right. Go on to the next task.";
  }
}
