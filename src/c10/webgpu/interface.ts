/**
 * @file The interface of the device for higher layers: memory, kernels and their launches, copies, waiting. `client.ts`
 * implements it.
 * @original CUDA's runtime, as far as PyTorch calls it; WebGPU has no call that waits, and binds buffers where CUDA
 * passes pointers.
 */
import type { DataPtr } from "#c10/core/Allocator";

// Note [The device in miniature]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//   const segment = device.createBuffer({ size: 1 << 24, usage: STORAGE | COPY_SRC });       // server/segments.ts
//   const [x, out] = [0, 4096];                                  // two tensors of one buffer: WebGPUCachingAllocator.ts
//   const module = device.createShaderModule({ code });          // server/kernels.ts
//   const pipeline = device.createComputePipeline({ layout, compute: { module, entryPoint: "main" } });
//   device.queue.writeBuffer(uniforms, 0, new Uint32Array([out, x, numel]));                 // KernelLaunch.ts
//   const encoder = device.createCommandEncoder();               // server/batch.ts
//   const pass = encoder.beginComputePass();
//   pass.setPipeline(pipeline);
//   pass.setBindGroup(0, bind_group_of(uniforms));               // group 0: the parameters
//   pass.setBindGroup(1, bind_group_of(segment));                // group 1: the segments
//   pass.dispatchWorkgroups(Math.ceil(numel / 64));              // one thread per element
//   pass.end();
//   encoder.copyBufferToBuffer(segment, out, staging, 0, 4 * numel);
//   device.queue.submit([encoder.finish()]);
//   await staging.mapAsync(GPUMapMode.READ);                     // server/readback.ts
//   const values = new Float32Array(staging.getMappedRange());
// All else follows from the `await`: `x.item()` returns a number, so its caller must block, and a thread that owns a WebGPU device cannot
// block. Hence two threads and a ring of commands between them (protocol.ts). For speed, many launches share one command buffer
// (batch.ts), and pipelines and bind groups are kept.

// Note [What a kernel's text must look like]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// WGSL with one entry point, `main`. Its bindings:
//
//   @group(0) @binding(0) var<uniform> p: Params;                       the launch's parameters, at most PARAMS_NBYTES
//   @group(1) @binding(s) var<storage, read_write> m0: array<u32>;      slot s: a whole segment. `read` where bit s of `written` is 0
//
// A segment is bound once, however many operands lie in it; the text may give it any name. An operand is a slot and an
// offset in bytes, which is one of the parameters: `m0[(p.x_offset >> 2u) + i]`. So a text depends on which operands
// share a segment. `Launch.layout()` expresses that as one number, which belongs into the key under which a driver
// caches its kernels' ids.
//
// A slot is read_write if the launch writes to any operand in it. Nothing keeps a kernel within its operands: an index
// out of range reads or writes another tensor of the segment.

/** A kernel, registered once. `register` returns the same id for the same text. */
export interface KernelSource {
  /** The name that a profiler shows: `webgpu::add_kernel<float>`. */
  readonly name: string;
  /** WGSL text; see the Note. */
  readonly code: string;
  /** Number of slots of group 1. */
  readonly slots: number;
  /** Bits by slot: bit s is set if slot s is `read_write`. */
  readonly written: number;
  /** The text's `@workgroup_size`, for traces. */
  readonly workgroup_size: readonly [x: number, y: number, z: number];
  /** The scalar function from which it was generated, if any. For traces. */
  readonly scalar_function?: string;
}

/** Largest size of a launch's parameters, in bytes. */
export const PARAMS_NBYTES = 1024;

/** Largest number of operands of a launch. */
export const MAX_OPERANDS = 8;

/** How a kernel accesses an operand. */
export const Access = { read: 0, write: 1, read_write: 2 } as const;
export type Access = (typeof Access)[keyof typeof Access];

/**
 * The context of a device's `DataPtr` (`get_context()`): the only handle of an allocation. Its place changes when it is
 * paged out and in, so higher layers must not keep a segment or an offset longer than it takes to build a launch.
 */
export interface DeviceMemory {
  /** Size as requested. */
  readonly nbytes: number;
}

/**
 * A launch under construction. There is only one at a time, so no object is allocated for it:
 *
 *     launch.begin();
 *     const out = launch.operand(out_memory, out_byte, out_nbytes, Access.write);   // 0
 *     const x = launch.operand(x_memory, x_byte, x_nbytes, Access.read);            // 1
 *     const kernel = kernels.get(key + launch.layout()) ?? compile(...);            // text with launch.slot(out), launch.slot(x)
 *     launch.u32[0] = launch.offset(out);
 *     launch.u32[1] = launch.offset(x);
 *     launch.u32[2] = numel;
 *     launch.run(kernel, Math.ceil(numel / 64), 1, 1, 3);
 *
 * From `operand` to `run` the operand's memory stays in place, even if another operand must be paged in.
 */
export interface Launch {
  /** The parameters, as three views of the same bytes. They still hold the values of the last launch. */
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;

  /** Begins a launch: forgets the operands of the last one. */
  begin(): void;

