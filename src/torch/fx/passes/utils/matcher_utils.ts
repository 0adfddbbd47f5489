/**
 * @file `SubgraphMatcher`: finds the places of a graph that look like a pattern.
 * @mirrors torch/fx/passes/utils/matcher_utils.py
 *
 * A pattern is compared from its outputs (the anchors) backwards to its inputs. A parameter of the pattern matches anything, but the same parameter must
 * match the same thing twice. A match counts if no node inside it is used outside, because it could then not be removed.
 */
import { AssertionError, RuntimeError, ValueError } from "#c10/util/Exception";
import { Allocated, TAKES_VALUES } from "#python/Objects/allocated";
import { PyDict } from "#python/Objects/dictobject";
import { equal, str } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { OpOverload } from "#torch/_ops";
import { def_methods } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import type { Module } from "#torch/nn/modules/module/index";
import { type Graph, placeholders_of } from "../../graph/index.ts";
import { Node } from "../../node.ts";
import { attribute_at } from "../attributes.ts";
import { is_acyclic } from "./cycles.ts";

export class InternalMatch {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch.fx.passes.utils.matcher_utils";
  /** Outputs of the pattern from which the comparison began. */
  anchors: Node[];
  /** From the nodes of the pattern to those of the graph. */
  nodes_map: PyDict;
  placeholder_nodes: unknown[];
  returning_nodes: Node[];
  name_node_map = new PyDict();

  constructor(anchors: Node[], nodes_map = new PyDict(), placeholder_nodes: unknown[] = [], returning: Node[] = []) {
    this.anchors = anchors;
    this.nodes_map = nodes_map;
    this.placeholder_nodes = placeholder_nodes;
    this.returning_nodes = returning;
  }

  copy(): InternalMatch {
    const map = new PyDict();
    for (const [pn, gn] of this.nodes_map) map.set(pn, gn);
    return new InternalMatch(this.anchors, map, [...this.placeholder_nodes], [...this.returning_nodes]);
  }
}

interface MatcherOptions {
  readonly match_output?: boolean;
  readonly match_placeholder?: boolean;
  readonly remove_overlapping_matches?: boolean;
  readonly ignore_literals?: boolean;
}

const is_compute = (node: Node): boolean => node.op !== "placeholder" && node.op !== "output";

