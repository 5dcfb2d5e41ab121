// The board: a picture whose parts name things of the game. A click on a part chooses the orders that name this thing.
import { make, parsedPicture } from "./elements.js";
import { narrow, partsOf, reachIfScrolls, readableWidth } from "./panels.js"; // a script of replay pages, too

const THING = "data-id";

export class Board {
  #onThing;
  #first = make("div", { class: "first" });
  element;

  constructor(onThing) {
    this.#onThing = onThing;
    this.element = make("div", { class: "board" });
    this.element.addEventListener("click", (event) => this.#choose(event));
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  show(picture, description) {
    if (!picture) {
      this.element.replaceChildren(make("p", { class: "hint" }, "This game has no board to draw."));
      return;
    }
    const root = parsedPicture(picture);
    const [first, ...others] = narrow.matches ? partsOf(root) : [root];
    first.setAttribute("role", "group");
    first.setAttribute("aria-label", description.join(" "));
    if (others.length) first.style.minWidth = `${readableWidth(first)}px`;
    this.element.classList.toggle("parts", others.length > 0);
    const [x, y] = [this.#first.scrollLeft, this.#first.scrollTop];
    this.#first.replaceChildren(first);
    this.element.replaceChildren(this.#first, ...others);
    this.#first.scrollTo(x, y);
    reachIfScrolls(this.#first);
  }

  // Mark the things that may be chosen next; each can be reached with Tab and the arrow keys.
  offer(offers) {
    const places = [...this.element.querySelectorAll(`[${THING}]`)];
    let first = true;
    for (const place of places) {
      // Of things within each other only the inner ones can be chosen, so that each click and key has one meaning.
      const isOuter = [...place.querySelectorAll(`[${THING}]`)].some((inner) => offers.has(inner.getAttribute(THING).toLowerCase()));
      const words = isOuter ? undefined : offers.get(place.getAttribute(THING).toLowerCase());
      place.classList.toggle("offered", words !== undefined);
      if (words === undefined) {
        place.removeAttribute("tabindex");
        place.removeAttribute("role");
        continue;
      }
      place.setAttribute("tabindex", first ? "0" : "-1");
      place.setAttribute("role", "button");
      place.setAttribute("aria-label", words);
      first = false;
    }
  }

  #choose(event) {
    const place = event.target.closest(`[${THING}].offered`);
    if (place) this.#onThing(place.getAttribute(THING));
  }

  #key(event) {
    const place = event.target.closest(`[${THING}]`);
    if (!place) return;
    const places = [...this.element.querySelectorAll(`[${THING}].offered`)];
    const at = places.indexOf(place);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#onThing(place.getAttribute(THING));
    } else if (step) {
      event.preventDefault();
      const next = places[(at + step + places.length) % places.length];
      place.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    }
  }
}
