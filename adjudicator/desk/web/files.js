// Files of the person: a place to drop or choose them, and files to take away.
import { make } from "./elements.js";

// A place for files: `took` gets them as a list of { name, bytes, handle, lastModified }. With `keepsHandles` a browser that
// can write into the files gives their handles, too.
export function dropPlace(title, words, took, { kind = "drop small", keepsHandles = false, ...values } = {}) {
  const picker = make("input", { type: "file", multiple: true, ...values, onchange: () => take([...picker.files]) });
  const place = make("label", { class: kind }, make("strong", {}, title), make("span", {}, words), picker);
  if (keepsHandles && window.showOpenFilePicker)
    picker.addEventListener("click", async (event) => {
      event.preventDefault();
      const handles = await window.showOpenFilePicker({ multiple: true }).catch(() => []);
      await take(await Promise.all(handles.map((handle) => handle.getFile())), handles);
    });
  place.addEventListener("dragover", (event) => event.preventDefault());
  place.addEventListener("drop", async (event) => {
    event.preventDefault();
    const files = [...event.dataTransfer.files]; // the event gives both only now
    const handles = keepsHandles ? [...event.dataTransfer.items].filter((item) => item.kind === "file").map((item) => item.getAsFileSystemHandle?.()) : [];
    await take(files, await Promise.all(handles));
  });

  async function take(files, handles = []) {
    const found = await Promise.all(files.map(async (file, at) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()), handle: handles[at], lastModified: file.lastModified })));
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
