/**
 * @file Pickles of graph modules: the code is written, not the graph, and reading traces the code again.
 * @mirrors torch/fx/graph_module.py#reduce_graph_module
 *
 *     gm  ->  reduce_graph_module({state, "_code": "def forward(self, x): ..."}, "import torch\n...")  ->  symbolic_trace(forward)
 */
import { foreign_type } from "#python/bridge/foreign_types";
import { dict_of, PyDict } from "#python/Objects/dictobject";
import type { PyFunction } from "#python/Objects/funcobject";
import { define_methods } from "#python/Objects/methodobject";
import { getattr, getattr_or_undefined, setattr, str } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import type { Module } from "#torch/nn/modules/module/index";
import { Tracer } from "./_symbolic_trace/index.ts";
import { call_function } from "./callables.ts";
import { _CodeOnlyModule, _format_import_block, _forward_from_src, GraphModule, set_forward } from "./graph_module.ts";
import { has_name } from "./qualified_names.ts";

export * from "./graph_module.ts";

type Items = Iterable<readonly [string, never]>;

/** The maps of a module that its state names. */
const MAPS = ["_parameters", "_buffers", "_modules"] as const;

/** Fills a module with the dict of another one. */
function restore(module: Module, body: ReadonlyMap<unknown, unknown>): void {
  const not_saved = new Set((body.get("_non_persistent_buffers_set") ?? []) as Iterable<string>);
  module.training = body.get("training") as boolean;
  for (const [name, value] of body.get("_parameters") as Items) module.register_parameter(name, value);
  for (const [name, value] of body.get("_buffers") as Items) module.register_buffer(name, value, !not_saved.has(name));
  for (const [name, value] of body.get("_modules") as Items) module.add_module(name, value);
  const known = new Set<unknown>([...MAPS, "training", "_non_persistent_buffers_set"]);
  for (const [name, value] of body) if (!known.has(name)) setattr(module, name as string, value);
}

/** A tracer of this class that enters no module, because the graph entered none. */
function keep_modules(tracer_cls: unknown): Tracer {
  const tracer = call_function(tracer_cls ?? Tracer, []) as Tracer;
  setattr(tracer, "is_leaf_module", () => true);
  return tracer;
}

/** The graph module whose `forward` and whose other attributes these are. */
export function _deserialize_graph_module(forward: PyFunction, body: ReadonlyMap<unknown, unknown>): GraphModule {
  const module = new (class extends _CodeOnlyModule {})();
  set_forward(module, forward);
  restore(module, body);
  const tracer_cls = body.get("_tracer_cls") ?? null;
  const graph = keep_modules(tracer_cls).trace(module, null);
  graph._tracer_cls = tracer_cls;
  const gm = new GraphModule(module, graph, str(body.get("_graphmodule_cls_name") ?? "GraphModule"));
  for (const [name, value] of body)
    if (getattr_or_undefined(gm, name as string) === undefined) setattr(gm, name as string, value);

  return gm;
}

/** Makes the graph module of a pickle. */
export function reduce_graph_module(body: ReadonlyMap<unknown, unknown>, import_block: string): GraphModule {
  const code = str(body.get("_code") ?? body.get("code"));
  return _deserialize_graph_module(_forward_from_src(import_block + code, new PyDict()), body);
}
has_name("torch.fx.graph_module.reduce_graph_module", reduce_graph_module);

/** Everything that a graph module holds, but its graph. */
function dict_without_graph(gm: GraphModule): PyDict {
  const state = call_function(getattr(gm, "__getstate__"), []) as PyDict;
  return dict_of([...state].filter(([name]) => name !== "_graph"));
}

function __reduce__(gm: GraphModule): unknown {
  const body = dict_without_graph(gm);
  const import_block = _format_import_block(gm.recompile().globals);
  return tuple([reduce_graph_module, tuple([body, import_block])]);
}

define_methods(foreign_type(GraphModule as never), {
  "__reduce__(self, /)": __reduce__,
  "__reduce_ex__(self, protocol, /)": __reduce__,
});
