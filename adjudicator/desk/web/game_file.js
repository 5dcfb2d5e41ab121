// The file of a moderator's game: “Save” writes it, where the browser can, into the file that was opened; else it is a
// download. A mark shows changes that are not saved, and the browser warns before it loses them.
import { button, make, say } from "./elements.js";
import { download } from "./files.js";

const KIND = { description: "Game of adjudicator", accept: { "application/json": [".json"] } };

export class GameFile {
  #engine;
  #id;
  #opened;

  // `opened` is the file that the game comes from: its handle, and when it was changed last.
  constructor(engine, id, opened = null) {
    this.#engine = engine;
    this.#id = id;
    this.#opened = opened;
    this.mark = make("strong", { class: "unsaved", hidden: true }, "Not saved");
    this.button = button("Save the game", () => this.save());
  }

  get isChanged() {
    return !this.mark.hidden;
  }

  // Remember whether the game has changes that are not in the file.
  changed(isChanged = true) {
    this.mark.hidden = !isChanged;
    (isChanged ? addEventListener : removeEventListener)("beforeunload", warn);
  }

  // Ask whether the changes may get lost, if there are any.
  mayClose() {
    const may = !this.isChanged || confirm("This game has changes that are not saved. Close it anyway?");
    if (may) this.changed(false);
    return may;
  }

  async save() {
    const found = await this.#engine.ask("save");
    if (found.error) return say(found.error.message, "bad");
    const wasChanged = this.isChanged;
    this.changed(false); // later changes are not in these bytes
    try {
      await this.#write(found.bytes);
    } catch (error) {
      if (wasChanged) this.changed();
      if (error.name !== "AbortError") say(`The file cannot be written: ${error.message}`, "bad");
    }
  }

  async #write(bytes) {
    if (!window.showSaveFilePicker) return download(`${this.#id}.json`, bytes, "application/json");
    let handle = this.#opened?.handle;
    if (handle && (await handle.getFile()).lastModified !== this.#opened.lastModified) {
      say("Another program has changed the file: save the game under another name.", "bad");
      handle = null;
    }
    handle ??= await window.showSaveFilePicker({ suggestedName: `${this.#id}.json`, types: [KIND] });
    if ((await handle.requestPermission?.({ mode: "readwrite" })) === "denied") throw new Error("the browser does not allow it");
    const stream = await handle.createWritable();
    await stream.write(bytes);
    await stream.close();
    this.#opened = { handle, lastModified: (await handle.getFile()).lastModified };
    say(`${handle.name} is saved.`, "good");
  }
}

const warn = (event) => event.preventDefault();
