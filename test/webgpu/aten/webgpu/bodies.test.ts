/**
 * @file Every body that codegen wrote, compiled and run, against its JavaScript loop: exact for integers, comparisons and choices, within a few
 * units of the last place where float32 rounds.
 * @original
 */
/// <reference types="vite/types/importMeta.d.ts" />
import { afterAll, describe, expect, test } from "vitest";
import type { Loops } from "../../../../src/aten/Dispatch.ts";
import { gpu_kernel } from "../../../../src/aten/native/webgpu/Loops.ts";
import type { ScalarFunction, ScalarFunctions } from "../../../../src/aten/webgpu/ScalarFunctions.ts";
import { memory_of } from "../../../../src/c10/webgpu/memory.ts";
import { close_device, get_device } from "../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { bytes_of } from "../../support/device.ts";
import { dtype_of, iterator } from "../../support/iterators.ts";
import { facts, number_of, random_from, units_apart } from "../../support/values.ts";

const cpu: Record<string, Record<string, unknown>> = {
  ...import.meta.glob("../../../../src/aten/native/cpu/generated/**/*.ts", { eager: true }),
  ...import.meta.glob("../../../../src/aten/native/ufunc/generated/*.ts", { eager: true }),
};
const gpu: Record<string, Record<string, ScalarFunctions>> = import.meta.glob(
  "../../../../src/aten/native/webgpu/generated/**/*.wgsl.ts",
  { eager: true },
);

/** Units of the last place that results may be apart. JavaScript computes in double and rounds once. */
const LIMIT = 4;

/**
 * Kernels in which numbers cancel to what may be far less, or a product goes into an exponential: what float32 loses there counts by the size
 * of the inputs.
 */
const CANCELLING: ReadonlySet<string> = new Set(
  [
    "gelu gelu_backward gelu_tanh gelu_tanh_backward silu_backward mish mish_backward softplus elu sigmoid_backward tanh_backward",
    "add addcmul addcdiv lerp_scalar lerp_tensor logaddexp logaddexp2",
  ].flatMap((names) => names.split(" ")),
);
/** Integer division by 0 is an error on the CPU alone. */
const DIVIDES = /^(div_|fmod|remainder|addcdiv)/;
/** A product that is divided: in JavaScript's loops it does not wrap. */
const DIVIDES_PRODUCT = /^(addcdiv|smooth_l1_backward) int64/;

const random = random_from(1);
const SLOW = 120_000;

function inputs_of(fn: ScalarFunction, n: number): ReturnType<typeof filled>[] {
  return fn.inputs.map(({ dtype }, k) => {
    const is_divisor = DIVIDES.test(fn.name) && k === fn.inputs.length - 1 && !dtype.includes("float");
    const all = facts[dtype].values
      .filter((v) => !is_divisor || Number(v) !== 0)
      .filter((v) => !DIVIDES_PRODUCT.test(fn.name) || Math.abs(Number(v)) < 2 ** 30);
    const in_range = all.filter((v) => in_domain(fn.name, k, number_of(dtype, v)));
    return filled(dtype, n, (i) => {
      if (fn.inputs.length > 1) return in_range[random(in_range.length)];
      if (dtype !== "float32" || i < all.length) return all[i % all.length];
      return (random(2) * 2 - 1) * Math.exp((random(2000) - 1000) / 120);
    });
  });
}

/** Whether `x` is what input `k` of the function may be where it is used. */
function in_domain(name: string, k: number, x: number): boolean {
  if (name.startsWith("binary_cross_entropy ")) return x >= 0 && x <= 1;
  if (name.startsWith("log_sigmoid_backward ") && k === 1) return x >= 0 && x <= 1; // log_sigmoid keeps exp(-|x|) for it
  if (name.startsWith("flash_restore")) return Math.abs(x) <= 1; // the exponential of a difference, which is small there
  return true;
}

function filled(dtype: string, n: number, value: (i: number) => number | bigint) {
  const out = new facts[dtype].array(new ArrayBuffer(8 * n), 0, n);
  for (let i = 0; i < n; i++) (out as unknown as (number | bigint)[])[i] = value(i);
  return out;
}

