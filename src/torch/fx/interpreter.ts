/**
 * @file `Interpreter`: runs a graph node by node, with a method for each kind of node; `Transformer`: an interpreter whose values are proxies, so that it
 * makes another graph.
 * @mirrors torch/fx/interpreter.py
 */
import { AssertionError, KeyError, RuntimeError } from "#c10/util/Exception";
import { Allocated, TAKES_VALUES } from "#python/Objects/allocated";
import { PyDict } from "#python/Objects/dictobject";
import { list_from } from "#python/Objects/iterobject";
import { call_method as call_method_of, getattr, getattr_or_undefined, str } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { def_methods } from "#torch/_signature";
import type { Module } from "#torch/nn/modules/module/index";
import { Tracer } from "./_symbolic_trace/index.ts";
import { call_function, call_method } from "./callables.ts";
import { Graph, NO_DEFAULT, placeholders_of } from "./graph/index.ts";
import { GraphModule } from "./graph_module.ts";
import { map_aggregate_, map_arg_, type Node, type Target } from "./node.ts";
import { Proxy } from "./proxy/index.ts";
import * as fx_traceback from "./traceback.ts";

type Args = readonly unknown[];
type Kwargs = ReadonlyMap<unknown, unknown>;
type Step = (target: Target, args: Args, kwargs: Kwargs) => unknown;

