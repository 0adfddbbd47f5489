/**
 * @file The printer of a graph of values as a WebAssembly loop. It computes eight elements at a time, sixteen if the
 * graph is small, and four times as many if one byte per element is enough.
 *
 *   (n, m, pad, x0, t0, x1, s1, t1, x2, s2, t2, ..., captures)        an n by m tile; addresses and strides in bytes
 *
 * Operand 0, and further outputs after it, are contiguous. An input's inner stride is its element size, or 0: then its
 * one value is written to the pad, four vectors wide, and its pointer stays there, so one body serves every
 * combination. The last elements of a row are computed as a whole vector and written to the pad first: up to 24 bytes
 * after an input are read, nothing is written after an output.
 *
 * A value of eight bytes takes twice as many vectors as one of four; a mask is as wide as the compared values.
 * @mirrors aten/src/ATen/cpu/vec/vec128/vec128.h
 * @differs The instructions are chosen by the graph's types; C++ overloads operators for each element type.
 * @see ir.ts, assembler.ts
 */
import type { WasmFunction, WasmType } from "./assembler.ts";
import { Emitter } from "./emitter.ts";
import { is_comparison, type Kernel, type Value, type ValueType } from "./ir.ts";
import { is_same_for_all, type Seldom, seldom_values } from "./unlikely.ts";
import { byte_value, is_of_bytes, load_bytes, store_bytes } from "./vec128_bytes.ts";
import { load_vectors, rounded, SIZES, store_vectors } from "./vec128_types.ts";

// Note [An emitted loop]
// ~~~~~~~~~~~~~~~~~~~~~~
// For `return x * y` on float32 the printer writes 152 instructions. This is their middle, the loop over whole chunks of 16 elements, with
// several instructions on a line and the second to fourth vector of each step left out:
//
//   loop $main
//     local.get $left  i32.const 16  i32.lt_s  br_if $short          fewer than 16 elements left in the row: go on with `rest`
//     local.get $p1  v128.load offset=0  local.set $r2               load x[0..3]; $r3 to $r5 hold the three vectors behind it
//     local.get $p2  v128.load offset=0  local.set $r6               load y[0..3]
//     local.get $r2  local.get $r6  f32x4.mul  local.set $r10        the kernel: one such line per value of its graph and vector
//     local.get $p0  local.get $r10  v128.store offset=0             store
//     local.get $p0  i32.const 64  i32.add  local.set $p0            advance the output by 16 elements,
//     local.get $p1  local.get $d1  i32.add  local.set $p1           and each input by its step, which is 0 for one value for the row
//     local.get $p2  local.get $d2  i32.add  local.set $p2
//     local.get $left  i32.const 16  i32.sub  local.set $left
//     br $main
//   end
//
//   n m    elements in a row, rows               x0 t0     the output: address of its row, bytes to the next row
//   pad    scratch memory                        x1 s1 t1  the first input: address, bytes to the next element (or 0), to the next row
//   left   elements left in this row             p0 p1     where we are in the row
//   r0 ..  vectors; each is set once             d1        bytes from chunk to chunk: 64, or 0 if the input is one value for the row
//                                                q0        where the last vectors are stored: p0, or the pad

/** Bytes of the pad for each operand. */
export const PAD_BYTES = 128;
/**
 * Vectors in a chunk, of four elements each (sixteen in graphs of bytes): enough to keep several execution units busy,
 * few enough to stay in registers.
 */
function unrolled(kernel: Kernel): number {
  return kernel.values.length < 12 ? 4 : 2;
}

/** Elements computed in one turn of the main loop; a shorter row never reaches it. */
export function chunk_elements(kernel: Kernel): number {
  return (is_of_bytes(kernel) ? 16 : 4) * unrolled(kernel);
}

/** Prints the loop as a function named `loop`. @param relaxed whether multiply-add is one instruction */
export function print_loop(kernel: Kernel, relaxed: boolean): WasmFunction {
  return new LoopPrinter(kernel, relaxed).print();
}

class LoopPrinter {
  private readonly kernel: Kernel;
  private readonly relaxed: boolean;
  private readonly e = new Emitter();
  private readonly seldom: ReadonlyMap<Value, Seldom>;
  private readonly outputs: number;
  private readonly of_bytes: boolean;
  /** Number of elements in a vector. */
  private readonly lanes: number;
  /** Bytes of an element, by operand; outputs first. */
  private readonly sizes: readonly number[];
  /** Number of vectors in the chunk that is being printed. */
  private count = 1;

  constructor(kernel: Kernel, relaxed: boolean) {
    this.kernel = kernel;
    this.relaxed = relaxed;
    this.seldom = seldom_values(kernel);
    this.outputs = kernel.outputs.length;
    this.of_bytes = is_of_bytes(kernel);
    this.lanes = this.of_bytes ? 16 : 4;
    this.sizes = [...kernel.outputs, ...kernel.inputs].map((o) => SIZES[o.dtype]);
  }

