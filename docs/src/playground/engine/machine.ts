/**
 * @file What a worker of the playground offers the library as its machine: the kernels it may take, and threads. Both are to be there before
 * the library is loaded.
 * @original
 */
import type { Capability, FromRunner, ThreadData } from "./protocol.ts";

interface Machine {
  process?: { env: Record<string, string | undefined> };
  __start_thread?: (text: string, data: ThreadData) => { stop(): void };
}
const machine = globalThis as Machine;

/** As the environment's variable would. */
export function allow(capability: Capability | undefined): void {
  machine.process ??= { env: {} };
  if (capability !== undefined) machine.process.env["ATEN_CPU_CAPABILITY"] = capability;
}

/** A worker here can start none: it asks the page, which ends them with the run. */
export function offerThreads(post: (message: FromRunner) => void): void {
  machine.__start_thread = (text, data) => {
    post({ type: "thread", text, data });
    return { stop: () => {} };
  };
}
