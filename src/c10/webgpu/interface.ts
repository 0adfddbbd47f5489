/**
 * @file What the layers above see of the device: memory, kernels and their launches, copies, waiting. `client.ts` is the one that does it.
 * @original CUDA's runtime, as far as PyTorch calls it; WebGPU has no call that waits, and binds buffers where CUDA passes pointers.
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
// A segment is bound once, however many operands lie in it, and what the text calls it is free. An operand is a slot and an offset in
// bytes, which travels among the parameters: `m0[(p.x_offset >> 2u) + i]`. So a text depends on which operands share a segment; that is what
// `Launch.layout()` tells in one number, to be made part of the key under which a driver keeps its kernels' ids.
//
// A slot is read_write if the launch writes to any operand in it. Nothing keeps a kernel within its operands: an index out of range reads or
// writes another tensor of the segment.

/** A kernel, to be made known once. `register` gives the same id for the same text. */
export interface KernelSource {
  /** As a profiler shows it: `webgpu::add_kernel<float>`. */
  readonly name: string;
  /** See the Note. */
  readonly code: string;
  /** Slots of group 1. */
  readonly slots: number;
  /** Bit s: slot s is `read_write`. */
  readonly written: number;
  /** What the text says in `@workgroup_size`: for recordings. */
  readonly workgroup_size: readonly [x: number, y: number, z: number];
  /** The scalar function it was lowered from, where there is one. For recordings. */
  readonly scalar_function?: string;
}

/** Bytes of a launch's parameters at most. */
export const PARAMS_NBYTES = 1024;

/** Operands of a launch at most. */
export const MAX_OPERANDS = 8;

/** How a kernel uses an operand. */
export const Access = { read: 0, write: 1, read_write: 2 } as const;
export type Access = (typeof Access)[keyof typeof Access];

/**
 * What a `DataPtr` of the device has for context (`get_context()`): the one handle on an allocation. Where it lies changes when it is paged out
 * and in, so nobody above keeps a segment or an offset longer than a launch takes to be built.
 */
export interface DeviceMemory {
  /** As asked for. */
  readonly nbytes: number;
}

/**
 * One launch at a time is built and sent, without an object made:
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
 * From `operand` to `run` its memory stays where it is, even if another operand must be paged in.
 */
export interface Launch {
  /** The parameters, seen in three ways. What is in them before is left over. */
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;

  /** Forgets the operands of the last one. */
  begin(): void;

  /**
   * The next operand: `nbytes` bytes from `byte_offset` of `memory` on. They are paged in if need be.
   * @returns its number, from 0 on
   */
  operand(memory: DeviceMemory, byte_offset: number, nbytes: number, access: Access): number;

  /** The device's word for failed assertions as an operand, written to (Note [An assertion of a kernel]). */
  assertion_operand(): number;

  /** Which slot an operand's segment has. */
  slot(operand: number): number;

  /** Where an operand begins, in bytes from the start of its segment. A multiple of 512 plus its `byte_offset`. */
  offset(operand: number): number;

  /** How many slots there are. */
  slots(): number;

  /** Bit s: something in slot s is written. */
  written(): number;

  /**
   * `slots`, `written` and the slot of each operand as one number below 2^40: equal for two launches exactly if the same text serves both.
   * Precondition: all operands are there.
   */
  layout(): number;

  /**
   * Sends it: `x * y * z` workgroups, with the first `nwords` words of the parameters. Returns before it ran, and mostly before it began.
   * @throws {RuntimeError} if the grid is larger than the device takes, or the kernel's slots are not this launch's
   */
  run(kernel: number, x: number, y: number, z: number, nwords: number): void;
}

// Note [An assertion of a kernel]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A kernel cannot throw. Bound as an operand (`assertion_operand`), with `array<atomic<u32>>` for its type, four words take what went wrong,
// of which the first to come sets the first:
//
//   if (index >= limit && atomicMax(&errors[0], 1u) == 0u) {
//     atomicStore(&errors[1], p.assertion); atomicStore(&errors[2], u32(index)); atomicStore(&errors[3], limit);
//   }
//
// where the parameter `assertion` is the number that `assertion(operator)` gave. They are looked at whenever the caller waits, which then
// throws CUDA's `device-side assert triggered`, with operator, index and limit. The operand lies at byte 0 of its segment.
//
// A kernel with conditions of its own, `assertion(kernel, conditions)`, tells the k-th by `p.assertion + k`, and instead of index and limit the
// workgroup and the invocation in it: CUDA's block and thread.

/** What is known of the adapter. */
export interface DeviceProperties {
  /** `adapter.info.description`, or vendor and architecture. */
  readonly name: string;
  readonly vendor: string;
  readonly architecture: string;
  /** A GPU of software: its times tell nothing of another's. */
  readonly is_fallback_adapter: boolean;
  /** Bytes that the allocator may reserve: WebGPU does not tell what there is. */
  readonly total_memory: number;
  /** Features of WebGPU that the device has: `shader-f16`, `subgroups`, `timestamp-query`. */
  readonly features: ReadonlySet<string>;
  readonly max_buffer_size: number;
  readonly max_slots: number;
  readonly max_grid: number;
  readonly max_workgroup_invocations: number;
  readonly max_workgroup_memory: number;
}

/** The device as the caller's thread has it. */
export interface WebGPUDevice {
  readonly properties: DeviceProperties;
  readonly launch: Launch;

  /** @returns the number to launch it by. The text is compiled when it is first launched. */
  register(kernel: KernelSource): number;

  /**
   * A number for `of`, to tell a kernel by: an operator (`aten::index_select`) of which an index may be out of bounds, or a kernel, and the text of
   * each condition that it may find false. See Note [An assertion of a kernel].
   */
  assertion(of: string, conditions?: readonly string[]): number;

  /** Uninitialized. The null pointer for 0. Its context is a `DeviceMemory`. */
  allocate(nbytes: number): DataPtr;

  /** Host to device. `src` may be changed at once when it returns. */
  copy_to_device(dst: DeviceMemory, dst_offset: number, src: Uint8Array): void;

  /** Device to host: waits for all that was sent before. `who` waits, for recordings: `item`, `copy`. */
  copy_from_device(dst: Uint8Array, src: DeviceMemory, src_offset: number, who: string): void;

  /** Precondition: the two ranges do not overlap. Bytes beside `dst` stay as they are. */
  copy_on_device(dst: DeviceMemory, dst_offset: number, src: DeviceMemory, src_offset: number, nbytes: number): void;

  /** The way back where nobody may wait; elsewhere, too. */
  fetch(src: DeviceMemory, src_offset: number, nbytes: number): Promise<Uint8Array<ArrayBuffer>>;

  /** Whether `copy_from_device` and `synchronize` may wait here; where not, they throw, and the error names `fetch`. */
  readonly can_wait: boolean;

  /** Waits until all that was sent is done. @throws what went wrong since the last time */
  synchronize(who: string): void;

  /** Whether all that was sent is done. */
  is_done(): boolean;

  /** Marks this place in the queue. @returns a number, greater than all before */
  record_event(timed: boolean): number;
  event_is_done(event: number): boolean;
  wait_for_event(event: number): void;
  /** Milliseconds on the device between two timed events that are done. */
  elapsed_time(begin: number, end: number): number;
}
