/**
 * @file One graph of a translation: that of the frame, or that of a function which an operator takes as an argument.
 * @mirrors torch/_dynamo/output_graph.py#SubgraphTracer
 *
 *     torch.cond(p, lambda a: a + y, ...)        frame's graph:   p, x, y = ...;  cond(p, cond_true_0, ..., (x, y))
 *                                                cond_true_0:     placeholders x, y;  add = x + y
 * A node of an outer graph cannot be an argument in an inner one. It is *lifted*: the inner graph gets a placeholder for it, and the node that
 * calls the inner graph passes the outer node.
 */
import { PyDict } from "#python/Objects/dictobject";
import { FakeTensor } from "#torch/_subclasses/fake_tensor/index";
import { sizes_of, strides_of } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { SymInt } from "#torch/fx/experimental/sym_node";
import { Graph } from "#torch/fx/graph/index";
import { map_arg_, type Node } from "#torch/fx/node";
import { mutation_scope } from "./mutation_scope.ts";

const example_of = (node: Node): unknown => (node.meta as Map<unknown, unknown>).get("example_value");
/** The symbols in the sizes and strides of a tensor. */
const symbols_of = (t: Tensor): Set<string> =>
  new Set([...sizes_of(t), ...strides_of(t)].flatMap((expr) => [...expr.free_symbols()].map(String)));

export class SubgraphTracer {
  readonly graph = new (Graph as unknown as new () => Graph)();
  /** The tracer of the graph around this one; null for the frame's. */
  readonly parent: SubgraphTracer | null;
  /** Nodes of outer graphs, with the placeholders that stand for them here, in the order in which they were met. */
  readonly lifted_freevars = new Map<Node, Node>();
  /** The node of each symbol that is an input of the frame's graph. */
  private readonly symbol_nodes: ReadonlyMap<string, Node>;
  private readonly bound_symbols = new Map<string, Node>();
  /** Versions of the tensors among the inputs when they became inputs. */
  private readonly versions = new Map<Node, number>();

  constructor(parent: SubgraphTracer | null, symbol_nodes: ReadonlyMap<string, Node>) {
    this.parent = parent;
    this.symbol_nodes = symbol_nodes;
  }

  placeholders(): Node[] {
    return [...this.graph.nodes].filter((node) => node.op === "placeholder");
  }

  /** Adds a placeholder behind the others. */
  create_graph_input(name: string, type: unknown, example: unknown): Node {
    const last = this.placeholders().at(-1) ?? null;
    const at =
      last === null ? this.graph.inserting_before([...this.graph.nodes][0] ?? null) : this.graph.inserting_after(last);
    at.__enter__();
    const node = this.graph.create_node("placeholder", name, [], new PyDict(), null, type);
    at.__exit__();
    (node.meta as Map<unknown, unknown>).set("example_value", example);
    if (example instanceof Tensor) this.versions.set(node, example._version);
    return node;
  }
  /** The inputs that the graph writes to. */
  mutated_inputs(): Node[] {
    return [...this.versions].flatMap(([node, version]) =>
      (example_of(node) as Tensor)._version === version ? [] : [node],
    );
  }

  /** Adds a node. Nodes of outer graphs among its arguments are lifted. */
  create_node(op: string, target: unknown, args: readonly unknown[], kwargs: PyDict, name: string | null): Node {
    const lifted = this.parent === null ? [[...args], kwargs] : [this.lift_all([...args]), this.lift_all(kwargs)];
    return this.graph.create_node(op, target as never, lifted[0], lifted[1], name, null);
  }

  /** The argument with lifted nodes. */
  lift_all(arg: unknown): unknown {
    return map_arg_(arg as never, (node) => this.lift(node));
  }

  /** The node of this graph for a node of this graph or of one around it. */
  lift(node: Node): Node {
    if (node.graph === this.graph || this.parent === null) return node;
    const example = example_of(node);
    const symbol = example instanceof SymInt ? String((example.node as { expr: unknown }).expr) : null;
    const known = (symbol === null ? undefined : this.bound_symbols.get(symbol)) ?? this.lifted_freevars.get(node);
    if (known !== undefined) return known;
    this.parent.lift(node);
    if (example instanceof Tensor) for (const name of symbols_of(example)) this.lift_symbol(name);
    const type = example instanceof Tensor ? FakeTensor : example instanceof SymInt ? SymInt : null;
    const input = this.create_graph_input(node.name, type, example);
    if (symbol !== null && this.symbol_nodes.get(symbol) === node) this.bound_symbols.set(symbol, input);
    this.lifted_freevars.set(node, input);
    return input;
  }

  private lift_symbol(name: string): void {
    const node = this.symbol_nodes.get(name);
    if (node !== undefined) this.lift(node);
  }
}

/** The stack of tracers while inner graphs grow. */
export class Tracers {
  readonly root: SubgraphTracer;
  current: SubgraphTracer;
  private readonly symbol_nodes: ReadonlyMap<string, Node>;

  constructor(symbol_nodes: ReadonlyMap<string, Node>) {
    this.symbol_nodes = symbol_nodes;
    this.root = new SubgraphTracer(null, symbol_nodes);
    this.current = this.root;
  }

  /** A tracer for a graph inside the one of `parent`. */
  inner(parent: SubgraphTracer = this.current): SubgraphTracer {
    return new SubgraphTracer(parent, this.symbol_nodes);
  }

  /** Runs `fn` while nodes go into the graph of `tracer`. */
  inside<R>(tracer: SubgraphTracer, fn: () => R): R {
    const before = this.current;
    this.current = tracer;
    mutation_scope.depth++;
    try {
      return fn();
    } finally {
      mutation_scope.depth--;
      this.current = before;
    }
  }
}
