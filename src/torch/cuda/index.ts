/**
 * @file `torch.cuda` without CUDA: a program can ask what is available, and continue without it.
 * @mirrors torch/cuda/__init__.py
 * @differs Ours has no functions that only a CUDA device could answer, no tensor classes and no `nvtx`; PyTorch has them.
 * @see memory.ts, random.ts, streams.ts
 */
import { RuntimeError } from "#c10/util/Exception";
import { AbstractContextManager } from "#torch/_C";
import { def } from "#torch/_signature";
import type { DeviceLike } from "#torch/types";
import { _lazy_init, needs_cuda } from "./_lazy_init.ts";

export * as amp from "./amp/index.ts";
export * from "./memory.ts";
export * from "./random.ts";
export { current_stream, default_stream, Event, Stream, StreamContext, set_stream, stream } from "./streams.ts";
export { _lazy_init };

type Device = DeviceLike | null;

/** Whether a CUDA device is available: always false. */
export const is_available = def("is_available()", (): boolean => false);
/** Whether CUDA was initialized: always false. */
export const is_initialized = def("is_initialized()", (): boolean => false);
/** The number of CUDA devices: 0. */
export const device_count = def("device_count()", (): number => 0);
/** Whether a CUDA device supports bfloat16: always false. */
export const is_bf16_supported = def("is_bf16_supported(including_emulation=True)", (_: boolean): boolean => false);
/** Whether a CUDA device supports TF32: always false. */
export const is_tf32_supported = def("is_tf32_supported()", (): boolean => false);
/** The CUDA architectures that the library was compiled for: none. */
export const get_arch_list = def("get_arch_list()", (): string[] => []);
/** The compiler flags for these architectures: none. */
export const get_gencode_flags = def("get_gencode_flags()", (): string => "");

/** @throws {AssertionError} "Torch not compiled with CUDA enabled", like the other functions that need a CUDA device */
export const init = needs_cuda("init()");
export const current_device = needs_cuda("current_device()");
export const synchronize = needs_cuda("synchronize(device=None)");
export const get_device_name = needs_cuda("get_device_name(device=None)");
export const get_device_capability = needs_cuda("get_device_capability(device=None)");
export const get_device_properties = needs_cuda("get_device_properties(device=None)");
export const can_device_access_peer = needs_cuda("can_device_access_peer(device, peer_device)");
export const ipc_collect = needs_cuda("ipc_collect()");
export const current_blas_handle = needs_cuda("current_blas_handle()");
export const get_sync_debug_mode = needs_cuda("get_sync_debug_mode()");
export const set_sync_debug_mode = needs_cuda("set_sync_debug_mode(debug_mode)");

/** A context that would make a CUDA device current; it always raises. */
export class device extends AbstractContextManager {
  /** The index of the device, or a name for it. */
  readonly idx: Device;

  constructor(device: Device) {
    super();
    this.idx = device;
  }

  /** @throws {RuntimeError} always */
  override __enter__(): never {
    throw new RuntimeError("PyTorch was compiled without CUDA support");
  }

  override __exit__(): void {}
}
