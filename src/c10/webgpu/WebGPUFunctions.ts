/**
 * @file The device of this program, found and opened at its first use.
 * @mirrors c10/cuda/CUDAFunctions.h
 * @differs There is one device, number 0, because WebGPU offers one adapter; PyTorch counts the CUDA devices of the machine.
 */
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { AttachedHost, type AttachServer } from "./AttachedHost.ts";
import { type ClientOptions, WebGPUClient } from "./client.ts";
import { find_module } from "./find.ts";
import { LocalHost, why_not_wait } from "./local.ts";
import { PLACE } from "./protocol.ts";
import { WorkerHost } from "./worker.ts";

interface Machine {
  /** A server that outlives the program, offered by the program's surroundings (a playground). */
  readonly __webgpu_server?: AttachServer;
}

let client: WebGPUClient | null = null;
/** The reason why there is no device; it is determined once. */
let failure: Error | null = null;
let opening: Promise<WebGPUClient> | null = null;
let options: ClientOptions = {};

/** Sets how the device will be opened; for tests. It has no effect once the device is open. */
export function set_client_options(next: ClientOptions): void {
  options = next;
}

/** The environment of the program: whether its thread may wait, and where WebGPU is found. */
interface Surroundings {
  /** A sentence that says why this thread may not wait; null if it may. */
  readonly cannot_wait: string | null;
  /** A server of the program's surroundings, if they offer one. */
  readonly offered: AttachServer | undefined;
  /** Node's package; null in a browser. */
  readonly module: string | null;
}

function surroundings(): Surroundings {
  const offered = (globalThis as Machine).__webgpu_server;
  return { cannot_wait: why_not_wait(), offered, module: offered === undefined ? find_module() : null };
}

/**
 * Whether the device can be opened at once. A browser's worker does not start before the program that made it has
 * returned to its event loop.
 */
function opens_at_once({ cannot_wait, offered, module }: Surroundings): boolean {
  return cannot_wait === null && (offered !== undefined || module !== null);
}

function connect(): WebGPUClient {
  const found = surroundings();
  if (opens_at_once(found)) {
    const { offered, module } = found;
    const memory = new SharedArrayBuffer(PLACE.NBYTES);
    const host = offered === undefined ? new WorkerHost(memory, module) : new AttachedHost(memory, offered);
    return WebGPUClient.connect(memory, host, options);
  }
  throw new RuntimeError(
    "The WebGPU device is not open yet, and here it opens without blocking only: `await torch.webgpu.init()` first.",
  );
}

async function connect_async({ cannot_wait }: Surroundings): Promise<WebGPUClient> {
  TORCH_CHECK(navigator.gpu !== undefined, "No WebGPU here: this browser has no navigator.gpu.");
  if (cannot_wait !== null) {
    const [memory, host] = await LocalHost.open(navigator.gpu, cannot_wait);
    return WebGPUClient.connect_async(memory, host, options);
  }
  const memory = new SharedArrayBuffer(PLACE.NBYTES);
  return WebGPUClient.connect_async(memory, new WorkerHost(memory, null), options);
}

/** The device, opened if necessary. @throws {RuntimeError} if there is none; the message says why */
export function get_device(): WebGPUClient {
  if (client !== null) return client;
  if (failure !== null) throw failure;
  try {
    client = connect();
  } catch (error) {
    if (opening === null) failure = error as Error;
    throw error;
  }
  return client;
}

/**
 * Opens the device where that needs an `await`; elsewhere it returns the device at once. If the device was lost, or the thread that serves it
 * has ended, another one is opened. Its tensors are lost then.
 */
export async function open_device(): Promise<WebGPUClient> {
  if (client?.is_gone()) close_device();
  if (client !== null) return client;
  const found = surroundings();
  if (opens_at_once(found)) return get_device();
  opening ??= connect_async(found).finally(() => {
    opening = null;
  });
  client = await opening;
  failure = null;
  return client;
}

/** Whether the device is open. */
export function is_initialized(): boolean {
  return client !== null;
}

/** Ends the device; the next call opens another one. Tensors of the old one are lost. */
export function close_device(): void {
  client?.stop();
  client = failure = null;
}

/** Number of devices, 1 or 0; never throws. */
export function device_count(): number {
  try {
    get_device();
    return 1;
  } catch {
    return 0;
  }
}

export function current_device(): number {
  return 0;
}

export function set_device(device: number): void {
  TORCH_CHECK(device === 0, "WebGPU has one device, number 0, and not ", device);
}

export function device_synchronize(): void {
  get_device().synchronize("synchronize");
}
