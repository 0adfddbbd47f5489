/**
 * @file The device of this program: found and opened when it is first needed.
 * @mirrors c10/cuda/CUDAFunctions.h
 * @differs There is one device, number 0: WebGPU offers one adapter.
 */
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { AttachedHost } from "./AttachedHost.ts";
import { type ClientOptions, WebGPUClient } from "./client.ts";
import { find_module } from "./find.ts";
import { LocalHost, why_not_wait } from "./local.ts";
import { PLACE } from "./protocol.ts";
import { WorkerHost } from "./worker.ts";

interface Machine {
  /** A server that outlives the program, offered by whoever runs it (a playground): its memory. */
  readonly __webgpu_server?: SharedArrayBuffer;
}

let client: WebGPUClient | null = null;
/** Why there is no device: found out once. */
let failure: Error | null = null;
let options: ClientOptions = {};

/** For tests: how the device will be opened. Once it is, nothing changes. */
export function set_client_options(next: ClientOptions): void {
  options = next;
}

function connect(): WebGPUClient {
  const cannot = why_not_wait();
  if (cannot !== null)
    throw new RuntimeError(
      "The WebGPU device is not open yet, and this thread may not wait for it: `await torch.webgpu.init()` first.",
    );
  const offered = (globalThis as Machine).__webgpu_server;
  if (offered !== undefined) {
    const attached = WebGPUClient.connect(offered, new AttachedHost(offered), options);
    attached.reset();
    return attached;
  }
  const module = find_module();
  const memory = new SharedArrayBuffer(PLACE.NBYTES);
  return WebGPUClient.connect(memory, new WorkerHost(memory, module), options);
}

/** The device, opened if it is not yet. @throws {RuntimeError} if there is none, and why */
export function get_device(): WebGPUClient {
  if (client !== null) return client;
  if (failure !== null) throw failure;
  try {
    client = connect();
  } catch (error) {
    failure = error as Error;
    throw failure;
  }
  return client;
}

/** Opens the device where nobody may wait; elsewhere it does no harm. */
export async function open_device(): Promise<WebGPUClient> {
  const cannot = why_not_wait();
  if (client !== null || cannot === null) return get_device();
  TORCH_CHECK(navigator.gpu !== undefined, "No WebGPU here: this browser has no navigator.gpu.");
  const [memory, host] = await LocalHost.open(navigator.gpu, cannot);
  client ??= await WebGPUClient.connect_async(memory, host, options);
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

/** The same, but says why there is none. */
export function device_count_ensure_non_zero(): number {
  get_device();
  return 1;
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
