// Files of the person: a place to drop or choose them, and files to take away.
import { make } from "./elements.js";

// A place for files: `took` gets them as a list of { name, bytes }.
export function dropPlace(title, words, took, { kind = "drop small", ...values } = {}) {
  const picker = make("input", { type: "file", multiple: true, ...values, onchange: () => take(picker.files) });
  const place = make("label", { class: kind }, make("strong", {}, title), make("span", {}, words), picker);
  place.addEventListener("dragover", (event) => event.preventDefault());
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer.files);
  });

  async function take(files) {
    const found = await Promise.all([...files].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
    picker.value = "";
    if (found.length) await took(found);
  }
  return place;
}

export function download(name, data, type) {
  const address = URL.createObjectURL(new Blob([data], { type }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
