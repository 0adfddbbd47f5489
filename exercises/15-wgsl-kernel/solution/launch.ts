/**
 * @file The host's part: it copies the input to the card, starts the kernel, and reads the result.
 * @mirrors aten/src/ATen/native/cuda/CUDALoops.cuh
 */

/** Memory on the card; only the card can look into it. */
type Buffer = object;

interface Gpu {
  createBuffer(nbytes: number): Buffer;
  /** From the host to the card. */
  writeBuffer(buffer: Buffer, data: Float32Array | Uint32Array): void;
  /** Starts `kernel` in so many workgroups along x, y and z. The buffers stand in the order of their bindings. */
  dispatch(kernel: string, buffers: readonly Buffer[], groups: readonly number[]): void;
  /** From the card to the host; waits until all is done. */
  readBuffer(buffer: Buffer): Float32Array;
}

/** As the kernel's `Params`: four bytes each, one behind the other. */
function params_of(n: number, slope: number): Uint32Array {
  const params = new ArrayBuffer(8);
  const view = new DataView(params);
  view.setUint32(0, n, true);
  view.setFloat32(4, slope, true);
  return new Uint32Array(params);
}

/** Invocations in a workgroup, as the kernel says. */
const WORKGROUP_SIZE = 64;

export function leaky_relu(gpu: Gpu, kernel: string, x: { values: Float32Array }, slope: number): Float32Array {
  const n = x.values.length;
  const input = gpu.createBuffer(4 * n);
  const out = gpu.createBuffer(4 * n);
  const params = gpu.createBuffer(8);
  // ex:begin(15.value)
  gpu.writeBuffer(input, x.values);
  gpu.writeBuffer(params, params_of(n, slope));
  // ex:stub
  // gpu.writeBuffer(params, params_of(n, slope));
  // ex:end
  // ex:begin(15.groups)
  const groups = Math.ceil(n / WORKGROUP_SIZE);
  // ex:stub
  // const groups = 1;
  // ex:end
  gpu.dispatch(kernel, [input, out, params], [groups]);
  return gpu.readBuffer(out);
}
