// Mails to the players with their reports, for the moderator's mail program. The browser keeps the addresses by game.
import { button, fill, make, say } from "./elements.js";
import { download } from "./files.js";
import { nameOf } from "./rows.js";

const LONGEST_LINK = 1900; // characters of a mailto link that all mail programs take
const MOST = 20; // mails at a time; a game can have thousands of players

export class Letters {
  #engine;
  #game;
  #addresses;
  #shown = MOST;

  constructor(engine, game) {
    this.#engine = engine;
    this.#game = game;
    this.#addresses = kept(game.id);
    this.list = make("ul", { class: "letters" });
    this.element = make("details", { class: "part", ontoggle: () => this.show() }, make("summary", {}, "Mails to the players"), this.list);
  }

  // Write the mails about the game as it is now, if they are shown at all.
  async show() {
    const game = this.#game;
    if (!this.element.open) return;
    const found = await this.#engine.newest("letters", { seats: game.seats.slice(0, this.#shown) });
    if (!found) return;
    if (found.error) return say(found.error.message, "bad");
    const more = game.seats.length > this.#shown ? button("Show more", () => { this.#shown += MOST; this.show(); }) : null;
    fill(this.list, found.letters.map((letter) => this.#letter(letter)), more ? make("li", {}, more) : null);
  }

  #letter(letter) {
    const { seat, subject, text } = letter;
    const name = nameOf(seat, this.#game);
    const links = make("span");
    const address = make("input", { type: "email", value: this.#addresses[seat] ?? "", "aria-label": `Mail address of ${name}`, placeholder: "Mail address", autocomplete: "off", oninput: () => {
      this.#addresses[seat] = address.value.trim();
      keepAddresses(this.#game.id, this.#addresses);
      link();
    } });
    const link = () => {
      const whole = mailLink(address.value.trim(), subject, text);
      const isShort = whole.length <= LONGEST_LINK;
      const values = isShort ? { href: whole } : { href: mailLink(address.value.trim(), subject), onclick: () => copy(text) };
      fill(links, make("a", { class: "button", ...values, "aria-label": `Write a mail to ${name}` }, isShort ? "Write a mail" : "Copy and write a mail"));
    };
    link();
    return make(
      "li",
      {},
      make("strong", {}, name),
      address,
      make("div", { class: "send" },
        make("button", { type: "button", "aria-label": `Copy the report to ${name}`, onclick: () => copy(`${subject}\n\n${text}`) }, "Copy"),
        links,
        make("button", { type: "button", "aria-label": `Download .eml for ${name}`, onclick: () => this.#download(seat, address.value.trim()) }, "Download .eml"),
      ),
      make("details", {}, make("summary", {}, subject), make("pre", { tabIndex: 0 }, text)),
    );
  }

  async #download(seat, to) {
    const found = await this.#engine.ask("letter", { seat, to });
    if (found.error) return say(found.error.message, "bad");
    download(`${this.#game.id}-${seat}.eml`, found.bytes, "message/rfc822");
  }
}

// Keep the players' mail `addresses` by seat for the game with this `id`, in this browser alone.
export function keepAddresses(id, addresses) {
  try {
    localStorage.setItem(`addresses ${id}`, JSON.stringify(addresses));
  } catch {
    // the moderator writes them again
  }
}

// Return the addresses of the game with this `id`. They inherit nothing: a seat may be called `constructor`.
function kept(id) {
  const addresses = Object.create(null);
  try {
    for (const [seat, address] of Object.entries(JSON.parse(localStorage.getItem(`addresses ${id}`)))) addresses[seat] = String(address);
  } catch {
    // the moderator writes them
  }
  return addresses;
}

function mailLink(to, subject, text = "") {
  const body = text ? `&body=${encodeURIComponent(text.replace(/\r?\n/g, "\r\n"))}` : "";
  return `mailto:${encodeURIComponent(to).replace("%40", "@")}?subject=${encodeURIComponent(subject)}${body}`;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say("The report is copied: paste it into a mail.", "good");
  } catch {
    say("The browser did not allow copying: download the mail instead.", "bad");
  }
}
