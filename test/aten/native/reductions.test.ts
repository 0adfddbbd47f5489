/**
 * @file Reductions, matrix products, softmax and losses against values PyTorch 2.13.0 gave: dtype, sizes, strides, elements, error texts.
 * Recorded by tools/oracle/record_reductions.py.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import "#aten/generated/RegisterAll";
import { getDtypeNames, isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { f32_from_bits, round_to_nearest_even } from "#c10/util/BFloat16";
import { fp16_ieee_from_fp32_value, fp16_ieee_to_fp32_value } from "#c10/util/Half";
import { farthest } from "../../helpers/assert_close.ts";

// biome-ignore lint/suspicious/noExplicitAny: recorded values are of every type
type Any = any;
interface Case {
  readonly f: string;
  readonly a: Any[];
  readonly r?: Any;
  readonly e?: string;
}
const path = new URL("../../fixtures/native/reductions.json.gz", import.meta.url);
const { cases } = JSON.parse(gunzipSync(readFileSync(path)).toString()) as { cases: Case[] };

const dtypes = new Map<string, ScalarType>();
for (const type of Object.values(ScalarType))
  if (type !== ScalarType.Undefined) dtypes.set(getDtypeNames(type)[0], type);

function number(v: Any): number {
  return typeof v === "string" ? Number(v.replace("inf", "Infinity")) : v;
}

function toElement(dtype: ScalarType, v: Any): number | bigint {
  if (dtype === ScalarType.Long) return BigInt(v);
  if (dtype === ScalarType.Half) return fp16_ieee_from_fp32_value(number(v));
  return dtype === ScalarType.BFloat16 ? round_to_nearest_even(number(v)) : number(v);
}

function fromElement(dtype: ScalarType, v: number | bigint): number | bigint {
  if (dtype === ScalarType.Half) return fp16_ieee_to_fp32_value(v as number);
  return dtype === ScalarType.BFloat16 ? f32_from_bits(v as number) : v;
}

function tensor({ t, s, st, d }: { t: string; s: number[]; st: number[]; d: Any[] }): Tensor {
  const dtype = dtypes.get(t) as ScalarType;
  let reach = 1;
  for (const [i, size] of s.entries()) reach += Math.max(size - 1, 0) * st[i];
  const memory = at.empty_memory_format([reach], new TensorOptions(dtype));
  const data = memory.data_view() as unknown as (number | bigint)[];
  const start = memory.data_offset();
  for (const [i, v] of d.entries()) {
    let rest = i;
    let offset = start;
    for (let dim = s.length - 1; dim >= 0; dim--) {
      const size = s[dim];
      offset += (rest % size) * st[dim];
      rest = Math.floor(rest / size);
    }
    data[offset] = toElement(dtype, v);
  }
  return at.as_strided(memory, s, st);
}

function decode(x: Any): Any {
  if (x === null || typeof x !== "object") return x;
  if ("t" in x) return tensor(x);
  return "dt" in x ? dtypes.get(x.dt) : x.l.map(decode);
}

function elements(t: Tensor): (number | bigint)[] {
  const c = t.contiguous();
  const data = c.data_view() as unknown as (number | bigint)[];
  return Array.from({ length: c.numel() }, (_, i) => fromElement(c.scalar_type(), data[c.data_offset() + i]));
}

function call({ f, a }: Case): Tensor[] {
  const args = a.map(decode);
  const free = (at as Any)[f];
  const result = free !== undefined ? free(...args) : args[0][f](...args.slice(1));
  return Array.isArray(result) ? result : [result];
}

/** Below 400 multiply-adds an item PyTorch calls no BLAS. */
function is_batch_of_small_products({ f, a }: Case): boolean {
  if (f !== "bmm" && f !== "baddbmm") return false;
  const [batch1, batch2] = a.slice(-2);
  return batch1.s[1] * batch1.s[2] * batch2.s[2] < 400;
}

/** Null if all is as recorded. */
function complaint(recorded: Case): string | null {
  const what = `${recorded.f}(${recorded.a.map((x) => (x?.t ? `${x.t}[${x.s}] strides [${x.st}]` : JSON.stringify(x))).join(", ")})`;
  let results: Tensor[];
  try {
    results = call(recorded);
  } catch (error) {
    const message = (error as Error).message.split("\n")[0].trimEnd();
    return message === recorded.e ? null : `${what}: threw ${message}, expected ${recorded.e ?? "a result"}`;
  }
  if (recorded.e !== undefined) return `${what}: no error, expected ${recorded.e}`;
  for (const [i, expected] of (recorded.r.l ?? [recorded.r]).entries()) {
    const t = results[i];
    const got = `${getDtypeNames(t.scalar_type())[0]} [${t.sizes()}] strides [${t.strides()}]`;
    if (got !== `${expected.t} [${expected.s}] strides [${expected.st}]`) return `${what}: got ${got}`;
    const long = t.scalar_type() === ScalarType.Long;
    const values = expected.d.map((v: Any) => (long ? BigInt(v) : number(v)));
    // Sums, extremes and batches of small products are the same bits; what rests on exp, log or BLAS is close.
    const exact =
      !isFloatingType(t.scalar_type()) ||
      /^(sum|mean|a?max|a?min|all|any)/.test(recorded.f) ||
      is_batch_of_small_products(recorded);
    const worst = farthest(elements(t), values, exact ? "exact" : expected.t);
    if (worst !== null) return `${what}: ${worst}`;
  }
  return null;
}

describe("as recorded from PyTorch", () => {
  for (const name of new Set(cases.map((recorded) => recorded.f))) {
    test(name, () => {
      expect(
        cases
          .filter((recorded) => recorded.f === name)
          .map(complaint)
          .filter((c) => c !== null),
      ).toEqual([]);
    });
  }
});
