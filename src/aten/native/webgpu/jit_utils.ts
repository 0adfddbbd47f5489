/**
 * @file Text of kernels that run a scalar function over an iterator: parameters, bindings, the elements of each
 * invocation, loads, the call, stores.
 * @mirrors aten/src/ATen/native/cuda/jit_utils.cpp
 * @differs Ours compiles every function when it first runs; CUDA's jiterator does so for a few and compiles the others
 * ahead of time.
 * @see Loops.ts (the caller, which writes the parameters in the order of `fields`), MemoryAccess.ts
 */
import type { ValueType } from "#aten/cpu/vec/ir";
import { dtype_name } from "#aten/webgpu/dtypes";
import type { ScalarFunction } from "#aten/webgpu/ScalarFunctions";
import { helpers_for } from "#aten/webgpu/wgsl/helpers";
import { function_name, scalar_function, type_of } from "#aten/webgpu/wgsl/printer";
import { elementSize, type ScalarType, toString } from "#c10/core/ScalarType";
import type { KernelSource } from "#c10/webgpu/interface";
import { here, kernel_assert } from "./KernelAssert.ts";
import {
  binding,
  converted,
  exchange,
  from_bits,
  load,
  per_word,
  place,
  store,
  to_bits,
  type WordType,
} from "./MemoryAccess.ts";
import { POINTWISE_WORKGROUP } from "./tuning.ts";

// Note [Ways through an iterator]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//   linear     one dimension, in which each operand has stride 1 or 0: item i is the i-th element of each operand
//   vectors    as linear; all operands have one-word elements and start at multiples of 16 bytes: an item is four elements,
//              read by one load per operand
//   rest       as vectors, but elements are left over: the last invocation handles them one by one
//   words      as linear, for an output with half-word or quarter-word elements: an item is the two or four elements of one word
//   strided    all other cases: i is split into indices, the fastest dimension first, and each operand has a stride for each
//
// The number of items per invocation depends on the adapter (tuning.ts). Items are unrolled: on a software GPU, a loop
// costs as much as its body.
export type Way = "linear" | "vectors" | "rest" | "words" | "strided";

/** Role of an operand: its elements, one element for all, or a number among the parameters. */
export type Part = "elements" | "one" | "number";

export interface PointwiseOperand {
  /** Dtype in memory; for a number, the dtype of the function's parameter. */
  readonly dtype: ScalarType;
  readonly part: Part;
  /** Not used for a number. */
  readonly slot: number;
}

export interface PointwiseKernel {
  readonly name: string;
  readonly file: string;
  readonly fn: ScalarFunction;
  readonly way: Way;
  /** Number of items per invocation. */
  readonly items: number;
  readonly ndim: number;
  /** Outputs come first. */
  readonly operands: readonly PointwiseOperand[];
  readonly slots: number;
  /** Bit s is set if slot s is written. */
  readonly written: number;
  /** Slot of the words for failed assertions; -1 if the function asserts nothing. */
  readonly assertion_slot: number;
}

export function generate_code(kernel: PointwiseKernel): KernelSource {
  const { fn, file, name, slots, written } = kernel;
  const main = new KernelText(kernel).print();
  return {
    name: `webgpu::${name}<${fn.dtypes.map(toString).join(", ")}>`,
    code: main,
    slots,
    written,
    workgroup_size: [POINTWISE_WORKGROUP, 1, 1],
    scalar_function: `${file}#${fn.name.split(" ")[0]}`,
  };
}

/** Names and types of the fields for a value; int64 takes two words. */
function fields_of(name: string, type: ValueType): string[] {
  if (type === "i64") return [`${name}_low: u32`, `${name}_high: u32`];
  return [`${name}: ${type}`];
}

function field(name: string, type: ValueType): string {
  return type === "i64" ? `vec2<u32>(p.${name}_low, p.${name}_high)` : `p.${name}`;
}

const VALUE_TYPES: Readonly<Record<string, ValueType>> = { f32: "f32", i32: "i32", "vec2<u32>": "i64" };

