/**
 * @file How the kernels are started: the host's part, as in exercise 15.
 * @original
 */
import type { Session } from "../../tools/learn/checks/host.ts";
import type { Buffer, Card } from "../../tools/learn/kernel/gpu.ts";

interface Matrix {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** Elements of a workgroup of the sum, and rows and columns of one of the product. */
const SIZE = 64;
const T = 8;

function on_card(gpu: Card, data: Float32Array | Uint32Array): Buffer {
  const buffer = gpu.createBuffer(data.byteLength);
  gpu.writeBuffer(buffer, data);
  return buffer;
}

function sum(gpu: Card, kernel: string, x: Matrix): Float32Array {
  let [from, n] = [on_card(gpu, x.values), x.values.length];
  do {
    const groups = Math.ceil(n / SIZE);
    const out = gpu.createBuffer(4 * groups);
    gpu.dispatch(kernel, [from, out, on_card(gpu, new Uint32Array([n]))], [groups]);
    [from, n] = [out, groups];
  } while (n > 1);
  return gpu.readBuffer(from);
}

function matmul(gpu: Card, kernel: string, a: Matrix, b: Matrix): Float32Array {
  const [m, k] = a.shape;
  const [, n] = b.shape;
  const out = gpu.createBuffer(4 * m * n);
  const params = on_card(gpu, new Uint32Array([m, k, n]));
  const groups = [Math.ceil(n / T), Math.ceil(m / T)];
  gpu.dispatch(kernel, [on_card(gpu, a.values), on_card(gpu, b.values), out, params], groups);
  return gpu.readBuffer(out);
}

export function open(): Session {
  return { calls: {}, launches: { sum, matmul } };
}