  print(): WasmFunction {
    const { e, kernel, sizes, outputs } = this;
    const params: [string, WasmType][] = [
      ["n", "i32"],
      ["m", "i32"],
      ["pad", "i32"],
    ];
    for (const k of sizes.keys()) {
      params.push([`x${k}`, "i32"]);
      if (k >= outputs) params.push([`s${k}`, "i32"]);
      params.push([`t${k}`, "i32"]);
    }
    for (const c of kernel.captures) params.push([c.name, c.type as WasmType]);
    const unroll = unrolled(kernel);
    for (const k of sizes.keys()) {
      e.local(`p${k}`, "i32");
      if (k >= outputs) e.local(`d${k}`, "i32");
      else e.local(`q${k}`, "i32");
    }
    e.local("left", "i32");
    e.emit("loop $rows");
    for (const [k, size] of sizes.entries()) {
      e.emit(`local.get $x${k}`, `local.set $p${k}`);
      if (k >= outputs) this.broadcast(k, size, unroll);
    }
    e.emit("local.get $n", "local.set $left");
    this.main(unroll);
    this.rest();
    for (const k of sizes.keys()) e.emit(`local.get $x${k}`, `local.get $t${k}`, "i32.add", `local.set $x${k}`);
    e.emit("local.get $m", "i32.const 1", "i32.sub", "local.tee $m", "br_if $rows", "end");
    return { name: "loop", params, results: [], locals: e.locals, body: e.body() };
  }

  /** Sets `d`, the distance that input k moves with every chunk. */
  private broadcast(k: number, size: number, unroll: number): void {
    const { e } = this;
    const bytes = this.lanes * unroll * size;
    e.emit(`i32.const ${bytes}`, `local.set $d${k}`);
    e.emit(`local.get $s${k}`, "i32.eqz", "if");
    e.emit("local.get $pad", `i32.const ${k * PAD_BYTES}`, "i32.add", `local.set $p${k}`);
    const splat = e.fresh();
    e.emit(`local.get $x${k}`, `v128.load${8 * size}_splat`, `local.set $${splat}`);
    for (let at = 0; at < bytes; at += 16) e.emit(`local.get $p${k}`, `local.get $${splat}`, `v128.store offset=${at}`);
    e.emit("i32.const 0", `local.set $d${k}`, "end");
  }

  /** Prints the loop over whole chunks. */
  private main(unroll: number): void {
    const { e } = this;
    e.emit("block $short", "loop $main", "local.get $left", `i32.const ${this.lanes * unroll}`);
    e.emit("i32.lt_s", "br_if $short");
    this.chunk(unroll, "p");
    this.advance(unroll);
    e.emit("br $main", "end", "end");
    for (const k of this.sizes.keys())
      if (k >= this.outputs)
        e.emit(`local.get $d${k}`, `i32.const ${Math.log2(unroll)}`, "i32.shr_u", `local.set $d${k}`);
  }

  /** Prints the rest, vector by vector; the last few elements go through the pad. */
  private rest(): void {
    const { e, lanes, outputs, sizes } = this;
    e.emit("block $done", "loop $rest", "local.get $left", "i32.const 0", "i32.le_s", "br_if $done");
    for (let k = 0; k < outputs; k++) {
      e.emit(`local.get $p${k}`, "local.get $pad", `i32.const ${k * PAD_BYTES}`, "i32.add");
      e.emit("local.get $left", `i32.const ${lanes}`, "i32.ge_s", "select", `local.set $q${k}`);
    }
    this.chunk(1, "q");
    this.advance(1);
    e.emit("br $rest", "end", "end");
    // `left` is 0, or minus the number of elements that the last vector lacks.
    e.emit("local.get $left", "if");
    for (let k = 0; k < outputs; k++) {
      const size = sizes[k];
      e.emit(`local.get $p${k}`, `i32.const ${lanes * size}`, "i32.sub", `local.set $p${k}`);
      if (this.of_bytes) {
        this.move_bytes(k);
        continue;
      }
      const move = MOVES[size];
      for (let lane = 0; lane < 3; lane++) {
        if (lane > 0) e.emit(`local.get $left`, `i32.const ${-4 + lane}`, "i32.gt_s", "if");
        e.emit(
          `local.get $p${k}`,
          `local.get $q${k}`,
          `${move.load} offset=${lane * size}`,
          `${move.store} offset=${lane * size}`,
        );
      }
      e.emit("end", "end");
    }
    e.emit("end");
  }