function value_type(dtype: string): ValueType {
  return VALUE_TYPES[type_of(dtype)];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

class KernelText {
  private readonly kernel: PointwiseKernel;
  private readonly outputs: number;
  private readonly word_types: readonly WordType[];

  constructor(kernel: PointwiseKernel) {
    this.kernel = kernel;
    this.outputs = kernel.fn.outputs.length;
    this.word_types = Array.from({ length: kernel.slots }, (_, slot) => this.word_type(slot));
  }

  /** Type of a slot's words. A slot whose partial words are stored by exchange is bound as atomics. */
  private word_type(slot: number): WordType {
    const { way, operands, assertion_slot } = this.kernel;
    if (slot === assertion_slot) return "atomic<u32>";
    if (way === "vectors" || way === "rest") return "vec4<u32>";
    const exchanged = operands.some(
      (op, k) => k < this.outputs && way !== "words" && op.slot === slot && per_word(op.dtype) > 1,
    );
    return exchanged ? "atomic<u32>" : "u32";
  }

  print(): string {
    const { fn, slots, written, assertion_slot } = this.kernel;
    const asserts = assertion_slot >= 0;
    const code = [
      `struct Params { ${this.fields().join(", ")} }`,
      "@group(0) @binding(0) var<uniform> p: Params;",
      ...Array.from({ length: slots }, (_, s) => binding(s, this.word_types[s], (written & (1 << s)) !== 0)),
      ...this.word_types.flatMap((type, s) => (type === "atomic<u32>" && s !== assertion_slot ? [exchange(s)] : [])),
      ...(asserts ? [kernel_assert(assertion_slot)] : []),
      scalar_function(fn, fn.body),
      ...this.functions(),
      `@compute @workgroup_size(${POINTWISE_WORKGROUP}) fn main(@builtin(global_invocation_id) id: vec3<u32>) {`,
      "  let i = id.x + id.y * p.row;",
      ...(asserts ? [here(`i / ${POINTWISE_WORKGROUP}u`, `i % ${POINTWISE_WORKGROUP}u`)] : []),
      ...indented(this.main()),
      "}",
    ].join("\n");
    return `${code}\n${helpers_for(code)}`;
  }

  /** Fields in the order in which Loops.ts writes them. */
  private fields(): string[] {
    const { fn, operands, ndim, way } = this.kernel;
    const out = ["n: u32", "row: u32"];
    for (const [k, op] of operands.entries()) {
      if (op.part === "number") out.push(...fields_of(`x${k}`, value_type(this.dtype_of(k))));
      else out.push(`x${k}: u32`);
    }
    if (way === "strided") {
      for (let d = 0; d + 1 < ndim; d++) out.push(`size${d}: u32`);
      for (const [k, op] of operands.entries())
        if (op.part !== "number") for (let d = 0; d < ndim; d++) out.push(`x${k}_stride${d}: u32`);
    }
    for (const [k, c] of fn.captures.entries()) out.push(...fields_of(`c${k}`, c.type));
    if (this.kernel.assertion_slot >= 0) out.push("assertion: u32");
    return out;
  }

  /** Dtype of the function's parameter for operand `k`. */
  private dtype_of(k: number): string {
    const { fn } = this.kernel;
    return (k < this.outputs ? fn.outputs[k] : fn.inputs[k - this.outputs]).dtype;
  }

  /** Functions that `main` calls. */
  private functions(): string[] {
    const { way, items } = this.kernel;
    const is_vector = way === "vectors" || way === "rest";
    if (items === 1 || is_vector) return [];
    return ["fn item(i: u32) {", ...indented(this.item()), "}"];
  }

  private main(): string[] {
    const { way, items } = this.kernel;
    if (way === "vectors") return [`if (i * ${4 * items}u >= p.n) {`, "  return;", "}", ...this.vectors()];
    if (way === "rest")
      return [`if ((i + 1u) * ${4 * items}u <= p.n) {`, ...indented(this.vectors()), "  return;", "}", ...this.rest()];
    return items === 1 ? this.item() : this.each((q) => [`item(i * ${items}u + ${q}u);`]);
  }

  private each(lines: (q: number) => string[]): string[] {
    return Array.from({ length: this.kernel.items }, (_, q) => lines(q)).flat();
  }

  private item(): string[] {
    const guard = ["if (i >= p.n) {", "  return;", "}"];
    switch (this.kernel.way) {
      case "words":
        return this.words();
      case "strided":
        return [...guard, ...this.indices(), ...this.element((k) => this.strided_index(k))];
      default:
        return [...guard, ...this.element((k) => this.linear_index(k, "i"))];
    }
  }

  private linear_index(k: number, i: string): string {
    return this.kernel.operands[k].part === "one" ? `p.x${k}` : `p.x${k} + ${i}`;
  }

  /** `i0`, `i1`, ...: the index in each dimension. */
  private indices(): string[] {
    const { ndim } = this.kernel;
    const lines: string[] = [];
    let rest = "i";
    for (let d = 0; d + 1 < ndim; d++) {
      lines.push(`let i${d} = ${rest} % p.size${d};`, `let r${d} = ${rest} / p.size${d};`);
      rest = `r${d}`;
    }
    lines.push(`let i${Math.max(ndim - 1, 0)} = ${rest};`);
    return lines;
  }

  private strided_index(k: number): string {
    const terms = Array.from({ length: this.kernel.ndim }, (_, d) => `i${d} * p.x${k}_stride${d}`);
    return [`p.x${k}`, ...terms].join(" + ");
  }

  /** Handles one element: load inputs, call, store results. */
  private element(index: (k: number) => string): string[] {
    const { operands } = this.kernel;
    const lines: string[] = [];
    for (const [k, op] of operands.entries()) {
      if (op.part !== "number") lines.push(`let e${k} = ${index(k)};`);
    }
    const inputs = operands.slice(this.outputs).map((op, j) => {
      const k = this.outputs + j;
      if (op.part === "number") return this.number(k);
      const loaded = load(op.dtype, op.slot, this.word_types[op.slot], `e${k}`);
      return this.as_input(k, loaded);
    });
    lines.push(`let result = ${this.call(inputs)};`);
    for (let k = 0; k < this.outputs; k++) {
      const { dtype, slot } = operands[k];
      lines.push(`let y${k} = ${this.as_output(k, this.outputs === 1 ? "result" : `result.x${k}`)};`);
      lines.push(...store(dtype, slot, this.word_types[slot], `e${k}`, `y${k}`));
    }
    return lines;
  }

  private number(k: number): string {
    return field(`x${k}`, value_type(this.dtype_of(k)));
  }

  private call(inputs: readonly string[]): string {
    const { fn } = this.kernel;
    const captures = fn.captures.map((c, k) => field(`c${k}`, c.type));
    return `${function_name(fn.name)}(${[...inputs, ...captures].join(", ")})`;
  }

  private as_input(k: number, value: string): string {
    const { fn, operands } = this.kernel;
    return converted(fn.dtypes[k], operands[k].dtype, value);
  }

  private as_output(k: number, value: string): string {
    const { fn, operands } = this.kernel;
    return converted(operands[k].dtype, fn.dtypes[k], value);
  }

  /** Handles items of four elements. */
  private vectors(): string[] {
    const { items } = this.kernel;
    if (items === 1) return this.vector();
    return this.each((q) => ["{", `  let v = i * ${items}u + ${q}u;`, ...indented(this.vector("v")), "}"]);
  }

  /** Handles four elements with one load per operand. */
  private vector(v = "i"): string[] {
    const { operands } = this.kernel;
    const lines: string[] = [];
    const inputs = (lane: string): string[] =>
      operands.slice(this.outputs).map((op, j) => {
        const k = this.outputs + j;
        if (op.part === "number") return this.number(k);
        return this.as_input(k, from_bits(op.dtype, op.part === "one" ? `w${k}` : `w${k}${lane}`));
      });
    for (const [k, op] of operands.entries()) {
      if (k < this.outputs || op.part === "number") continue;
      const one = `m${op.slot}[p.x${k} >> 2u][p.x${k} & 3u]`;
      lines.push(`let w${k} = ${op.part === "one" ? one : `m${op.slot}[(p.x${k} >> 2u) + ${v}]`};`);
    }
    for (let lane = 0; lane < 4; lane++) lines.push(`let r${lane} = ${this.call(inputs(`[${lane}]`))};`);
    for (let k = 0; k < this.outputs; k++) {
      const { dtype, slot } = operands[k];
      const bits = Array.from({ length: 4 }, (_, lane) => {
        const result = this.outputs === 1 ? `r${lane}` : `r${lane}.x${k}`;
        return to_bits(dtype, this.as_output(k, result));
      });
      lines.push(`m${slot}[(p.x${k} >> 2u) + ${v}] = vec4<u32>(${bits.join(", ")});`);
    }
    return lines;
  }

  /** Handles the elements that are left over after the last whole item. */
  private rest(): string[] {
    const element = this.element((k) => this.linear_index(k, "e"));
    return [`for (var e = i * ${4 * this.kernel.items}u; e < p.n; e++) {`, ...indented(element), "}"];
  }

  /** Handles all elements of one word of the output. `p.x0` is the output's first element; it may be inside a word. */
  private words(): string[] {
    const { operands } = this.kernel;
    const [{ dtype, slot }] = operands;
    const count = per_word(dtype);
    const { word: at } = place(dtype, "p.x0");
    const shift = 32 / count;
    const lead = `(p.x0 & ${count - 1}u)`;
    const inputs = operands.slice(1).map((op, j) => {
      const k = j + 1;
      if (op.part === "number") return this.number(k);
      return this.as_input(k, load(op.dtype, op.slot, this.word_types[op.slot], `e${k}`));
    });
    const indices = operands
      .map((op, k) => (k === 0 || op.part === "number" ? "" : `    let e${k} = ${this.linear_index(k, "j")};`))
      .filter((line) => line !== "");
    const mask = count === 2 ? "0xffffu" : "0xffu";
    return [
      `if (i * ${count}u >= p.n + ${lead}) {`,
      "  return;",
      "}",
      `let at = (${at}) + i;`,
      "var bits = 0u;",
      "var mask = 0u;",
      `for (var part = 0u; part < ${count}u; part++) {`,
      `  let j = i * ${count}u + part - ${lead};`,
      "  if (j < p.n) {",
      ...indices,
      `    let result = ${this.call(inputs)};`,
      `    bits |= ${to_bits(dtype, this.as_output(0, "result"))} << (part * ${shift}u);`,
      `    mask |= ${mask} << (part * ${shift}u);`,
      "  }",
      "}",
      "if (mask != 0xffffffffu) {",
      `  bits |= m${slot}[at] & ~mask;`,
      "}",
      `m${slot}[at] = bits;`,
    ];
  }
}

/** Whether elements take one word, as vectors need. */
export function is_vectorizable(dtype: ScalarType): boolean {
  return elementSize(dtype) === 4 && dtype_name(dtype) !== undefined;
}
