/**
 * @file Reductions of vectors: the value to start with, two vectors combined, and the four lanes of one vector combined.
 * @mirrors torch/_inductor/codegen/cpp.py#reduction_combine_vec
 */
import type { Emitter } from "#aten/cpu/vec/emitter";
import { computed_in, type ValueType } from "#aten/cpu/vec/ir";
import type { ReductionType } from "../ir/index.ts";
import { computed_dtype } from "./vector_kernels.ts";

const LANES: Readonly<Record<string, string>> = { f32: "f32x4", f64: "f64x2", i32: "i32x4", i64: "i64x2" };

/** The least and the greatest value of integers. */
const LIMITS: Readonly<Record<string, readonly [number | bigint, number | bigint]>> = {
  uint8: [0, 255],
  int8: [-128, 127],
  int16: [-32768, 32767],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
};

/** How values of one dtype are reduced. */
export class Combiner {
  readonly type: ReductionType;
  readonly lanes: string;
  readonly value_type: ValueType;
  private readonly e: Emitter;
  private readonly dtype: string;

  constructor(e: Emitter, type: ReductionType, dtype: string) {
    this.e = e;
    this.type = type;
    this.dtype = computed_dtype(dtype);
    this.value_type = computed_in(this.dtype) as ValueType;
    this.lanes = LANES[this.value_type];
  }

  get is_wide(): boolean {
    return this.value_type === "f64" || this.value_type === "i64";
  }

  /** A vector of values that change nothing. */
  identity(): string {
    return this.e.constant(this.value_type, this.start());
  }

  private start(): number | bigint {
    const wide = this.value_type === "i64";
    if (this.type === "prod") return wide ? 1n : 1;
    if (this.type === "sum" || this.type === "any") return wide ? 0n : 0;
    const limits = LIMITS[this.dtype];
    const lowest = this.type === "max";
    if (limits === undefined) return lowest ? -Infinity : Infinity;
    return limits[lowest ? 0 : 1];
  }

  combine(a: string, b: string): string {
    const { e, lanes } = this;
    switch (this.type) {
      case "sum":
        return e.op(`${lanes}.add`, a, b);
      case "prod":
        return e.op(`${lanes}.mul`, a, b);
      case "any":
        return e.op("v128.or", a, b);
      default: {
        const is_float = this.value_type.startsWith("f");
        const better = e.op(`${lanes}.${this.type === "max" ? "gt" : "lt"}${is_float ? "" : "_s"}`, b, a);
        const mask = is_float ? e.op("v128.or", better, e.op(`${lanes}.ne`, b, b)) : better; // a NaN wins
        return e.op("v128.bitselect", b, a, mask);
      }
    }
  }

  /** All lanes of these vectors in every lane of one. */
  across(vectors: readonly string[]): string {
    let rest = [...vectors];
    while (rest.length > 1) {
      const half = rest.length >> 1;
      const sums = rest.slice(0, half).map((a, k) => this.combine(a, rest[half + k]));
      rest = rest.length % 2 === 0 ? sums : [...sums, rest[rest.length - 1]];
    }
    let [x] = rest;
    for (const bytes of this.is_wide ? [8] : [8, 4]) {
      const turned = this.e.shuffle(
        x,
        x,
        Array.from({ length: 16 }, (_, k) => (k + bytes) % 16),
      );
      x = this.combine(x, turned);
    }
    return x;
  }
}
