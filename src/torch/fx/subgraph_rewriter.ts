/**
 * @file `replace_pattern`: finds a pattern in a graph and puts another graph in its place.
 * @mirrors torch/fx/subgraph_rewriter.py
 */
import { AssertionError, RuntimeError } from "#c10/util/Exception";
import { TAKES_VALUES } from "#python/Objects/allocated";
import type { PyDict } from "#python/Objects/dictobject";
import { setattr, truth } from "#python/Objects/object";
import { deepcopy } from "#torch/_deepcopy";
import { def } from "#torch/_signature";
import { Module } from "#torch/nn/modules/module/index";
import { symbolic_trace } from "./_symbolic_trace/index.ts";
import { call_function, is_callable } from "./callables.ts";
import { Graph, placeholders_of } from "./graph/index.ts";
import { GraphModule } from "./graph_module.ts";
import { named_tuple } from "./named_tuple.ts";
import { Node } from "./node.ts";
import { attribute_or_undefined } from "./passes/attributes.ts";
import { type InternalMatch, SubgraphMatcher } from "./passes/utils/matcher_utils.ts";
import { has_name } from "./qualified_names.ts";

const match_type = named_tuple("torch.fx.subgraph_rewriter", "Match", ["anchor", "nodes_map"]);
/** A place that was replaced: its last node, and the nodes of the graph by those of the pattern. */
export const Match = match_type.cls;

export class ReplacedPatterns {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch.fx.subgraph_rewriter";
  readonly anchor: Node;
  readonly nodes_map: PyDict;
  /** The nodes that took the place. */
  readonly replacements: Node[];

  constructor(anchor: Node, nodes_map: PyDict, replacements: Node[]) {
    this.anchor = anchor;
    this.nodes_map = nodes_map;
    this.replacements = replacements;
  }
}

function graph_of(value: unknown): Graph {
  if (value instanceof GraphModule) return value.graph;
  return value instanceof Graph ? value : symbolic_trace(value).graph;
}

/** The node in front of which the replacement goes: the first that uses a result, or the one behind the last result. */
function insert_point(graph: Graph, returning: readonly Node[]): Node {
  const users = new Set(returning.flatMap((n) => [...n.users.keys()] as Node[]));
  for (const n of graph.nodes) if (users.has(n)) return n;
  let next: Node | null = null;
  for (const n of graph.nodes.reversed()) {
    if (returning.includes(n)) break;
    next = n;
  }
  if (next === null) throw new AssertionError("The insert point can't be None");
  return next;
}

interface Rewrite {
  readonly filters: readonly unknown[];
  readonly ignore_literals: boolean;
  readonly replacement_callback: unknown;
  readonly node_name_match: string;
}

function replace_all(gm: GraphModule, pattern: unknown, replacement: unknown, rewrite: Rewrite): ReplacedPatterns[] {
  const original = gm.graph;
  const pattern_graph = graph_of(pattern);
  const matcher = new SubgraphMatcher(pattern_graph, { ignore_literals: rewrite.ignore_literals });
  const matches = matcher
    .match(original, rewrite.node_name_match)
    .filter((m) => rewrite.filters.every((filter) => truth(call_function(filter, [m, original, pattern_graph]))));
  const common =
    replacement instanceof GraphModule || replacement instanceof Graph || is_callable(replacement)
      ? graph_of(replacement)
      : null;
  if (common === null && rewrite.replacement_callback === null)
    throw new AssertionError("Must provide either a replacement GraphModule or a replacement callback");
  /** Results of earlier matches, by the node that they replaced. */
  const changed = new Map<unknown, Node>();
  const done: ReplacedPatterns[] = [];
  for (const match of matches) {
    const graph =
      rewrite.replacement_callback === null
        ? (common as Graph)
        : (call_function(rewrite.replacement_callback, [match, original, pattern_graph]) as Graph);
    done.push(replace_one(original, graph, match, changed));
    for (const node of pattern_graph.nodes.reversed())
      if (node.op !== "placeholder" && node.op !== "output") original.erase_node(match.nodes_map.get(node) as Node);
  }
  gm.recompile();
  if (replacement instanceof Module) copy_attributes(gm, replacement);
  return done;
}

