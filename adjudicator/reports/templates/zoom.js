"use strict";
/* Zoom for wide pictures: buttons, the keys + - 0, the wheel with Ctrl or after a click, two fingers; a drag moves them. */
(() => {
  const [WIDE, MOST, STEP, EDGE] = [480, 8, 1.3, 50];
  const NEW = ".new > rect, .new > polygon[fill=none], .new > circle:not([stroke-dasharray], :has(+ [stroke-dasharray]))"; // without earlier places
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const widthOf = (svg) => svg.viewBox.baseVal.width;

  function zoomFor(room) {
    const picture = () => room.querySelector(":scope > svg");
    let scale = 1;
    let isFollowing = "follow" in room.dataset; // a replay shows what happens on a large map, until the reader zooms
    let isFirst = true;
    let isActive = false;
    let apart = 0;
    let held = null;

    /** The scale at which the whole picture fits: 1, or less where a board with readable letters scrolls. */
    function least() {
      const { width, height } = picture().getBoundingClientRect();
      return Math.min(1, (room.clientWidth * scale) / width, "follow" in room.dataset ? (room.clientHeight * scale) / height : 1);
    }

    /** Zoom to `next` times the size without zoom; the point `x`, `y` of the window stays where it is. */
    function zoom(next, x, y) {
      const limited = Math.min(MOST, Math.max(least(), next));
      const before = picture().getBoundingClientRect();
      const [partX, partY] = [(x - before.x) / before.width, (y - before.y) / before.height];
      if (scale === 1) room.style.setProperty("--fit", `${before.width * (widestOf(room) / widthOf(picture()))}px`);
      scale = Math.abs(limited - 1) < 0.02 ? 1 : limited;
      room.style.setProperty("--zoom", scale);
      room.classList.toggle("zoomed", scale !== 1);
      if (scale > 1) room.tabIndex = 0;
      const after = picture().getBoundingClientRect();
      room.scrollLeft += after.x + partX * after.width - x;
      room.scrollTop += after.y + partY * after.height - y;
      tell();
    }

    function middle() {
      const { x, y, width, height } = room.getBoundingClientRect();
      return [x + width / 2, y + Math.min(height, innerHeight) / 2];
    }

    function zoomBy(factor, x, y) {
      isFollowing = false;
      zoom(scale * factor, x, y);
    }

    function whole() {
      isFollowing = false;
      zoom(least(), ...middle());
    }

    /** What the reader needs to see now: all that is new, if it has room, else the piece that moved farthest or acts. */
    function target() {
      const fresh = [...picture().querySelectorAll(NEW)].map((one) => one.getBoundingClientRect());
      const [left, top] = ["left", "top"].map((side) => Math.min(...fresh.map((box) => box[side])));
      const [right, bottom] = ["right", "bottom"].map((side) => Math.max(...fresh.map((box) => box[side])));
      const hasRoom = right - left < room.clientWidth - 2 * EDGE && bottom - top < room.clientHeight - 2 * EDGE;
      if (fresh.length && hasRoom) return new DOMRect(left, top, right - left, bottom - top);
      const ways = [...picture().querySelectorAll(".way")].sort((one, other) => other.getTotalLength() - one.getTotalLength());
      if (ways.length) {
        const end = ways[0].getPointAtLength(ways[0].getTotalLength()).matrixTransform(ways[0].getScreenCTM());
        return new DOMRect(end.x - EDGE / 4, end.y - EDGE / 4, EDGE / 2, EDGE / 2);
      }
      const piece = room.dataset.follow && picture().querySelector(`[data-id="${CSS.escape(room.dataset.follow)}"]`);
      return (piece || (isFirst && picture().querySelector(".focus")))?.getBoundingClientRect?.();
    }

    /** Show what happens now, if the picture is larger than its room; move only if necessary. */
    function follow() {
      if (!isFollowing || !picture()) return;
      if (room.scrollWidth <= room.clientWidth && room.scrollHeight <= room.clientHeight) return;
      const [at, outer] = [target(), room.getBoundingClientRect()];
      if (!at) return;
      const bottom = Math.min(outer.bottom, Math.max(outer.top + 200, document.getElementById("bar").getBoundingClientRect().top));
      const isInSight = at.left >= outer.left + EDGE && at.right <= outer.right - EDGE && at.top >= outer.top + EDGE && at.bottom <= bottom - EDGE;
      if (isInSight) return;
      const [left, top] = [at.x + at.width / 2 - outer.x - room.clientWidth / 2, at.y + at.height / 2 - (outer.y + bottom) / 2];
      room.scrollBy({ left, top, behavior: isFirst || calm.matches ? "instant" : "smooth" });
      isFirst = false;
    }

    /** Begin where the piece of the reader is, if the room shows only a part of a board. */
    function begin() {
      const own = room.dataset.own && picture().querySelector(`.focus, [data-id="${CSS.escape(room.dataset.own)}"]`);
      if (!own) return;
      const [at, outer] = [own.getBoundingClientRect(), room.getBoundingClientRect()];
      room.scrollLeft += at.x + at.width / 2 - outer.x - room.clientWidth / 2;
      room.scrollTop += at.y + at.height / 2 - outer.y - room.clientHeight / 2;
    }

    const buttons = Object.assign(document.createElement("span"), { className: "zoom" });
    buttons.setAttribute("role", "group");
    buttons.setAttribute("aria-label", "Zoom");
    const button = (text, name, act) => {
      const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, title: name });
      made.setAttribute("aria-label", name);
      if (room.id) made.id = name.split(" (")[0].toLowerCase().replace(" ", "-");
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
    const host = document.getElementById("zoom");
    if (host && room.id) host.replaceWith(buttons);
    else if (room.nextElementSibling?.matches(".swipe")) room.nextElementSibling.append(buttons);
    else room.after(buttons);

    const keys = { "+": () => larger.click(), "=": () => larger.click(), "-": () => smaller.click(), 0: whole };
    addEventListener("keydown", (event) => {
      const isOwn = room.contains(event.target) || buttons.contains(event.target) || (room.id && !event.target.matches("select"));
      if (!isOwn || !keys[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      keys[event.key]();
    });

    addEventListener("pointerdown", (event) => {
      isActive = room.contains(event.target);
      held = isActive && scale > 1 && event.pointerType === "mouse" ? [event.clientX, event.clientY] : null;
    });
    addEventListener("pointermove", (event) => {
      if (!held) return;
      room.scrollLeft += held[0] - event.clientX;
      room.scrollTop += held[1] - event.clientY;
      held = [event.clientX, event.clientY];
    });
    addEventListener("pointerup", () => (held = null));
    room.addEventListener(
      "wheel",
      (event) => {
        if (!(event.ctrlKey || isActive) || (event.deltaY > 0 && scale <= least())) return;
        event.preventDefault();
        zoomBy(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
      },
      { passive: false },
    );

    const between = ([one, other]) => [
      Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
      (one.clientX + other.clientX) / 2,
      (one.clientY + other.clientY) / 2,
    ];
    room.addEventListener("touchstart", (event) => {
      if (event.touches.length === 2) [apart] = between(event.touches);
    });
    room.addEventListener(
      "touchmove",
      (event) => {
        if (event.touches.length !== 2 || !apart) return;
        event.preventDefault();
        const [far, x, y] = between(event.touches);
        zoomBy(far / apart, x, y);
        apart = far;
      },
      { passive: false },
    );

    new MutationObserver(follow).observe(room, { attributeFilter: ["data-follow"] });
    let wide = innerWidth;
    addEventListener("resize", () => {
      if (innerWidth === wide || scale === 1) return;
      wide = innerWidth;
      zoom(1, ...middle());
      follow();
    });
    tell();
    follow();
    begin();
  }

  /** The width of the largest picture of a room that shows several, one at a time. */
  const widestOf = (room) => Number(room.style.getPropertyValue("--wide")) || widthOf(room.querySelector(":scope > svg"));

  for (const svg of document.querySelectorAll(".spread > .whole:not(.halves) > .figure > svg, #picture > svg")) {
    if (svg.parentElement.id || widthOf(svg) >= WIDE) zoomFor(svg.parentElement);
  }
})();
