/**
 * @file The graph of one frame while it grows: its inputs, guards and side effects, and the call of the backend at the end.
 * @mirrors torch/_dynamo/output_graph.py
 */
import { NotImplementedError } from "#c10/util/Exception";
import { PyDict } from "#python/Objects/dictobject";
import { repr } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import { sizes_of, strides_of, sym_sizes } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { call_function, call_method } from "#torch/fx/callables";
import { SymBool, SymFloat, SymInt } from "#torch/fx/experimental/sym_node";
import { DimDynamic, ShapeEnv } from "#torch/fx/experimental/symbolic_shapes/index";
import { Graph } from "#torch/fx/graph/index";
import { GraphModule } from "#torch/fx/graph_module";
import { map_arg_, type Node } from "#torch/fx/node";
import { operator } from "#torch/fx/proxy/index";
import { name_of } from "#torch/fx/qualified_names";
import { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import type { Expr } from "#torch/utils/_sympy/expr";
import type { PyCodegen } from "./codegen.ts";
import { config } from "./config.ts";
import { BackendCompilerFailed, type FrameSummary } from "./exc.ts";
import { unimplemented } from "./graph_break.ts";
import * as graph_break_hints from "./graph_break_hints.ts";
import {
  DUPLICATE_INPUT,
  type Guard,
  global_guards,
  NO_TENSOR_ALIASING,
  shape_guard,
  TENSOR_MATCH,
  type TrackedNumber,
} from "./guards.ts";
import { type DimMarks, marks_of } from "./marks.ts";
import { SideEffects } from "./side_effects.ts";
import type { Source } from "./source.ts";
import { counters } from "./utils.ts";
import type { Translator, VariableTracker } from "./variables/base.ts";
import { ConstantVariable } from "./variables/constant.ts";
import { ListVariable, NamedTupleVariable, TupleVariable } from "./variables/lists.ts";
import { SymNodeVariable, TensorVariable } from "./variables/tensor.ts";

/** Sizes and numbers that other translations of the frame have seen: sizes of tensors and ints by source; null: they differed. */
export interface FrameState {
  readonly sizes: Map<string, (number | null)[]>;
  readonly ints: Map<string, number | null>;
}

export type CompilerFn = (gm: GraphModule, example_inputs: unknown[]) => unknown;

/** Why a graph ends where it does. */
export interface GraphCompileReason {
  readonly reason: string;
  readonly user_stack: readonly FrameSummary[];
  readonly graph_break: boolean;
}

/** Options that all attempts to translate a frame share. */
export interface OutputOptions {
  readonly compiler_fn: CompilerFn;
  readonly backend_name: string;
  readonly frame_state: FrameState;
  /** All sizes are symbols (true), none are (false), those that change are (null). */
  readonly dynamic: boolean | null;
  readonly one_graph: boolean;
}

const getitem_function = (): unknown => operator("getitem");
const tuple_of = (nodes: readonly Node[]): unknown => tuple([...nodes]);
/** The fields of a result with names: `values`, `indices`. */
const field_names = (of: readonly unknown[]): readonly string[] => {
  const names = Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(of) as object)).filter((name) =>
    /^[a-zA-Z]\w*$/.test(name),
  );
  return of.map((item) => names.find((name) => Reflect.get(of, name) === item) ?? "");
};

const to_name = (source: Source): string => source.name.replace(/[^a-zA-Z0-9]+/g, "_");

let next_compiled = 1;

