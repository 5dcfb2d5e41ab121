"use strict";
/* Show the boards, panels and signs of a picture one by one, so that a narrow window can lay them out. */
const narrow = matchMedia("(max-width: 40rem)");

/** The least size of letters on a phone in pixels. */
const READABLE = 10;

/** The pixels between the halves of a board on a phone. */
const FOLD = 6;

/** Take `drawn` apart: its boards, then its panels, then the signs of its legend, each as a picture of its own. */
function partsOf(drawn) {
  const kinds = ['[data-part="board"]', '[data-part="panel"], [data-part="small"]', '[data-part="sign"]'];
  const found = kinds.flatMap((kind) => [...drawn.querySelectorAll(kind)]);
  const parts = found.map((part) => {
    const own = document.createElementNS(drawn.namespaceURI, "svg");
    const [, , width, height] = part.dataset.box.split(" ");
    const values = { viewBox: part.dataset.box, width, height, "font-family": drawn.getAttribute("font-family") };
    Object.entries(values).forEach(([name, value]) => own.setAttribute(name, value));
    own.classList.add(part.dataset.part);
    part.removeAttribute("transform");
    const next = part.nextElementSibling;
    own.append(part);
    if (next?.matches('[data-part="half"]')) unite(own, next, Number(width), Number(height));
    return own;
  });
  parts[0]?.prepend(...drawn.querySelectorAll("defs"));
  return parts;
}

/** Put the right `half` of a board beside its left one, or below it in a narrow window. */
function unite(board, half, width, height) {
  const [right, down] = narrow.matches ? [0, height + FOLD] : [width, 0];
  half.setAttribute("transform", `translate(${right} ${down})`);
  board.append(half);
  const size = { viewBox: `0 0 ${width + right} ${height + down}`, width: width + right, height: height + down };
  Object.entries(size).forEach(([name, value]) => board.setAttribute(name, value));
}

/** The width in pixels at which all letters of `svg` are readable. */
function readableWidth(svg) {
  const sizes = [...svg.querySelectorAll("[font-size]")].map((text) => Number(text.getAttribute("font-size")));
  return (svg.viewBox.baseVal.width * READABLE) / Math.min(READABLE * 2, ...sizes);
}

/** Let keys reach `room` if it scrolls, and only then. */
function reachIfScrolls(room) {
  const scrolls = room.scrollWidth > room.clientWidth || room.scrollHeight > room.clientHeight;
  if (scrolls) room.tabIndex = 0;
  else room.removeAttribute("tabindex");
}
