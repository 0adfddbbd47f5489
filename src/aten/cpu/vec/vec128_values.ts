/**
 * @file The printer of the values of a graph: each becomes one instruction, or a few, for each vector of a chunk. The caller has
 * loaded the inputs, and stores the results.
 * @mirrors aten/src/ATen/cpu/vec/vec128/vec128.h
 * @see vec128.ts (the loop of one scalar function), torch/_inductor/codegen (loops of fused functions)
 */
import type { Emitter } from "./emitter.ts";
import { is_comparison, type Kernel, type Value, type ValueType } from "./ir.ts";
import { is_same_for_all, type Seldom, seldom_values } from "./unlikely.ts";
import { byte_value } from "./vec128_bytes.ts";
import { rounded } from "./vec128_types.ts";

/** Prints the values of one chunk of `count` vectors. */
export class ValuePrinter {
  private readonly e: Emitter;
  private readonly kernel: Kernel;
  private readonly relaxed: boolean;
  private readonly count: number;
  private readonly of_bytes: boolean;
  private readonly seldom: ReadonlyMap<Value, Seldom>;
  private readonly inputs: ReadonlyMap<string, readonly string[]>;
  private readonly vectors = new Map<Value, readonly string[]>();

  /** @param inputs the loaded vectors of each input, by its name; an input may be added before the first value that uses it */
  constructor(
    e: Emitter,
    kernel: Kernel,
    relaxed: boolean,
    count: number,
    inputs: ReadonlyMap<string, readonly string[]>,
    of_bytes = false,
  ) {
    this.e = e;
    this.kernel = kernel;
    this.relaxed = relaxed;
    this.count = count;
    this.of_bytes = of_bytes;
    this.seldom = seldom_values(kernel);
    this.inputs = inputs;
  }

  /** The vectors of a value that is computed. */
  of(v: Value): readonly string[] {
    const { e, of_bytes } = this;
    if (v.op === "const")
      return this.same(v.type, of_bytes ? e.bytes(Number(v.value) & 255) : e.constant(v.type, v.value));
    if (v.op === "capture") return this.same(v.type, of_bytes ? e.splat_byte(v.name) : e.splat(v.type, v.name));
    return (v.op === "input" ? this.inputs.get(v.name) : this.vectors.get(v)) as readonly string[];
  }

  /** Prints a value and what it is made of, if that is not done. */
  compute(v: Value): void {
    if (v.args.length === 0 || this.vectors.has(v)) return;
    const group = this.seldom.get(v);
    if (group === undefined && this.is_one_choice(v)) {
      this.choose(v);
      return;
    }
    const values = group?.values ?? [v];
    this.need(values, group);
    if (group !== undefined) this.if_any(this.of(group.mask));
    this.print(values);
    if (group !== undefined) this.e.emit("end");
  }

  /** Computes the arguments of `values` that are not among them. */
  private need(values: readonly Value[], group: Seldom | undefined): void {
    const outside = [...values.flatMap((x) => x.args), ...(group === undefined ? [] : [group.mask])];
    for (const x of outside) if (!values.includes(x)) this.compute(x);
  }

  private print(values: readonly Value[]): void {
    const { e, of_bytes } = this;
    for (const x of values) {
      const args =
        of_bytes || x.op !== "select"
          ? x.args.map((arg) => this.of(arg))
          : x.args.map((arg) => (is_zero(arg) ? [] : this.of(arg)));
      this.vectors.set(x, of_bytes ? byte_value(e, x, this.kernel.inputs[0].dtype, args) : this.value(x, args));
    }
  }

  /** Prints a choice whose mask is the same for all lanes: a branch that replaces the `no` side by the `yes` side. */
  private choose(v: Value): void {
    const { e } = this;
    const [mask, yes, no] = v.args;
    const group = this.seldom.get(yes);
    const values = group?.mask === mask && !this.vectors.has(yes) ? group.values : [];
    if (values.length === 0) this.compute(yes);
    else this.need(values, group);
    this.compute(mask);
    this.compute(no);
    const results = this.of(no).map((x) => e.copy(x));
    this.if_any(this.of(mask));
    this.print(values);
    for (const [k, x] of this.of(yes).entries()) e.emit(`local.get $${x}`, `local.set $${results[k]}`);
    e.emit("end");
    this.vectors.set(v, results);
  }

  /** Whether it is a choice whose mask is the same for all lanes. */
  private is_one_choice(v: Value): boolean {
    return v.op === "select" && v.type !== "mask" && !this.of_bytes && is_same_for_all(v.args[0]);
  }

  private if_any(mask: readonly string[]): void {
    const { e } = this;
    for (const [k, m] of mask.entries()) e.emit(`local.get $${m}`, ...(k === 0 ? [] : ["v128.or"]));
    e.emit("v128.any_true", "if");
  }