export class OutputGraph {
  readonly options: OutputOptions;
  readonly graph = new (Graph as unknown as new () => Graph)();
  readonly shape_env = new ShapeEnv();
  readonly fake_mode: FakeTensorMode;
  readonly side_effects = new SideEffects();
  readonly guards: Guard[];
  private readonly guard_keys = new Set<string>();
  private readonly variables = new Map<string, VariableTracker>();
  private readonly input_tensors = new Map<Tensor, { readonly variable: VariableTracker; readonly source: Source }>();
  private readonly tracked: TrackedNumber[] = [];
  private readonly symbol_nodes = new Map<string, Node>();
  /** Sources of the inputs, by placeholder, and the values in this call. */
  private readonly inputs = new Map<
    Node,
    {
      readonly source: Source;
      readonly getter: Source;
      readonly value: unknown;
      readonly load: (codegen: PyCodegen) => void;
    }
  >();
  /** Where the program stands, for guards and messages. */
  stack_of: () => readonly FrameSummary[] = () => [];
  compile_reason: GraphCompileReason | null = null;
  /** The finished graph; null before, and if there is nothing in it. */
  gm: GraphModule | null = null;
  private readonly constants = new PyDict();

  constructor(options: OutputOptions) {
    this.options = options;
    this.fake_mode = new FakeTensorMode({ shape_env: this.shape_env, allow_non_fake_inputs: true } as never);
    this.guards = global_guards();
  }

  // ---- Guards

  install_guard(guard: Guard): void {
    const key = `${guard.kind} ${guard.name} ${guard.detail ?? guard.code_list.join("&")}`;
    if (this.guard_keys.has(key)) return;
    this.guard_keys.add(key);
    guard.stack = this.stack_of();
    this.guards.push(guard);
  }
  variable_of(name: string, make: () => VariableTracker): VariableTracker {
    const known = this.variables.get(name);
    if (known !== undefined) return known;
    const made = make();
    this.variables.set(name, made);
    return made;
  }

  // ---- Inputs

  private placeholder(name: string, type: unknown, example: unknown): Node {
    const last = [...this.graph.nodes].findLast((node) => node.op === "placeholder") ?? null;
    const at =
      last === null ? this.graph.inserting_before([...this.graph.nodes][0] ?? null) : this.graph.inserting_after(last);
    at.__enter__();
    const node = this.graph.create_node("placeholder", name, [], new PyDict(), null, type);
    at.__exit__();
    (node.meta as Map<unknown, unknown>).set("example_value", example);
    return node;
  }

  /** A tensor that the frame was given: an input of the graph. */
  wrap_tensor(tx: Translator, value: Tensor, source: Source | null): VariableTracker {
    if (source === null) return this.wrap_constant_tensor(value);
    const known = this.input_tensors.get(value);
    if (known !== undefined) {
      if (known.source.name !== source.name) this.install_guard(DUPLICATE_INPUT(known.source, source));
      return known.variable;
    }
    const { name } = type_of(value);
    if ((name !== "Tensor" && name !== "Parameter") || value.is_sparse || String(value.layout) !== "torch.strided")
      unimplemented({
        gb_type: "Attempted to wrap sparse Tensor",
        context: `${name} ${source.name}`,
        explanation: `torch.compile does not support tensors of class ${name}, or sparse ones, as inputs`,
        hints: [...graph_break_hints.SUPPORTABLE],
      });
    const dynamic = this.dynamic_sizes(source, value);
    const fake = this.fake_mode.from_tensor(value, {
      source: source.name,
      symbolic_context: { dynamic_sizes: dynamic.how, ranges: dynamic.how.map(() => null) },
    });
    const is_symbolic = dynamic.how.some((how) => how !== DimDynamic.STATIC);
    const sizes = sizes_of(fake);
    const strides = strides_of(fake);
    const fixed = (expr: Expr, now: number): number | null => (is_symbolic && expr.constant === null ? null : now);
    this.install_guard(
      TENSOR_MATCH(
        source,
        value,
        sizes.map((expr, i) => fixed(expr, value.cdata.sizes()[i] as number)),
        strides.map((expr, i) => fixed(expr, value.cdata.strides()[i] as number)),
      ),
    );
    if (is_symbolic) this.track_symbols(source, sizes, strides);
    const type = value instanceof Parameter ? Parameter : Tensor;
    const node = this.placeholder(to_name(source), type, fake);
    const variable = new TensorVariable(node, source);
    variable.original = value;
    this.inputs.set(node, { source, getter: source, value, load: (codegen) => codegen.load_source(source) });
    this.input_tensors.set(value, { variable, source });
    void tx;
    return variable;
  }

