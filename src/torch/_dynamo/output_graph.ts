/**
 * @file The graph of one frame while it grows: its inputs, guards and side effects, and the call of the backend at the end.
 * @mirrors torch/_dynamo/output_graph.py
 */
import { DispatchKey } from "#c10/core/DispatchKey";
import { NotImplementedError } from "#c10/util/Exception";
import { PyDict } from "#python/Objects/dictobject";
import { FloatValue } from "#python/Objects/floatobject";
import { repr, str } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { with_python_dispatcher } from "#torch/_dispatch/python";
import { FakeTensor, FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import {
  attach_symbols,
  has_symbolic_sizes,
  sizes_of,
  storage_offset_of,
  strides_of,
  sym_sizes,
  symbols_of_value,
} from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { call_function, call_method } from "#torch/fx/callables";
import { SymBool, SymFloat, SymInt } from "#torch/fx/experimental/sym_node";
import { DimDynamic, dimensions_by_stride, ShapeEnv } from "#torch/fx/experimental/symbolic_shapes/index";
import { set_unbacked_bindings } from "#torch/fx/experimental/symbolic_shapes/unbacked_bindings";
import type { Graph } from "#torch/fx/graph/index";
import { GraphModule } from "#torch/fx/graph_module";
import { map_arg_, type Node } from "#torch/fx/node";
import { insert_deferred_runtime_asserts } from "#torch/fx/passes/runtime_assert";
import { operator } from "#torch/fx/proxy/index";
import { name_of } from "#torch/fx/qualified_names";
import { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import type { Expr } from "#torch/utils/_sympy/expr";
import type { PyCodegen } from "./codegen.ts";
import { config } from "./config.ts";
import {
  BackendCompilerFailed,
  type FrameSummary,
  SkipFrame,
  TorchRuntimeError,
  UserError,
  UserErrorType,
} from "./exc.ts";
import { data_dependent, dynamic_shape, format_graph_break_message, unimplemented } from "./graph_break.ts";
import * as graph_break_hints from "./graph_break_hints.ts";
import {
  DUPLICATE_INPUT,
  type Guard,
  global_guards,
  NO_TENSOR_ALIASING,
  shape_guard,
  TENSOR_MATCH,
  type TrackedNumber,
  TYPE_MATCH,
} from "./guards.ts";
import { type DimMarks, marks_of } from "./marks.ts";
import { SideEffects } from "./side_effects.ts";
import type { Source } from "./source.ts";
import { Tracers } from "./subgraph_tracer.ts";
import { counters } from "./utils.ts";
import type { Translator, VariableTracker } from "./variables/base.ts";
import { ConstantVariable } from "./variables/constant.ts";
import { FloatVariable, type Formula } from "./variables/float.ts";
import { ListVariable, NamedTupleVariable, TupleVariable } from "./variables/lists.ts";
import { type NumberVariable, SymNodeVariable, TensorVariable } from "./variables/tensor.ts";

/** Sizes and numbers that other translations of the frame have seen, by source; null: they differed. */
export interface FrameState {
  readonly sizes: Map<string, (number | null)[]>;
  /** Strides of tensors: as numbers, or by the dimension from which they follow. */
  readonly strides: Map<string, (string | null)[]>;
  readonly ints: Map<string, number | null>;
  readonly floats: Map<string, number | null>;
}

/** An input of the graph. (`GraphArg`) */
interface GraphArg {
  readonly load: (codegen: PyCodegen) => void;
  /** The tensor in this call; null for a number. */
  readonly example: Tensor | null;
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

/** Whether a call raises nothing. */
function works(run: () => unknown): boolean {
  const grad = torch.is_grad_enabled();
  try {
    run();
    return true;
  } catch {
    return false;
  } finally {
    if (torch.is_grad_enabled() !== grad) torch._C._set_grad_enabled(grad);
  }
}

/** A real tensor of zeros for a fake one, with the numbers of this call for symbols; lists and tuples are gone through. */
function real_of(of: unknown): unknown {
  if (of instanceof Tensor) return torch.zeros([...of.cdata.sizes()], { dtype: of.dtype });
  if (of instanceof SymInt) return of.guard();
  if (!Array.isArray(of)) return of;
  const items = of.map(real_of);
  return type_of(of).name === "tuple" ? tuple(items) : items;
}

/** Strides as numbers; one that follows from another dimension is named by it. */
function inferred_strides(sizes: readonly number[], strides: readonly number[]): string[] {
  const from = new Map<number, number>();
  const result = new Array<string>(strides.length);
  for (const i of dimensions_by_stride(strides)) {
    const stride = strides[i] as number;
    const other = from.get(stride);
    result[i] = other === undefined ? String(stride) : `dimension ${other}`;
    from.set((sizes[i] as number) * stride, i);
  }
  return result;
}

/** Loaded by generated code: a float as a graph takes it. */
const as_float_tensor = (value: unknown): Tensor => torch.tensor(Number(value), { dtype: torch.float64 });

const to_name = (source: Source): string => source.name.replace(/[^a-zA-Z0-9]+/g, "_");

let next_compiled = 1;

export class OutputGraph {
  readonly options: OutputOptions;
  readonly shape_env = new ShapeEnv();
  readonly fake_mode: FakeTensorMode;
  readonly side_effects = new SideEffects();
  readonly guards: Guard[];
  private readonly guard_keys = new Set<string>();
  private readonly variables = new Map<string, VariableTracker>();
  private readonly input_tensors = new Map<Tensor, { readonly variable: VariableTracker; readonly source: Source }>();
  private readonly tracked: TrackedNumber[] = [];
  private readonly symbol_nodes = new Map<string, Node>();
  /** The graphs that grow: the frame's, and those of functions that operators take. */
  readonly tracers = new Tracers(this.symbol_nodes);
  /** Sources of the inputs, by placeholder, and the values in this call. */
  private readonly inputs = new Map<Node, GraphArg>();
  private readonly initial_state = { grad: torch.is_grad_enabled(), autocast: torch.is_autocast_enabled("cpu") };
  /** Where the program stands, for guards and messages. */
  stack_of: () => readonly FrameSummary[] = () => [];
  compile_reason: GraphCompileReason | null = null;
  /** The finished graph; null before, and if there is nothing in it. */
  gm: GraphModule | null = null;
  private readonly constants = new PyDict();
  /** Graphs of functions that operators take, by the names under which the frame's graph has them. */
  private readonly subgraphs = new Map<string, GraphModule>();

  constructor(options: OutputOptions) {
    this.options = options;
    this.shape_env.allow_scalar_outputs = options.one_graph || config.capture_scalar_outputs;
    this.shape_env.allow_dynamic_output_shape_ops = options.one_graph || config.capture_dynamic_output_shape_ops;
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

  /** The graph of the frame. */
  private get graph(): Graph {
    return this.tracers.root.graph;
  }
  private placeholder(name: string, type: unknown, example: unknown): Node {
    return this.tracers.root.create_graph_input(name, type, example);
  }
  /** A node of the graph that grows. */
  private create_node(op: string, target: unknown, args: readonly unknown[], kwargs: PyDict): Node {
    return this.tracers.current.create_node(op, target, args, kwargs, null);
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
    const keys = value.cdata.key_set();
    if (keys.has(DispatchKey.FuncTorchGradWrapper) || keys.has(DispatchKey.FuncTorchBatched))
      throw new SkipFrame("a tensor of a transform of torch.func");
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
      symbolic_context: {
        dynamic_sizes: dynamic.how,
        ranges: dynamic.how.map(() => null),
        dynamic_strides: dynamic.strides,
      },
    });
    const is_symbolic = dynamic.how.some((how) => how !== DimDynamic.STATIC) || dynamic.strides.includes(true);
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
    this.track_item(source, fake);
    const type = value instanceof Parameter ? Parameter : Tensor;
    const node = this.placeholder(to_name(source), type, fake);
    const variable = new TensorVariable(node, source);
    variable.original = value;
    this.inputs.set(node, { load: (codegen) => codegen.load_source(source), example: value });
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
  private dynamic_sizes(
    source: Source,
    value: Tensor,
  ): { readonly how: DimDynamic[]; readonly strides: readonly boolean[] } {
    const sizes = value.cdata.sizes();
    const marks: DimMarks | null = marks_of(value);
    const { dynamic, frame_state } = this.options;
    const before = frame_state.sizes.get(source.name);
    // After another rank all sizes vary; a size also counts as varying where its stride does.
    const same_rank = before === undefined || before.length === sizes.length;
    const merged = sizes.map((size, i) =>
      before === undefined ? size : same_rank && before[i] === size ? size : null,
    );
    frame_state.sizes.set(source.name, merged);
    const is_parameter = value instanceof Parameter || source.is_of_module;
    const how = this.dynamic_dimensions(sizes.length, merged, marks, is_parameter);
    const strides = inferred_strides(sizes, value.cdata.strides());
    const known = frame_state.strides.get(source.name);
    const merged_strides = strides.map((it, i) =>
      known === undefined || (known.length === strides.length && known[i] === it) ? it : null,
    );
    frame_state.strides.set(source.name, known?.length === strides.length ? merged_strides : strides);
    const may_vary = !merged.includes(null) && !is_parameter && dynamic === null && config.automatic_dynamic_shapes;
    return { how, strides: strides.map((_, i) => may_vary && known !== undefined && merged_strides[i] === null) };
  }

  private dynamic_dimensions(
    rank: number,
    merged: readonly (number | null)[],
    marks: DimMarks | null,
    is_parameter: boolean,
  ): DimDynamic[] {
    const { dynamic } = this.options;
    return Array.from({ length: rank }, (_, i): DimDynamic => {
      if (marks?.static.has(i) === true) return DimDynamic.STATIC;
      if (marks?.dynamic.has(i) === true) return DimDynamic.DYNAMIC;
      if (marks?.weak.has(i) === true) return DimDynamic.DUCK;
      if (is_parameter || dynamic === false) return DimDynamic.STATIC;
      if (dynamic === true) return DimDynamic.DUCK;
      return config.automatic_dynamic_shapes && merged[i] === null ? DimDynamic.DYNAMIC : DimDynamic.STATIC;
    });
  }

  /** The number in a tensor, if it is a symbol of its own. */
  private track_item(source: Source, fake: FakeTensor): void {
    const item = fake.memo.get("item", fake);
    if (!(item instanceof SymInt)) return;
    const get = source.getter;
    this.tracked.push({
      name: `${source.name}.item()`,
      expr: item.node.original as Expr,
      get: (frame) => (get(frame) as Tensor).item(),
    });
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
          load: (codegen) => {
            codegen.load_source(source);
            codegen.load_attr(what === "sizes" ? "size" : "stride");
            codegen.push_null_below();
            codegen.load_const(i);
            codegen.call(1);
          },
          example: null,
        });
      }
    };
    add("sizes", "size", sizes);
    add("strides", "stride", strides);
  }

  /** Whether other calls had another whole number there, or a tensor. */
  is_dynamic_int(source: Source, value: number): boolean {
    const { frame_state } = this.options;
    const was_tensor = frame_state.sizes.has(source.name);
    return this.varies(frame_state.ints, source, value, was_tensor) && !config.specialize_int;
  }
  /** Whether other calls had another float there. */
  is_dynamic_float(source: Source, value: number): boolean {
    return this.varies(this.options.frame_state.floats, source, value, false) && !config.specialize_float;
  }
  private varies(seen: Map<string, number | null>, source: Source, value: number, was_other: boolean): boolean {
    const { dynamic } = this.options;
    const before = seen.get(source.name);
    const merged = !was_other && (before === undefined || before === value) ? value : null;
    seen.set(source.name, merged);
    return dynamic ?? (config.automatic_dynamic_shapes && merged === null);
  }
  /** A float as an input: a tensor without dimensions. */
  wrap_float(tx: Translator, value: unknown, source: Source): VariableTracker {
    const tensor = as_float_tensor(value);
    const node = this.placeholder(to_name(source), Tensor, this.fake_mode.from_tensor(tensor));
    this.inputs.set(node, {
      load: (codegen) => {
        codegen.load_const(as_float_tensor);
        codegen.push_null_below();
        codegen.load_source(source);
        codegen.call(1);
      },
      example: tensor,
    });
    const item = this.graph.create_node("call_method", "item", [node], new PyDict(), null, null);
    (item.meta as Map<unknown, unknown>).set("example_value", value);
    this.install_guard(TYPE_MATCH(source, value));
    return new FloatVariable(tx, item, value, { text: source.name, compute: source.getter }, source);
  }
  /** A number that is computed of floats that vary. */
  float_node(
    tx: Translator,
    target: unknown,
    args: readonly VariableTracker[],
    value: unknown,
    formula: Formula,
  ): FloatVariable {
    const node = this.create_node(
      "call_function",
      target,
      args.map((it) => it.as_proxy()),
      new PyDict(),
    );
    (node.meta as Map<unknown, unknown>).set("example_value", value);
    return new FloatVariable(tx, node, value, formula);
  }

  wrap_symint(value: number, source: Source): VariableTracker {
    const expr = this.shape_env.create_unspecified_symbol(value, source.name);
    const sym = this.shape_env.create_symintnode(expr);
    this.tracked.push({ name: source.name, expr, get: source.getter });
    const node = this.placeholder(to_name(source), SymInt, sym);
    this.symbol_nodes.set(String(expr), node);
    this.inputs.set(node, { load: (codegen) => codegen.load_source(source), example: null });
    return new SymNodeVariable(node, sym, source);
  }

  // ---- Nodes

  /** A node whose value no variable holds. */
  add_node(target: unknown, args: readonly unknown[]): Node {
    return this.create_node("call_function", target, [...args], new PyDict());
  }

  /** A node and the variable of its value, which is computed with fake tensors. */
  call_node(
    op: "call_function" | "call_method",
    target: unknown,
    given: readonly unknown[],
    kwargs: ReadonlyMap<string, unknown>,
  ): VariableTracker {
    // An operation may write to its arguments, so an inner graph takes them before it runs.
    const { current } = this.tracers;
    const args = given.map((arg) => current.lift_all(arg));
    const named = new PyDict();
    for (const [name, value] of kwargs) named.set(name, current.lift_all(value));
    const example_of = (arg: unknown): unknown =>
      map_arg_(arg, (node) => (node.meta as Map<unknown, unknown>).get("example_value"));
    const values = args.map(example_of);
    const keywords = new Map([...kwargs].map(([name, value]) => [name, example_of(value)]));
    const run = (of: readonly unknown[], named: ReadonlyMap<string, unknown>): unknown =>
      op === "call_method"
        ? call_method(of[0], target as string, of.slice(1), named)
        : call_function(target, of, named);
    const example = this.run_fake(
      target,
      () => run(values, keywords),
      () => run(values.map(real_of), new Map([...keywords].map(([name, it]) => [name, real_of(it)]))),
    );
    const node = this.create_node(op, target, [...args], named);
    set_unbacked_bindings(node, example, this.shape_env);
    return this.wrap_node(node, example);
  }

  /** A node whose value is known, and the variable of it. */
  call_with_example(target: unknown, args: readonly unknown[], kwargs: PyDict, example: unknown): VariableTracker {
    return this.wrap_node(this.create_node("call_function", target, args, kwargs), example);
  }
  /** Keeps the graph of a function, and reads it in the graph that grows: `cond_true_0`. */
  install_subgraph(prefix: string, graph: Graph): Node {
    let i = 0;
    while (this.subgraphs.has(`${prefix}_${i}`)) i++;
    const gm = this.module_of(graph);
    this.subgraphs.set(`${prefix}_${i}`, gm);
    const node = this.create_node("get_attr", `${prefix}_${i}`, [], new PyDict());
    (node.meta as Map<unknown, unknown>).set("example_value", gm);
    return node;
  }
  private module_of(graph: Graph): GraphModule {
    const root = new PyDict();
    for (const [name, value] of [...this.constants, ...this.subgraphs]) root.set(name, value);
    return new (GraphModule as unknown as new (root: unknown, graph: Graph) => GraphModule)(root, graph);
  }

  /**
   * Computes with fake tensors.
   * @param run_real the same with real tensors of zeros: where that works, a refusal of the fake tensors is a gap of theirs, and breaks the graph
   */
  private run_fake(target: unknown, run: () => unknown, run_real: () => unknown): unknown {
    const grad = torch.is_grad_enabled();
    try {
      return this.fake_mode.with(() => with_python_dispatcher(run));
    } catch (error) {
      if (torch.is_grad_enabled() !== grad) torch._C._set_grad_enabled(grad);
      const { name, message } = error as Error;
      const { func } = error as { readonly func?: unknown };
      const text =
        func !== undefined ? str(func) : typeof target === "string" ? target : (name_of(target) ?? repr(target));
      if (name === "GuardOnDataDependentSymNode")
        throw new UserError(UserErrorType.CONSTRAINT_VIOLATION, message, "constrain_as_size_example");
      const is_data = /DataDependent|DynamicOutputShape/.test(name);
      if (is_data)
        return unimplemented(name.includes("DynamicOutputShape") ? dynamic_shape(text) : data_dependent(text));
      const graph_break = {
        gb_type: "RuntimeError when making fake tensor call",
        context: "",
        explanation: `Dynamo failed to run FX node with fake tensors: ${text}: got ${name}(${repr(message)})`,
        hints: [...graph_break_hints.USER_ERROR],
      };
      if (!/^(?:RuntimeError|IndexError|ValueError)$/.test(name) || works(run_real)) return unimplemented(graph_break);
      throw new TorchRuntimeError(format_graph_break_message(graph_break));
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
        node.graph.erase_node(node);
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
    const node = this.create_node("call_function", getitem_function(), [of, i], new PyDict());
    return this.wrap_node(node, example);
  }

  private readonly float_tensors = new Map<Node, Node>();
  /** A float of the graph as a tensor. */
  as_tensor({ node }: NumberVariable): Node {
    const known = this.float_tensors.get(node);
    if (known !== undefined) return known;
    const kwargs = new PyDict();
    kwargs.set("dtype", torch.float64);
    const made = this.create_node("call_function", torch.scalar_tensor, [node], kwargs);
    const example = this.fake_mode.with(() => torch.empty([], { dtype: torch.float64 }));
    (made.meta as Map<unknown, unknown>).set("example_value", example);
    this.float_tensors.set(node, made);
    return made;
  }

  /** All sizes of a tensor as a node. */
  size_node(of: TensorVariable): Node {
    const node = this.create_node("call_method", "size", [of.node], new PyDict());
    (node.meta as Map<unknown, unknown>).set("example_value", sym_sizes(of.fake));
    return node;
  }

  /** A size of a tensor as a variable. */
  size_of(of: TensorVariable, size: unknown, i: number): VariableTracker {
    if (typeof size === "number") return new ConstantVariable(size);
    const sym = size as SymInt;
    const known = this.symbol_nodes.get(String((sym.node as { expr: unknown }).expr));
    if (known !== undefined) return new SymNodeVariable(known, sym);
    const all = this.size_node(of);
    const node = this.create_node("call_function", getitem_function(), [all, i], new PyDict());
    return this.wrap_node(node, sym);
  }

  // ---- The end

  /** Two changes of the state of gradients that follow each other, the second of which undoes the first. */
  private remove_undone_grad_modes(): void {
    let mode = torch.is_grad_enabled();
    const sets = (node: Node | undefined): node is Node =>
      node !== undefined && node.target === torch._C._set_grad_enabled && node.args[0] === !mode;
    const nodes = [...this.graph.nodes];
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i];
      if (!sets(node)) continue;
      mode = !mode;
      const next = nodes[i + 1];
      if (!sets(next)) continue;
      mode = !mode;
      this.graph.erase_node(node);
      this.graph.erase_node(next);
      i++;
    }
  }

  /** Nodes that nobody needs and that do nothing, and inputs that nobody reads. */
  private remove_unused(): void {
    for (const node of [...this.graph.nodes].reverse()) {
      if (node.users.size > 0) continue;
      const example = (node.meta as Map<unknown, unknown>).get("example_value");
      const is_number =
        example instanceof SymInt ||
        example instanceof SymFloat ||
        example instanceof SymBool ||
        (node.op !== "placeholder" &&
          (typeof example === "number" || typeof example === "boolean" || example instanceof FloatValue));
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
    // Of symbols that turned out to be equal the first stays.
    const bound = new Set<string>();
    const places = this.placeholders();
    for (const [, node] of symbols.sort(([, a], [, b]) => places.indexOf(a) - places.indexOf(b))) {
      const value = (node.meta as Map<unknown, unknown>).get("example_value") as SymInt;
      const name = String((value.node as { expr: unknown }).expr);
      if (node.users.size === 0 && (!used.has(name) || bound.has(name))) this.remove_input(node);
      else bound.add(name);
    }
  }
  private remove_input(node: Node): void {
    this.graph.erase_node(node);
    this.inputs.delete(node);
  }
  placeholders(): Node[] {
    return this.tracers.root.placeholders();
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
    this.remove_undone_grad_modes();
    insert_deferred_runtime_asserts(this.graph, this.shape_env, { val_key: "example_value", is_export: false });
    this.remove_unused();
    counters.increment("stats", "calls_captured", this.count_calls());
    const root = new (Module as unknown as new () => Module)();
    for (const [name, value] of this.constants) root.register_buffer(name as string, value as Tensor);
    for (const [name, value] of this.subgraphs) root.register_module(name, value);
    const gm = new (GraphModule as unknown as new (root: unknown, graph: Graph) => GraphModule)(root, this.graph);
    this.gm = gm;
    Object.defineProperty(gm, "compile_subgraph_reason", {
      value: this.compile_reason,
      configurable: true,
      writable: true,
    });
    const placeholders = this.placeholders();
    const examples = this.example_inputs();
    const name = `__compiled_fn_${next_compiled++}`;
    let compiled: unknown;
    try {
      compiled = this.with_global_state(() => this.options.compiler_fn(gm, examples));
    } catch (error) {
      throw new BackendCompilerFailed(this.options.backend_name, error);
    }
    counters.increment("stats", "unique_graphs");
    globals.set(name, compiled);
    return {
      name,
      load: placeholders.map((node) => (this.inputs.get(node) as GraphArg).load),
    };
  }

  /**
   * The inputs for the backend. Its tensors are made anew: the translation has written to those of the graph. They have the same symbols, so what
   * the backend assumes of sizes becomes guards of this frame.
   */
  private example_inputs(): unknown[] {
    const { shape_env } = this;
    const meta_of = (node: Node): unknown => (node.meta as Map<unknown, unknown>).get("example_value");
    const placeholders = this.placeholders();
    const has_symbols = [...this.graph.nodes].some((node) => symbols_of_value(meta_of(node)).size > 0);
    const mode = new FakeTensorMode({ allow_non_fake_inputs: true, ...(has_symbols ? { shape_env } : {}) });
    return placeholders.map((node) => {
      const known = meta_of(node);
      const example = this.inputs.get(node)?.example ?? null;
      if (example === null || !(known instanceof Tensor)) return known;
      const fake = mode.from_tensor(example, { static_shapes: true });
      const item = known instanceof FakeTensor ? known.memo.get("item", known) : null;
      if (item !== null) fake.memo.set("item", fake, item);
      if (has_symbolic_sizes(known))
        attach_symbols(fake, shape_env, {
          sizes: sizes_of(known),
          strides: strides_of(known),
          storage_offset: storage_offset_of(known),
        });
      return fake;
    });
  }

  /** Runs `fn` in the state in which the frame began: the graph itself changes the state. (`restore_global_state`) */
  private with_global_state<R>(fn: () => R): R {
    const grad = torch.is_grad_enabled();
    const autocast = torch.is_autocast_enabled("cpu");
    torch._C._set_grad_enabled(this.initial_state.grad);
    torch.set_autocast_enabled("cpu", this.initial_state.autocast);
    try {
      return fn();
    } finally {
      torch._C._set_grad_enabled(grad);
      torch.set_autocast_enabled("cpu", autocast);
    }
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
