/**
 * @file `Graph`: the operations of a function in their order, and what edits them.
 * @mirrors torch/fx/graph.py
 */
import { AssertionError, RuntimeError, ValueError, warn } from "#c10/util/Exception";
import { streams } from "#python/builtins/print";
import { Allocated, TAKES_VALUES } from "#python/Objects/allocated";
import { dict_of, PyDict } from "#python/Objects/dictobject";
import { StopIteration } from "#python/Objects/exceptions";
import { getattr_or_undefined, repr, str, truth } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { def_methods, Init, types } from "#torch/_signature";
import { torch } from "#torch/_torch";
import { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import { call_function, is_callable } from "../callables.ts";
import type { GraphModule } from "../graph_module.ts";
import { map_arg_, Node, type Target } from "../node.ts";
import { name_of } from "../qualified_names.ts";
import { CodeGen, type CodeOptions, type PythonCode } from "./codegen.ts";
import { _is_magic, _Namespace, _snake_case } from "./namespace.ts";
import { _FindNodesLookupTable, _InsertPoint, _node_list, sorted } from "./node_list.ts";
import { tabulate } from "./tabulate.ts";

const LEGAL_OPS = new Set(["call_function", "call_method", "get_attr", "call_module", "placeholder", "output"]);

/** No default: None is a value. */
export const NO_DEFAULT = Symbol("inspect.Signature.empty");

const Graph_init = new Init(
  "Graph.__init__(self, owning_module=None, tracer_cls=None, tracer_extras: dict=None)",
  types<[owning_module: GraphModule | null, tracer_cls: unknown, tracer_extras: unknown]>,
);

/** A list of nodes, in the order in which they run. */
export class Graph extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch.fx.graph";
  _root: Node;
  _insert: (node: Node) => void;
  _len = 0;
  _graph_namespace = new _Namespace();
  _owning_module: GraphModule | null;
  _tracer_cls: unknown;
  _tracer_extras: unknown;
  _codegen = new CodeGen();
  /** Name, file and line of the function that was traced. */
  _co_fields: PyDict = new PyDict();
  _find_nodes_lookup_table = new _FindNodesLookupTable();

  static {
    def_methods(Graph, {
      __init__: Graph_init,
      output_node: "(self)",
      find_nodes: "(self, *, op, target=None, sort=True)",
      graph_copy: "(self, g, val_map: dict, return_output_node=False)",
      create_node: "(self, op, target, args: object=None, kwargs: dict=None, name=None, type_expr=None)",
      process_inputs: "(self, *args)",
      process_outputs: "(self, out: object)",
      erase_node: "(self, to_erase)",
      inserting_before: "(self, n=None)",
      inserting_after: "(self, n=None)",
      get_attr: "(self, qualified_name, type_expr=None)",
      call_module: "(self, module_name, args: object=None, kwargs: dict=None, type_expr=None)",
      call_method: "(self, method_name, args: object=None, kwargs: dict=None, type_expr=None)",
      call_function: "(self, the_function, args: object=None, kwargs: dict=None, type_expr=None, name=None)",
      node_copy: "(self, node, arg_transform=None)",
      output: "(self, result: object, type_expr=None)",
      python_code:
        "(self, root_module, *, verbose=False, include_stride=False, include_device=False, colored=False, expanded_def=False, record_func=False, additional_meta=None)",
      print_tabular: "(self)",
      lint: "(self)",
      eliminate_dead_code: "(self, is_impure_node=None)",
      set_codegen: "(self, codegen)",
      on_generate_code: "(self, make_transformer)",
      __deepcopy__: "(self, memo: object=None)",
    });
  }

  constructor(...given: unknown[]) {
    super();
    const [owning_module, tracer_cls, tracer_extras] = Graph_init.bind(given);
    this._root = new Node(this, "", "root", "");
    this._insert = (node) => this._root.prepend(node);
    this._owning_module = owning_module;
    this._tracer_cls = tracer_cls;
    this._tracer_extras = tracer_extras;
  }

  get owning_module(): GraphModule | null {
    return this._owning_module;
  }

  set owning_module(module: GraphModule | null) {
    this._owning_module = module;
  }

  /** The nodes in their order. */
  get nodes(): _node_list {
    return new _node_list(this);
  }

  output_node(): Node {
    const last = this._root._prev;
    if (last === this._root) throw new StopIteration();
    if (last.op !== "output") throw new AssertionError(`Expected output node, got op=${last.op}`);
    return last;
  }

  /** The nodes with this operation and function, name of a method, module or attribute. */
  find_nodes(op: string, target: Target, sort: boolean): Node[] {
    if (op === "call_function" && target === null)
      throw new AssertionError("target must not be None for call_function op");
    const nodes = this._find_nodes_lookup_table.find_nodes(op, target);
    return sort ? sorted(nodes) : nodes;
  }

  /**
   * Copies all nodes of `g` but the output to the end of this graph.
   * @param val_map gets the copy of each node; a node that is in it is not copied
   * @returns the value that `g` returns, in this graph
   */
  graph_copy(g: Graph, val_map: Map<unknown, unknown>, return_output_node: boolean): unknown {
    const mapped = (n: Node): unknown => val_map.get(n);
    for (const node of g.nodes) {
      if (val_map.has(node)) continue;
      if (node.op === "output") {
        const value = map_arg_(node.args[0], mapped);
        return return_output_node ? tuple([value, node]) : value;
      }
      val_map.set(node, this.copy_of(node, mapped));
    }
    return null;
  }

  __deepcopy__(): Graph {
    const g = new Graph({ tracer_cls: this._tracer_cls });
    g._codegen = this._codegen;
    g._co_fields = this._co_fields;
    const copied = g.graph_copy(this, new Map(), true);
    if (copied !== null) {
      const [value, old_output] = copied as [unknown, Node];
      const output = g.output(value, old_output.type);
      output.meta = dict_of(old_output.meta);
    }
    return g;
  }

  /**
   * Adds a node at the place where nodes are inserted.
   * @throws {AssertionError} if `args` is no tuple or list, or `kwargs` no dict
   */
  create_node(op: string, target: Target, args: unknown, kwargs: unknown, name: unknown, type_expr: unknown): Node {
    if (args !== null && !Array.isArray(args) && truth(args))
      throw new AssertionError(`args must be a tuple, got ${type_of(args).toString()}`);
    const candidate = typeof name === "string" ? name : this._target_to_str(target);
    const unique = this._graph_namespace.create_name(candidate, null);
    const node = new Node(this, unique, op, target, args ?? tuple([]), kwargs ?? new PyDict(), type_expr);
    for (const hook of this.owning_module?._create_node_hooks ?? []) call_function(hook, [node]);
    this._graph_namespace.associate_name_with_obj(unique, node);
    this._insert(node);
    this._find_nodes_lookup_table.insert(node);
    this._len++;
    return node;
  }

  process_inputs(args: unknown[]): unknown {
    return this._codegen.process_inputs(...args);
  }

  process_outputs(out: unknown): unknown {
    return this._codegen.process_outputs(out);
  }

  /** Removes a node that nobody uses. @throws {RuntimeError} "Tried to erase Node ... but it still had ... users" */
  erase_node(to_erase: Node): void {
    if (to_erase.users.size > 0)
      throw new RuntimeError(
        `Tried to erase Node ${str(to_erase)} but it still had ${to_erase.users.size} users in the graph: ${repr(to_erase.users)}!`,
      );
    if (to_erase.graph !== this) throw new RuntimeError(`Attempting to remove ${str(to_erase)} from wrong graph!`);
    if (to_erase._erased) {
      warn("UserWarning", `erase_node(${str(to_erase)}) on an already erased node`);
      return;
    }
    for (const hook of this.owning_module?._erase_node_hooks ?? []) call_function(hook, [to_erase]);
    this._find_nodes_lookup_table.remove(to_erase);
    to_erase._remove_from_list();
    to_erase._erased = true;
    this._len--;
    const none = (): null => null;
    to_erase._update_args_kwargs(map_arg_(to_erase.args, none), map_arg_(to_erase.kwargs, none));
  }

  /** `with graph.inserting_before(node):` new nodes go in front of this node; without one, to the beginning of the graph. */
  inserting_before(n: Node | null): _InsertPoint {
    const node = n ?? this._root._next;
    if (node.graph !== this) throw new AssertionError("Node to insert before is not in graph.");
    return n === null ? this.inserting_after(this._root) : new _InsertPoint(this, (x) => n.prepend(x));
  }

  /** `with graph.inserting_after(node):` new nodes go behind this node; without one, to the end of the graph. */
  inserting_after(n: Node | null): _InsertPoint {
    if (n === null) return this.inserting_before(this._root);
    if (n.graph !== this) throw new AssertionError("Node to insert after is not in graph.");
    return new _InsertPoint(this, (x) => n.append(x));
  }

  /** A parameter of the function, with or without a default: `graph.placeholder("x", null, 2)`. */
  placeholder(...given: unknown[]): Node {
    const [name, type_expr, default_value] = placeholder_arguments(given);
    const args = default_value === NO_DEFAULT ? tuple([]) : tuple([default_value]);
    return this.create_node("placeholder", name, args, null, null, type_expr);
  }

  /** Reads a parameter, buffer or module of the owning module. */
  get_attr(qualified_name: string, type_expr: unknown): Node {
    if (this.owning_module !== null && !attribute_exists(this.owning_module, qualified_name))
      warn(
        "UserWarning",
        "Attempted to insert a get_attr Node with no underlying reference in the owning GraphModule! Call GraphModule.add_submodule to add the necessary submodule, GraphModule.add_parameter to add the necessary Parameter, or nn.Module.register_buffer to add the necessary buffer",
      );
    return this.create_node("get_attr", qualified_name, null, null, null, type_expr);
  }

  call_module(module_name: string, args: unknown, kwargs: unknown, type_expr: unknown): Node {
    this.owning_module?.get_submodule(module_name);
    return this.create_node("call_module", module_name, args, kwargs, null, type_expr);
  }

  call_method(method_name: string, args: unknown, kwargs: unknown, type_expr: unknown): Node {
    return this.create_node("call_method", method_name, args, kwargs, null, type_expr);
  }

  call_function(the_function: unknown, args: unknown, kwargs: unknown, type_expr: unknown, name: unknown): Node {
    return this.create_node("call_function", the_function, args, kwargs, name, type_expr);
  }

  /** Adds a copy of a node of any graph; `arg_transform` maps the nodes among its arguments. */
  node_copy(node: Node, arg_transform: unknown): Node {
    return this.copy_of(node, (n) => (arg_transform === null ? n : call_function(arg_transform, [n])));
  }

  private copy_of(node: Node, arg_transform: (n: Node) => unknown): Node {
    const args = map_arg_(node.args, arg_transform);
    const kwargs = map_arg_(node.kwargs, arg_transform);
    const copy = this.create_node(node.op, node.target, args, kwargs, node.name, node.type);
    copy.meta = dict_of(node.meta);
    return copy;
  }

  /** Ends the graph: its value is `result`. */
  output(result: unknown, type_expr: unknown): Node {
    return this.create_node("output", "output", tuple([result]), null, null, type_expr);
  }

  _target_to_str(target: Target): string {
    if (typeof target === "string") return _snake_case(_is_magic(target) ? target.slice(2, -2) : target);
    if (!is_callable(target)) throw new AssertionError(`Expected target to be str, got ${type_of(target).toString()}`);
    return _snake_case(name_of(target) ?? str(target));
  }

  /** The graph as the text of a Python function whose `self` is called `root_module`. */
  python_code(
    root_module: string,
    verbose = false,
    include_stride = false,
    include_device = false,
    colored = false,
    expanded_def = false,
    _record_func = false,
    additional_meta: string[] | null = null,
  ): PythonCode {
    const options = { verbose, include_stride, include_device, colored, expanded_def, additional_meta };
    return this.code_with(root_module, options);
  }

  private code_with(root_module: string, options: CodeOptions): PythonCode {
    const namespace = new _Namespace();
    const nodes = [...this.nodes];
    const before = nodes.map((node) => node._repr_fn);
    for (const node of nodes) node._repr_fn = (n) => namespace.create_name(n.name, n);
    try {
      return this._codegen._gen_python_code(nodes, root_module, namespace, options);
    } finally {
      nodes.forEach((node, i) => {
        node._repr_fn = before[i] ?? null;
      });
    }
  }

  override toString(): string {
    const placeholder_names: string[] = [];
    const maybe_return_typename = [""];
    const lines = [...this.nodes].map((node) =>
      (node.format_node as (...args: unknown[]) => string | null).call(node, placeholder_names),
    );
    const text = lines.filter((line) => line !== null && line !== "").map((line) => `\n    ${line}`);
    return `graph(${placeholder_names.join(", ")})${maybe_return_typename[0]}:${text.join("")}`;
  }

  /** Prints one line a node: opcode, name, target, args, kwargs. */
  print_tabular(): void {
    const rows = [...this.nodes].map((n) => [n.op, n.name, str(n.target), str(n.args), str(n.kwargs)]);
    streams.stdout.write(`${tabulate(rows, ["opcode", "name", "target", "args", "kwargs"])}\n`);
  }

  /**
   * Checks that the graph is well formed: order, names, owners, and that attributes and modules exist.
   * @throws {RuntimeError} with the first fault
   */
  lint(): void {
    const seen_names = new Set<string>();
    const seen_values = new Set<Node>();
    const check_arg = (arg: Node, n: Node): void => {
      const context = ` of Node '${str(n)}' `;
      if (arg.graph !== this)
        throw new RuntimeError(
          `Argument '${str(arg)}'${context}does not belong to this Graph, but was used as an argument! If you are copying nodes from another graph, make sure to use \`\`arg_transform\`\` on node_copy() to remap values\n${str(this)}`,
        );
      if (!seen_values.has(arg))
        throw new RuntimeError(
          `Argument '${str(arg)}'${context}was used before it has been defined! Please check that Nodes in the graph are topologically ordered\n${str(this)}`,
        );
    };
    for (const node of this.nodes) {
      if (!LEGAL_OPS.has(node.op)) throw new RuntimeError(`Node ${str(node)} had unknown opcode ${node.op}!`);
      if (node.graph !== this) throw new RuntimeError(`Node '${str(node)}' does not belong to this Graph!`);
      if (!this._find_nodes_lookup_table.has(node))
        throw new RuntimeError(`Node '${str(node)}' is not added to the side table`);
      for (const arg of node._input_nodes.keys()) check_arg(arg as Node, node);
      seen_values.add(node);
      if (seen_names.has(node.name)) throw new RuntimeError(`Node redefined name ${node.name}!`);
      seen_names.add(node.name);
    }
    if (this.owning_module !== null) for (const node of this.nodes) check_target(node, this.owning_module);
  }

  /**
   * Removes the nodes that nobody uses and that do nothing else.
   * @param is_impure_node says of a node whether it must stay
   * @returns whether the graph changed
   */
  eliminate_dead_code(is_impure_node: unknown): boolean {
    this.lint();
    let changed = false;
    for (const node of [...this.nodes.reversed()]) {
      const stays = is_impure_node === null ? node.is_impure(true) : truth(call_function(is_impure_node, [node]));
      if (stays || node.users.size > 0) continue;
      this.erase_node(node);
      changed = true;
    }
    return changed;
  }

  /** Replaces the object that writes the code. */
  set_codegen(codegen: CodeGen): void {
    this._codegen = codegen;
  }

  /** Lets a function change the lines of the code; the result ends this as a context. */
  on_generate_code(make_transformer: unknown): CodeTransformation {
    return new CodeTransformation(this._codegen, make_transformer);
  }
}