  /** A tensor that is nobody's variable: it becomes an attribute of the graph's module. */
  private wrap_constant_tensor(value: Tensor): VariableTracker {
    const name = `_tensor_constant${this.constants.size}`;
    this.constants.set(name, value);
    const node = this.graph.create_node("get_attr", name, [], new PyDict(), name, null);
    (node.meta as Map<unknown, unknown>).set("example_value", this.fake_mode.from_tensor(value));
    return new TensorVariable(node);
  }

  /** Which sizes are symbols, from what the user said and from other calls. */
  private dynamic_sizes(source: Source, value: Tensor): { how: DimDynamic[] } {
    const sizes = value.cdata.sizes();
    const marks: DimMarks | null = marks_of(value);
    const { dynamic, frame_state } = this.options;
    const before = frame_state.sizes.get(source.name);
    const merged = sizes.map((size, i) =>
      before === undefined ? size : before.length === sizes.length && before[i] === size ? size : null,
    );
    frame_state.sizes.set(source.name, merged);
    const is_parameter = value instanceof Parameter || source.is_of_module;
    const how = sizes.map((_, i): DimDynamic => {
      if (marks?.static.has(i) === true) return DimDynamic.STATIC;
      if (marks?.dynamic.has(i) === true) return DimDynamic.DYNAMIC;
      if (marks?.weak.has(i) === true) return DimDynamic.DUCK;
      if (is_parameter || dynamic === false) return DimDynamic.STATIC;
      if (dynamic === true) return DimDynamic.DUCK;
      return config.automatic_dynamic_shapes && merged[i] === null ? DimDynamic.DUCK : DimDynamic.STATIC;
    });
    return { how };
  }

  private track_symbols(source: Source, sizes: readonly Expr[], strides: readonly Expr[]): void {
    const get = source.getter;
    const add = (what: "sizes" | "strides", text: string, exprs: readonly Expr[]): void => {
      for (const [i, expr] of exprs.entries()) {
        if (expr.constant !== null) continue;
        const name = `${source.name}.${text}()[${i}]`;
        this.tracked.push({ name, expr, get: (frame) => (get(frame) as Tensor).cdata[what]()[i] });
        const symbol = String(expr);
        if (!/^s\d+$/.test(symbol) || this.symbol_nodes.has(symbol)) continue;
        const value = this.shape_env.create_symintnode(expr);
        const node = this.placeholder(symbol, SymInt, value);
        this.symbol_nodes.set(symbol, node);
        this.inputs.set(node, {
          source,
          getter: source,
          value,
          load: (codegen) => {
            codegen.load_source(source);
            codegen.load_attr(what === "sizes" ? "size" : "stride");
            codegen.push_null_below();
            codegen.load_const(i);
            codegen.call(1);
          },
        });
      }
    };
    add("sizes", "size", sizes);
    add("strides", "stride", strides);
  }

  is_dynamic_int(source: Source, value: number): boolean {
    const { frame_state, dynamic } = this.options;
    const before = frame_state.ints.get(source.name);
    const was_tensor = frame_state.sizes.has(source.name);
    const merged = !was_tensor && (before === undefined || before === value) ? value : null;
    frame_state.ints.set(source.name, merged);
    if (config.specialize_int || dynamic === false) return false;
    return dynamic === true || (config.automatic_dynamic_shapes && merged === null);
  }
  wrap_symint(value: number, source: Source): VariableTracker {
    const expr = this.shape_env.create_unspecified_symbol(value, source.name);
    const sym = this.shape_env.create_symintnode(expr);
    this.tracked.push({ name: source.name, expr, get: source.getter });
    const node = this.placeholder(to_name(source), SymInt, sym);
    this.symbol_nodes.set(String(expr), node);
    this.inputs.set(node, { source, getter: source, value: sym, load: (codegen) => codegen.load_source(source) });
    return new SymNodeVariable(node, sym, source);
  }

