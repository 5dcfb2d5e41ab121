// The moderator's panel: this turn's mails, the reports, the mails to the players, corrections.
import { Corrections } from "./corrections.js";
import { button, fill, make, say } from "./elements.js";
import { MADE } from "./engine";
import { download } from "./files.js";
import { Letters } from "./letters.js";
import { Mails } from "./mails.js";

export class ModeratorPanel {
  #engine;

  // `onChange()` is called when the game has changed.
  constructor(engine, game, onChange) {
    this.#engine = engine;
    this.game = game;
    this.result = make("div", { class: "result", "aria-live": "polite" });
    this.page = make("div", { class: "page" });
    const tell = (...parts) => this.#tell(...parts);
    const changed = () => Promise.all([onChange(), this.letters.show(), this.corrections.show()]);
    this.letters = new Letters(engine, game);
    this.corrections = new Corrections(engine, changed);
    this.viewer = make("select", { "aria-label": "Reader of the report" }, make("option", { value: "" }, "everybody"), game.seats.map((seat) => make("option", { value: seat }, seat)), make("option", { value: "moderator" }, "moderator"));
    this.element = make(
      "section",
      { class: "moderator", "aria-label": "Moderator" },
      make("h2", {}, "This turn"),
      new Mails(engine, tell, changed).element,
      this.result,
      make(
        "div",
        { class: "send" },
        make("label", {}, "Report to ", this.viewer),
        button("Read", () => this.#read()),
        button("Save report", () => this.#save("report", `${this.viewer.value || "everybody"}.html`, "text/html")),
        button("Replay", () => this.#save("replay", "replay.html", "text/html")),
        button("Archive", () => this.#save("archive", "archive.jsonl.zst", "application/zstd")),
        button("Audit", () => this.#audit()),
      ),
      this.page,
      this.letters.element,
      this.corrections.element,
    );
  }

  #tell(...parts) {
    fill(this.result, parts.flat());
  }

  // Return the bytes of the file that the program makes for the chosen reader, or null after an error.
  async #made(name) {
    const found = await this.#engine.ask(name, { viewer: this.viewer.value || null });
    if (!found.error) return found.bytes;
    this.#tell(make("p", { class: "bad" }, found.error.message));
    return null;
  }

  async #read() {
    if (!navigator.serviceWorker?.controller) return this.#save("report", `${this.viewer.value || "everybody"}.html`, "text/html");
    const bytes = await this.#made("report");
    if (!bytes) return;
    const address = `./${MADE}/report-${Date.now()}.html`;
    await (await caches.open(MADE)).put(address, new Response(bytes, { headers: { "content-type": "text/html; charset=utf-8" } }));
    fill(this.page, make("iframe", { src: address, title: "Report", sandbox: "allow-same-origin" }), button("Close the report", () => fill(this.page)));
  }

  async #save(name, file, type) {
    const bytes = await this.#made(name);
    if (bytes) download(`${this.game.id}-${file}`, bytes, type);
  }

  async #audit() {
    say("The program decides every order again …");
    const found = await this.#engine.ask("audit");
    say("");
    this.#tell(make("p", { class: found.error || !found.verified ? "bad" : "good" }, found.error?.message ?? found.text));
  }
}
