"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const { pieces, rooms, figures, steps } = JSON.parse(byId("replay").textContent);
  const frames = new Map([...document.querySelectorAll(".boards .figure")].map((one, at) => [figures[at], one]));
  const places = rooms.map((name) => frames.get(name) ?? byId(name)); // none for the picture to save
  const lines = steps.map((step) => byId(`entry-${step.anchor}`));
  const numbers = new Map(steps.map((step, at) => [step.anchor, at]));
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const narrow = matchMedia("(max-width: 40rem)");
  const [board] = frames.values();
  const [slider, log, speed, graph] = ["slider", "log", "speed", "graph"].map(byId);
  const shown = [];
  let now = -1;
  let timer = 0;

  /** The numbers of the pieces of each room after each step. Steps share those of rooms that stay the same. */
  const contents = [];
  for (const { edits } of steps) {
    const lists = [...(contents.at(-1) ?? rooms.map(() => []))];
    for (const [room, changes] of edits) {
      lists[room] = [...lists[room]];
      for (const [at, gone, come] of changes.toReversed()) lists[room].splice(at, gone, ...come);
    }
    contents.push(lists);
  }
  const textOf = (numbers) => numbers.map((number) => pieces[number]).join("><");

  /** Give `place` the children `wanted`. Those that are equal already stay, since the browser draws each new one again. */
  function fill(place, wanted) {
    const found = [...place.childNodes];
    let [first, end, last] = [0, found.length, wanted.length];
    while (first < Math.min(end, last) && found[first].isEqualNode(wanted[first])) first += 1;
    while (first < Math.min(end, last) && found[end - 1].isEqualNode(wanted[last - 1])) [end, last] = [end - 1, last - 1];
    for (let at = first; at < last; at += 1) {
      if (at >= end) place.insertBefore(wanted[at], found[end] ?? null);
      else if (!found[at].isEqualNode(wanted[at])) change(found[at], wanted[at]);
    }
    found.slice(Math.max(first, last), end).forEach((one) => one.remove());
  }

  /** Put `wanted` in the place of `found`, or make `found` equal to it if their parts can be equal. */
  function change(found, wanted) {
    const kind = (one) => [one.nodeName, ...[...(one.attributes ?? [])].map(({ name }) => name)].join();
    if (!wanted.firstElementChild || kind(found) !== kind(wanted)) return found.replaceWith(wanted);
    for (const { name, value } of wanted.attributes) if (found.getAttribute(name) !== value) found.setAttribute(name, value);
    fill(found, [...wanted.childNodes]);
  }

  function draw({ seat, moves }, isNext) {
    for (const [at, place] of places.entries()) {
      const wanted = contents[now][at];
      if (!place || shown[at] === wanted) continue;
      const read = Object.assign(document.createElement("template"), { innerHTML: textOf(wanted) });
      place.getAnimations({ subtree: true }).forEach((one) => one.cancel());
      fill(place, [...read.content.childNodes]);
      shown[at] = wanted;
    }
    for (const frame of frames.values()) {
      const width = frame.firstElementChild?.viewBox.baseVal.width ?? 0;
      frame.style.setProperty("--share", width / getComputedStyle(frame).getPropertyValue("--wide"));
    }
    if (board) board.dataset.follow = seat;
    if (isNext && !calm.matches) moves.forEach(move);
  }

  /** Let a moved piece come from where it was; other things of its figure can have the same name. */
  function move({ figure, id, points }) {
    const svg = frames.get(figure).firstElementChild;
    const [from, to] = points.map(([x, y]) => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()));
    const isThere = (one) => Math.hypot(one.getScreenCTM().e - to.x, one.getScreenCTM().f - to.y) < 2;
    const piece = [...svg.querySelectorAll(`[data-id="${CSS.escape(id)}"]`)].find(isThere);
    if (!piece) return;
    const inner = piece.parentNode.getScreenCTM().inverse();
    const [start, end] = [from, to].map((point) => point.matrixTransform(inner));
    const translate = [`${start.x - end.x}px ${start.y - end.y}px`, "0px 0px"];
    piece.animate({ translate }, { duration: Math.min(900, Number(speed.value) * 0.6), easing: "ease-in-out" });
  }

  /** Tell the styles what of the window is not for the board; keys reach a board if it scrolls, and only then. */
  function layOut() {
    const values = { above: document.querySelector(".stage").offsetTop, bar: byId("bar").offsetHeight };
    for (const [name, value] of Object.entries(values)) document.documentElement.style.setProperty(`--${name}`, `${value}px`);
    for (const frame of frames.values()) {
      const scrolls = frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight;
      if (scrolls) frame.tabIndex = 0;
      else frame.removeAttribute("tabindex");
    }
  }

  /** The mark of the current entry in the graph of the amounts. */
  const here = graph?.firstElementChild.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "path"));

  /** Bring a line of the log into sight, without moving the page where the log has a room of its own. */
  function reveal(line, tries = 20) {
    const room = log.scrollHeight > log.clientHeight + 1 ? log : null;
    if (!room) return;
    const [inner, outer] = [line.getBoundingClientRect(), room.getBoundingClientRect()];
    if (inner.top >= outer.top + 40 && inner.bottom <= outer.bottom - 40) return;
    room.scrollTop += inner.top - outer.top - room.clientHeight / 3;
    // Lines get their real heights only when they come into sight: look again until the line is there.
    if (tries) requestAnimationFrame(() => line === lines[now] && reveal(line, tries - 1));
  }

  function show(at, { named = true } = {}) {
    const next = Math.max(0, Math.min(steps.length - 1, at));
    if (next === now) return;
    if (now >= 0) lines[now].removeAttribute("aria-current");
    const isNext = next === now + 1 && now >= 0;
    now = next;
    const step = steps[now];
    draw(step, isNext);
    lines[now].setAttribute("aria-current", "step");
    reveal(lines[now]);
    slider.value = now;
    slider.setAttribute("aria-valuetext", step.line);
    byId("count").textContent = `${now + 1} / ${steps.length}`;
    byId("now").textContent = step.line;
    byId("first").disabled = byId("back").disabled = now === 0;
    byId("on").disabled = byId("last").disabled = now === steps.length - 1;
    here?.setAttribute("d", `M${(now * 1000) / Math.max(1, steps.length - 1)} 0V100`);
    if (named) history.replaceState(null, "", `#${step.anchor}`);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    tell();
  }

  function play() {
    if (now === steps.length - 1) show(0);
    timer = setInterval(() => {
      show(now + 1);
      if (now === steps.length - 1) stop();
    }, Number(speed.value));
    tell();
  }

  function tell() {
    const name = timer ? "Pause" : "Play";
    byId("play-name").textContent = name;
    byId("play").title = `${name} (space)`;
    document.body.classList.toggle("playing", timer !== 0);
    // During playback a screen reader would be interrupted every second.
    byId("now").setAttribute("aria-live", timer ? "off" : "polite");
  }

  const turn = () => (timer ? stop() : play());
  const go = (to) => () => {
    if (timer) stop();
    show(to());
  };
  const buttons = {
    first: go(() => 0),
    back: go(() => now - 1),
    on: go(() => now + 1),
    last: go(() => steps.length - 1),
  };
  const keys = { Home: buttons.first, ArrowLeft: buttons.back, ArrowRight: buttons.on, End: buttons.last, " ": turn };

  function fromAddress() {
    const at = numbers.get(location.hash.slice(1));
    if (at === undefined) return false;
    go(() => at)();
    // On a phone the board can be far above the selected line.
    const stage = document.querySelector(".stage");
    if (stage.getBoundingClientRect().top < 0) stage.scrollIntoView({ behavior: calm.matches ? "auto" : "smooth" });
    return true;
  }

  /** Save the picture without marks, identical to the output of `adjudicator show --svg`. */
  function save() {
    const text = (room) => textOf(contents[now][rooms.indexOf(room)]);
    const svg = text("file").replace(/\0([^\0]+)\0/g, (_, room) => text(room).replace(/<g class="new">.*?<\/g>/gs, ""));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    link.download = `${document.title.split(" ")[0]}-${steps[now].anchor}.svg`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  Object.entries(buttons).forEach(([id, press]) => byId(id).addEventListener("click", press));
  byId("play").addEventListener("click", turn);
  slider.addEventListener("input", () => go(() => Number(slider.value))());
  speed.addEventListener("change", () => {
    if (timer) {
      stop();
      play();
    }
  });
  byId("save")?.addEventListener("click", save);
  graph?.addEventListener("click", ({ clientX }) => {
    const { x, width } = graph.getBoundingClientRect();
    go(() => Math.round(((clientX - x) / width) * (steps.length - 1)))();
  });
  addEventListener("hashchange", fromAddress);
  new ResizeObserver(() => reveal(lines[now])).observe(log);
  let wide = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === wide && narrow.matches) return; // a phone hides its own bars while it scrolls
    wide = innerWidth;
    layOut();
  });
  addEventListener("keydown", (event) => {
    const at = event.target;
    const isOwn = at.matches("select, summary, pre, .figure") || (at.matches("button, a") && event.key === " ");
    const slides = at === slider && event.key !== " ";
    if (isOwn || slides || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  slider.max = steps.length - 1;
  byId("bar").hidden = false;
  byId("unplayable").remove();
  layOut();
  if (!fromAddress()) show(0, { named: false });
  performance.mark("ready");
})();
