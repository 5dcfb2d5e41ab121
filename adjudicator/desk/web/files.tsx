// Files of the person: a place to drop or choose them, and files to take away. A browser that can write into the file that was
// opened does so; elsewhere a saved game is a download.
import { useRef } from "preact/hooks";
import { say } from "./elements";

export interface Taken { name: string; bytes: Uint8Array; handle?: Handle; lastModified: number }

// A file of the person's computer into which this browser can write.
type Handle = FileSystemFileHandle & { requestPermission?(asked: { mode: "readwrite" }): Promise<PermissionState> };

declare global {
  interface Window {
    showOpenFilePicker?(options: { multiple: boolean }): Promise<Handle[]>;
    showSaveFilePicker?(options: { suggestedName: string; types: { description: string; accept: Record<string, string[]> }[] }): Promise<Handle>;
  }
  interface DataTransferItem {
    getAsFileSystemHandle?(): Promise<Handle | null>;
  }
}

interface DropProps { title: string; words: string; id?: string; accept?: string; isLarge?: boolean; keepsHandles?: boolean; onTake(files: Taken[]): void }

// A place for files. With `keepsHandles` a browser that can write into the files gives their handles, too.
export function DropPlace({ title, words, id, accept, isLarge, keepsHandles, onTake }: DropProps) {
  const picker = useRef<HTMLInputElement>(null);
  async function take(files: File[], handles: (Handle | null | undefined)[] = []) {
    const read = async (file: File, at: number) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()), handle: handles[at] ?? undefined, lastModified: file.lastModified });
    const found = await Promise.all(files.map(read));
    picker.current!.value = "";
    if (found.length) onTake(found);
  }
  async function pick(event: Event) {
    if (!keepsHandles || !window.showOpenFilePicker) return;
    event.preventDefault();
    const handles = await window.showOpenFilePicker({ multiple: true }).catch(() => []);
    await take(await Promise.all(handles.map((handle) => handle.getFile())), handles);
  }
  async function drop(event: DragEvent) {
    event.preventDefault();
    const { files, items } = event.dataTransfer!; // the event gives both only now
    const handles = keepsHandles ? [...items].filter((item) => item.kind === "file").map((item) => item.getAsFileSystemHandle?.()) : [];
    await take([...files], await Promise.all(handles));
  }
  return (
    <label class={isLarge ? "drop" : "drop small"} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <strong>{title}</strong>
      <span>{words}</span>
      <input ref={picker} type="file" multiple id={id} accept={accept} onClick={pick} onChange={(event) => take([...event.currentTarget.files!])} />
    </label>
  );
}

export function download(name: string, data: BlobPart, type: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([data], { type }));
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// The file that a game comes from.
export type Origin = Pick<Taken, "handle" | "lastModified">;

// Write a game into the file that it comes from, or into another one that the person chooses; return that file. Throws if the
// browser does not allow it, an `AbortError` if the person does not choose any.
export async function writeGame(id: string, bytes: Uint8Array<ArrayBuffer>, origin: Origin | null): Promise<Origin | null> {
  if (!window.showSaveFilePicker) {
    download(`${id}.json`, bytes, "application/json");
    return null;
  }
  let handle = origin?.handle;
  if (handle && (await handle.getFile()).lastModified !== origin!.lastModified) {
    say("Another program has changed the file: save the game under another name.", "bad");
    handle = undefined;
  }
  handle ??= await window.showSaveFilePicker({ suggestedName: `${id}.json`, types: [{ description: "Game of adjudicator", accept: { "application/json": [".json"] } }] });
  if ((await handle.requestPermission?.({ mode: "readwrite" })) === "denied") throw new Error("the browser does not allow it");
  const stream = await handle.createWritable();
  await stream.write(bytes);
  await stream.close();
  say(`${handle.name} is saved.`, "good");
  return { handle, lastModified: (await handle.getFile()).lastModified };
}