/** Ends a change of the code as a context. */
class CodeTransformation {
  private readonly codegen: CodeGen;
  private readonly before: CodeGen["_body_transformer"];

  constructor(codegen: CodeGen, make_transformer: unknown) {
    this.codegen = codegen;
    this.before = codegen._body_transformer;
    codegen._body_transformer = call_function(make_transformer, [this.before]) as CodeGen["_body_transformer"];
  }

  __enter__(): null {
    return null;
  }

  __exit__(): void {
    this.codegen._body_transformer = this.before;
  }
}

/** `placeholder(name, type_expr=None, default_value=inspect.Signature.empty)`: None is a default, too. */
function placeholder_arguments(given: readonly unknown[]): [string, unknown, unknown] {
  const last = given.at(-1);
  const named =
    given.length > 1 && typeof last === "object" && last !== null && Object.getPrototypeOf(last) === Object.prototype
      ? (last as Record<string, unknown>)
      : null;
  const positional = named === null ? given : given.slice(0, -1);
  const take = (i: number, name: string, otherwise: unknown): unknown =>
    positional[i] ??
    (i < positional.length ? positional[i] : named !== null && name in named ? named[name] : otherwise);
  return [
    take(0, "name", "") as string,
    take(1, "type_expr", null) ?? null,
    take(2, "default_value", NO_DEFAULT) === undefined ? NO_DEFAULT : take(2, "default_value", NO_DEFAULT),
  ];
}

