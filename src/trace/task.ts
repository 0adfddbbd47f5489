/**
 * @file Whose call is this? While an async program waits, other programs of the same process run; a recording takes in its own alone.
 * @original
 * @differs Where there is no `AsyncLocalStorage` (browsers have none yet) every call belongs to the recording that is under way.
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

/** Made with the first recording: from then on the engine follows every promise, until `leave`. */
let storage: AsyncLocalStorage | null | undefined;

function find(): AsyncLocalStorage | null {
  const hooks = (globalThis as Runtime).process?.getBuiltinModule?.("node:async_hooks");
  return hooks === undefined ? null : new hooks.AsyncLocalStorage();
}

/** Calls `fn`: it and everything that it awaits is the task `task`. */
export function run_as<R>(task: object, fn: () => R): R {
  storage ??= find();
  return storage === null ? fn() : storage.run(task, fn);
}

export function is_running(task: object): boolean {
  return (storage ?? null) === null || storage?.getStore() === task;
}

/** No task is followed any longer. */
export function leave(): void {
  storage?.disable();
}