  // ---- Nodes

  /** A node and the variable of its value, which is computed with fake tensors. */
  call_node(
    op: "call_function" | "call_method",
    target: unknown,
    args: readonly unknown[],
    kwargs: ReadonlyMap<string, unknown>,
  ): VariableTracker {
    const named = new PyDict();
    for (const [name, value] of kwargs) named.set(name, value);
    const example_of = (arg: unknown): unknown =>
      map_arg_(arg, (node) => (node.meta as Map<unknown, unknown>).get("example_value"));
    const values = args.map(example_of);
    const keywords = new Map([...kwargs].map(([name, value]) => [name, example_of(value)]));
    const example = this.run_fake(target, () =>
      op === "call_method"
        ? call_method(values[0], target as string, values.slice(1), keywords)
        : call_function(target, values, keywords),
    );
    const node = this.graph.create_node(op, target, [...args], named, null, null);
    return this.wrap_node(node, example);
  }

  private run_fake(target: unknown, run: () => unknown): unknown {
    const grad = torch.is_grad_enabled();
    try {
      return this.fake_mode.with(run);
    } catch (error) {
      if (torch.is_grad_enabled() !== grad) torch._C._set_grad_enabled(grad);
      const { name, message } = error as Error;
      const text = typeof target === "string" ? target : (name_of(target) ?? repr(target));
      const is_data = /DataDependent|DynamicOutputShape|GuardOnDataDependent/.test(name);
      return unimplemented(
        is_data
          ? {
              gb_type: name.includes("DynamicOutputShape") ? "Dynamic shape operator" : "Data dependent operator",
              context: text,
              explanation: `Operator \`${text}\` has a non-Tensor output whose value is dependent on the data of Tensor inputs.`,
              hints: [],
            }
          : {
              gb_type: "RuntimeError when making fake tensor call",
              context: "",
              explanation: `Dynamo failed to run FX node with fake tensors: ${text}: got ${name}(${repr(message)})`,
              hints: [...graph_break_hints.USER_ERROR],
            },
      );
    }
  }

  /** The variable of what a node computes. */
  wrap_node(node: Node, example: unknown): VariableTracker {
    (node.meta as Map<unknown, unknown>).set("example_value", example);
    if (example instanceof Tensor) return new TensorVariable(node);
    if (example instanceof SymInt || example instanceof SymFloat || example instanceof SymBool) {
      const text = String((example.node as { expr: unknown }).expr);
      const known = this.symbol_nodes.get(text);
      if (known !== undefined && known !== node && node.users.size === 0) {
        this.graph.erase_node(node);
        return new SymNodeVariable(known, example);
      }
      return new SymNodeVariable(node, example);
    }
    if (Array.isArray(example)) {
      const items = example.map((it, i) => this.wrap_item(node, it, i));
      const type = type_of(example);
      if (type.name === "list") return new ListVariable(items, null, "new");
      if (type.name === "tuple") return new TupleVariable(items);
      return new NamedTupleVariable(items, type, null, field_names(example));
    }
    if (example === null || typeof example === "number" || typeof example === "boolean" || typeof example === "string")
      return new ConstantVariable(example);
    throw new NotImplementedError(`a node that returns ${repr(example)}`);
  }
  private wrap_item(of: Node, example: unknown, i: number): VariableTracker {
    if (!(example instanceof Tensor) && !(example instanceof SymInt)) return new ConstantVariable(example);
    const node = this.graph.create_node("call_function", getitem_function(), [of, i], new PyDict(), null, null);
    return this.wrap_node(node, example);
  }

