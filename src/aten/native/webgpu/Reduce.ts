/**
 * @file Driver and kernel text of reductions: how many invocations share an output, how many workgroups run, and the
 * code around a reduction operation.
 *
 *   lane      (ox, rx): number of the output in the workgroup, number among the invocations that share it
 *   each      reduces every (step)-th element of its output, four at a time, so that these do not wait for each other
 *   tree      the invocations that share an output combine their results by halves in workgroup memory, with barriers
 *   split     if there are few outputs and many elements, several workgroups share an output: each writes its partial result
 *             to a buffer, and a second kernel combines them
 *
 * So a float32 sum is a sum of sums. It is the same at every run, but its order differs from the CPU's.
 * @mirrors aten/src/ATen/native/cuda/Reduce.cuh
 * @differs Ours launches a second kernel; in CUDA the last workgroup to finish combines the rest. WGSL gives no order
 * between workgroups.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { dtype_name } from "#aten/webgpu/dtypes";
import { type_of } from "#aten/webgpu/wgsl/printer";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { multiply_integers } from "#c10/util/accumulate";
import { folded, GpuKernel, type KernelContext, type OperandView, view_of } from "./KernelText.ts";
import { device_memory } from "./Loops.ts";
import { reduction_sizes } from "./tuning.ts";

/** A reduction operation in WGSL. Its parameters are `p.c0` and `p.c1`. */
export interface ReduceOp {
  readonly name: string;
  /** The accumulator type `acc_t`: its declaration, its fields as words, and its construction from words. */
  readonly acc: (element: string) => {
    readonly declaration: string;
    readonly words: readonly string[];
    readonly from_words: string;
  };
  /**
   * WGSL functions `identity() -> acc_t`, `reduce(acc: acc_t, x: T, index: u32) -> acc_t`, `combine(a: acc_t, b: acc_t)
   * -> acc_t`.
   */
  readonly text: (element: string) => string;
  /** WGSL that computes output k from `acc`. */
  readonly project: readonly ((element: string) => string)[];
}

/** Sizes and strides of the outer or of the inner dimensions, in elements, fastest first. */
interface Dims {
  readonly sizes: readonly number[];
  readonly input: readonly number[];
  /** One list of strides per output. */
  readonly outputs: readonly (readonly number[])[];
}

const WHOLE = 0;
const FIRST = 1;
const SECOND = 2;

/** Everything that the text depends on, except dtypes. */
class ReduceConfig {
  readonly log2_outputs: number;
  readonly log2_lanes: number;
  readonly ranks: readonly [number, number];
  readonly pass: number;
  readonly reduces_fastest: boolean;

  constructor(
    log2_outputs: number,
    log2_lanes: number,
    ranks: readonly [number, number],
    pass: number,
    fastest: boolean,
  ) {
    this.log2_outputs = log2_outputs;
    this.log2_lanes = log2_lanes;
    this.ranks = ranks;
    this.pass = pass;
    this.reduces_fastest = fastest;
  }

  variant(): number {
    const [outer, inner] = this.ranks;
    const shape = (this.log2_outputs * 16 + this.log2_lanes) * 4 + this.pass;
    return ((shape * 2 + (this.reduces_fastest ? 1 : 0)) * 32 + outer) * 32 + inner;
  }

  static of(variant: number): ReduceConfig {
    const inner = variant % 32;
    const outer = Math.floor(variant / 32) % 32;
    const fastest = Math.floor(variant / 1024) % 2 === 1;
    const shape = Math.floor(variant / 2048);
    return new ReduceConfig(Math.floor(shape / 64), Math.floor(shape / 4) % 16, [outer, inner], shape % 4, fastest);
  }
}

export class Reduction {
  private readonly op: ReduceOp;
  private readonly kernel: GpuKernel;
  private readonly outputs: number;

  constructor(op: ReduceOp) {
    this.op = op;
    this.outputs = op.project.length;
    const outs = op.project.map((_, k) => `out${k}`);
    this.kernel = new GpuKernel(`reduce_kernel_${op.name}`, {
      reads: ["input"],
      writes: [...outs, "partial"],
      fields: (context) => fields_of(ReduceConfig.of(context.variant), this.outputs),
      workgroup_size: ({ variant }) => {
        const { log2_outputs, log2_lanes } = ReduceConfig.of(variant);
        return [2 ** (log2_outputs + log2_lanes), 1, 1];
      },
      code: (context) => reduce_text(op, ReduceConfig.of(context.variant), context, this.outputs),
    });
  }