/** Copies the replacement into the graph and lets its results be used. */
function replace_one(
  graph: Graph,
  replacement: Graph,
  match: InternalMatch,
  changed: Map<unknown, Node>,
): ReplacedPatterns {
  const placeholders = placeholders_of(replacement);
  if (match.placeholder_nodes.length !== placeholders.length)
    throw new AssertionError(`Placeholder count mismatch: ${match.placeholder_nodes.length} vs ${placeholders.length}`);
  const val_map = new Map<unknown, unknown>();
  placeholders.forEach((rn, i) => {
    const gn = match.placeholder_nodes[i];
    const now = gn instanceof Node ? (changed.get(gn) ?? gn) : gn;
    val_map.set(rn, now);
    if (now === gn) return;
    match.placeholder_nodes[i] = now;
    for (const [pn, node] of match.nodes_map)
      if (node === gn) {
        match.nodes_map.set(pn, now);
        break;
      }
  });
  const returning = match.returning_nodes;
  const point = (graph.inserting_before as (n: Node) => { __exit__(): void }).call(
    graph,
    insert_point(graph, returning),
  );
  const copied = (graph.graph_copy as (g: Graph, val_map: Map<unknown, unknown>) => unknown).call(
    graph,
    replacement,
    val_map,
  );
  point.__exit__();
  const results = (Array.isArray(copied) ? copied : [copied]) as Node[];
  const replacements = [...val_map.values()].filter((v) => !match.placeholder_nodes.includes(v)) as Node[];
  if (returning.length !== results.length)
    throw new AssertionError(`Returning nodes count mismatch: ${returning.length} vs ${results.length}`);
  returning.forEach((gn, i) => {
    const copy = results[i] as Node;
    (gn.replace_all_uses_with as (by: Node) => unknown).call(gn, copy);
    changed.set(gn, copy);
  });
  return new ReplacedPatterns(match.anchors[0] as Node, match.nodes_map, replacements);
}

/** Copies what the nodes of the replacement refer to. */
function copy_attributes(gm: GraphModule, replacement: Module): void {
  gm.delete_all_unused_submodules();
  if (replacement instanceof GraphModule) replacement.graph.lint();
  for (const node of gm.graph.nodes) {
    if (node.op !== "call_module" && node.op !== "get_attr") continue;
    const target = node.target as string;
    if (attribute_or_undefined(gm, target) !== undefined) continue;
    const attr = attribute_or_undefined(replacement, target);
    if (attr === undefined)
      throw new RuntimeError(
        `Attempted to create a "${node.op}" node during subgraph rewriting with target ${target}, but the referenced attribute does not exist in the replacement GraphModule`,
      );
    const copy = deepcopy(attr);
    if (copy instanceof Module) gm.add_submodule(target, copy);
    else setattr(gm, target, copy);
  }
  gm.graph.lint();
}

/**
 * Replaces every place of the graph that looks like `pattern`.
 * @param pattern a function or a module whose parameters stand for anything
 * @returns for each place its last node, and the nodes that matched
 */
export const replace_pattern = has_name(
  "torch.fx.subgraph_rewriter.replace_pattern",
  def(
    "replace_pattern(gm, pattern, replacement)",
    (gm: GraphModule, pattern: unknown, replacement: unknown): unknown[] => {
      const rewrite = { filters: [], ignore_literals: false, replacement_callback: null, node_name_match: "" };
      return replace_all(gm, pattern, replacement, rewrite).map(({ anchor, nodes_map }) =>
        match_type.make(anchor, nodes_map),
      );
    },
  ),
);

/**
 * Replaces the places that look like `pattern` and that all filters accept.
 * @param match_filters functions `(match, graph, pattern_graph) -> bool`
 * @param replacement_callback makes the replacement of each place
 */
export const replace_pattern_with_filters = has_name(
  "torch.fx.subgraph_rewriter.replace_pattern_with_filters",
  def(
    "replace_pattern_with_filters(gm, pattern, replacement=None, match_filters=None, ignore_literals=False, replacement_callback=None, node_name_match='')",
    (
      gm: GraphModule,
      pattern: unknown,
      replacement: unknown,
      match_filters: unknown[] | null,
      ignore_literals: boolean,
      replacement_callback: unknown,
      node_name_match: string,
    ): ReplacedPatterns[] =>
      replace_all(gm, pattern, replacement, {
        filters: match_filters ?? [],
        ignore_literals,
        replacement_callback,
        node_name_match,
      }),
  ),
);