  /** A size of a tensor as a variable. */
  size_of(of: TensorVariable, size: unknown, i: number): VariableTracker {
    if (typeof size === "number") return new ConstantVariable(size);
    const sym = size as SymInt;
    const known = this.symbol_nodes.get(String((sym.node as { expr: unknown }).expr));
    if (known !== undefined) return new SymNodeVariable(known, sym);
    const all = this.graph.create_node("call_method", "size", [of.node], new PyDict(), null, null);
    (all.meta as Map<unknown, unknown>).set("example_value", sym_sizes(of.fake));
    const node = this.graph.create_node("call_function", getitem_function(), [all, i], new PyDict(), null, null);
    return this.wrap_node(node, sym);
  }

  // ---- The end

  /** Nodes that nobody needs and that do nothing, and inputs that nobody reads. */
  private remove_unused(): void {
    for (const node of [...this.graph.nodes].reverse()) {
      if (node.users.size > 0) continue;
      const example = (node.meta as Map<unknown, unknown>).get("example_value");
      const is_number = example instanceof SymInt || example instanceof SymFloat || example instanceof SymBool;
      const is_item = node.op === "call_function" && node.target === getitem_function();
      const is_size = node.op === "call_method" && (node.target === "size" || node.target === "stride");
      if (node.op === "get_attr" || is_item || is_size || (is_number && node.op !== "placeholder"))
        this.graph.erase_node(node);
    }
    const used = new Set<string>();
    const symbols = [...this.symbol_nodes].filter(([, node]) => node.type === SymInt && this.inputs.has(node));
    for (const node of this.placeholders()) {
      const example = (node.meta as Map<unknown, unknown>).get("example_value");
      if (!(example instanceof Tensor)) continue;
      if (node.users.size === 0) this.remove_input(node);
      else
        for (const expr of [...sizes_of(example), ...strides_of(example)])
          for (const name of expr.free_symbols()) used.add(name);
    }
    for (const [name, node] of symbols) if (node.users.size === 0 && !used.has(name)) this.remove_input(node);
  }
  private remove_input(node: Node): void {
    this.graph.erase_node(node);
    this.inputs.delete(node);
  }
  placeholders(): Node[] {
    return [...this.graph.nodes].filter((node) => node.op === "placeholder");
  }
  count_calls(): number {
    return [...this.graph.nodes].filter((node) => node.op.startsWith("call_")).length;
  }

  /**
   * Gives the graph to the backend.
   * @returns the name under which generated code finds the function, and what loads its arguments
   */
  compile_and_call_fx_graph(
    outputs: readonly Node[],
    globals: PyDict,
  ): { name: string; load: ((codegen: PyCodegen) => void)[] } {
    this.graph.output(tuple_of(outputs), null);
    this.remove_unused();
    counters.increment("stats", "calls_captured", this.count_calls());
    const root = new (Module as unknown as new () => Module)();
    for (const [name, value] of this.constants) root.register_buffer(name as string, value as Tensor);
    const gm = new (GraphModule as unknown as new (root: unknown, graph: Graph) => GraphModule)(root, this.graph);
    this.gm = gm;
    Object.defineProperty(gm, "compile_subgraph_reason", {
      value: this.compile_reason,
      configurable: true,
      writable: true,
    });
    const placeholders = this.placeholders();
    const examples = placeholders.map((node) => (node.meta as Map<unknown, unknown>).get("example_value"));
    const name = `__compiled_fn_${next_compiled++}`;
    let compiled: unknown;
    try {
      compiled = this.options.compiler_fn(gm, examples);
    } catch (error) {
      throw new BackendCompilerFailed(this.options.backend_name, error);
    }
    counters.increment("stats", "unique_graphs");
    globals.set(name, compiled);
    return {
      name,
      load: placeholders.map((node) => (this.inputs.get(node) as { load: (codegen: PyCodegen) => void }).load),
    };
  }

  /** All guards of the frame, those about symbols included. */
  finished_guards(): Guard[] {
    const shapes = shape_guard(this.shape_env, this.tracked);
    const sources = [...this.input_tensors.values()].map((it) => it.source);
    return [
      ...this.guards,
      ...(shapes === null ? [] : [shapes]),
      ...(sources.length > 1 ? [NO_TENSOR_ALIASING(sources)] : []),
    ];
  }
}
