/**
 * @file `compile_fx`: an fx graph becomes a function that runs fused kernels.
 * @mirrors torch/_inductor/compile_fx.py
 *
 *     compile_fx(gm)             AOTAutograd: forward graph, backward graph (min-cut partition)
 *       compile_fx_inner         each of them:  GraphLowering -> Scheduler -> WasmScheduling -> program of steps
 */

import { PyDict } from "#python/Objects/dictobject";
import { for_graphs } from "#torch/_decomp/for_graphs";
import { overload_of } from "#torch/_decomp/index";
import { aot_function, compile_dynamo_graph } from "#torch/_functorch/aot_autograd";
import { min_cut_rematerialization_partition } from "#torch/_functorch/partitioners/index";
import { ops } from "#torch/_ops";
import { FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import { has_symbolic_sizes, is_symbol } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { call_function } from "#torch/fx/callables";
import { binds_unbacked } from "#torch/fx/experimental/symbolic_shapes/unbacked_bindings";
import type { GraphModule } from "#torch/fx/graph_module";
import { Interpreter } from "#torch/fx/interpreter";
import { map_aggregate_, Node } from "#torch/fx/node";
import { has_vectors, WasmScheduling } from "./codegen/wasm.ts";
import { type Registers, WrapperCodegen } from "./codegen/wrapper.ts";
import { GraphLowering } from "./graph.ts";
import { type Buffer, ComputedBuffer, ConstantBuffer, type ExternKernel, MultiOutput } from "./ir/buffers.ts";
import { lowerings } from "./lowering/index.ts";
import { Scheduler } from "./scheduler.ts";
import { output_code_listeners } from "./utils.ts";

/** A graph for arguments of one kind of sizes: it runs, and it has a text. */
export interface CompiledFxGraph {
  run(args: readonly unknown[]): unknown[];
  /** The program as Python. */
  readonly code: () => string;
  readonly scheduler: Scheduler;
}

/** Told of each program that is made, with the graph that it computes. */
export const graph_listeners = new Set<(gm: GraphModule, graph: CompiledFxGraph) => void>();

/** Compiles for exactly these sizes and strides. */
export function codegen_and_compile(gm: GraphModule, example_inputs: readonly unknown[]): CompiledFxGraph {
  const graph = new GraphLowering(gm, example_inputs);
  graph.lower();
  const returned = new Set(
    graph.graph_outputs.flatMap((out) => (typeof out === "object" && out !== null ? [out.buffer.name] : [])),
  );
  const scheduler = new Scheduler(graph.operations, returned);
  const wrapper = new WrapperCodegen();
  const inputs = graph.graph_inputs.filter((buffer) => buffer !== null);
  const buffers = new Map<string, Buffer>([...inputs, ...graph.constants, ...graph.operations].map((b) => [b.name, b]));
  const input_registers = graph.graph_inputs.map((buffer) => (buffer === null ? -1 : wrapper.register(buffer.name)));
  const constants = graph.constants.map((c) => [wrapper.register(c.name), c.value as Tensor] as const);
  const backend = new WasmScheduling(wrapper, buffers);
  codegen_nodes(scheduler, wrapper, backend, buffers, returned);
  const results = wrapper.results(graph.graph_outputs);
  const { steps } = wrapper;
  const count = wrapper.registers.size;
  const run_kernels = (args: readonly unknown[]): unknown[] => {
    const registers: Registers = new Array(count).fill(null);
    for (let k = 0; k < input_registers.length; k++)
      if (input_registers[k] >= 0) registers[input_registers[k]] = (args[k] as Tensor).cdata;
    for (const [at, value] of constants) registers[at] = value.cdata;
    for (let k = 0; k < steps.length; k++) steps[k](registers);
    return results(registers);
  };
  const run_eagerly = eager_run(gm);
  const vectors = has_vectors();
  return {
    run: vectors ? run_kernels : run_eagerly,
    code: () => output_code(gm, wrapper, backend, vectors),
    scheduler,
  };
}

/** Writes kernels, library calls, and where each buffer ends. */
function codegen_nodes(
  scheduler: Scheduler,
  wrapper: WrapperCodegen,
  backend: WasmScheduling,
  buffers: ReadonlyMap<string, Buffer>,
  returned: ReadonlySet<string>,
): void {
  const last_use = new Map<string, number>();
  for (const [i, node] of scheduler.nodes.entries()) for (const name of node.dependencies) last_use.set(name, i);
  const release = (from: number, to: number): void => {
    for (const [name, last] of last_use) {
      const ended = buffers.get(name) as Buffer;
      if (last < from || last >= to || returned.has(name) || ended instanceof ConstantBuffer) continue;
      wrapper.release(ended, ended instanceof ComputedBuffer);
    }
  };
  for (let i = 0; i < scheduler.nodes.length; ) {
    let end = i;
    while (end < scheduler.nodes.length && !scheduler.nodes[end].is_extern) end++;
    if (end > i) {
      const group = scheduler.nodes.slice(i, end);
      const needed = group.map(
        (node, k) =>
          new Set([...node.names].filter((name) => returned.has(name) || (last_use.get(name) ?? -1) > i + k)),
      );
      backend.codegen_nodes(group, needed);
    } else {
      const [{ buffer }] = scheduler.nodes[end++].snodes;
      if (buffer instanceof MultiOutput) wrapper.multi_output(buffer);
      else wrapper.extern(buffer as ExternKernel);
    }
    release(i, end);
    i = end;
  }
}

/** The whole text. */
function output_code(gm: GraphModule, wrapper: WrapperCodegen, backend: WasmScheduling, vectors: boolean): string {
  const names = [...gm.graph.nodes].filter((node) => node.op === "placeholder").map((node) => node.name);
  const head = vectors
    ? []
    : [
        "# This machine has no vectors (or ATEN_CPU_CAPABILITY=default): a call runs the eager operators of the graph instead of the kernels.",
      ];
  return [
    ...head,
    "import torch",
    "from torch import empty_strided",
    "from torch._inductor.select_algorithm import extern_kernels",
    "",
    ...backend.definitions.map((define) => `${define()}\n`),
    "",
    "def call(args):",
    ...(names.length === 0 ? [] : [`    ${names.join(", ")}${names.length === 1 ? "," : ""} = args`]),
    "    args.clear()",
    ...wrapper.lines.map((line) => `    ${line}`),
    "",
  ].join("\n");
}

// ---- sizes that change

interface Specialization {
  readonly key: readonly unknown[];
  readonly graph: CompiledFxGraph;
}

/** The arguments that a program is made for: sizes and strides of the tensors, and the values of the numbers. */
const key_of = (args: readonly unknown[]): unknown[] =>
  args.map((arg) =>
    arg instanceof Tensor ? [...arg.cdata.sizes(), "|", ...arg.cdata.strides(), "|", String(arg.dtype)] : arg,
  );

function fits(key: readonly unknown[], args: readonly unknown[]): boolean {
  for (let k = 0; k < args.length; k++) {
    const [arg, known] = [args[k], key[k]];
    if (!(arg instanceof Tensor)) {
      if (arg !== known) return false;
      continue;
    }
    const { impl_ } = arg.cdata;
    const [sizes, strides] = [impl_.sizes(), impl_.strides()];
    const wanted = known as readonly unknown[];
    const rank = sizes.length;
    if (wanted.length !== 2 * rank + 3) return false;
    for (let d = 0; d < rank; d++) if (sizes[d] !== wanted[d] || strides[d] !== wanted[d + rank + 1]) return false;
  }
  return true;
}

/** Compiles a graph of operators. A call with other sizes or strides compiles again, and both programs are kept. */
export function compile_fx_inner(gm: GraphModule, example_inputs: readonly unknown[]): (args: unknown[]) => unknown[] {
  const made: Specialization[] = [];
  const specialize = (args: readonly unknown[], has_values: boolean): Specialization => {
    if (!has_values) propagate(gm, args);
    const graph = codegen_and_compile(gm, args);
    for (const listen of output_code_listeners) listen(graph.code());
    for (const listen of graph_listeners) listen(gm, graph);
    const found = { key: key_of(args), graph };
    made.unshift(found);
    return found;
  };
  if (depends_on_data(gm)) return Object.assign(eager_run(gm), { _boxed_call: true });
  const first = [...example_inputs];
  if (first.every(is_static)) specialize(first, true);
  const run = (args: unknown[]): unknown[] => {
    let found = made.length > 0 && fits(made[0].key, args) ? made[0] : made.find(({ key }) => fits(key, args));
    if (found === undefined) found = specialize(args, false);
    for (const listen of output_code_listeners) listen(found.graph.code());
    return found.graph.run(args);
  };
  return Object.assign(run, { _boxed_call: true });
}

/** Whether a node gives a number or a size that depends on data. */
const depends_on_data = (gm: GraphModule): boolean =>
  binds_unbacked(gm) ||
  [...gm.graph.nodes].some(({ target }) => target === (ops.aten._local_scalar_dense.default as unknown));

/**
 * Runs the operators of a graph one after the other.
 * @differs PyTorch fuses graphs with numbers that depend on data, too.
 */
const eager_run =
  (gm: GraphModule) =>
  (args: readonly unknown[]): unknown[] => [...(call_function(gm.forward.bind(gm), args) as unknown[])];

/** Whether an argument is as it will be in every call. */
const is_static = (arg: unknown): boolean => !is_symbol(arg) && !(arg instanceof Tensor && has_symbolic_sizes(arg));

/** Notes of each node how its result looks for these arguments. (`FakeTensorProp`) */
function propagate(gm: GraphModule, args: readonly unknown[]): void {
  const mode = new FakeTensorMode();
  const fake = (value: unknown): unknown => (value instanceof Tensor ? mode.from_tensor(value) : value);
  const given = args[Symbol.iterator]();
  const env = new Map<Node, unknown>();
  const value_of = (arg: unknown): unknown =>
    map_aggregate_(arg, (leaf: unknown) => (leaf instanceof Node ? env.get(leaf) : leaf));
  const interpreter = new Interpreter(gm);
  mode.with(() => {
    for (const node of gm.graph.nodes) {
      if (node.op === "placeholder") env.set(node, fake(given.next().value));
      else if (node.op === "get_attr")
        env.set(node, fake((interpreter.fetch_attr as (name: unknown) => unknown)(node.target)));
      else if (node.op === "call_function")
        env.set(node, call_function(node.target, value_of(node.args) as unknown[], value_of(node.kwargs) as PyDict));
      if (env.has(node)) node.meta.set("val", env.get(node));
    }
  });
}

/** Decompositions that run while the graph is traced: operators that have a lowering stay. */
export function select_decomp_table(): PyDict {
  const table = new PyDict();
  for (const [name, fn] of for_graphs) {
    const op = overload_of(name);
    if (!lowerings.has(op)) table.set(op, fn);
  }
  return table;
}

/** Compiles a graph as Dynamo gives it: gradients are found here. @param example_inputs none: compile at the first call, any function */
export function compile_fx(model: unknown, example_inputs?: readonly unknown[]): (...args: unknown[]) => unknown {
  const options = { partition_fn: min_cut_rematerialization_partition, decompositions: select_decomp_table() };
  if (example_inputs !== undefined)
    return compile_dynamo_graph(model as GraphModule, example_inputs, { fw_compiler: compile_fx_inner, ...options });
  type Make = (fn: unknown, compiler: unknown, keywords: object) => (...args: unknown[]) => unknown;
  return (aot_function as unknown as Make)(model, compile_fx_inner, options);
}
