/**
 * @file The device of the page's programs: a worker that owns it from program to program, so that a kernel is compiled once. It reads what the
 * program's thread writes into their shared memory, and runs no text but the library's own and the kernels.
 * @original
 */
let server: Worker | null = null;

/** Serves one program at a time: who comes is served instead of who was. */
export function serveDevice(memory: SharedArrayBuffer): void {
  server ??= new Worker(new URL("./device_worker.ts", import.meta.url), { type: "module" });
  server.postMessage(memory);
}

/** The next program gets a fresh one. */
export function forgetDevice(): void {
  server?.terminate();
  server = null;
}
