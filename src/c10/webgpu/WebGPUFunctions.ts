/**
 * @file The device of this program: found and opened when it is first needed.
 * @mirrors c10/cuda/CUDAFunctions.h
 * @differs There is one device, number 0: WebGPU offers one adapter.
 */
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { AttachedHost, type AttachServer } from "./AttachedHost.ts";
import { type ClientOptions, WebGPUClient } from "./client.ts";
import { find_module } from "./find.ts";
import { LocalHost, why_not_wait } from "./local.ts";
import { PLACE } from "./protocol.ts";
import { WorkerHost } from "./worker.ts";

interface Machine {
  /** A server that outlives the program, offered by whoever runs it (a playground). */
  readonly __webgpu_server?: AttachServer;
}

let client: WebGPUClient | null = null;
/** Why there is no device: found out once. */
let failure: Error | null = null;
let opening: Promise<WebGPUClient> | null = null;
let options: ClientOptions = {};

/** For tests: how the device will be opened. Once it is, nothing changes. */
export function set_client_options(next: ClientOptions): void {
  options = next;
}

/** How this program comes by its device: the threads that run, what may wait, and where WebGPU is. */
interface Surroundings {
  /** Why this thread may not wait; null where it may. */
  readonly cannot_wait: string | null;
  /** A server that somebody else has. */
  readonly offered: AttachServer | undefined;
  /** Node's package; null in a browser. */
  readonly module: string | null;
}

function surroundings(): Surroundings {
  const offered = (globalThis as Machine).__webgpu_server;
  return { cannot_wait: why_not_wait(), offered, module: offered === undefined ? find_module() : null };
}

/** Where it can be opened at once: a worker of a browser does not begin before the program that made it has returned to its event loop. */
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

/** The device, opened if it is not yet. @throws {RuntimeError} if there is none, and why */
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

/** The same where it takes an `await`; elsewhere it does no harm. */
export async function open_device(): Promise<WebGPUClient> {
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

/** Whether it is open. */
export function is_initialized(): boolean {
  return client !== null;
}

/** Ends the device; the next call opens another. Tensors of the old one are lost. */
export function close_device(): void {
  client?.stop();
  client = failure = null;
}

/** 1 or 0; never throws. */
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
