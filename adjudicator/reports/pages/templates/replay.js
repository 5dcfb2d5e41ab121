"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("replay").textContent);
  const { frames, parts, runs } = data.pictures;
  const steps = data.steps;
  const lines = steps.map((step) => byId(`entry-${step.anchor}`));
  const numbers = new Map(steps.map((step, at) => [step.anchor, at]));
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const [picture, panels, sentences, tables, slider, log, speed, graph] = ["picture", "panels", "sentences", "tables", "slider", "log", "speed", "graph"].map(byId);
  const rooms = [picture, panels].filter(Boolean);
  const marks = new Map(rooms.map((room) => [room, Object.assign(document.createElement("div"), { className: "marks" })]));
  const final = picture && partsOf(picture.firstElementChild.cloneNode(true))[0];
  const readable = final && readableWidth(final) / final.viewBox.baseVal.width; // one scale for all steps
  let now = -1;
  let timer = 0;
  let isDrawn = false;

  /** The picture after a step as text, identical to the output of `adjudicator show --svg`. */
  const svgOf = (step) => frames[step.picture].map((run) => runs[run].map((part) => parts[part]).join("")).join("");

  const element = (name, words, more = {}) => Object.assign(document.createElement(name), { textContent: words }, more);

  function tableOf({ title, headings, rows }) {
    const table = document.createElement("table");
    if (title) table.append(element("caption", title));
    if (headings.length) {
      const head = table.createTHead().insertRow();
      headings.forEach((heading) => head.append(heading ? element("th", heading, { scope: "col" }) : element("td", "")));
    }
    const body = table.createTBody();
    for (const number of rows) {
      const row = body.insertRow();
      data.rows[number].forEach((cell, at) => {
        row.append(at || headings.length ? element("td", cell) : element("th", cell, { scope: "row" }));
      });
    }
    const frame = element("div", "", { className: "table", tabIndex: 0 });
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", title || "Table");
    frame.append(table);
    return frame;
  }

  /** The size of the picture after a step, in a narrow window that of its first board, as [width, height]. */
  const sizeOf = (step) => {
    const size = narrow.matches ? /data-box="([^"]*)"/ : /viewBox="([^"]*)"/;
    for (const run of frames[step.picture]) {
      const found = runs[run].map((part) => size.exec(parts[part])).find(Boolean);
      if (found) return found[1].split(" ").slice(2).map(Number);
    }
  };

  /** Give the largest picture the room, and all the same scale, so that nothing moves from step to step. */
  function chooseScale() {
    const sizes = steps.filter((step) => step.picture !== null).map(sizeOf);
    const [width, height] = [0, 1].map((side) => Math.max(...sizes.map((size) => size[side])));
    picture.style.setProperty("--wide", width);
    picture.style.setProperty("--high", height);
    picture.style.setProperty("--least", width * readable);
    if (parts.some((part) => part.includes('class="focus"'))) picture.dataset.follow = "";
    if (picture.scrollWidth > picture.clientWidth) picture.tabIndex = 0; // so that keys can scroll a wide board
    else picture.removeAttribute("tabindex");
  }

  /** Draw the current step again when a window becomes narrow or wide. */
  function layOut() {
    chooseScale();
    draw(steps[now], false);
  }

  function draw(step, isNext) {
    if (picture && step.picture !== null) {
      const read = new DOMParser().parseFromString(svgOf(step), "image/svg+xml").documentElement;
      const drawn = document.importNode(read, true);
      rooms.forEach((room) => room.getAnimations({ subtree: true }).forEach((one) => one.finish()));
      const was = isNext ? things() : null;
      const [first, ...others] = narrow.matches ? partsOf(drawn) : [drawn];
      picture.style.setProperty("--share", sizeOf(step)[0]);
      if ("follow" in picture.dataset) picture.dataset.follow = step.seat;
      picture.replaceChildren(first, marks.get(picture));
      panels.replaceChildren(...others, marks.get(panels));
      panels.hidden = !others.length;
      picture.setAttribute("aria-label", `The board after ${step.words}`);
      clearMarks();
      if (was) markChanges(was, things());
    }
    sentences?.replaceChildren(...step.sentences.map((number) => element("li", data.sentences[number])));
    tables.replaceChildren(...step.tables.map((number) => tableOf(data.tables[number])));
  }

  const clearMarks = () => marks.forEach((layer) => layer.replaceChildren());

  /** The things of the picture by name: what they look like, and where they are in their part of it and in the window. */
  function things() {
    const found = new Map();
    for (const room of rooms) {
      const frame = room.firstElementChild?.getBoundingClientRect();
      for (const thing of room.querySelectorAll("[data-id]")) {
        if (thing.querySelector("[data-id]") || !thing.querySelector(":not(text, tspan)")) continue;
        const { x, y, width, height } = thing.getBoundingClientRect();
        const [own, part] = [thing, thing.parentNode].map((one) => one.getAttribute("transform"));
        const one = { thing, room, look: thing.innerHTML, part, at: own ?? part, x: x - frame.x, y: y - frame.y, width, height };
        found.set(thing.dataset.id, [...(found.get(thing.dataset.id) ?? []), one]);
      }
    }
    return found;
  }

  /** Mark what is new or looks other than before, and let what has moved come from where it was. */
  function markChanges(was, is) {
    for (const [name, here] of is) {
      const before = was.get(name) ?? [];
      const isSame = (one) => (other) => one.at === other.at && one.look === other.look;
      const fresh = here.filter((one) => !before.some(isSame(one)));
      const gone = before.filter((one) => !here.some(isSame(one)));
      for (const one of fresh) {
        const there = gone.filter((other) => other.part === one.part && other.at !== one.at);
        const from = gone.find((other) => other.look === one.look) ?? (there.length === 1 ? there[0] : null);
        mark(one, "new");
        if (from) move(one, from);
      }
    }
  }

  function move(here, from) {
    mark(from, "old");
    if (calm.matches || here.room !== from.room) return;
    const units = here.thing.parentNode.getScreenCTM();
    const [x, y] = [(from.x - here.x) / units.a, (from.y - here.y) / units.d];
    here.thing.animate({ translate: [`${x}px ${y}px`, "0 0"] }, { duration: Math.min(600, Number(speed.value) / 2), easing: "ease-in-out" });
  }

  function mark({ room, x, y, width, height }, kind) {
    const [frame, outer] = [room.firstElementChild.getBoundingClientRect(), room.getBoundingClientRect()];
    const ring = element("div", "", { className: kind });
    Object.assign(ring.style, {
      left: `${x + frame.x - outer.x + room.scrollLeft - room.clientLeft - 3}px`,
      top: `${y + frame.y - outer.y + room.scrollTop - room.clientTop - 3}px`,
      width: `${width + 6}px`,
      height: `${height + 6}px`,
    });
    marks.get(room).append(ring);
  }

  /** Draw the amounts of all players over the game; a click goes to the entry. */
  function drawGraph() {
    const all = data.graph.flatMap((line) => line.scores);
    const [least, most] = [Math.min(0, ...all), Math.max(1, ...all)];
    const at = (score, n) => `${((n * 1000) / Math.max(1, steps.length - 1)).toFixed(1)},${(96 - (92 * (score - least)) / (most - least)).toFixed(1)}`;
    const svg = (name, values) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", name);
      Object.entries(values).forEach(([key, value]) => made.setAttribute(key, value));
      return made;
    };
    graph.append(
      svg("line", { id: "here", y1: 0, y2: 100 }),
      ...data.graph.map((line) => svg("polyline", { class: `ink-${line.ink}`, points: line.scores.map(at).join(" ") })),
    );
    graph.addEventListener("click", (event) => {
      const room = graph.getBoundingClientRect();
      go(() => Math.round(((event.clientX - room.x) / room.width) * (steps.length - 1)))();
    });
  }

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
    now = next;
    const step = steps[now];
    draw(step, isDrawn);
    isDrawn = true;
    lines[now].setAttribute("aria-current", "step");
    reveal(lines[now]);
    slider.value = now;
    slider.setAttribute("aria-valuetext", step.words);
    byId("count").textContent = `${now + 1} / ${steps.length}`;
    byId("now").textContent = step.words;
    byId("first").disabled = byId("back").disabled = now === 0;
    byId("on").disabled = byId("last").disabled = now === steps.length - 1;
    const here = graph?.firstElementChild;
    ["x1", "x2"].forEach((end) => here?.setAttribute(end, (now * 1000) / Math.max(1, steps.length - 1)));
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
  const moves = {
    first: go(() => 0),
    back: go(() => now - 1),
    on: go(() => now + 1),
    last: go(() => steps.length - 1),
  };
  const keys = { Home: moves.first, ArrowLeft: moves.back, ArrowRight: moves.on, End: moves.last, " ": turn };

  function fromAddress() {
    const at = numbers.get(location.hash.slice(1));
    if (at === undefined) return false;
    go(() => at)();
    // On a phone the board can be far above the selected line.
    const stage = document.querySelector(".stage");
    if (stage.getBoundingClientRect().top < 0) stage.scrollIntoView({ behavior: calm.matches ? "auto" : "smooth" });
    return true;
  }

  function save() {
    const link = element("a", "", {
      href: URL.createObjectURL(new Blob([svgOf(steps[now])], { type: "image/svg+xml" })),
      download: `${document.title.split(" ")[0]}-${steps[now].anchor}.svg`,
    });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  Object.entries(moves).forEach(([id, move]) => byId(id).addEventListener("click", move));
  byId("play").addEventListener("click", turn);
  slider.addEventListener("input", () => go(() => Number(slider.value))());
  speed.addEventListener("change", () => {
    if (timer) {
      stop();
      play();
    }
  });
  byId("save")?.addEventListener("click", save);
  addEventListener("hashchange", fromAddress);
  new ResizeObserver(() => reveal(lines[now])).observe(log);
  if (picture) new ResizeObserver(clearMarks).observe(picture);
  if (picture) narrow.addEventListener("change", layOut);
  addEventListener("keydown", (event) => {
    const at = event.target;
    const isOwn = at.matches("select, summary, pre, #picture") || (at.matches("button, a") && event.key === " ");
    const slides = at === slider && event.key !== " ";
    if (isOwn || slides || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  slider.max = steps.length - 1;
  byId("bar").hidden = false;
  byId("unplayable").remove();
  if (picture) chooseScale();
  if (graph) drawGraph();
  if (!fromAddress()) show(0, { named: false });
  performance.mark("ready");
})();
