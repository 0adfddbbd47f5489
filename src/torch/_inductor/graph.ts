/**
 * @file `GraphLowering`: an interpreter of the fx graph whose values are IR. Each operator is looked up in the table of lowerings; one without
 * a lowering becomes a call of the library.
 * @mirrors torch/_inductor/graph.py
 * @differs Sizes are numbers: compile_fx makes a program for each combination of sizes that it meets.
 */

import { tuple } from "#python/Objects/tupleobject";
import { toPyObject } from "#torch/_C";
import { HigherOrderOperator } from "#torch/_higher_order_ops/higher_order_operator";
import type { OpOverload } from "#torch/_ops";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { is_accessor } from "#torch/fx/experimental/proxy_tensor/symnode_tracker";
import type { GraphModule } from "#torch/fx/graph_module";
import { Interpreter } from "#torch/fx/interpreter";
import { map_aggregate_, Node } from "#torch/fx/node";
import { body_of } from "./codegen/loop_body.ts";
import { config } from "./config.ts";
import { extract_read_writes, type ReadWrites } from "./dependencies.ts";
import {
  type Buffer,
  ComputedBuffer,
  ConstantBuffer,
  type ExternKernel,
  ExternKernelAlloc,
  ExternKernelOut,
  FallbackKernel,
  InputBuffer,
  MultiOutput,
  TensorArgument,
} from "./ir/buffers.ts";
import {
  as_strided,
  contiguous_layout,
  current_origins,
  type Layout,
  type Loops,
  Pointwise,
  type Realizer,
  realizer,
  StorageBox,
  type Strided,
  TensorBox,
  View,
} from "./ir/index.ts";
import { dtype_name, lowerings } from "./lowering/index.ts";
import "./lowering/pointwise.ts";
import "./lowering/views.ts";
import "./lowering/reductions.ts";
import "./lowering/creation.ts";
import "./lowering/indexing.ts";
import "./lowering/linear_algebra.ts";

/** One of the results of the graph. */
export type Output = Strided | number | bigint | boolean | null;

const layout_of = (t: Tensor): Layout => ({
  dtype: dtype_name(t.dtype),
  size: [...t.cdata.sizes()],
  stride: [...t.cdata.strides()],
  offset: 0,
});

/** On the processor `exp` and `sigmoid` are too expensive to compute twice. */
const HEAVY: ReadonlySet<string> = new Set(["exp", "sigmoid"]);

export class GraphLowering extends Interpreter implements Realizer {
  /** Buffers in the order in which they are computed. */
  readonly operations: Buffer[] = [];
  readonly graph_inputs: (InputBuffer | null)[] = [];
  readonly constants: ConstantBuffer[] = [];
  graph_outputs: Output[] = [];
  private readonly example_inputs: readonly unknown[];
  private arguments_taken = 0;

  constructor(gm: GraphModule, example_inputs: readonly unknown[]) {
    super(gm);
    this.example_inputs = example_inputs;
  }

  /** Lowers the whole graph. */
  lower(): void {
    realizer.current = this;
    try {
      for (const node of this.graph.nodes) this.env.set(node, this.lower_node(node));
    } finally {
      realizer.current = null;
    }
  }

  private lower_node(n: Node): unknown {
    switch (n.op) {
      case "placeholder":
        return this.lower_placeholder(n);
      case "get_attr":
        return this.lower_constant(
          (this.fetch_attr as (name: unknown) => unknown).call(this, n.target),
          String(n.target),
        );
      case "output":
        return this.lower_output(n);
      case "call_function":
        return this.lower_call(n);
      default:
        throw new TypeError(`an fx graph of operators has no ${n.op}`);
    }
  }

  // ---- arguments and results

  private lower_placeholder(n: Node): unknown {
    const value = this.example_inputs[this.arguments_taken++];
    if (!(value instanceof Tensor)) {
      this.graph_inputs.push(null);
      return value;
    }
    const buffer = new InputBuffer(n.name, layout_of(value));
    this.graph_inputs.push(buffer);
    return new TensorBox(new StorageBox(buffer));
  }

  private lower_constant(value: unknown, name: string): unknown {
    if (!(value instanceof Tensor)) return value;
    const buffer = new ConstantBuffer(name, layout_of(value), value);
    this.constants.push(buffer);
    return new TensorBox(new StorageBox(buffer));
  }

