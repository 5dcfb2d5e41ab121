"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("replay").textContent);
  const { frames, parts, runs } = data.pictures;
  const steps = data.steps;
  const lines = steps.map((step) => byId(`entry-${step.anchor}`));
  const numbers = new Map(steps.map((step, at) => [step.anchor, at]));
  const MARKS = /<g class="new">.*?<\/g>/gs;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const [picture, panels, sentences, tables, slider, log, speed, graph] = ["picture", "panels", "sentences", "tables", "slider", "log", "speed", "graph"].map(byId);
  const rooms = [picture, panels].filter(Boolean);
  const final = picture && partsOf(picture.firstElementChild.cloneNode(true))[0];
  const readable = final && readableWidth(final) / final.viewBox.baseVal.width; // one scale for all steps
  let now = -1;
  let timer = 0;

  /** The picture after a step as text, with marks for its changes. */
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
      const [first, ...others] = narrow.matches ? partsOf(drawn) : [drawn];
      picture.style.setProperty("--share", sizeOf(step)[0]);
      if ("follow" in picture.dataset) picture.dataset.follow = step.seat;
      picture.replaceChildren(first);
      panels.replaceChildren(...others);
      panels.hidden = !others.length;
      picture.setAttribute("aria-label", `The board after ${step.words}`);
      if (isNext && !calm.matches) movePieces();
    }
    sentences?.replaceChildren(...step.sentences.map((number) => element("li", data.sentences[number])));
    tables.replaceChildren(...step.tables.map((number) => tableOf(data.tables[number])));
  }

  /** Let each moved piece come along its way, which is a part of its marks. */
  function movePieces() {
    for (const way of rooms.flatMap((room) => [...room.querySelectorAll(".way")])) {
      const points = way.getAttribute("d").slice(1).split("L").map((point) => new DOMPoint(...point.split(" ").map(Number)));
      const piece = pieceAt(way, points.at(-1));
      if (piece) move(piece, way, points);
    }
  }

  /** The piece at the end of a way: other pieces of its board can have the same name. */
  function pieceAt(way, end) {
    const fromWindow = way.getScreenCTM().inverse();
    const far = (one) => {
      const at = fromWindow.multiply(one.getScreenCTM());
      return Math.hypot(at.e - end.x, at.f - end.y);
    };
    const named = way.ownerSVGElement.querySelectorAll(`[data-id="${CSS.escape(way.dataset.of)}"]`);
    return [...named].find((one) => far(one) < 1);
  }

  function move(piece, way, points) {
    const toParent = piece.parentNode.getScreenCTM().inverse().multiply(way.getScreenCTM());
    const shown = points.map((point) => point.matrixTransform(toParent));
    const far = shown.map((point, at) => (at ? Math.hypot(point.x - shown[at - 1].x, point.y - shown[at - 1].y) : 0));
    const ends = far.map((_, at) => far.slice(0, at + 1).reduce((sum, one) => sum + one));
    const { x, y } = shown.at(-1);
    const steps = shown.map((point, at) => ({ translate: `${point.x - x}px ${point.y - y}px`, offset: ends[at] / ends.at(-1) }));
    if (ends.at(-1)) piece.animate(steps, { duration: Math.min(900, Number(speed.value) * 0.6), easing: "ease-in-out" });
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
    const isNext = next === now + 1 && now >= 0;
    now = next;
    const step = steps[now];
    draw(step, isNext);
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

  /** Save the picture without marks, identical to the output of `adjudicator show --svg`. */
  function save() {
    const link = element("a", "", {
      href: URL.createObjectURL(new Blob([svgOf(steps[now]).replace(MARKS, "")], { type: "image/svg+xml" })),
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
