/**
 * @file `torch.webgpu`: functions for the WebGPU device, with the names and meanings of `torch.cuda`.
 * @mirrors torch/cuda/__init__.py
 * @mirrors torch/cuda/random.py
 */
import { fetch_to_cpu } from "#aten/native/webgpu/Copy";
import { getDefaultWebGPUGenerator } from "#aten/webgpu/WebGPUGeneratorImpl";
import type { DeviceProperties } from "#c10/webgpu/interface";
import * as c10_webgpu from "#c10/webgpu/WebGPUFunctions";
import { AbstractContextManager, type THPStream, THPVariable_Wrap } from "#torch/_C";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import type { Device } from "#torch/accelerator/_utils";
import * as accelerator from "#torch/accelerator/index";
import type { DeviceLike } from "#torch/types";
import { def_context } from "#torch/utils/_contextlib";
import { as_webgpu, type Stream } from "./streams.ts";

export * from "./memory.ts";
export { Event, Stream } from "./streams.ts";

type Seed = number | bigint;

// ---- the device

/** Whether the device can be used. */
export const is_available = def("is_available()", (): boolean => c10_webgpu.device_count() > 0);

/** Whether the device has been used. */
export const is_initialized = def("is_initialized()", (): boolean => c10_webgpu.is_initialized());

/**
 * Opens the device, which otherwise happens at first use. In a browser it must be awaited before any other use. A device that was lost is
 * opened again. Tensors that were on it raise an error when they are used.
 * @differs Ours returns a promise; PyTorch's returns when the device is ready. In Node the device is ready when the call returns.
 */
export const init = def("init()", async (): Promise<void> => void (await c10_webgpu.open_device()));

export const device_count = def("device_count()", (): number => c10_webgpu.device_count());
export const current_device = def("current_device()", (): number => c10_webgpu.current_device());
export const set_device = def("set_device(device)", (device: number): void => c10_webgpu.set_device(device));

/** The name of the adapter. */
export const get_device_name = def(
  "get_device_name(device=None)",
  (_device: DeviceLike | number | null): string => c10_webgpu.get_device().properties.name,
);

/** Properties of the device: its name, its limits, `total_memory` in bytes. */
export const get_device_properties = def(
  "get_device_properties(device=None)",
  (_device: DeviceLike | number | null): DeviceProperties => c10_webgpu.get_device().properties,
);

/** Waits until all work sent to the device has finished. */
export const synchronize = def("synchronize(device=None)", (_device: DeviceLike | number | null): void =>
  c10_webgpu.device_synchronize(),
);

/** Makes the device with this index current inside the context; there is only one. */
export const device = accelerator.device_index;

// ---- streams

/** The stream that receives work. */
export const current_stream = def(
  "current_stream(device=None)",
  (device: Device): Stream => as_webgpu(accelerator.current_stream(device)),
);

/** The stream that is current by default. */
export const default_stream = def("default_stream(device=None)", (device: Device): Stream => current_stream(device));

/** Makes a stream the current one; null changes nothing. */
export const set_stream = def("set_stream(stream)", (stream: THPStream | null): void => {
  if (stream !== null) accelerator.set_stream(stream);
});

/** A context in which work goes into `stream`; null changes nothing. */
export class StreamContext extends AbstractContextManager {
  readonly stream: THPStream | null;

  constructor(stream: THPStream | null) {
    super();
    this.stream = stream;
  }

  override __enter__(): void {
    this.stream?.__enter__();
  }

  override __exit__(): void {
    this.stream?.__exit__();
  }
}

/** @example torch.webgpu.stream(new torch.webgpu.Stream(), () => x.add(y)); */
export const stream = def_context("stream.__init__(self, stream)", StreamContext);

// ---- copies

/**
 * A copy on the CPU, as a promise. Elsewhere `x.cpu()` returns the copy, but the main thread of a page must not block.
 * @original
 */
export const fetch = def(
  "fetch(input)",
  async (input: Tensor): Promise<Tensor> => THPVariable_Wrap(await fetch_to_cpu(input.cdata)) as Tensor,
);

// ---- random numbers

/** Whether the process was forked; always false. */
export function _is_in_bad_fork(): boolean {
  return false;
}

export const manual_seed = def("manual_seed(seed)", (seed: Seed): void =>
  getDefaultWebGPUGenerator().set_current_seed(BigInt(seed)),
);
export const manual_seed_all = def("manual_seed_all(seed)", (seed: Seed): void => manual_seed(seed));
export const initial_seed = def("initial_seed()", (): Seed => getDefaultWebGPUGenerator().current_seed());

/** The state of the generator: seed and offset, 16 bytes. */
export const get_rng_state = def(
  "get_rng_state(device='webgpu')",
  (_device: DeviceLike | number): Tensor => THPVariable_Wrap(getDefaultWebGPUGenerator().get_state()) as Tensor,
);
export const set_rng_state = def(
  "set_rng_state(new_state, device='webgpu')",
  (new_state: Tensor, _device: DeviceLike | number): void => getDefaultWebGPUGenerator().set_state(new_state.cdata),
);