  /** Reduces over the dimensions of `iter` in which its outputs have stride 0. */
  run(iter: TensorIteratorBase, c0 = 0, c1 = 0): void {
    const { outputs } = this;
    const shape = iter.shape();
    const reduced = shape.map((_, d) => iter.strides(0)[d] === 0);
    const pick = (is: boolean): Dims => {
      const dims = shape.map((_, d) => d).filter((d) => reduced[d] === is);
      const strides_of = (k: number): number[] => dims.map((d) => iter.strides(k)[d]);
      return {
        sizes: dims.map((d) => shape[d]),
        input: strides_of(outputs),
        outputs: Array.from({ length: outputs }, (_, k) => strides_of(k)),
      };
    };
    const views = Array.from({ length: outputs + 1 }, (_, k): OperandView => {
      const op = iter.operand(k);
      const strides = iter.strides(k);
      let above = 1;
      let below = 0;
      for (let d = 0; d < shape.length; d++) {
        if (strides[d] < 0) below -= (shape[d] - 1) * strides[d];
        else above += (shape[d] - 1) * strides[d];
      }
      return { memory: device_memory(op), dtype: op.current_dtype, offset: op.offset, below, above };
    });
    this.launch(views[outputs], views.slice(0, outputs), pick(false), pick(true), c0, c1);
  }

  /** Reduces the last dimension of a contiguous `rows` by `columns` input. Outputs are contiguous. */
  run_rows(input: Tensor, outputs: readonly Tensor[], rows: number, columns: number, c0 = 0, c1 = 0): void {
    const outer = { sizes: [rows], input: [columns], outputs: outputs.map(() => [1]) };
    const inner = { sizes: [columns], input: [1], outputs: outputs.map(() => [0]) };
    this.launch(view_of(input), outputs.map(view_of), outer, inner, c0, c1);
  }

  private launch(
    input_: OperandView,
    outputs: readonly OperandView[],
    outer: Dims,
    inner: Dims,
    c0: number,
    c1: number,
  ): void {
    const num_outputs = multiply_integers(outer.sizes);
    if (num_outputs === 0) return;
    const num_inputs = multiply_integers(inner.sizes);
    const input = num_inputs > 0 ? input_ : { ...view_of(temporary(MOST_WORDS)), dtype: input_.dtype, above: 1 };
    const fastest =
      outer.sizes.length === 0 || (inner.sizes.length > 0 && Math.abs(inner.input[0]) <= Math.abs(outer.input[0]));
    const { log2_outputs, log2_lanes, split } = reduction_sizes(num_outputs, num_inputs, fastest);
    const ranks: readonly [number, number] = [outer.sizes.length, inner.sizes.length];
    const strides = [outer, inner].flatMap(({ sizes, input: of_input, outputs: of_outputs }, k) => [
      ...sizes.slice(0, -1),
      ...of_input,
      ...(k === 0 ? of_outputs.flat() : []),
    ]);
    const nothing = outputs.map(() => null);
    const groups = Math.ceil(num_outputs / 2 ** log2_outputs);
    const config = (pass: number): number => new ReduceConfig(log2_outputs, log2_lanes, ranks, pass, fastest).variant();
    if (split === 1) {
      const values = [num_outputs, num_inputs, 1, c0, c1, ...strides];
      this.kernel.launch(config(WHOLE), [input, ...outputs, null], values, ...folded(groups), 1);
      return;
    }
    const words = this.op.acc(type_of(dtype_name(input.dtype))).words.length;
    const partial = view_of(temporary(num_outputs * split * words));
    const values = [num_outputs, num_inputs, split, c0, c1, ...strides];
    this.kernel.launch(config(FIRST), [input, ...nothing, partial], values, ...folded(groups), split);
    const rest = reduction_sizes(num_outputs, split, true);
    const second = new ReduceConfig(rest.log2_outputs, rest.log2_lanes, [ranks[0], 1], SECOND, true);
    const own = [...outer.sizes.slice(0, -1), ...outer.outputs.flat()];
    this.kernel.launch(
      second.variant(),
      [input, ...outputs, partial],
      [num_outputs, num_inputs, split, c0, c1, ...own],
      ...folded(Math.ceil(num_outputs / 2 ** rest.log2_outputs)),
      1,
    );
  }
}

const OPTIONS = new TensorOptions().dtype(ScalarType.Int).device(new Device(DeviceType.PrivateUse1, 0));

/** Size of the substitute for an input without elements, which may have no memory: something must be bound. */
const MOST_WORDS = 2;

function temporary(words: number): Tensor {
  return at.empty_memory_format([words], OPTIONS);
}

/** Fields in the order in which `launch` gives the values. */
function fields_of({ ranks: [outer, inner], pass }: ReduceConfig, outputs: number): string[] {
  const many = (n: number, name: string): string[] => Array.from({ length: n }, (_, d) => `${name}${d}: u32`);
  const out = ["num_outputs: u32", "num_inputs: u32", "split: u32", "c0: f32", "c1: f32"];
  out.push(...many(Math.max(outer - 1, 0), "outer_size"));
  if (pass !== SECOND) out.push(...many(outer, "outer_stride"));
  for (let k = 0; k < outputs; k++) out.push(...many(outer, `out${k}_stride`));
  if (pass !== SECOND) out.push(...many(Math.max(inner - 1, 0), "inner_size"), ...many(inner, "inner_stride"));
  return out;
}