function attribute_exists(module: Module, qualified_name: string): boolean {
  const dot = qualified_name.lastIndexOf(".");
  const module_path = dot < 0 ? "" : qualified_name.slice(0, dot);
  const name = qualified_name.slice(dot + 1);
  let owner: Module;
  try {
    owner = module.get_submodule(module_path);
  } catch {
    warn("UserWarning", `Failed to fetch module ${module_path}!`);
    return false;
  }
  const value = getattr_or_undefined(owner, name);
  return value instanceof Module || value instanceof Parameter || owner._buffers.has(name);
}

function check_target(node: Node, owner: GraphModule): void {
  const { op, target } = node;
  const wrong = (what: string): ValueError =>
    new ValueError(
      `Node ${str(node)} target ${str(target)} has type ${torch.typename(target)} but a ${what} is expected`,
    );
  if (op === "call_function") {
    if (!is_callable(target)) throw wrong("Callable");
    return;
  }
  if (typeof target !== "string") throw wrong("str");
  if (op !== "get_attr" && op !== "call_module") return;
  const atoms = target.split(".");
  let at: unknown = owner;
  atoms.forEach((atom, i) => {
    const seen = atoms.slice(0, i).join(".");
    const next = getattr_or_undefined(at, atom) ?? null;
    if (next === null)
      throw new RuntimeError(`Node ${str(node)} target ${target} references nonexistent attribute ${atom} of ${seen}`);
    if (op === "call_module" && !(next instanceof Module))
      throw new RuntimeError(`Node ${str(node)} target ${target} ${atom} of ${seen} does not reference an nn.Module`);
    at = next;
  });
}

/** The nodes of the graph's parameters. */
export const placeholders_of = (graph: { readonly nodes: Iterable<Node> }): Node[] =>
  [...graph.nodes].filter(({ op }) => op === "placeholder");
