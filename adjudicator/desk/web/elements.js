// Small helpers to make and change the elements of the page. Text is always set as text, never as markup.

// Make an element: make("button", { class: "primary", onclick: … }, "Text", child, …)
export function make(tag, values = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

// Replace the children of `element`.
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function button(text, onclick, kind = undefined) {
  return make("button", { type: "button", class: kind, onclick }, text);
}

// Parse the picture that Python drew. A picture with scripts or foreign elements would be a bug: none gets in.
export function parsedPicture(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.localName !== "svg") throw new Error("the picture cannot be read");
  for (const bad of root.querySelectorAll("script, foreignObject, iframe, object, a[href]")) bad.remove();
  return document.adoptNode(root);
}

// "1 order", "2 orders"
export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

// Show `text` in the bar of the page; `kind` is "good", "bad" or nothing.
export function say(text, kind = "") {
  const status = document.getElementById("status");
  status.textContent = text;
  status.className = kind;
}
