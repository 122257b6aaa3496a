// Answers from the network while there is one, else with the files that the page told it to keep.
const kCache = "xlashape-explorer";

addEventListener("install", () => self.skipWaiting());
addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
addEventListener("message", (event) => event.waitUntil(caches.open(kCache).then((cache) => cache.addAll(event.data))));
addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(
    fetch(event.request).then((answer) => {
      if (answer.ok) {
        const copy = answer.clone();
        event.waitUntil(caches.open(kCache).then((cache) => cache.put(event.request, copy)));
      }
      return answer;
    }).catch(async (error) => {
      const kept = await caches.match(event.request, { ignoreSearch: true });
      if (kept === undefined) throw error;
      return kept;
    }),
  );
});