  /** One vector, repeated for all vectors of a value. */
  private same(type: ValueType, vector: string): readonly string[] {
    return new Array<string>(is_wide(type) ? 2 * this.count : this.count).fill(vector);
  }

  // ---- values

  private value(v: Value, args: readonly (readonly string[])[]): readonly string[] {
    const { e } = this;
    const lanes = LANES[v.type];
    const [a, b, c] = args;
    switch (v.op) {
      case "to_bits":
      case "from_bits":
      case "unlikely":
        return a;
      case "fmadd":
        if (this.relaxed) return a.map((_, k) => e.op(`${lanes}.relaxed_madd`, a[k], b[k], c[k]));
        return a.map((_, k) => e.op(`${lanes}.add`, e.op(`${lanes}.mul`, a[k], b[k]), c[k]));
      case "and":
      case "or":
      case "xor": {
        const [x, y] = v.type === "mask" ? this.alike(a, b) : [a, b];
        return x.map((_, k) => e.op(`v128.${v.op}`, x[k], y[k]));
      }
      case "not":
        return a.map((x) => e.op("v128.not", x));
      case "shl":
      case "shr_s":
      case "shr_u":
        return a.map((x) => e.shift(`${lanes}.${v.op}`, x, Number(v.args[1].value)));
      case "select": {
        if (is_zero(v.args[1])) return this.masked("v128.andnot", c, a);
        if (is_zero(v.args[2])) return this.masked("v128.and", b, a);
        const [yes, no] = v.type === "mask" ? this.alike(b, c) : [b, c];
        return this.as_many(a, yes.length).map((m, k) => e.op("v128.bitselect", yes[k], no[k], m));
      }
      case "bool":
        return this.as_many(a, this.count).map((x) => e.op("v128.and", x, e.constant("i32", 1)));
      case "convert":
        return this.convert(v, a);
      case "wrap_uint8":
        return a.map((x) => e.op("v128.and", x, e.constant("i32", 255)));
      case "wrap_int8":
      case "wrap_int16": {
        const by = v.op === "wrap_int8" ? 24 : 16;
        return a.map((x) => e.shift("i32x4.shr_s", e.shift("i32x4.shl", x, by), by));
      }
      case "round_float16":
        return a.map((x) => rounded(e, "float16", x));
      case "round_bfloat16":
        return a.map((x) => rounded(e, "bfloat16", x));
    }
    if (is_comparison(v.op)) {
      const from = v.args[0].type;
      const suffix = from.startsWith("i") && v.op !== "eq" && v.op !== "ne" ? "_s" : "";
      if (from === "mask") {
        const [x, y] = this.alike(a, b);
        const different = x.map((_, k) => e.op("v128.xor", x[k], y[k]));
        return v.op === "ne" ? different : different.map((x) => e.op("v128.not", x));
      }
      return a.map((_, k) => e.op(`${LANES[from]}.${v.op}${suffix}`, a[k], b[k]));
    }
    return a.map((_, k) => e.op(`${lanes}.${v.op}`, ...args.map((x) => x[k])));
  }

  /** Two masks, both as wide as the wider one. */
  private alike(a: readonly string[], b: readonly string[]): [readonly string[], readonly string[]] {
    const count = Math.max(a.length, b.length);
    return [this.as_many(a, count), this.as_many(b, count)];
  }

  /** A mask in `count` vectors: one with eight bytes a lane takes twice as many as one with four. */
  as_many(mask: readonly string[], count: number): readonly string[] {
    const { e } = this;
    if (mask.length === count) return mask;
    if (mask.length < count)
      return mask.flatMap((m) => [e.op("i64x2.extend_low_i32x4_s", m), e.op("i64x2.extend_high_i32x4_s", m)]);
    return pairs(mask).map(([low, high]) => e.shuffle(low, high, LOW_WORDS));
  }