/** The worst difference that is not explained, in words; null if there is none. */
function difference(loops: Loops, functions: ScalarFunctions, fn: ScalarFunction): string | null {
  const device = get_device();
  const n = fn.inputs.length === 1 ? 211 : 613;
  const dtypes = [...fn.outputs, ...fn.inputs].map((o) => o.dtype);
  const by = (k: number) => dtype_of(dtypes[k]);
  const js = loops.by1 < 0 ? loops.get(by(loops.by0)) : loops.get2(by(loops.by0), by(loops.by1));
  const inputs = inputs_of(fn, n);
  const wanted = fn.outputs.map(({ dtype }) => filled(dtype, n, () => (dtype === "int64" ? 0n : 0)));
  const captures = fn.captures.map(({ type }) => (type === "i64" ? 3n : type === "f32" ? 0.75 : 1));
  js(n, 1, ...[...wanted, ...inputs].flatMap((x) => [x, 0, 1, 0]), ...captures);
  const memories = [...wanted, ...inputs].map((x, k) => {
    const memory = memory_of(device.allocate(Math.max(x.byteLength, 4)));
    if (k >= wanted.length) device.copy_to_device(memory, 0, new Uint8Array(x.buffer, 0, x.byteLength));
    return memory;
  });
  const operands = dtypes.map((_, k) => ({ dtype: by(k), strides: [1], offset: 0, memory: memories[k] }));
  const [c0, c1, c2, c3] = captures.map(Number);
  gpu_kernel(iterator([n], operands), functions, c0, c1, c2, c3);
  for (const [k, { dtype }] of fn.outputs.entries()) {
    const got = new facts[dtype].array(bytes_of(device, memories[k], 0, wanted[k].byteLength).buffer);
    for (let i = 0; i < n; i++) {
      const apart = units_apart(dtype, got[i], wanted[k][i]);
      if (apart <= LIMIT || explained(fn, dtype, got[i], wanted[k][i], inputs, i)) continue;
      const told = inputs.map((x) => x[i]).join(", ");
      return `${fn.name}(${told}) is ${got[i]}, JavaScript has ${wanted[k][i]} (${apart} units)`;
    }
  }
  return null;
}

function explained(
  fn: ScalarFunction,
  dtype: string,
  got: number | bigint,
  want: number | bigint,
  inputs: readonly ArrayLike<number | bigint>[],
  i: number,
): boolean {
  if (!CANCELLING.has(fn.name.split(" ")[0])) return false;
  const scale = inputs.reduce((s, x, k) => s * Math.max(1, Math.abs(number_of(fn.inputs[k].dtype, x[i]))), 1);
  return Math.abs(number_of(dtype, got) - number_of(dtype, want)) <= 8 * 2 ** -24 * scale;
}

/** The cell of an LSTM has more operands than a launch takes; no operator of the device uses it. */
const can_be_launched = (fn: ScalarFunction): boolean => fn.inputs.length + fn.outputs.length <= 8;

afterAll(close_device);

describe("bodies and JavaScript loops give the same", () => {
  const files = Object.entries(gpu).flatMap(([path, functions]) => {
    const name = path.slice(path.indexOf("/generated/") + "/generated/".length).replace(".wgsl.ts", ".ts");
    const loops = Object.entries(cpu).find(([other]) => other.endsWith(`/generated/${name}`))?.[1];
    return loops === undefined ? [] : [{ name, functions, loops }];
  });
  test("are there", () => {
    expect(files.length).toBe(Object.keys(gpu).length);
    expect(files.flatMap((f) => Object.values(f.functions)).flatMap((f) => f.all()).length).toBeGreaterThan(850);
  });
  for (const { name, functions, loops } of files) {
    test(
      name,
      () => {
        for (const of of Object.values(functions)) {
          const js = loops[`${of.name}_loops`] as Loops;
          for (const fn of of.all().filter(can_be_launched)) expect(difference(js, of, fn)).toBeNull();
        }
      },
      SLOW,
    );
  }
});
