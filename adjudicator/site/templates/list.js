"use strict";
// Sort and search the tables of a page. Without this script all rows are there, in their own order.
{
  const order = new Intl.Collator("en", { numeric: true });

  for (const section of document.querySelectorAll(".list")) {
    const table = section.querySelector("table");
    const body = table.tBodies[0];
    const headings = [...table.tHead.rows[0].cells];
    const text = (row, column) => row.cells[column].textContent.trim();
    headings.forEach((heading, column) => {
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => {
        const is_up = heading.ariaSort !== "ascending";
        const keyed = [...body.rows].map((row) => [text(row, column), row]);
        keyed.sort(([a], [b]) => (is_up ? 1 : -1) * order.compare(a, b));
        body.append(...keyed.map(([, row]) => row));
        for (const one of headings) one.ariaSort = null;
        heading.ariaSort = is_up ? "ascending" : "descending";
      });
    });
    const find = section.querySelector(".find");
    if (!find) continue;
    find.hidden = false;
    const rows = [...body.rows].map((row) => [row.textContent.toLowerCase(), row]);
    find.addEventListener("input", (event) => {
      const words = event.target.value.toLowerCase().split(/\s+/);
      let found = 0;
      for (const [all, row] of rows) {
        row.hidden = !words.every((word) => all.includes(word));
        found += !row.hidden;
      }
      find.querySelector("[role=status]").textContent = `${found} of ${rows.length} found`;
    });
  }
}
