// What this browser keeps. Players' own files, so that the first page can list the games with something to do: the files that
// the player saved are the truth, a browser may forget these copies at any time, and the page works without them. And the
// mail addresses of a moderator's players, which no game file has.
import type { OpenGame } from "./answers";

// Where the orders of a club's player go, and what shows that they are the player's.
export interface Post { to: string; token: string }
export interface Copy { key: string; game: OpenGame; name: string; bytes: Uint8Array; opened: number; post: Post | null }

const STORE = "files";

export async function keptFiles(): Promise<Copy[]> {
  try {
    const found: Copy[] = await done((await store("readonly")).getAll());
    return found.sort((one, other) => other.opened - one.opened);
  } catch {
    return [];
  }
}

// Keep a copy of a player's own file, unless a later turn of the same game is kept. Return where its orders go: `post`, or
// what an earlier copy says.
export async function keep(game: OpenGame, name: string, bytes: Uint8Array, post: Post | null = null): Promise<Post | null> {
  const key = `${game.id} ${game.own}`;
  try {
    const before: Copy | undefined = await done((await store("readonly")).get(key));
    post ??= before?.post ?? null;
    if (before && before.game.turn > game.turn) return post;
    await done((await store("readwrite")).put({ key, game, name, bytes, opened: Date.now(), post } satisfies Copy));
  } catch {
    // the player still has the file
  }
  return post;
}

export async function forget(key: string) {
  try {
    await done((await store("readwrite")).delete(key));
  } catch {
    // there was nothing to forget
  }
}

async function store(mode: IDBTransactionMode) {
  const opening = indexedDB.open("desk", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "key" });
  return (await done(opening)).transaction(STORE, mode).objectStore(STORE);
}

const done = <T,>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

// Mail addresses by seat.
export type Addresses = Record<string, string>;

export const addressesOf = (game: OpenGame) => `addresses ${game.id}`;

// Keep `value` under this `name`. A browser may refuse to keep anything.
export function remember(name: string, value: object) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // the person still has it on the page
  }
}

// Keep nothing any more under this `name`.
export function forgetValue(name: string) {
  try {
    localStorage.removeItem(name);
  } catch {
    // there was nothing
  }
}

// Return what was kept under this `name`; null if it is missing or damaged.
export function remembered(name: string): any {
  try {
    return JSON.parse(localStorage.getItem(name)!);
  } catch {
    return null;
  }
}