  private lower_output(n: Node): null {
    const args = n.args[0] as unknown;
    const nodes = Array.isArray(args) ? [...(args as unknown[])] : [args];
    this.graph_outputs = nodes.map((node) => {
      const value = node instanceof Node ? this.env.get(node) : node;
      if (!(value instanceof TensorBox)) return (value ?? null) as Output;
      return this.output_of(value, node as Node);
    });
    return null;
  }

  /** The result in memory, with the strides that the eager program gives it. */
  private output_of(box: TensorBox, node: Node): Strided {
    const meta = node.meta.get("val");
    const wanted = meta instanceof Tensor && meta.dim() === box.size.length ? layout_of(meta).stride : null;
    if (!box.storage.is_realized && !(box.data instanceof View) && wanted !== null) {
      const buffer = box.realize();
      if (buffer instanceof ComputedBuffer && is_dense(box.size, wanted))
        buffer.layout = { ...buffer.layout, stride: wanted };
      return { buffer, layout: buffer.layout };
    }
    const strided = box.storage.is_realized ? as_strided(box) : null;
    const fits = (stride: readonly number[]): boolean =>
      wanted === null ||
      !is_dense(box.size, wanted) ||
      box.size.every((size, d) => size === 1 || stride[d] === wanted[d]);
    if (strided !== null && fits(strided.layout.stride)) return strided;
    const buffer = Pointwise.create(box.dtype, box.make_loader(), box.size).realize();
    if (wanted !== null && is_dense(box.size, wanted)) buffer.layout = { ...buffer.layout, stride: wanted };
    return { buffer, layout: buffer.layout };
  }

  // ---- calls

  private lower_call(n: Node): unknown {
    const value_of = (arg: unknown): unknown =>
      map_aggregate_(arg, (leaf: unknown) => (leaf instanceof Node ? this.env.get(leaf) : leaf));
    const args = [...(value_of(n.args) as unknown[])];
    const kwargs = new Map([...(n.kwargs as ReadonlyMap<string, unknown>)].map(([k, v]) => [k, value_of(v)]));
    const boxes: TensorBox[] = [];
    map_aggregate_(tuple([...args, ...kwargs.values()]), (leaf: unknown) => {
      if (leaf instanceof TensorBox) boxes.push(leaf);
      return leaf;
    });
    const target = n.target as OpOverload;
    const val = n.meta.get("val");
    if (is_accessor(target) && typeof val === "number") return val; // a size of a tensor
    if (n.target instanceof HigherOrderOperator) return this.fallback(n, target, args, kwargs);
    if (boxes.length === 0 && typeof target === "function" && !lowerings.has(target) && target._schema === undefined)
      return (target as (...given: unknown[]) => unknown)(...args);
    if (target._schema === undefined) return this.lower_getitem(args);
    const origins = new Set<Node>([n]);
    for (const box of boxes) for (const set of box.unrealized_origins()) for (const origin of set) origins.add(origin);
    return current_origins(origins, () => {
      const result = this.lowered(target, args, kwargs) ?? this.fallback(n, target, args, kwargs);
      const used_by_output = [...n.users.keys()].filter((user) => (user as Node).op === "output").length;
      for (const box of Array.isArray(result) ? result : [result])
        if (box instanceof TensorBox) this.mark_reuse(box, n.users.size, used_by_output > 0);
      return result;
    });
  }

  private mark_reuse(box: TensorBox, users: number, is_output: boolean): void {
    if (box.data instanceof View) return;
    box.storage.mark_reuse(users, config.realize_reads_threshold);
    const { data } = box.storage;
    if (!(data instanceof Pointwise)) return;
    if (this.read_count(data) > config.realize_acc_reads_threshold) box.realize();
    else if (is_output && users > 1) box.realize();
  }

  private lower_getitem([value, which]: readonly unknown[]): unknown {
    return (value as readonly unknown[])[Number(which)];
  }

