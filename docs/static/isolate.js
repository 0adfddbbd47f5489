/**
 * @file A service worker that does what a host's configuration would: it gives documents and workers the two headers with which a browser
 * isolates a page, so that its workers may share memory. Nothing else goes through it. @see src/playground/isolation.ts
 * @original
 */
const HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" || request.destination === "worker") event.respondWith(isolated(request));
});

async function isolated(request) {
  const answer = await fetch(request);
  if (answer.status === 0 || answer.redirected) return answer; // the browser does the rest
  const headers = new Headers(answer.headers);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}
