/**
 * @file State that a flat graph gets as arguments is read from the modules again; equal graphs of several calls of a module become one.
 * @mirrors torch/export/unflatten.py#_sink_params
 */
import { getattr, str } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { inserting_after, replace_uses } from "#torch/_export/utils";
import { type Graph, placeholders_of } from "#torch/fx/graph/index";
import { map_arg_, type Node } from "#torch/fx/node";
import type { Module } from "#torch/nn/modules/module/index";
import { accessor_of, call_name, InterpreterModule, without_call } from "./interpreter_module.ts";
import type { Call } from "./module_frame.ts";

const graph_of = (module: Module): Graph | null => {
  const { graph } = module as { readonly graph?: Graph };
  return graph === undefined || [...graph.nodes].length === 0 ? null : graph;
};

/** The path of a state in a module, without the path of the module; null if the state lies elsewhere. */
function path_in(scope: readonly string[], names: readonly string[]): string[] | null {
  const own = scope.map(without_call);
  for (const name of names) {
    const path = name.split(".");
    if (own.every((part, i) => path[i] === part)) return path.slice(own.length);
  }
  return null;
}

/**
 * Replaces arguments that are state, in a module and those below it.
 * @param states the names that the state of an argument has
 * @param removed the arguments that each module no longer has
 */
export function sink_params(
  module: Module,
  states: ReadonlyMap<string, readonly string[]>,
  scope: readonly string[] = [],
  removed: Map<Module, Set<string>> = new Map(),
): void {
  if (removed.has(module)) return;
  for (const [name, child] of module._modules)
    if (child !== null) sink_params(child, states, [...scope, name], removed);
  const gone = new Set<string>();
  removed.set(module, gone);
  const graph = graph_of(module);
  if (graph === null) return;
  const inputs = placeholders_of(graph);
  const last = inputs.at(-1);
  for (const node of graph.nodes) {
    if (node.op !== "call_module") continue;
    const names = removed.get((node.target as string).split(".").reduce(getattr, module as unknown) as Module);
    node.args = tuple((node.args as unknown as Node[]).filter(({ name }) => names?.has(name) !== true)) as never;
  }
  for (const node of inputs) {
    const names = states.get(node.name);
    const path = names === undefined ? null : path_in(scope, names);
    if (path === null) continue;
    if (node.users.size > 0) {
      const read = inserting_after(last as Node, () =>
        graph.create_node("get_attr", path.join("."), null, null, null, null),
      );
      read.meta = node.meta;
      replace_uses(node, read);
    }
    gone.add(node.name);
  }
  for (const node of inputs) if (gone.has(node.name)) graph.erase_node(node);
  if (module instanceof InterpreterModule) module.finalize();
}

/** A graph as text in which nodes have numbers. */
function dump(graph: Graph): string {
  const numbers = new Map<Node, number>();
  const shown = (value: unknown): string => str(map_arg_(value as never, (n) => `%${numbers.get(n)}`));
  return [...graph.nodes]
    .map((node, i) => {
      const target = node.op === "call_function" || node.op === "get_attr" ? str(node.target) : "";
      const text = `${i}: ${node.op}[${target}](${shown(node.args)}, ${shown(node.kwargs)})`;
      numbers.set(node, i);
      return text;
    })
    .join("\n");
}

/**
 * Calls with equal graphs call one module. A call of the same path as an earlier one calls its module; a call of another path keeps its own
 * path, at which the earlier module then stands too.
 */
export function deduplicate_modules(all: Iterable<readonly Call[]>): void {
  for (const calls of all) for (const [i, call] of calls.entries()) deduplicate(call, calls.slice(0, i));
}

function deduplicate(call: Call, earlier: readonly Call[]): void {
  const equal = earlier.filter(({ module }) => dump(module.graph) === dump(call.module.graph));
  const target = accessor_of(call.parent_fqn, call_name(call.fqn, call.index));
  const same_path = equal.findIndex(({ fqn }) => fqn === call.fqn);
  const other_path = equal.findIndex(({ fqn }) => fqn !== call.fqn);
  if (other_path !== -1 && (same_path === -1 || other_path < same_path))
    call.parent_module.set_submodule(target, equal[other_path].module);
  if (same_path === -1) return;
  const prefix = target.split(".");
  const field = prefix.pop() as string;
  (prefix.reduce(getattr, call.parent_module as unknown) as Module).__delattr__(field);
  call.node.target = accessor_of(call.parent_fqn, call_name(call.fqn, equal[same_path].index));
}
