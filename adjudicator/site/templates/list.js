"use strict";
// Sort and search the tables of a site. Without this script all rows of a page are there, in their own order.
{
  const MOST = 250;
  const AT_ONCE = 40; // a screen of rows comes at once, the others when the browser has drawn it
  const order = new Intl.Collator("en", { numeric: true });

  const make = (name, inner = [], more = {}) => {
    const made = Object.assign(document.createElement(name), more);
    made.append(...inner);
    return made;
  };

  /** Return a game that only the data of the page contains, with the texts of its cells and a function for its row. */
  const dataRow = (data) => ([file, other, ruleset, numbers, orders, finished, verdict]) => {
    const game = other || file.replace(/^.*\//, "").slice(0, -9);
    const players = numbers.map((n) => [...data.players[n < 0 ? -1 - n : n], n < 0]);
    const cells = [game, data.rulesets[ruleset][0], players.map((one) => one[0]).join(", "), `${orders}`, finished, data.verdicts[verdict]];
    let row;
    const build = () => {
      const picture = make("img", [], { loading: "lazy", width: 112, height: 84, alt: "", src: `${file}.svg` });
      const named = players.flatMap(([name, href, won], at) => {
        const link = href ? make("a", [name], { href }) : name;
        return [at ? ", " : "", won ? make("strong", [link]) : link];
      });
      const first = make("th", [make("a", [picture, game], { href: `${file}.html` })], { scope: "row" });
      const [name, href] = data.rulesets[ruleset];
      return make("tr", [first, make("td", [make("a", [name], { href })]), make("td", named), ...cells.slice(3).map((one) => make("td", [one]))]);
    };
    return listed(cells, () => (row ??= build()));
  };

  /** Return a row with the texts of its cells, the same as one text to search, and a function for its element. */
  const listed = (cells, row) => ({ cells, text: cells.join(" ").toLowerCase(), row });

  const start = (section) => {
    const table = section.querySelector("table");
    const body = table.tBodies[0];
    const find = section.querySelector(".find");
    const data = section.querySelector("script");
    const rows = [...body.rows].map((row) => listed([...row.cells].map((cell) => cell.textContent.trim()), () => row));
    let waiting = data ? JSON.parse(data.textContent) : null;
    let by = null;
    let later = 0;
    const prepare = () => {
      if (waiting) rows.push(...waiting.rows.map(dataRow(waiting)));
      waiting = null;
    };
    const show = () => {
      prepare();
      const words = find ? find.querySelector("input").value.toLowerCase().split(/\s+/) : [];
      const chosen = find ? [...find.querySelectorAll("select")].filter((one) => one.value) : [];
      const found = rows.filter(
        ({ cells, text }) =>
          words.every((word) => text.includes(word)) && chosen.every((one) => cells[one.dataset.column].startsWith(one.value)),
      );
      if (by) found.sort((a, b) => by.way * order.compare(a.cells[by.column], b.cells[by.column]));
      body.replaceChildren(...found.slice(0, AT_ONCE).map((one) => one.row()));
      clearTimeout(later);
      later = setTimeout(() => body.append(...found.slice(AT_ONCE, MOST).map((one) => one.row())), 100);
      const first = found.length > MOST ? `, the first ${MOST} are shown` : "";
      if (find) find.querySelector("[role=status]").textContent = `${found.length} of ${rows.length} found${first}`;
    };
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const button = make("button", [...heading.childNodes], { type: "button" });
      heading.append(button);
      button.addEventListener("click", () => {
        by = { column, way: by && by.column === column ? -by.way : 1 };
        for (const one of table.tHead.rows[0].cells) one.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", by.way > 0 ? "ascending" : "descending");
        show();
      });
    });
    if (find) {
      find.hidden = false;
      find.addEventListener("input", show);
    }
    if (waiting) setTimeout(prepare, 500); // before somebody searches, after the page is there
  };

  for (const section of document.querySelectorAll(".list")) start(section);
}
