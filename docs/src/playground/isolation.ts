/**
 * @file Cross-origin isolation, which a browser wants before workers may share memory. A host gives it by two headers (static/_headers, for
 * hosts that read such a file); where it does not, a service worker puts them in, and the page is loaded once more. Only pages with a
 * playground ask for it, and where it cannot be had everything works on one thread.
 * @original
 */

/** Kept for a visit: one attempt is enough to know that a browser refuses. */
const TRIED = "glasstorch.isolation";

let asked = false;

/** @param script the address of static/isolate.js */
export function isolate(script: string): void {
  if (asked || crossOriginIsolated || !isSecureContext || !("serviceWorker" in navigator)) return;
  asked = true;
  if (remembered()) return;
  // Who has begun to do something keeps it; the next page will be isolated.
  let busy = false;
  const touch = (): void => {
    busy = true;
  };
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, touch, { once: true, capture: true });
  navigator.serviceWorker
    .register(script)
    .then(() => navigator.serviceWorker.ready)
    .then(
      () => {
        if (busy) return;
        remember();
        location.reload();
      },
      () => {}, // one thread
    );
}

function remembered(): boolean {
  try {
    return sessionStorage.getItem(TRIED) !== null;
  } catch {
    return true; // a browser that keeps nothing would load for ever
  }
}

function remember(): void {
  sessionStorage.setItem(TRIED, "once");
}