export class SubgraphMatcher extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch.fx.passes.utils.matcher_utils";
  readonly pattern: Graph;
  readonly match_output: boolean;
  readonly match_placeholder: boolean;
  readonly remove_overlapping_matches: boolean;
  readonly ignore_literals: boolean;
  readonly pattern_placeholder_nodes: Node[];
  readonly pattern_returning_nodes: Node[];
  readonly pattern_anchors: Node[];

  static {
    def_methods(SubgraphMatcher, { match: "(self, graph, node_name_match='')" });
  }

  constructor(pattern: Graph, options: MatcherOptions = {}) {
    super();
    const { match_output = false, match_placeholder = false } = options;
    this.pattern = pattern;
    this.match_output = match_output;
    this.match_placeholder = match_placeholder;
    this.remove_overlapping_matches = options.remove_overlapping_matches ?? true;
    this.ignore_literals = options.ignore_literals ?? false;
    if (pattern._len === 0) throw new ValueError("SubgraphMatcher cannot be initialized with an empty pattern");
    for (const node of pattern.nodes)
      if (node.op !== "output" && !(node.is_impure as () => boolean).call(node) && node.users.size === 0)
        throw new AssertionError("SubgraphMatcher cannot be initialized with an pattern with dead code");
    const output = pattern.output_node();
    this.pattern_placeholder_nodes = placeholders_of(pattern);
    this.pattern_returning_nodes = output.all_input_nodes;
    this.pattern_anchors = match_output ? [output] : output.all_input_nodes.filter((n) => n.users.size === 1);
  }

  private attributes_match(pn: Node, gn: Node): boolean {
    const value = ({ graph, target }: Node): unknown => attribute_at(graph.owning_module as Module, target as string);
    const [p, g] = [value(pn), value(gn)];
    if (type_of(p) !== type_of(g)) return false;
    if (p instanceof Tensor) return true;
    throw new RuntimeError(`Unsupported type ${str(p)} when matching attributes`);
  }

  private nodes_are_equal(pn: Node, gn: Node, node_name_match: string): boolean {
    if (!this.match_placeholder && pn.op === "placeholder") return true;
    if (node_name_match !== "" && gn.name.includes(node_name_match)) return true;
    if (pn.op !== gn.op) return false;
    if (pn.op === "placeholder" || pn.op === "output") return true;
    if (pn.op === "get_attr") return this.attributes_match(pn, gn);
    return pn.target === gn.target;
  }

  /** Whether only the results of the match are used outside it. */
  private is_contained(nodes_map: PyDict): boolean {
    const inside = new Map<unknown, Node>();
    for (const [pn, gn] of nodes_map as Map<Node, Node>) if (pn.op !== "placeholder") inside.set(gn, pn);
    for (const [gn, pn] of inside) {
      if (this.pattern_returning_nodes.includes(pn)) continue;
      for (const user of (gn as Node).users.keys()) if (!inside.has(user)) return false;
    }
    return true;
  }

  private without_overlaps(matches: readonly InternalMatch[]): InternalMatch[] {
    const taken = new Set<unknown>();
    return matches.filter(({ nodes_map }) => {
      const nodes = [...(nodes_map as Map<Node, unknown>)].filter(([pn]) => is_compute(pn)).map(([, gn]) => gn);
      if (nodes.some((node) => taken.has(node))) return false;
      for (const node of nodes) taken.add(node);
      return true;
    });
  }

  private literals_match(pn: unknown, gn: unknown, match: InternalMatch): boolean {
    if (pn instanceof Node) {
      if (pn.op !== "placeholder") return false;
      if (match.nodes_map.has(pn)) return equal(match.nodes_map.get(pn), gn);
      match.nodes_map.set(pn, gn);
      return true;
    }
    return !(gn instanceof Node) && type_of(gn) === type_of(pn) && equal(gn, pn);
  }

  private args_match(a: readonly unknown[], b: readonly unknown[], match: InternalMatch): boolean {
    if (a.length !== b.length) return false;
    return a.every((p, i) => {
      const g = b[i];
      if (p instanceof Node && g instanceof Node) return this.match_nodes(p, g, match, "");
      if (Array.isArray(p) && Array.isArray(g)) return this.args_match(p, g, match);
      return this.literals_match(p, g, match) || this.ignore_literals;
    });
  }

  private match_nodes(pn: Node, gn: Node, match: InternalMatch, node_name_match: string): boolean {
    const { nodes_map } = match;
    if (nodes_map.has(pn)) return nodes_map.get(pn) === gn;
    for (const other of nodes_map.values()) if (other === gn) return false;
    if (!this.nodes_are_equal(pn, gn, node_name_match)) return false;
    nodes_map.set(pn, gn);
    if (pn.op === "placeholder") return true;
    const same_names = [...pn.kwargs.keys()].join() === [...gn.kwargs.keys()].join();
    if (pn.args.length === gn.args.length && same_names)
      return this.args_match([...pn.args, ...pn.kwargs.values()], [...gn.args, ...gn.kwargs.values()], match);
    if (pn.op !== "call_function" || !(pn.target instanceof OpOverload)) return false;
    const schema = pn.target._schema.arguments;
    const all = ({ args, kwargs }: Node): unknown[] =>
      schema.map((arg, i) =>
        kwargs.has(arg.name)
          ? kwargs.get(arg.name)
          : !arg.kwarg_only && i < args.length
            ? args[i]
            : (arg.default_value ?? null),
      );
    return this.args_match(all(pn), all(gn), match);
  }

  /** All places of the graph that match; each is given with the nodes that stand for those of the pattern. */
  match(graph: Graph, node_name_match = ""): InternalMatch[] {
    const candidates = this.pattern_anchors
      .map((anchor): [Node, Node[]] => [
        anchor,
        [...graph.nodes].filter((node) => this.nodes_are_equal(anchor, node, node_name_match)),
      ])
      .filter(([, nodes]) => nodes.length > 0);
    const matches: InternalMatch[] = [];
    const search = (index: number, match: InternalMatch): void => {
      if (index === candidates.length) {
        const found = (pn: Node): unknown => {
          if (!match.nodes_map.has(pn)) throw new AssertionError(`${pn.name} is not in the match`);
          return match.nodes_map.get(pn);
        };
        match.placeholder_nodes = this.pattern_placeholder_nodes.map(found);
        match.returning_nodes = this.pattern_returning_nodes.map(found) as Node[];
        matches.push(match);
        return;
      }
      const [anchor, nodes] = candidates[index] as [Node, Node[]];
      for (const node of nodes) {
        const attempt = match.copy();
        if (this.match_nodes(anchor, node, attempt, node_name_match)) search(index + 1, attempt);
      }
    };
    if (candidates.length > 0) search(0, new InternalMatch(this.pattern_anchors));
    const valid = matches.filter(
      ({ nodes_map }) =>
        this.is_contained(nodes_map) &&
        is_acyclic([...(nodes_map as Map<Node, Node>)].filter(([pn]) => is_compute(pn)).map(([, gn]) => gn)),
    );
    return this.remove_overlapping_matches ? this.without_overlaps(valid) : valid;
  }
}
