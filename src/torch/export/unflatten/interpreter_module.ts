/**
 * @file Modules that run a graph node by node, and the names of their calls: `cell`, `cell@1`, `cell@2`.
 * @mirrors torch/export/unflatten.py#InterpreterModule
 */
import { AssertionError } from "#c10/util/Exception";
import { split_keywords } from "#torch/_signature";
import type { Graph } from "#torch/fx/graph/index";
import { placeholders_of } from "#torch/fx/graph/index";
import { GraphModule } from "#torch/fx/graph_module";
import { Interpreter } from "#torch/fx/interpreter";
import { Module } from "#torch/nn/modules/module/index";

const MODULE = "torch.export.unflatten";

/** Runs a graph whose `get_attr` and `call_module` nodes refer to `module`. */
export function run_graph(module: Module, graph: Graph, args: readonly unknown[]): unknown {
  const interpreter = new Interpreter(module, { graph });
  return (interpreter.run as (...given: unknown[]) => unknown)(...args, { enable_io_processing: false });
}

/** A field that is no submodule, parameter or buffer, although its value looks like one. */
export function set_plain(module: Module, name: string, value: unknown): void {
  Object.defineProperty(module, name, { value, configurable: true, writable: true, enumerable: false });
}

/** A module of the hierarchy, with the part of the graph that ran in it. */
export class InterpreterModule extends Module {
  static readonly __module__: string = MODULE;
  declare readonly graph: Graph;
  declare graph_module: GraphModule | null;
  /** The names of the parameters. */
  arg_names: string[] = [];
  private readonly ty: string | null;

  constructor(graph: Graph, ty: string | null = null) {
    super();
    set_plain(this, "graph", graph);
    set_plain(this, "graph_module", null);
    this.ty = ty;
    graph.owning_module = this as never;
  }

  /** The class of the module that was exported. */
  type_name(): string | null {
    return this.ty;
  }

  override forward(...given: unknown[]): unknown {
    if (this.graph_module === null) throw new AssertionError("Didn't finalize this InterpreterModule");
    const [args, kwargs] = split_keywords(given);
    const named = this.arg_names.slice(args.length).filter((name) => name in kwargs);
    return run_graph(this, this.graph, [...args, ...named.map((name) => kwargs[name])]);
  }

  /** Ends the making of the graph. */
  finalize(): void {
    const module = new GraphModule(this, this.graph);
    set_plain(this, "graph_module", module);
    this.graph.owning_module = this as never;
    this.graph.lint();
    this.arg_names = placeholders_of(this.graph).map(({ target }) => target as string);
  }
}

/** The name of the n-th call of a module. */
export const call_name = (base: string, n: number): string => (n === 1 ? base : `${base}@${n - 1}`);

/** The name of the module of a call. */
export const without_call = (name: string): string => name.split("@")[0] as string;

/** The path from one module to another below it. */
export function accessor_of(parent: string, child: string): string {
  if (parent === "") return child;
  return child.split(".").slice(parent.split(".").length).join(".");
}
