// Boards and panels: figures whose parts name things of the game. A click on a thing chooses the orders that name it.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Figure, Picture } from "./answers";
import { zoomFor } from "./zoom.js"; // a script of reports, too

const THING = "data-id";
const PRICE = 11; // pixels of the letters of a cost on the board

// Whether there is room for two columns; a phone begins with less unfolded.
export const isWide = () => matchMedia("(min-width: 64rem)").matches;

// A thing that can be chosen now: what it is called, and the cost to write on it.
export interface Offer {
  words: string;
  price: string;
}

// A picture with its figures as elements, and the things on them.
export interface Drawn {
  picture: Picture;
  svgs: Map<string, Element>;
  things: Set<string>;
}

export function drawn(picture: Picture): Drawn {
  const svgs = new Map(picture.figures.map((one) => [one.id, parsed(one.svg)]));
  const places = [...svgs.values()].flatMap((svg) => [...svg.querySelectorAll(`[${THING}]`)]);
  return { picture, svgs, things: new Set(places.map((place) => place.getAttribute(THING)!)) };
}

interface FiguresProps {
  drawn: Drawn;
  kinds: Figure["kind"][];
  label: string;
  own: string; // the seat whose panels come first, and at whose piece a board begins that is larger than its room
  offers: Map<string, Offer>;
  chosen: readonly string[];
  onThing(thing: string): void;
}

// The figures of these `kinds`, in a room that scrolls; boards can be zoomed. Those of `offers` can be clicked; Tab leads to one
// of them, and arrow keys to the others.
export function Figures({ drawn, kinds, label, own, offers, chosen, onThing }: FiguresProps) {
  const room = useRef<HTMLDivElement>(null);
  const zoom = useRef<HTMLDivElement>(null);
  const focus = useRef<string | null>(null); // the thing that had the focus before the figures were drawn anew
  useLayoutEffect(() => {
    mark(room.current!, offers, chosen);
    if (focus.current && document.activeElement === document.body) find(room.current!, focus.current)?.focus({ preventScroll: true });
    room.current!.querySelector(".chosen")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  useEffect(() => (zoom.current ? zoomFor(room.current!, { host: zoom.current } as object) : undefined), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const place = placeAt(event);
    if (!place) return;
    const places = [...room.current!.querySelectorAll<SVGElement>(".offered")];
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") onThing(place.getAttribute(THING)!);
    else if (step) {
      const next = places[(places.indexOf(place) + step + places.length) % places.length]!;
      place.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    } else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    const place = placeAt(event);
    if (place) onThing(place.getAttribute(THING)!);
  };
  const isFirst = ({ id }: Figure) => id.split(" ").includes(own);
  const figures = drawn.picture.figures.filter((one) => kinds.includes(one.kind));
  return (
    <>
      <div class="figures" role="group" aria-label={label} tabIndex={0} data-own={own} ref={room} onClick={onClick} onKeyDown={onKeyDown} onFocusIn={(event) => (focus.current = placeAt(event)?.getAttribute(THING) ?? null)}>
        {[...figures.filter(isFirst), ...figures.filter((one) => !isFirst(one))].map((one) => (
          <FigureOf key={one.id} figure={one} svg={drawn.svgs.get(one.id)!} />
        ))}
      </div>
      {!kinds.includes("panel") && <div ref={zoom} />}
    </>
  );
}

// A figure with a scale of its own.
function FigureOf({ figure, svg }: { figure: Figure; svg: Element }) {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { style } = place.current!;
    for (const [name, value] of Object.entries({ wide: figure.width, high: figure.height, least: figure.least_letter })) style.setProperty(`--${name}`, String(value));
    svg.setAttribute("role", "group");
    place.current!.replaceChildren(svg);
  }, [svg]);
  return <figure class={figure.kind} ref={place} />;
}

