"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("replay").textContent);
  const { frames, parts, runs } = data.pictures;
  const steps = data.steps;
  const lines = steps.map((step) => byId(`entry-${step.anchor}`));
  const numbers = new Map(steps.map((step, at) => [step.anchor, at]));
  const [GAP, SIDES, LOG, GRAPH] = [10, 40, 292, 160]; // pixels, as in the styles: LOG is its least width
  const MARKS = /<g class="new">.*?<\/g>/gs;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const isOneColumn = matchMedia("(max-width: 60rem)");
  const [main, stage] = ["main", ".stage"].map((one) => document.querySelector(one));
  const names = ["picture", "panels", "legend", "sentences", "tables", "slider", "log", "speed", "graph"];
  const [picture, panels, legend, sentences, tables, slider, log, speed, graph] = names.map(byId);
  const rooms = [picture, panels].filter(Boolean);
  const BOX = /data-part="(board|half|panel|small)" data-box="0 0 ([0-9.]+) ([0-9.]+)"/;
  const boxes = parts.map((part) => BOX.exec(part)).map((found) => found && [found[1].replace("small", "panel"), +found[2], +found[3]]);
  const final = picture?.firstElementChild.cloneNode(true);
  let [largest, columns, hasBoard] = [[], [], false];
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

  /** The boards and panels after a step as [kind, width, height], in the order of `partsOf`. */
  function boxesOf(step) {
    const found = frames[step.picture].flatMap((run) => runs[run].map((part) => boxes[part]).filter(Boolean));
    const whole = found.map(([kind, width, height], at) => {
      const hasHalf = found[at + 1]?.[0] === "half";
      return [kind, width * (hasHalf && !narrow.matches ? 2 : 1), height + (hasHalf && narrow.matches ? height + FOLD : 0)];
    });
    return ["board", "panel"].flatMap((kind) => whole.filter((box) => box[0] === kind));
  }

  /** The largest size of each board and panel in all steps, so that nothing moves from step to step. */
  function largestBoxes() {
    const largest = [];
    for (const step of steps.filter((one) => one.picture !== null)) {
      boxesOf(step).forEach(([kind, width, height], at) => {
        const [, wide, high] = (largest[at] ??= [kind, 0, 0]);
        largest[at] = [kind, Math.max(wide, width), Math.max(high, height)];
      });
    }
    return largest;
  }

  /** Choose the scale of the board and the columns of the panels, in which the window shows as much as possible. */
  function chooseLayout() {
    const { style } = document.documentElement;
    style.setProperty("--above", `${stage.offsetTop}px`);
    style.setProperty("--bar", `${byId("bar").offsetHeight}px`);
    largest = largestBoxes();
    hasBoard = largest[0][0] === "board";
    const [, wide, high] = hasBoard ? largest[0] : [0, 0, 0];
    const readable = hasBoard ? readableWidth(partsOf(final.cloneNode(true))[0]) : 0;
    const most = isOneColumn.matches ? stage.clientWidth : main.clientWidth - SIDES - LOG;
    const tall = Math.max(0, innerHeight - stage.offsetTop - byId("bar").offsetHeight - (narrow.matches ? GAP : GRAPH));
    const shown = Math.max(readable, (tall * wide) / high || 0);
    const sizes = hasBoard ? largest.slice(1) : largest;
    const pitch = Math.max(0, ...sizes.map(([, width]) => width)) + GAP;
    const isBeside = hasBoard && sizes.length > 0 && !narrow.matches && readable + pitch <= most;
    const board = isBeside ? Math.min(shown, most - pitch) : readable;
    const room = isBeside ? most - board : most + GAP;
    columns = columnsOf(sizes, Math.max(1, Math.floor(room / pitch)), hasBoard && !isBeside ? 0 : tall + GRAPH / 2);
    stage.classList.toggle("beside", isBeside);
    stage.classList.toggle("boardless", !hasBoard);
    const across = columns.length * pitch;
    main.style.setProperty("--need", `${isBeside ? board + across : hasBoard ? board : across - GAP}px`);
    picture.style.setProperty("--wide", wide);
    picture.style.setProperty("--high", high);
    const isWhole = shown > readable || readable > most; // else the board scrolls down in any case
    picture.style.setProperty("--least", isWhole ? `${readable}px` : "100%");
  }

  /** The numbers of the panels in columns: `most` at most, or fewer if these are not higher than `high`. */
  function columnsOf(sizes, most, high) {
    for (let count = 1; ; count += 1) {
      const found = Array.from({ length: count }, () => ({ numbers: [], end: 0 }));
      sizes.forEach(([, , height], at) => {
        const column = found.reduce((one, other) => (other.end < one.end ? other : one));
        column.numbers.push(at);
        column.end += height + GAP;
      });
      const isHigh = found.some((column) => column.end > high);
      if (count >= Math.min(most, sizes.length) || !isHigh) return found.map((column) => column.numbers);
    }
  }

  /** Choose another layout for another window, and draw the current step again. */
  function layOut() {
    chooseLayout();
    draw(steps[now], false);
  }

  function draw(step, isNext) {
    if (picture && step.picture !== null) {
      const read = new DOMParser().parseFromString(svgOf(step), "image/svg+xml").documentElement;
      const parts = partsOf(document.importNode(read, true));
      const isSign = (part) => part.classList.contains("sign");
      rooms.flatMap((room) => room.getAnimations({ subtree: true })).forEach((one) => one.cancel());
      picture.dataset.follow = step.seat;
      fill(picture, hasBoard ? parts.splice(0, 1) : []);
      showPanels(parts.filter((part) => !isSign(part)));
      fill(legend, parts.filter(isSign));
      picture.style.setProperty("--share", picture.firstElementChild?.viewBox.baseVal.width ?? 0);
      reachIfScrolls(picture);
      picture.setAttribute("aria-label", `The board after ${step.words}`);
      if (isNext && !calm.matches) movePieces();
    }
    if (sentences) fill(sentences, step.sentences.map((number) => element("li", data.sentences[number])));
    fill(tables, step.tables.map((number) => tableOf(data.tables[number])));
  }

  /** Show the panels, on a phone below each other, else in their columns, each with room for its largest size. */
  function showPanels(parts) {
    const shown = parts.map((part, at) => {
      const box = element("div", "", { className: `panel ${part.classList}` });
      const [, width, height] = largest[hasBoard ? at + 1 : at];
      if (!narrow.matches) Object.assign(box.style, { width: `${width}px`, aspectRatio: `${width} / ${height}` });
      box.append(part);
      return box;
    });
    const grouped = () => columns.map((numbers) => {
      const column = element("div", "", { className: "column" });
      column.append(...numbers.map((at) => shown[at]).filter(Boolean));
      return column;
    });
    fill(panels, narrow.matches ? shown : grouped());
    panels.hidden = !parts.length;
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

  /** Mark the current entry in the graph of the amounts; a click in it goes to another entry. */
  const here = graph?.firstElementChild.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "path"));
  function showAmounts() {
    here.setAttribute("d", `M${(now * 1000) / Math.max(1, steps.length - 1)} 0V100`);
    for (const { seat, shown } of data.graph) {
      byId("amounts").querySelector(`[data-seat="${CSS.escape(seat)}"]`).textContent = data.amounts[shown[now]];
    }
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
    if (graph) showAmounts();
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
  graph?.addEventListener("click", ({ clientX }) => {
    const { x, width } = graph.getBoundingClientRect();
    go(() => Math.round(((clientX - x) / width) * (steps.length - 1)))();
  });
  addEventListener("hashchange", fromAddress);
  new ResizeObserver(() => reveal(lines[now])).observe(log);
  let wide = innerWidth;
  addEventListener("resize", () => {
    if (!picture || (innerWidth === wide && narrow.matches)) return; // a phone hides its own bars while it scrolls
    wide = innerWidth;
    layOut();
  });
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
  if (picture) chooseLayout();
  if (!fromAddress()) show(0, { named: false });
  performance.mark("ready");
})();
