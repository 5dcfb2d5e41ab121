"use strict";
/**
 * Let `room`, which scrolls, show its pictures larger or smaller: buttons in `host` (else after the room), the keys + - 0, the
 * wheel with Ctrl or after a click, two fingers; a drag moves them. The styles give the pictures `--zoom` times their width,
 * so others may be put into the room at any time. When `data-follow` of the room is set, to the acting seat, what happens now
 * comes into sight above the element `bar`: what is new, or the piece of this seat; only until the reader zooms.
 * Call the function that it returns when the room leaves the page: the window then no longer keeps it.
 */
function zoomFor(room, { host = null, bar = null } = {}) {
  const [MOST, STEP, EDGE] = [8, 1.3, 50];
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const gone = new AbortController();
  const hear = (name, act) => addEventListener(name, act, { signal: gone.signal });
  let [scale, isFollowing, isFirst, isActive, held, apart] = [1, true, true, false, null, 0];

  /** The rectangle in the window around all `elements`; `null` without any. */
  function around(elements) {
    const boxes = [...elements].map((one) => one.getBoundingClientRect());
    const [left, top] = ["left", "top"].map((side) => Math.min(...boxes.map((box) => box[side])));
    const [right, bottom] = ["right", "bottom"].map((side) => Math.max(...boxes.map((box) => box[side])));
    return boxes.length ? new DOMRect(left, top, right - left, bottom - top) : null;
  }
  const pictures = () => around(room.querySelectorAll("svg[viewBox]"));

  /** The scale at which the whole picture fits: 1, or less where a board with readable letters scrolls. */
  function least() {
    const all = pictures();
    return all ? Math.min(1, (room.clientWidth * scale) / all.width, (room.clientHeight * scale) / all.height) : 1;
  }

  /** Zoom to `next` times the usual size; the point `x`, `y` of the window stays where it is. */
  function zoom(next, x, y) {
    const limited = Math.min(MOST, Math.max(least(), next));
    const before = pictures();
    if (!before) return;
    scale = Math.abs(limited - 1) < 0.02 ? 1 : limited;
    room.style.setProperty("--zoom", scale);
    room.classList.toggle("zoomed", scale !== 1);
    if (scale > 1) room.tabIndex = 0;
    const after = pictures();
    room.scrollLeft += after.x + ((x - before.x) * after.width) / before.width - x;
    room.scrollTop += after.y + ((y - before.y) * after.height) / before.height - y;
    tell();
  }

  function zoomBy(factor, x, y) {
    isFollowing = false;
    zoom(scale * factor, x, y);
  }

  function middle() {
    const { x, y, width, height } = room.getBoundingClientRect();
    return [x + width / 2, y + Math.min(height, innerHeight) / 2];
  }

  function whole() {
    isFollowing = false;
    zoom(least(), ...middle());
  }

  /** Bring into sight what happens now; move only if necessary. */
  function follow() {
    if (!isFollowing || (room.scrollWidth <= room.clientWidth && room.scrollHeight <= room.clientHeight)) return;
    const outer = room.getBoundingClientRect();
    const bottom = Math.min(outer.bottom, Math.max(outer.top + 200, bar?.getBoundingClientRect().top ?? outer.bottom));
    const isSmall = (box) => box && box.width < room.clientWidth - 2 * EDGE && box.height < bottom - outer.top - 2 * EDGE;
    const fresh = around(room.querySelectorAll(".new > rect"));
    const piece = around(room.querySelectorAll(`[data-id="${CSS.escape(room.dataset.follow ?? "")}"]`));
    const at = [fresh, piece].find(isSmall);
    if (!at || (at.left >= outer.left + EDGE && at.right <= outer.right - EDGE && at.top >= outer.top + EDGE && at.bottom <= bottom - EDGE)) return;
    goTo(at, bottom, isFirst || calm.matches ? "instant" : "smooth");
    isFirst = false;
  }

  /** Scroll so that the rectangle `at` is in the middle of the room above `bottom`. */
  function goTo(at, bottom, behavior) {
    const outer = room.getBoundingClientRect();
    const left = at.x + at.width / 2 - outer.x - room.clientWidth / 2;
    room.scrollBy({ left, top: at.y + at.height / 2 - (outer.y + bottom) / 2, behavior });
  }

  /** Begin with the part that the reader needs to see, or where the piece of the reader is. */
  function begin() {
    const svg = room.querySelector("svg[viewBox]");
    const [x, y, width, height] = (room.dataset.focus ?? "").split(" ").map(Number);
    const own = room.dataset.own && room.querySelector(`[data-id="${CSS.escape(room.dataset.own)}"]`);
    const all = svg?.getBoundingClientRect();
    const by = all && all.width / svg.viewBox.baseVal.width;
    const at = height ? new DOMRect(all.x + x * by, all.y + y * by, width * by, height * by) : own?.getBoundingClientRect();
    if (at) goTo(at, room.getBoundingClientRect().bottom, "instant");
  }

  const buttons = Object.assign(document.createElement("span"), { className: "zoom" });
  buttons.setAttribute("role", "group");
  buttons.setAttribute("aria-label", "Zoom");
  const button = (text, name, act) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, title: name });
    made.setAttribute("aria-label", name);
    made.addEventListener("click", act);
    buttons.append(made);
    return made;
  };
  const smaller = button("−", "Zoom out (-)", () => zoomBy(1 / STEP, ...middle()));
  const all = button("0", "Whole picture (0)", whole);
  const larger = button("+", "Zoom in (+)", () => zoomBy(STEP, ...middle()));
  const tell = () => {
    smaller.disabled = all.disabled = scale <= least() + 0.01;
    larger.disabled = scale === MOST;
  };
  if (host) host.replaceChildren(buttons);
  else room.after(buttons);

  const keys = { "+": () => larger.click(), "=": () => larger.click(), "-": () => smaller.click(), 0: whole };
  hear("keydown", (event) => {
    const isPage = host && event.target.matches("body, a, #bar *:not(select)");
    const isOwn = room.contains(event.target) || buttons.contains(event.target) || isPage;
    if (!isOwn || !keys[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  hear("pointerdown", (event) => {
    isActive = room.contains(event.target);
    held = isActive && scale > 1 && event.pointerType === "mouse" ? [event.clientX, event.clientY] : null;
  });
  hear("pointermove", (event) => {
    if (!held) return;
    room.scrollLeft += held[0] - event.clientX;
    room.scrollTop += held[1] - event.clientY;
    held = [event.clientX, event.clientY];
  });
  hear("pointerup", () => (held = null));
  const turn = (event) => {
    if (!(event.ctrlKey || isActive) || (event.deltaY > 0 && scale <= least())) return;
    event.preventDefault();
    zoomBy(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
  };
  room.addEventListener("wheel", turn, { passive: false });
  const pinch = (event) => {
    if (event.touches.length !== 2) return void (apart = 0);
    const [one, other] = event.touches;
    const far = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    if (apart) {
      event.preventDefault();
      zoomBy(far / apart, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
    }
    apart = far;
  };
  for (const name of ["touchstart", "touchmove", "touchend"]) room.addEventListener(name, pinch, { passive: false });
  let wide = innerWidth;
  hear("resize", () => {
    if (innerWidth === wide) return; // a phone hides its own bars while it scrolls
    wide = innerWidth;
    zoom(1, ...middle());
    follow();
  });
  new MutationObserver(follow).observe(room, { attributeFilter: ["data-follow"] });
  tell();
  begin();
  return () => gone.abort();
}

for (const room of document.querySelectorAll(".spread > .whole:not(.halves) > .figure")) {
  const [host, bar] = [document.getElementById("zoom") ?? room.parentElement.querySelector(".swipe > span"), document.getElementById("bar")];
  if (room.querySelector("svg")?.viewBox.baseVal.width >= 480) zoomFor(room, { host, bar });
}
