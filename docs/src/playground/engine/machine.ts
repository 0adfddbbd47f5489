/**
 * @file The machine that a worker of the playground offers the library: the kernels it may take, threads, and the device. All are to be there
 * before the library is loaded.
 * @original
 */
import type { Capability, FromRunner, ThreadData } from "./protocol.ts";

interface Machine {
  process?: { env: Record<string, string | undefined> };
  __start_thread?: (text: string, data: ThreadData) => { stop(): void };
  __webgpu_server?: (memory: SharedArrayBuffer) => void;
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

/** The page has the device from program to program. Where no memory can be shared, the library looks for one of its own. */
export function offerDevice(post: (message: FromRunner) => void): void {
  if (typeof SharedArrayBuffer === "undefined") return;
  machine.__webgpu_server = (memory) => post({ type: "device", memory });
}