/** Runs a graph node by node. Subclasses change what a kind of node does. */
export class Interpreter extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__: string = "torch.fx.interpreter";
  module: Module;
  /** The modules of the module, by name. */
  submodules: PyDict;
  graph: Graph;
  /** The values of the nodes that have run. */
  env: PyDict;
  name: string;
  garbage_collect_values: boolean;
  extra_traceback: boolean;
  /** The nodes whose values are not needed after a node, by that node. */
  user_to_last_uses: Map<Node, Node[]>;
  args_iter: Iterator<unknown>;

  static {
    def_methods(Interpreter, {
      run: "(self, *args, initial_env=None, enable_io_processing=True)",
      boxed_run: "(self, args_list)",
      run_node: "(self, n)",
      placeholder: "(self, target, args: object, kwargs: dict)",
      get_attr: "(self, target, args: object, kwargs: dict)",
      call_function: "(self, target, args: object, kwargs: dict)",
      call_method: "(self, target, args: object, kwargs: dict)",
      call_module: "(self, target, args: object, kwargs: dict)",
      output: "(self, target, args: object, kwargs: dict)",
      fetch_attr: "(self, target)",
      fetch_args_kwargs_from_env: "(self, n)",
      map_nodes_to_values: "(self, args: object, n)",
    });
  }

  /** @param graph another graph than that of the module */
  constructor(...given: unknown[]) {
    super();
    const [module, garbage_collect_values, graph] = interpreter_arguments(given);
    this.module = module;
    this.submodules = new PyDict();
    const submodules = call_method_of(module, "named_modules") as Iterable<[string, Module]>;
    for (const [name, submodule] of submodules) this.submodules.set(name, submodule);
    this.graph = (graph ?? getattr(module, "graph")) as Graph;
    this.env = new PyDict();
    this.name = "Interpreter";
    this.garbage_collect_values = garbage_collect_values;
    this.extra_traceback = true;
    this.user_to_last_uses = new Map();
    this.args_iter = [][Symbol.iterator]();
    if (garbage_collect_values) this.find_last_uses();
  }

  private find_last_uses(): void {
    const seen = new Set<unknown>();
    for (const user of this.graph.nodes.reversed())
      for (const input of user._input_nodes.keys()) {
        if (seen.has(input)) continue;
        seen.add(input);
        const others = this.user_to_last_uses.get(user);
        if (others === undefined) this.user_to_last_uses.set(user, [input as Node]);
        else others.push(input as Node);
      }
  }

  /**
   * Runs the graph with these arguments.
   * @param initial_env values of nodes that then do not run
   */
  run(args: Args, initial_env: PyDict | null, enable_io_processing: boolean): unknown {
    this.env = initial_env ?? new PyDict();
    const inputs = enable_io_processing
      ? (this.graph.process_inputs as (...args: Args) => unknown).call(this.graph, ...args)
      : args;
    this.args_iter = list_from(inputs)[Symbol.iterator]();
    for (const node of this.graph.nodes) {
      if (this.env.has(node)) continue;
      this.env.set(node, this.run_with_traceback(node));
      if (this.garbage_collect_values)
        for (const unused of this.user_to_last_uses.get(node) ?? []) this.env.delete(unused);
      if (node.op === "output") {
        const value = this.env.get(node);
        return enable_io_processing ? this.graph.process_outputs(value) : value;
      }
    }
    return null;
  }

  /** An error says which node it comes from. */
  private run_with_traceback(node: Node): unknown {
    try {
      return this.run_node(node) ?? null;
    } catch (error) {
      if (!this.extra_traceback || !(error instanceof Error)) throw error;
      const line = (node.format_node as () => string | null).call(node);
      const head = error.message === "" ? "" : `${error.message}\n\n`;
      const message = `${head}While executing ${line}\nOriginal traceback:\n${str(node.stack_trace ?? null)}\nUse tlparse to see full graph. (https://github.com/pytorch/tlparse?tab=readme-ov-file#tlparse-parse-structured-pt2-logs)`;
      if (error instanceof KeyError) throw new RuntimeError(message);
      error.message = message;
      throw error;
    }
  }

  /** Runs with a list of arguments, which is emptied, so that nothing else keeps them alive. */
  boxed_run(args_list: unknown[]): unknown {
    const placeholders = placeholders_of(this.graph);
    if (args_list.length !== placeholders.length)
      throw new RuntimeError(
        `Interpreter.boxed_run expected ${placeholders.length} arguments for placeholders but received ${args_list.length} (${args_list.length > placeholders.length ? "extra arguments" : "missing arguments"})`,
      );
    const env = new PyDict();
    placeholders.forEach((node, i) => {
      env.set(node, args_list[i]);
    });
    args_list.length = 0;
    return this.run_from(env);
  }

  private run_from(initial_env: PyDict): unknown {
    return (this.run as (...args: unknown[]) => unknown).call(this, { initial_env });
  }

  /** Runs one node: fetches its arguments and calls the method that is named like its operation. */
  run_node(n: Node): unknown {
    return fx_traceback.set_current_meta(n).run(() => {
      const [args, kwargs] = this.fetch_args_kwargs_from_env(n) as unknown as [Args, Kwargs];
      if (n.op === "root") throw new AssertionError("the root of a graph does not run");
      const step = (this as unknown as Record<string, Step>)[n.op] as Step;
      return step.call(this, n.target, args, kwargs);
    });
  }

  placeholder(target: Target, args: Args, _kwargs: Kwargs): unknown {
    const name = target as string;
    if (name.startsWith("*")) {
      const rest: unknown[] = [];
      for (let next = this.args_iter.next(); next.done !== true; next = this.args_iter.next()) rest.push(next.value);
      return rest;
    }
    const next = this.args_iter.next();
    if (next.done !== true) return next.value;
    if (args.length > 0) return args[0];
    throw new RuntimeError(`Expected positional argument for parameter ${name}, but one was not passed in!`);
  }

  get_attr(target: Target, _args: Args, _kwargs: Kwargs): unknown {
    return this.fetch_attr(target as string);
  }

  call_function(target: Target, args: Args, kwargs: Kwargs): unknown {
    if (typeof target === "string") throw new AssertionError("target should not be a string for call_function");
    return call_function(target, args, kwargs);
  }

  call_method(target: Target, args: Args, kwargs: Kwargs): unknown {
    const [self_obj, ...args_tail] = args;
    return call_method(self_obj, target as string, args_tail, kwargs);
  }

  call_module(target: Target, args: Args, kwargs: Kwargs): unknown {
    return call_function(this.fetch_attr(target as string), args, kwargs);
  }

  output(_target: Target, args: Args, _kwargs: Kwargs): unknown {
    return args[0];
  }

  /** The attribute at this path of the module. @throws {RuntimeError} "Node referenced nonexistent target ..." */
  fetch_attr(target: string): unknown {
    const atoms = target.split(".");
    let at: unknown = this.module;
    atoms.forEach((atom, i) => {
      const next = getattr_or_undefined(at, atom);
      if (next === undefined)
        throw new RuntimeError(`Node referenced nonexistent target ${atoms.slice(0, i + 1).join(".")}`);
      at = next;
    });
    return at;
  }

  /** The arguments of a node with the values of other nodes in their places. */
  fetch_args_kwargs_from_env(n: Node): unknown {
    return tuple([this.map_nodes_to_values(n.args, n), this.map_nodes_to_values(n.kwargs, n)]);
  }

  map_nodes_to_values(args: unknown, n: Node): unknown {
    return map_arg_(args, (node) => {
      if (!this.env.has(node))
        throw new RuntimeError(
          `Node ${str(n)} referenced nonexistent value ${str(node)}! Run Graph.lint() to diagnose such issues`,
        );
      return this.env.get(node);
    });
  }
}

