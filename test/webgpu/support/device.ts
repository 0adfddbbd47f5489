/**
 * @file Devices for tests, small kernels, and bytes to compare.
 * @original
 */
import { type ClientOptions, WebGPUClient } from "../../../src/c10/webgpu/client.ts";
import { find_module } from "../../../src/c10/webgpu/find.ts";
import type { KernelSource } from "../../../src/c10/webgpu/interface.ts";
import { Access } from "../../../src/c10/webgpu/interface.ts";
import { type Memory, memory_of } from "../../../src/c10/webgpu/memory.ts";
import { PLACE } from "../../../src/c10/webgpu/protocol.ts";
import { WorkerHost } from "../../../src/c10/webgpu/worker.ts";

export const MB = 2 ** 20;

/** A device with a server of its own. */
export function open_device(options: ClientOptions = {}): WebGPUClient {
  const memory = new SharedArrayBuffer(PLACE.NBYTES);
  return WebGPUClient.connect(memory, new WorkerHost(memory, find_module()), options);
}

export function malloc(device: WebGPUClient, nbytes: number): Memory {
  return memory_of(device.allocate(nbytes));
}

export function bytes_of(device: WebGPUClient, memory: Memory, offset = 0, nbytes = memory.nbytes): Uint8Array {
  const bytes = new Uint8Array(nbytes);
  device.copy_from_device(bytes, memory, offset, "test");
  return bytes;
}

export function u32_of(device: WebGPUClient, memory: Memory): Uint32Array {
  return new Uint32Array(bytes_of(device, memory).buffer);
}

export const WORKGROUP = 64;

/** `out[i] = x[i] * factor + summand`, on u32; one slot or two. */
function affine(slots: number, written: number): KernelSource {
  const out = slots === 1 ? "x" : "y";
  const y = slots === 1 ? "" : "@group(1) @binding(1) var<storage, read_write> y: array<u32>;";
  const access = (written & 1) === 1 ? "read_write" : "read";
  return {
    name: "test::affine",
    code: `struct Params { x: u32, out: u32, n: u32, factor: u32, summand: u32, row: u32 }
@group(0) @binding(0) var<uniform> p: Params;
@group(1) @binding(0) var<storage, ${access}> x: array<u32>;
${y}
@compute @workgroup_size(${WORKGROUP}) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x + id.y * p.row;
  if (i < p.n) { ${out}[p.out / 4u + i] = x[p.x / 4u + i] * p.factor + p.summand; }
}`,
    slots,
    written,
    workgroup_size: [WORKGROUP, 1, 1],
  };
}

const kernels = new Map<number, KernelSource>();

/** Launches it over all of `x`, or `n` words from the beginning. */
export function launch_affine(
  device: WebGPUClient,
  out: Memory,
  x: Memory,
  factor: number,
  summand: number,
  n = Math.floor(out.nbytes / 4),
): void {
  const { launch } = device;
  launch.begin();
  const from = launch.operand(x, 0, 4 * n, Access.read);
  const to = launch.operand(out, 0, 4 * n, Access.write);
  const key = launch.layout();
  let source = kernels.get(key);
  if (source === undefined) {
    source = affine(launch.slots(), launch.written());
    kernels.set(key, source);
  }
  const groups = Math.ceil(n / WORKGROUP);
  launch.u32[0] = launch.offset(from);
  launch.u32[1] = launch.offset(to);
  launch.u32[2] = n;
  launch.u32[3] = factor;
  launch.u32[4] = summand;
  launch.u32[5] = groups * WORKGROUP;
  launch.run(device.register(source), groups, 1, 1, 6);
}

/** Fills it with one word. */
export function fill(device: WebGPUClient, memory: Memory, value: number): void {
  launch_affine(device, memory, memory, 0, value);
}
