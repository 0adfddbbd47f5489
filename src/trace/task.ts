/**
 * @file The owner of a call. While an async program waits, other programs of the same process run; a recording contains
 * only its own calls.
 * @original
 * @differs Without `AsyncLocalStorage` (browsers have none yet) every call belongs to the recording in progress;
 * PyTorch's profiler records threads.
 */

interface AsyncLocalStorage {
  run<R>(store: object, fn: () => R): R;
  getStore(): object | undefined;
  disable(): void;
}

interface Runtime {
  readonly process?: {
    getBuiltinModule?(name: string): { readonly AsyncLocalStorage: new () => AsyncLocalStorage } | undefined;
  };
}

/** Made with the first recording; the engine then tracks every promise, until `leave`. */
let storage: AsyncLocalStorage | null | undefined;

function find(): AsyncLocalStorage | null {
  const hooks = (globalThis as Runtime).process?.getBuiltinModule?.("node:async_hooks");
  return hooks === undefined ? null : new hooks.AsyncLocalStorage();
}

/** Calls `fn`: `fn` and everything that it awaits is the task `task`. */
export function run_as<R>(task: object, fn: () => R): R {
  storage ??= find();
  return storage === null ? fn() : storage.run(task, fn);
}

export function is_running(task: object): boolean {
  return (storage ?? null) === null || storage?.getStore() === task;
}

/** Stops the tracking of promises. */
export function leave(): void {
  storage?.disable();
}