  /** Moves the last bytes of operand k, from the last to the first. */
  private move_bytes(k: number): void {
    const { e } = this;
    const byte = (pointer: string): string[] => [`local.get $${pointer}${k}`, "local.get $left", "i32.add"];
    e.emit("local.get $left", `i32.const ${this.lanes}`, "i32.add", "local.set $left", "loop $bytes");
    e.emit("local.get $left", "i32.const 1", "i32.sub", "local.set $left");
    e.emit(...byte("p"), ...byte("q"), "i32.load8_u", "i32.store8", "local.get $left", "br_if $bytes", "end");
  }

  private advance(unroll: number): void {
    const { e } = this;
    for (const [k, size] of this.sizes.entries()) {
      const by = k >= this.outputs ? `local.get $d${k}` : `i32.const ${this.lanes * unroll * size}`;
      e.emit(`local.get $p${k}`, by, "i32.add", `local.set $p${k}`);
    }
    e.emit("local.get $left", `i32.const ${this.lanes * unroll}`, "i32.sub", "local.set $left");
  }

  /** Prints `unroll` vectors: loads, values, and stores to the pointers whose names begin with `to`. */
  private chunk(unroll: number, to: string): void {
    const { e, kernel, of_bytes, outputs } = this;
    this.count = unroll;
    const vectors = new Map<Value, readonly string[]>();
    const inputs = new Map<string, readonly string[]>();
    const load = of_bytes ? load_bytes : load_vectors;
    for (const [k, i] of kernel.inputs.entries()) inputs.set(i.name, load(e, i.dtype, `p${outputs + k}`, unroll));
    const of = (v: Value): readonly string[] => {
      if (v.op === "const")
        return this.same(v.type, of_bytes ? e.bytes(Number(v.value) & 255) : e.constant(v.type, v.value));
      if (v.op === "capture") return this.same(v.type, of_bytes ? e.splat_byte(v.name) : e.splat(v.type, v.name));
      return (v.op === "input" ? inputs.get(v.name) : vectors.get(v)) as readonly string[];
    };
    const compute = (v: Value): void => {
      if (v.args.length === 0 || vectors.has(v)) return;
      const group = this.seldom.get(v);
      if (group === undefined && this.is_one_choice(v)) {
        choose(v);
        return;
      }
      const values = group?.values ?? [v];
      need(values, group);
      if (group !== undefined) this.if_any(of(group.mask));
      print(values);
      if (group !== undefined) e.emit("end");
    };
    /** Computes the arguments of `values` that are not among them. */
    const need = (values: readonly Value[], group: Seldom | undefined): void => {
      const outside = [...values.flatMap((x) => x.args), ...(group === undefined ? [] : [group.mask])];
      for (const x of outside) if (!values.includes(x)) compute(x);
    };
    const print = (values: readonly Value[]): void => {
      const [{ dtype }] = kernel.inputs;
      for (const x of values) {
        const args =
          of_bytes || x.op !== "select" ? x.args.map(of) : x.args.map((arg) => (is_zero(arg) ? [] : of(arg)));
        vectors.set(x, of_bytes ? byte_value(e, x, dtype, args) : this.value(x, args));
      }
    };
    /** Prints a choice whose mask is the same for all lanes: a branch that replaces the `no` side by the `yes` side. */
    const choose = (v: Value): void => {
      const [mask, yes, no] = v.args;
      const group = this.seldom.get(yes);
      const values = group?.mask === mask && !vectors.has(yes) ? group.values : [];
      if (values.length === 0) compute(yes);
      else need(values, group);
      compute(mask);
      compute(no);
      const results = of(no).map((x) => e.copy(x));
      this.if_any(of(mask));
      print(values);
      for (const [k, x] of of(yes).entries()) e.emit(`local.get $${x}`, `local.set $${results[k]}`);
      e.emit("end");
      vectors.set(v, results);
    };
    for (const v of kernel.values) compute(v);
    for (const [k, o] of kernel.outputs.entries()) {
      const isMask = o.value.type === "mask";
      if (of_bytes) {
        store_bytes(e, isMask, of(o.value), `${to}${k}`);
        continue;
      }
      const value = isMask ? this.as_many(of(o.value), unroll) : of(o.value);
      store_vectors(e, o.dtype, isMask, value, `${to}${k}`);
    }
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
  private as_many(mask: readonly string[], count: number): readonly string[] {
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

const LANES: Readonly<Record<ValueType, string>> = {
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

/** Instructions that move a single element of so many bytes. */
const MOVES: Readonly<Record<number, { readonly load: string; readonly store: string }>> = {
  1: { load: "i32.load8_u", store: "i32.store8" },
  2: { load: "i32.load16_u", store: "i32.store16" },
  4: { load: "i32.load", store: "i32.store" },
  8: { load: "i64.load", store: "i64.store" },
};

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
