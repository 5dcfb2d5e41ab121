// The moderator's panel: mails come in, one sees what was read and what is wrong, adjudicates, reads the reports, and saves.
import { button, counted, fill, make, say } from "./elements.js";
import { MADE } from "./engine.js";
import { download, dropPlace } from "./files.js";
import { logLine, problemLine } from "./rows.js";

export class ModeratorPanel {
  #engine;
  #onChange;
  #mails = [];

  constructor(engine, game, onChange) {
    this.#engine = engine;
    this.#onChange = onChange;
    this.game = game;
    this.list = make("ul", { class: "mails" });
    this.result = make("div", { class: "result", "aria-live": "polite" });
    this.page = make("div", { class: "page" });
    const drop = dropPlace("Mails and turn files", "Drop them here, or click to choose them.", (files) => this.#add(files), { accept: ".txt,.eml,.mbox" });
    this.pasted = make("textarea", { rows: 4, "aria-label": "A pasted mail", placeholder: "… or paste a mail: “red:” above the orders says whose they are." });
    this.viewer = make("select", { "aria-label": "Reader of the report" }, make("option", { value: "" }, "everybody"), game.seats.map((seat) => make("option", { value: seat }, seat)), make("option", { value: "moderator" }, "moderator"));
    this.element = make(
      "section",
      { class: "moderator", "aria-label": "Moderator" },
      make("h2", {}, "This turn"),
      make("div", { class: "columns" }, drop, this.pasted),
      this.list,
      make(
        "div",
        { class: "send" },
        button("Check", () => this.#adjudicate(true)),
        button("Adjudicate", () => this.#adjudicate(false), "primary"),
        make("label", {}, "Report to ", this.viewer),
        button("Read", () => this.#read()),
        button("Save report", () => this.#saveReport()),
        button("Replay", () => this.#replay()),
        button("Undo the last turn", () => this.#undo()),
        button("Audit", () => this.#audit()),
      ),
      this.result,
      this.page,
    );
    this.#showMails();
  }

  #add(files) {
    this.#mails.push(...files);
    this.#showMails();
  }

  #showMails() {
    fill(
      this.list,
      this.#mails.map((mail, at) =>
        make("li", {}, mail.name, " ", button("Remove", () => {
          this.#mails.splice(at, 1);
          this.#showMails();
        })),
      ),
    );
  }

  async #adjudicate(isTrial) {
    const mails = [...this.#mails];
    if (!mails.length && !this.pasted.value.trim() && isTrial) return this.#tell(make("p", {}, "Add mails first: drop files, or paste a mail."));
    if (this.pasted.value.trim()) mails.push({ name: "pasted.txt", bytes: new TextEncoder().encode(this.pasted.value) });
    const found = await this.#engine.ask("apply", { trial: isTrial, names: mails.map((mail) => mail.name) }, mails.map((mail) => mail.bytes));
    if (found.error) return this.#tell(make("p", { class: "bad" }, found.error.message));
    const verb = isTrial ? "would be applied" : "applied";
    this.#tell(
      make("p", { class: found.problems.length ? "bad" : "good" }, `${counted(found.log.length, "order")} ${verb}, ${counted(found.problems.length, "problem")}.`),
      found.log.length
        ? make("ul", {}, found.log.map((row) => logLine(row, found.game.unit, (seat) => seat)))
        : null,
      found.problems.length
        ? make("ul", { class: "bad" }, found.problems.map((one) => problemLine(one, `${one.seat} ${one.source}${one.line ? `, line ${one.line}` : ""}`, one.text.trim())))
        : null,
      found.ignored.length ? make("details", {}, make("summary", {}, `Not read as orders: ${counted(found.ignored.length, "line")}`), make("ul", {}, found.ignored.map((one) => make("li", {}, one.text)))) : null,
    );
    if (isTrial) return;
    this.#mails = [];
    this.pasted.value = "";
    this.#showMails();
    await this.#onChange();
  }

  #tell(...parts) {
    fill(this.result, parts);
  }

  async #made(name, values, file) {
    const found = await this.#engine.ask(name, values);
    if (found.error) {
      this.#tell(make("p", { class: "bad" }, found.error.message));
      return null;
    }
    const store = await caches.open(MADE);
    await store.put(`./${MADE}/${file}`, new Response(found.bytes, { headers: { "content-type": "text/html; charset=utf-8" } }));
    return found.bytes;
  }

  async #read() {
    if (!navigator.serviceWorker?.controller) return this.#saveReport();
    const file = `report-${Date.now()}.html`;
    if (await this.#made("report", { viewer: this.viewer.value || null }, file))
      fill(this.page, make("iframe", { src: `./${MADE}/${file}`, title: "Report", sandbox: "allow-same-origin" }), button("Close", () => fill(this.page)));
  }

  async #saveReport() {
    const found = await this.#engine.ask("report", { viewer: this.viewer.value || null });
    if (found.error) return this.#tell(make("p", { class: "bad" }, found.error.message));
    download(`${this.game.id}-${this.viewer.value || "everybody"}.html`, found.bytes, "text/html");
  }

  async #replay() {
    const found = await this.#engine.ask("replay", { viewer: this.viewer.value || null });
    if (found.error) return this.#tell(make("p", { class: "bad" }, found.error.message));
    download(`${this.game.id}-replay.html`, found.bytes, "text/html");
  }

  async #undo() {
    const reason = prompt("Why do you take the last turn back? The record keeps the reason.");
    if (!reason) return;
    const found = await this.#engine.ask("undo", { reason });
    if (found.error) return this.#tell(make("p", { class: "bad" }, found.error.message));
    say("The last turn is taken back.", "good");
    await this.#onChange();
  }

  async #audit() {
    say("The program decides every order again …");
    const found = await this.#engine.ask("audit");
    say("");
    this.#tell(make("p", { class: found.error || !found.verified ? "bad" : "good" }, found.error?.message ?? found.text));
  }
}