function interpreter_arguments(given: readonly unknown[]): [Module, boolean, Graph | null] {
  const last = given.at(-1);
  const is_keywords = typeof last === "object" && last !== null && Object.getPrototypeOf(last) === Object.prototype;
  const keywords = is_keywords ? (last as Record<string, unknown>) : {};
  const [module = keywords["module"], collect = keywords["garbage_collect_values"] ?? true, graph = keywords["graph"]] =
    is_keywords ? given.slice(0, -1) : given;
  return [module as Module, collect as boolean, (graph as Graph | undefined) ?? null];
}

/** Every module is a leaf, and tensors are found anew. */
class TransformerTracer extends Tracer {
  static override readonly __module__ = "torch.fx.interpreter";
  constructor(graph: Graph, root: Module) {
    super();
    this.graph = graph;
    this.root = root;
  }

  override is_leaf_module(): boolean {
    return true;
  }
}

/** An interpreter that makes a new graph: each method returns a proxy of it. */
export class Transformer extends Interpreter {
  static override readonly __module__: string = "torch.fx.interpreter";
  new_graph: Graph;
  tracer: Tracer;

  static {
    def_methods(Transformer, {
      placeholder: "(self, target, args: object, kwargs: dict)",
      get_attr: "(self, target, args: object, kwargs: dict)",
      call_module: "(self, target, args: object, kwargs: dict)",
      call_function: "(self, target, args: object, kwargs: dict)",
      transform: "(self)",
    });
  }

  constructor(module: GraphModule) {
    super(module);
    this.new_graph = new Graph();
    this.new_graph.set_codegen(module.graph._codegen);
    this.tracer = new TransformerTracer(this.new_graph, module);
  }

  override placeholder(target: Target, args: Args, _kwargs: Kwargs): unknown {
    const node = this.new_graph.placeholder(target, null, args.length > 0 ? args[0] : NO_DEFAULT);
    return new Proxy(node, this.tracer);
  }

  override get_attr(target: Target, args: Args, kwargs: Kwargs): unknown {
    return this.create_proxy("get_attr", target, args, kwargs);
  }

  override call_module(target: Target, args: Args, kwargs: Kwargs): unknown {
    const submod = this.fetch_attr(target as string) as Module;
    return this.tracer.call_module(submod, submod.forward, args, kwargs);
  }

  override call_function(target: Target, args: Args, kwargs: Kwargs): unknown {
    return this.create_proxy("call_function", target, args, kwargs);
  }

  private create_proxy(...args: [kind: string, target: Target, args: Args, kwargs: Kwargs]): Proxy {
    return (this.tracer.create_proxy as (...args: unknown[]) => Proxy).apply(this.tracer, args);
  }

  /** The module that the transformed graph makes. */
  transform(): GraphModule {
    const result = fx_traceback
      .preserve_node_meta()
      .run(() => (this.run as (...args: unknown[]) => unknown).call(this, { enable_io_processing: false }));
    if (result !== null) {
      const strip = (leaf: unknown): unknown => (leaf instanceof Proxy ? leaf.node : leaf);
      const new_output = this.new_graph.output(map_aggregate_(result, strip), null);
      const old_output = this.graph.output_node();
      for (const [k, v] of old_output.meta) new_output.meta.set(k, v);
    }
    return new GraphModule(this.module, this.new_graph);
  }
}