// What several figures use, and the signs of the legend.
export function Legend({ picture }: { picture: Picture }) {
  return (
    <>
      <Svg class="definitions" text={`<svg width="0" height="0" aria-hidden="true">${picture.definitions}</svg>`} />
      <details class="legend" open={isWide()}>
        <summary>Legend</summary>
        <ul>
          {picture.legend.map((sign) => (
            <li key={sign.name}>
              <Svg text={sign.svg} /> {sign.name}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function Svg({ text, class: kind }: { text: string; class?: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => place.current!.replaceChildren(parsed(text)), [text]);
  return <span class={kind} ref={place} />;
}

// Python's drawing as an element. Scripts or foreign elements in it would be a bug: none gets in.
function parsed(text: string): Element {
  const root = new DOMParser().parseFromString(text, "text/html").body.firstElementChild;
  if (root?.localName !== "svg") throw new Error("the picture cannot be read");
  for (const bad of root.querySelectorAll("script, foreignObject, iframe, object, a[href]")) bad.remove();
  return document.adoptNode(root);
}

const placeAt = (event: Event) => (event.target as Element).closest<SVGElement>(`[${THING}].offered, [${THING}].chosen`);
const find = (room: Element, thing: string) => room.querySelector<SVGElement>(`[${THING}="${CSS.escape(thing)}"][tabindex]`);

// Mark what can be chosen and what is chosen. Of things within each other only the inner ones count, so that each click has
// one meaning.
function mark(room: Element, offers: Map<string, Offer>, chosen: readonly string[]) {
  room.querySelectorAll(".price").forEach((one) => one.remove());
  let isFirst = true;
  for (const place of room.querySelectorAll<SVGGraphicsElement>(`[${THING}]`)) {
    const thing = place.getAttribute(THING)!;
    const inner = [...place.querySelectorAll(`[${THING}]`)].map((one) => one.getAttribute(THING)!);
    const isOuter = inner.some((one) => offers.has(one) || chosen.includes(one));
    const offer = isOuter ? undefined : offers.get(thing);
    const isChosen = !isOuter && chosen.includes(thing);
    place.classList.toggle("offered", offer !== undefined);
    place.classList.toggle("chosen", isChosen);
    for (const name of ["tabindex", "role", "aria-label", "aria-pressed"]) place.removeAttribute(name);
    if (!offer && !isChosen) continue;
    place.setAttribute("tabindex", isFirst ? "0" : "-1");
    place.setAttribute("role", "button");
    place.setAttribute("aria-label", offer?.words ?? thing);
    if (isChosen) place.setAttribute("aria-pressed", "true");
    if (offer?.price && !isChosen) writePrice(place, offer.price);
    isFirst = false;
  }
}

// Write `price` into the lower part of a thing, below its name, in letters of the same size on every board.
function writePrice(place: SVGGraphicsElement, price: string) {
  const svg = place.ownerSVGElement!;
  const [box, from, to] = [place.getBBox(), place.getScreenCTM(), svg.getScreenCTM()];
  if (!from || !to) return;
  const { x, y } = new DOMPoint(box.x + box.width / 2, box.y + box.height * 0.78).matrixTransform(to.inverse().multiply(from));
  const size = PRICE / (10 * to.a); // the tag is drawn with letters of 10 pixels
  const tag = svg.appendChild(document.createElementNS(svg.namespaceURI, "g"));
  tag.classList.add("price");
  tag.setAttribute("transform", `translate(${x} ${y}) scale(${size})`);
  tag.setAttribute("aria-hidden", "true");
  const [back, text] = ["rect", "text"].map((name) => tag.appendChild(document.createElementNS(svg.namespaceURI, name)));
  const half = 3.2 * price.length + 3.5;
  Object.entries({ x: -half, y: -7.5, width: 2 * half, height: 15, rx: 5 }).forEach(([name, value]) => back!.setAttribute(name, String(value)));
  Object.entries({ "text-anchor": "middle", "font-size": 10, dy: 3.6 }).forEach(([name, value]) => text!.setAttribute(name, String(value)));
  text!.textContent = price;
}