  /**
   * Adds the next operand: `nbytes` bytes of `memory` from `byte_offset`. It is paged in if necessary.
   * @returns its number, counted from 0
   */
  operand(memory: DeviceMemory, byte_offset: number, nbytes: number, access: Access): number;

  /** Adds the device's word for failed assertions as an operand that is written (Note [An assertion of a kernel]). */
  assertion_operand(): number;

  /** Slot of an operand's segment. */
  slot(operand: number): number;

  /** Start of an operand, in bytes from the start of its segment: a multiple of 512 plus its `byte_offset`. */
  offset(operand: number): number;

  /** Number of slots. */
  slots(): number;

  /** Bits by slot: bit s is set if the launch writes to slot s. */
  written(): number;

  /**
   * `slots`, `written` and the slot of each operand as one number below 2^40. Two launches have equal numbers exactly
   * if the same text serves both. Precondition: all operands were added.
   */
  layout(): number;

  /**
   * Sends the launch: `x * y * z` workgroups, with the first `nwords` words of the parameters. Usually returns before
   * it has begun to run.
   * @throws {RuntimeError} if the grid is larger than the device allows, or the kernel's slots are not those of this launch
   */
  run(kernel: number, x: number, y: number, z: number, nwords: number): void;
}

// Note [An assertion of a kernel]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A kernel cannot throw. Instead it binds an operand (`assertion_operand`) of type `array<atomic<u32>>`: four words
// that describe the failure. The first invocation that fails sets the first word and fills in the others:
//
//   if (index >= limit && atomicMax(&errors[0], 1u) == 0u) {
//     atomicStore(&errors[1], p.assertion); atomicStore(&errors[2], u32(index)); atomicStore(&errors[3], limit);
//   }
//
// where the parameter `assertion` is the number that `assertion(operator)` returned. The words are checked whenever the
// caller waits; it then throws CUDA's `device-side assert triggered`, with operator, index and limit. The operand lies
// at byte 0 of its segment.
//
// A kernel with conditions of its own, `assertion(kernel, conditions)`, reports the k-th as `p.assertion + k`. Instead
// of index and limit it reports the workgroup and the invocation in it: CUDA's block and thread.

/** Properties of the adapter. */
export interface DeviceProperties {
  /** `adapter.info.description`, or vendor and architecture. */
  readonly name: string;
  readonly vendor: string;
  readonly architecture: string;
  /** Whether the adapter is a GPU in software: its times say nothing about real ones. */
  readonly is_fallback_adapter: boolean;
  /** Number of bytes that the allocator may reserve: WebGPU does not report how much memory there is. */
  readonly total_memory: number;
  /** WebGPU features of the device: `shader-f16`, `subgroups`, `timestamp-query`. */
  readonly features: ReadonlySet<string>;
  readonly max_buffer_size: number;
  readonly max_slots: number;
  readonly max_grid: number;
  readonly max_workgroup_invocations: number;
  readonly max_workgroup_memory: number;
}

/** The device as the caller's thread sees it. */
export interface WebGPUDevice {
  readonly properties: DeviceProperties;
  readonly launch: Launch;

  /** @returns the kernel's number, for launches. The text is compiled at its first launch. */
  register(kernel: KernelSource): number;

  /**
   * Registers assertions under the name `of`. Either `of` is an operator (`aten::index_select`), of which an index may
   * be out of bounds; or it is a kernel, and `conditions` are the texts of the conditions it may find false. See
   * Note [An assertion of a kernel].
   */
  assertion(of: string, conditions?: readonly string[]): number;

  /** Allocates uninitialized memory; the null pointer for 0. Its context is a `DeviceMemory`. */
  allocate(nbytes: number): DataPtr;

  /** Copies host to device. The caller may change `src` as soon as this returns. */
  copy_to_device(dst: DeviceMemory, dst_offset: number, src: Uint8Array): void;

  /** Copies device to host: waits for all commands sent before. `who` names the waiting call in traces: `item`, `copy`. */
  copy_from_device(dst: Uint8Array, src: DeviceMemory, src_offset: number, who: string): void;

  /** Copies within the device. Precondition: the two ranges do not overlap. Bytes beside `dst` stay as they are. */
  copy_on_device(dst: DeviceMemory, dst_offset: number, src: DeviceMemory, src_offset: number, nbytes: number): void;

  /** Copies device to host without blocking. Needed where the thread may not wait; works everywhere. */
  fetch(src: DeviceMemory, src_offset: number, nbytes: number): Promise<Uint8Array<ArrayBuffer>>;

  /** Whether `copy_from_device` and `synchronize` may wait here; if not, they throw an error that names `fetch`. */
  readonly can_wait: boolean;

  /** Waits until all commands sent so far are done. @throws the error that occurred since the last call */
  synchronize(who: string): void;

  /** Whether all commands sent so far are done. */
  is_done(): boolean;

  /** Marks this place in the queue. @returns a number, greater than all before */
  record_event(timed: boolean): number;
  event_is_done(event: number): boolean;
  wait_for_event(event: number): void;
  /** Milliseconds on the device between two timed events that are done. */
  elapsed_time(begin: number, end: number): number;
}
