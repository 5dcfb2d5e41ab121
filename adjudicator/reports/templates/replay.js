"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("replay").textContent);
  const { frames, parts, runs } = data.pictures;
  const steps = data.steps;
  const lines = steps.map((step) => byId(`entry-${step.anchor}`));
  const numbers = new Map(steps.map((step, at) => [step.anchor, at]));
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const [picture, sentences, tables, slider, log, speed] = ["picture", "sentences", "tables", "slider", "log", "speed"].map(byId);
  let now = -1;
  let timer = 0;

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

  function draw(step) {
    if (picture && step.picture !== null) {
      const read = new DOMParser().parseFromString(svgOf(step), "image/svg+xml").documentElement;
      picture.replaceChildren(document.importNode(read, true));
      // A picture that is much higher than wide would be too small to read in the size of the window.
      const [, , width, height] = read.getAttribute("viewBox").split(" ").map(Number);
      picture.classList.toggle("tall", height > 1.5 * width);
      picture.setAttribute("aria-label", `The board after ${step.words}`);
    }
    sentences?.replaceChildren(...step.sentences.map((number) => element("li", data.sentences[number])));
    tables.replaceChildren(...step.tables.map((number) => tableOf(data.tables[number])));
  }

  /** Bring a line of the log into sight, without moving the page where the log has a room of its own. */
  function reveal(line) {
    const room = log.scrollHeight > log.clientHeight + 1 ? log : null;
    if (!room) return;
    const [inner, outer] = [line.getBoundingClientRect(), room.getBoundingClientRect()];
    if (inner.top >= outer.top + 40 && inner.bottom <= outer.bottom - 40) return;
    const top = room.scrollTop + inner.top - outer.top - room.clientHeight / 3;
    room.scrollTo({ top, behavior: calm.matches || timer ? "auto" : "smooth" });
  }

  function show(at, { named = true } = {}) {
    const next = Math.max(0, Math.min(steps.length - 1, at));
    if (next === now) return;
    if (now >= 0) lines[now].removeAttribute("aria-current");
    now = next;
    const step = steps[now];
    draw(step);
    lines[now].setAttribute("aria-current", "step");
    reveal(lines[now]);
    slider.value = now;
    slider.setAttribute("aria-valuetext", step.words);
    byId("count").textContent = `${now + 1} / ${steps.length}`;
    byId("now").textContent = step.words;
    byId("first").disabled = byId("back").disabled = now === 0;
    byId("on").disabled = byId("last").disabled = now === steps.length - 1;
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
    const at = numbers.get(decodeURIComponent(location.hash.slice(1)));
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
  byId("size")?.addEventListener("click", (event) => {
    const isLarge = picture.classList.toggle("large");
    event.currentTarget.setAttribute("aria-pressed", String(isLarge));
    picture.toggleAttribute("tabindex", isLarge);
    if (isLarge) picture.tabIndex = 0;
  });
  addEventListener("hashchange", fromAddress);
  addEventListener("keydown", (event) => {
    const at = event.target;
    const isOwn = at.matches("select, summary, pre, .large") || (at.matches("button, a") && event.key === " ");
    const slides = at === slider && event.key !== " ";
    if (isOwn || slides || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  slider.max = steps.length - 1;
  byId("bar").hidden = false;
  byId("unplayable").remove();
  if (!fromAddress()) show(steps.length - 1, { named: false });
  performance.mark("ready");
})();
