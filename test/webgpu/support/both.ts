/**
 * @file Runs a call on the CPU and on the device: values within PyTorch's tolerances, shapes, strides, dtypes the same, and no fallback.
 * @original
 */
import { expect } from "vitest";
import { set_warnAlways, setWarningHandler } from "../../../src/c10/util/Exception.ts";
import torch from "../../../src/webgpu.ts";
import { fallen_back, note_fallback } from "./fallbacks.ts";

export { torch };
export type Tensor = ReturnType<typeof torch.tensor>;

/** PyTorch's (torch.testing). */
const TOLERANCES: Readonly<Record<string, readonly [rtol: number, atol: number]>> = {
  "torch.float32": [1.3e-6, 1e-5],
  "torch.float16": [1e-3, 1e-5],
  "torch.bfloat16": [1.6e-2, 1e-5],
};

export function to_device(value: unknown): unknown {
  if (value instanceof torch.Tensor) return value.to("webgpu");
  if (Array.isArray(value)) return value.map(to_device);
  return value;
}

/** Compares two results, on the host. */
export function assert_close(got: unknown, want: unknown, told: string, rtol?: number, atol?: number): void {
  if (Array.isArray(want)) {
    expect((got as unknown[]).length, told).toBe(want.length);
    for (const [k, each] of want.entries())
      assert_close((got as unknown[])[k], each, `${told}, result ${k}`, rtol, atol);
    return;
  }
  if (!(want instanceof torch.Tensor)) {
    expect(got, told).toEqual(want);
    return;
  }
  const here = got as Tensor;
  expect(here.device.type, told).toBe("webgpu");
  expect([here.dtype, here.shape, here.stride()], told).toEqual([want.dtype, want.shape, want.stride()]);
  const [r, a] = TOLERANCES[String(want.dtype)] ?? [0, 0];
  const [relative, absolute] = [rtol ?? r, atol ?? a];
  const [x, y] = [here.detach().cpu(), want.detach()].map((t) => t.flatten().tolist() as (number | boolean)[]);
  for (const [i, wanted] of y.entries()) {
    const [g, w] = [Number(x[i]), Number(wanted)];
    if (Object.is(g, w) || g === w || (Number.isNaN(g) && Number.isNaN(w))) continue;
    if (Math.abs(g - w) <= absolute + relative * Math.abs(w)) continue;
    expect.fail(`${told}: element ${i} is ${g}, on the CPU ${w}`);
  }
}

// Each fallback counts, not only an operator's first one: another test, or another file, may have had that.
set_warnAlways(true);
setWarningHandler(({ msg }) => note_fallback(msg));

export { fallen_back };

export interface Options {
  readonly rtol?: number;
  readonly atol?: number;
}

/** `f(...args)` on both; tensors among the arguments are moved. Nothing may fall back. */
export function check_both(
  told: string,
  f: (...args: never[]) => unknown,
  args: readonly unknown[],
  options: Options = {},
): void {
  fallen_back();
  const want = f(...(args as never[]));
  const got = f(...(args.map(to_device) as never[]));
  assert_close(got, want, told, options.rtol, options.atol);
  expect(fallen_back(), told).toEqual([]);
}

/** Numbers of a dtype: whole ones where it has no others. */
export function sample(shape: readonly number[], dtype = torch.float32, seed = 0): Tensor {
  torch.manual_seed(seed);
  if (dtype === torch.bool) return torch.randn(shape as number[]).gt(0);
  if (dtype.is_floating_point) return torch.randn(shape as number[]).to(dtype);
  return torch.randint(dtype === torch.uint8 ? 0 : -9, 10, shape as number[]).to(dtype);
}