  private convert(v: Value, a: readonly string[]): readonly string[] {
    const { e } = this;
    const halves = (op: string): string[] => a.flatMap((x) => [e.op(op, x), e.op(op, e.shuffle(x, x, HIGH_HALF))]);
    switch (`${v.args[0].type} ${v.type}`) {
      case "i32 f32":
        return a.map((x) => e.op("f32x4.convert_i32x4_s", x));
      case "i32 f64":
        return halves("f64x2.convert_low_i32x4_s");
      case "i32 i64":
        return a.flatMap((x) => [e.op("i64x2.extend_low_i32x4_s", x), e.op("i64x2.extend_high_i32x4_s", x)]);
      case "i64 i32":
        return pairs(a).map(([low, high]) => e.shuffle(low, high, LOW_WORDS));
      case "f32 f64":
        return halves("f64x2.promote_low_f32x4");
      case "f64 f32":
        return pairs(a).map(([low, high]) =>
          e.shuffle(e.op("f32x4.demote_f64x2_zero", low), e.op("f32x4.demote_f64x2_zero", high), LOW_HALVES),
        );
      case "f32 i32":
        return a.map((x) => this.below(x, "f32", 2 ** 31, e.op("i32x4.trunc_sat_f32x4_s", x)));
      case "f64 i32":
        return pairs(a).map(([low, high]) => {
          const [x, y] = [low, high].map((half) => e.op("i32x4.trunc_sat_f64x2_s_zero", half));
          const small = [low, high].map((half) => e.op("f64x2.lt", half, e.constant("f64", 2 ** 31)));
          const mask = e.shuffle(small[0], small[1], LOW_WORDS);
          return e.op("v128.bitselect", e.shuffle(x, y, LOW_HALVES), e.constant("i32", -(2 ** 31)), mask);
        });
      case "f32 i64":
      case "f64 i64":
        return this.each_to_int64(v.args[0].type, a);
      case "i64 f32":
      case "i64 f64":
        return this.each_int64(v.type, a);
      default:
        throw new Error(`no conversion from ${v.args[0].type} to ${v.type}`);
    }
  }

  /**
   * `whole` where `x` is less than `limit`, elsewhere the smallest integer: C++ leaves this case undefined, and x86 gives that.
   */
  private below(x: string, from: ValueType, limit: number, whole: string): string {
    const { e } = this;
    const mask = e.op(`${LANES[from]}.lt`, x, e.constant(from, limit));
    return e.op("v128.bitselect", whole, e.constant("i32", -limit), mask);
  }

  /** Converts to int64 as above, lane by lane. */
  private each_to_int64(from: ValueType, a: readonly string[]): readonly string[] {
    const { e } = this;
    const lanes = LANES[from];
    const per = from === "f32" ? 4 : 2;
    const vectors: string[] = [];
    for (const x of a) {
      for (let lane = 0; lane < per; lane += 2) {
        let made = e.constant("i64", 0);
        for (let k = 0; k < 2; k++) {
          const extract = [`local.get $${x}`, `${lanes}.extract_lane ${lane + k}`];
          e.emit(`local.get $${made}`, ...extract, `i64.trunc_sat_${from}_s`, `i64.const ${-(2n ** 63n)}`);
          e.emit(...extract, `${from}.const ${2 ** 63}`, `${from}.lt`, "select");
          made = e.set(`i64x2.replace_lane ${k}`);
        }
        vectors.push(made);
      }
    }
    return vectors;
  }

  /** A choice between x and 0. */
  private masked(name: string, x: readonly string[], mask: readonly string[]): readonly string[] {
    return this.as_many(mask, x.length).map((m, k) => this.e.op(name, x[k], m));
  }

  /** Applies the operation to each int64: there is no instruction for two at once. */
  private each_int64(type: ValueType, a: readonly string[]): readonly string[] {
    const { e } = this;
    const out = e.constant(type, 0);
    const lanes = LANES[type];
    const per = type === "f32" ? 4 : 2;
    const vectors: string[] = [];
    for (let at = 0; at < 2 * a.length; at += per) {
      let made = out;
      for (let lane = 0; lane < per; lane++) {
        e.emit(`local.get $${made}`, `local.get $${a[(at + lane) >> 1]}`, `i64x2.extract_lane ${(at + lane) & 1}`);
        e.emit(`${type}.convert_i64_s`);
        made = e.set(`${lanes}.replace_lane ${lane}`);
      }
      vectors.push(made);
    }
    return vectors;
  }
}

export const LANES: Readonly<Record<ValueType, string>> = {
  f32: "f32x4",
  f64: "f64x2",
  i32: "i32x4",
  i64: "i64x2",
  mask: "v128",
};
/**
 * Byte orders for a shuffle. From two vectors: the lower four bytes of every eight; the lower halves. From one: its upper half.
 */
const LOW_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
const LOW_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const HIGH_HALF = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];

/** Whether the value is the constant 0; a number only, because the bits of -0 are not 0. */
function is_zero(v: Value): boolean {
  return v.op === "const" && v.type !== "mask" && (v.value === 0n || Object.is(v.value, 0));
}

function is_wide(type: ValueType): boolean {
  return type === "f64" || type === "i64";
}

function pairs(vectors: readonly string[]): [string, string][] {
  const out: [string, string][] = [];
  for (let k = 0; k < vectors.length; k += 2) out.push([vectors[k], vectors[k + 1]]);
  return out;
}