  private lowered(op: OpOverload, args: readonly unknown[], given: ReadonlyMap<string, unknown>): unknown {
    const lowering = lowerings.get(op);
    if (lowering === undefined) return undefined;
    const declared = op._schema.arguments.filter((p) => !p.is_out);
    const positional: unknown[] = [];
    const kwargs: Record<string, unknown> = {};
    const defaults = new Map(op._schema.cdata.arguments().map((p) => [p.name(), p]));
    for (const [i, p] of declared.entries()) {
      const argument = defaults.get(p.name);
      const otherwise = (): unknown => {
        const value = argument?.default_value() ?? null;
        return value === null || argument === undefined ? null : toPyObject(value, argument.real_type());
      };
      const value = i < args.length && !p.kwarg_only ? args[i] : given.has(p.name) ? given.get(p.name) : otherwise();
      if (p.kwarg_only) kwargs[p.name] = value;
      else {
        positional.push(value);
        kwargs[p.name] = value;
      }
    }
    return lowering(positional, kwargs);
  }

  // ---- calls of the library

  /** The operator as it is; its result looks as the fake tensors say. */
  private fallback(n: Node, op: OpOverload, args: readonly unknown[], kwargs: ReadonlyMap<string, unknown>): unknown {
    return this.call(FallbackKernel, op, args, kwargs, n.meta.get("val"));
  }

  private call(
    Kind: typeof FallbackKernel | typeof ExternKernelOut | typeof ExternKernelAlloc,
    op: OpOverload,
    args: readonly unknown[],
    kwargs: ReadonlyMap<string, unknown>,
    example: unknown,
  ): unknown {
    const inputs: Buffer[] = [];
    const realized = (arg: unknown): unknown =>
      map_aggregate_(arg, (leaf: unknown) => {
        if (!(leaf instanceof TensorBox)) return leaf;
        const strided =
          as_strided(leaf) ?? (as_strided(Pointwise.create(leaf.dtype, leaf.make_loader(), leaf.size)) as Strided);
        inputs.push(strided.buffer);
        return new TensorArgument(strided);
      });
    const given = realized(tuple([...args])) as unknown[];
    const named = new Map([...kwargs].map(([k, v]) => [k, realized(v)]));
    const layout = example instanceof Tensor ? layout_of(example) : contiguous_layout("float32", []);
    const kernel = new Kind(this.next_name(), layout, op, [...given], named, inputs);
    this.operations.push(kernel);
    if (example instanceof Tensor) return new TensorBox(new StorageBox(kernel));
    if (!Array.isArray(example)) return kernel;
    return [...(example as unknown[])].map((part, which) => {
      if (!(part instanceof Tensor)) return part;
      const output = new MultiOutput(this.next_name(), layout_of(part), kernel, which);
      this.operations.push(output);
      return new TensorBox(new StorageBox(output));
    });
  }

  extern(
    kind: "out" | "alloc",
    op: OpOverload,
    args: readonly unknown[],
    kwargs: ReadonlyMap<string, unknown>,
    layout: Layout,
  ): Buffer {
    const { dtype, size } = layout;
    const example = torch.empty([...size], {
      dtype: (torch as unknown as Record<string, unknown>)[dtype],
      device: "meta",
    } as never);
    const box = this.call(kind === "out" ? ExternKernelOut : ExternKernelAlloc, op, args, kwargs, example) as TensorBox;
    return box.storage.data as ExternKernel;
  }

  // ---- loops

  private next_name(): string {
    return `buf${this.operations.length}`;
  }

  realize(data: Loops): Buffer {
    const name = this.next_name();
    const buffer = current_origins(
      data.origins,
      () => new ComputedBuffer(name, contiguous_layout(data.dtype, data.ranges), data),
    );
    this.operations.push(buffer);
    return buffer;
  }

  private read_writes(data: Loops): ReadWrites {
    const body = body_of("probe", contiguous_layout(data.dtype, data.ranges), data);
    return extract_read_writes(() => body.run(body.vars), body.ranges);
  }

  read_count(data: Loops): number {
    return this.read_writes(data).reads.length;
  }

  has_heavy_operation(data: Loops): boolean {
    const { op_counts } = this.read_writes(data);
    let total = 0;
    for (const [op, count] of op_counts) {
      if (HEAVY.has(op)) return true;
      total += count;
    }
    return total > config.realize_opcount_threshold;
  }
}

/** Whether these strides fill memory without gaps. */
function is_dense(size: readonly number[], stride: readonly number[]): boolean {
  const dims = size.map((_, d) => d).filter((d) => size[d] !== 1);
  dims.sort((a, b) => stride[a] - stride[b]);
  let next = 1;
  for (const d of dims) {
    if (stride[d] !== next) return false;
    next *= size[d];
  }
  return true;
}
