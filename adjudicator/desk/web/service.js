// Keeps one release of the desk for use without a network. A new release is activated as a whole.
const RELEASE = "@RELEASE@";
const FILES = @FILES@;
const STORE = `desk-${RELEASE}`;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(STORE).then((store) => store.addAll([new Request("./", { cache: "reload" }), ...FILES])).then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const stores = await caches.keys();
      await Promise.all(stores.filter((name) => name.startsWith("desk-") && name !== STORE).map((name) => caches.delete(name)));
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || address.origin !== self.location.origin) return;
  if (event.request.mode === "navigate" && !address.pathname.includes("/made/")) {
    // The page comes from the network if there is one, so that nobody stays with an old release.
    event.respondWith(fetch(event.request, { cache: "no-store" }).catch(() => caches.match("./")));
    return;
  }
  event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request)));
});
