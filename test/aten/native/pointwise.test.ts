/**
 * Pointwise operators as PyTorch 2.13.0 answered them: every dtype, values at the edges of the types, dense, transposed, gapped,
 * broadcast and 0-dim operands; results with their dtypes and strides, errors with their texts. Recorded by
 * tools/oracle/record_pointwise.py.
 */

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import "#aten/generated/RegisterAll";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import * as _ops from "#aten/generated/Operators";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { f32_from_bits } from "#c10/util/BFloat16";
import { setWarningHandler } from "#c10/util/Exception";
import { half_to_float_table } from "#c10/util/Half";
import { farthest } from "../../helpers/assert_close.ts";

interface Recorded {
  readonly t: string;
  readonly size: number[];
  readonly stride: number[];
  readonly offset: number;
  readonly data: string;
}
type Argument = Recorded | { bool: boolean } | { int: number } | { float: string } | string | number | boolean | null;
interface Case {
  readonly op: string;
  readonly args: readonly Argument[];
  readonly result?: Recorded | readonly Recorded[];
  readonly error?: string;
  readonly message?: string;
}

const DTYPES: Readonly<Record<string, readonly [ScalarType, new (b: ArrayBuffer) => ArrayLike<number | bigint>]>> = {
  bool: [ScalarType.Bool, Uint8Array],
  uint8: [ScalarType.Byte, Uint8Array],
  int8: [ScalarType.Char, Int8Array],
  int16: [ScalarType.Short, Int16Array],
  int32: [ScalarType.Int, Int32Array],
  int64: [ScalarType.Long, BigInt64Array],
  float16: [ScalarType.Half, Uint16Array],
  bfloat16: [ScalarType.BFloat16, Uint16Array],
  float32: [ScalarType.Float, Float32Array],
  float64: [ScalarType.Double, Float64Array],
};

function storageOf(r: Recorded): ArrayLike<number | bigint> {
  const bytes = Uint8Array.from(Buffer.from(r.data, "base64"));
  return new DTYPES[r.t][1](bytes.buffer);
}

function tensorOf(r: Recorded): Tensor {
  const source = storageOf(r);
  const flat = at.empty_memory_format(
    [source.length],
    new TensorOptions().dtype((DTYPES[r.t] as readonly [ScalarType, unknown])[0]),
  );
  const view = flat.impl_.data_view();
  const base = flat.impl_.data_offset();
  for (let i = 0; i < source.length; i++) view[base + i] = source[i] as never;
  return flat.as_strided(r.size, r.stride, r.offset);
}

function elements(
  view: ArrayLike<number | bigint>,
  size: readonly number[],
  stride: readonly number[],
  offset: number,
  dtype: string,
): (number | bigint)[] {
  if (size.length === 0) {
    const raw = view[offset];
    if (dtype === "float16") return [half_to_float_table[raw as number]];
    return [dtype === "bfloat16" ? f32_from_bits(raw as number) : raw];
  }
  const all: (number | bigint)[] = [];
  for (let i = 0; i < size[0]; i++) {
    all.push(...elements(view, size.slice(1), stride.slice(1), offset + i * stride[0], dtype));
  }
  return all;
}

/** Numbers that are schema floats, not Scalars, come after these operators' tensors. */
const PLAIN_FLOATS = new Set(["isclose"]);

function argument(a: Argument, op: string): unknown {
  if (a === null || typeof a !== "object") return a;
  if ("t" in a) return tensorOf(a);
  if ("bool" in a) return PLAIN_FLOATS.has(op) ? a.bool : Scalar.fromBool(a.bool);
  if ("int" in a) return Scalar.fromInt(a.int);
  const value = a.float === "nan" ? NaN : a.float === "inf" ? Infinity : Number(a.float);
  return PLAIN_FLOATS.has(op) ? value : Scalar.fromDouble(value);
}

function difference(actual: Tensor, expected: Recorded): string | null {
  const dtype = (DTYPES[expected.t] as readonly [ScalarType, unknown])[0];
  if (actual.scalar_type() !== dtype) return `dtype ${actual.scalar_type()} instead of ${expected.t}`;
  if (String(actual.sizes()) !== String(expected.size)) return `size [${actual.sizes()}] instead of [${expected.size}]`;
  if (String(actual.strides()) !== String(expected.stride))
    return `stride [${actual.strides()}] instead of [${expected.stride}]`;
  const impl = actual.impl_;
  const got = elements(impl.data_view(), impl.sizes(), impl.strides(), impl.data_offset(), expected.t);
  const wanted = elements(storageOf(expected), expected.size, expected.stride, expected.offset, expected.t);
  for (let i = 0; i < got.length; i++) {
    if (got[i] === 0 && wanted[i] === 0 && !Object.is(got[i], wanted[i]))
      return `element ${i} is a zero of the other sign`;
  }
  return farthest(got, wanted, expected.t);
}

function complaint(c: Case): string | null {
  const op = (_ops as unknown as Record<string, { call(...args: unknown[]): Tensor | Tensor[] }>)[
    c.op.replace(".", "_")
  ];
  let result: Tensor | Tensor[];
  try {
    result = op.call(...c.args.map((a) => argument(a, c.op)));
  } catch (error) {
    const { name, message } = error as Error;
    return name === c.error && message === c.message
      ? null
      : `${name}: ${message}\n  instead of ${c.error ?? "a result"}: ${c.message ?? ""}`;
  }
  if (c.result === undefined) return `a result instead of ${c.error}: ${c.message}`;
  const results = Array.isArray(result) ? result : [result];
  const expected = (Array.isArray(c.result) ? c.result : [c.result]) as readonly Recorded[];
  for (let i = 0; i < expected.length; i++) {
    const said = difference(results[i], expected[i]);
    if (said !== null) return said;
  }
  return null;
}

function shown(a: Argument): string {
  return a !== null && typeof a === "object" && "t" in a
    ? `${a.t}[${a.size}] strides [${a.stride}]`
    : JSON.stringify(a);
}

const file = new URL("../../fixtures/pointwise/cases.json.gz", import.meta.url);
const { cases } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { cases: readonly Case[] };
const byOperator = grouped(cases);

function grouped(all: readonly Case[]): Map<string, Case[]> {
  const map = new Map<string, Case[]>();
  for (const c of all) map.set(c.op, [...(map.get(c.op) ?? []), c]);
  return map;
}

for (const [op, list] of byOperator) {
  test(`${op}: ${list.length} calls`, () => {
    const previous = setWarningHandler(() => {});
    try {
      const complaints = list.flatMap((c) => {
        const said = complaint(c);
        return said === null ? [] : [`${op}(${c.args.map(shown).join(", ")})\n  ${said}`];
      });
      expect(complaints).toEqual([]);
    } finally {
      setWarningHandler(previous);
    }
  });
}
