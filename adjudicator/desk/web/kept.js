// Players' own files that this browser keeps, so that the first page can list the games with something to do. The files
// that the player saved are the truth: a browser may forget these copies at any time, and the page works without them.
const STORE = "files";

// A copy: { key, game (as Python sums it up), name (of the file), bytes, opened (a time), post (where orders go, or null) }.
export async function keptFiles() {
  try {
    const found = await done((await store("readonly")).getAll());
    return found.sort((one, other) => other.opened - one.opened);
  } catch {
    return [];
  }
}

// Keep a copy of a player's own file, unless a later turn of the same game is kept. Return where its orders go: `post`, or
// what an earlier copy says.
export async function keep(game, name, bytes, post = null) {
  const key = `${game.id} ${game.own}`;
  try {
    const before = await done((await store("readonly")).get(key));
    post ??= before?.post ?? null;
    if (before && before.game.turn > game.turn) return post;
    await done((await store("readwrite")).put({ key, game, name, bytes, opened: Date.now(), post }));
  } catch {
    // the player still has the file
  }
  return post;
}

export async function forget(key) {
  try {
    await done((await store("readwrite")).delete(key));
  } catch {
    // there was nothing to forget
  }
}

async function store(mode) {
  const opening = indexedDB.open("desk", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "key" });
  return (await done(opening)).transaction(STORE, mode).objectStore(STORE);
}

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