/** WGSL function that splits an index into one index per dimension and returns the sum of index times stride. */
function offset_function(name: string, rank: number, sizes: string, strides: string): string {
  if (rank === 0) return `fn ${name}(i: u32) -> u32 {\n  return 0u;\n}`;
  const lines = ["  var rest = i;", "  var offset = 0u;"];
  for (let d = 0; d + 1 < rank; d++)
    lines.push(`  offset += (rest % p.${sizes}${d}) * p.${strides}${d};`, `  rest /= p.${sizes}${d};`);
  lines.push(`  return offset + rest * p.${strides}${rank - 1};`);
  return [`fn ${name}(i: u32) -> u32 {`, ...lines, "}"].join("\n");
}

/** Limits a bool to 0 or 1; a sum may be larger. */
function as_bool(value: string, dtype: ScalarType | undefined): string {
  return dtype === ScalarType.Bool ? `min(${value}, 1i)` : value;
}

function reduce_text(
  op: ReduceOp,
  config: ReduceConfig,
  context: KernelContext,
  outputs: number,
): { declarations: string; main: string } {
  const { log2_outputs, log2_lanes, pass, ranks, reduces_fastest } = config;
  const [outer, inner] = ranks;
  const element = context.type("input");
  const { declaration, words, from_words } = op.acc(element);
  const lanes = 2 ** log2_lanes;
  const size = 2 ** (log2_outputs + log2_lanes);
  const declarations = [declaration, op.text(element)];
  if (lanes > 1) declarations.push(`var<workgroup> folded: array<acc_t, ${size}>;`);
  if (pass !== SECOND) {
    declarations.push(offset_function("outer_offset", outer, "outer_size", "outer_stride"));
    declarations.push(offset_function("inner_offset", inner, "inner_size", "inner_stride"));
  }
  if (pass !== FIRST)
    for (let k = 0; k < outputs; k++)
      declarations.push(offset_function(`out${k}_offset`, outer, "outer_size", `out${k}_stride`));
  const count = words.length;
  const element_at = "load_input(base + inner_offset(i))";
  // A partial result is the result of one workgroup of `split`.
  const fold = (acc: string, i: string): string =>
    pass === SECOND
      ? `${acc} = combine(${acc}, restored((output * p.split + ${i}) * ${count}u));`
      : `${acc} = reduce(${acc}, ${element_at.replace("(i)", `(${i})`)}, ${i});`;
  if (pass === SECOND)
    declarations.push(
      "fn restored(at: u32) -> acc_t {",
      ...words.map((_, k) => `  let w${k} = bitcast<u32>(load_partial(at + ${k}u));`),
      `  return ${from_words};`,
      "}",
    );
  const main: string[] = [
    "  let block = group.x + group.y * groups.x;",
    reduces_fastest
      ? `  let rx = lane & ${lanes - 1}u;\n  let ox = lane >> ${log2_lanes}u;`
      : `  let ox = lane & ${2 ** log2_outputs - 1}u;\n  let rx = lane >> ${log2_outputs}u;`,
    `  let output = block * ${2 ** log2_outputs}u + ox;`,
    "  var acc = identity();",
    "  if (output < p.num_outputs) {",
    ...(pass === SECOND ? [] : ["    let base = outer_offset(output);"]),
    pass === SECOND ? "    let n = p.split;" : "    let n = p.num_inputs;",
    pass === FIRST ? `    let step = ${lanes}u * p.split;` : `    let step = ${lanes}u;`,
    pass === FIRST ? `    var i = rx + ${lanes}u * group.z;` : "    var i = rx;",
    "    if (3u * step + i < n) {",
    "      var acc1 = identity();",
    "      var acc2 = identity();",
    "      var acc3 = identity();",
    "      while (3u * step + i < n) {",
    `        ${fold("acc", "i")}`,
    `        ${fold("acc1", "(i + step)")}`,
    `        ${fold("acc2", "(i + 2u * step)")}`,
    `        ${fold("acc3", "(i + 3u * step)")}`,
    "        i += 4u * step;",
    "      }",
    "      acc = combine(combine(acc, acc1), combine(acc2, acc3));",
    "    }",
    "    while (i < n) {",
    `      ${fold("acc", "i")}`,
    "      i += step;",
    "    }",
    "  }",
  ];
  if (lanes > 1) {
    main.push("  folded[lane] = acc;");
    for (let half = lanes / 2; half >= 1; half /= 2) {
      const other = reduces_fastest ? half : half * 2 ** log2_outputs;
      main.push(
        "  workgroupBarrier();",
        `  if (rx < ${half}u) {`,
        `    acc = combine(acc, folded[lane + ${other}u]);`,
        ...(half > 1 ? ["    folded[lane] = acc;"] : []),
        "  }",
      );
    }
  }
  main.push("  if ((rx == 0u) && (output < p.num_outputs)) {");
  if (pass === FIRST)
    for (const [k, word] of words.entries())
      main.push(`    store_partial((output * p.split + group.z) * ${count}u + ${k}u, bitcast<i32>(${word}));`);
  else
    for (let k = 0; k < outputs; k++)
      main.push(
        `    store_out${k}(out${k}_offset(output), ${as_bool(op.project[k](element), context.dtypes[1 + k])});`,
      );
  main.push("  }");
  return { declarations: declarations.join("\n"), main: main.join("\n") };
}
