/**
 * @file The autograd graph in a recording: nodes as they were made, their edges, and the order in which the engine ran them.
 *
 * Events number the nodes and list their edges: that is the graph. Older recordings only name the targets of edges.
 * There two facts connect them: an edge leads to the node that made the tensor (identified by its storage), and the
 * gradient on a node's edge i is its output i, which the next node receives. If neither decides, the youngest node of
 * that name is meant, as in the engine's own order.
 * @mirrors torch/csrc/autograd/graph_task.h
 */
import type { EdgeRecord, TensorRecord, TraceEvent } from "../../../../src/trace/event.ts";
import { shortName, tensorsOf } from "./label.ts";
import type { TraceModel } from "./TraceModel.ts";

export interface GraphNode {
  readonly id: number;
  readonly name: string;
  /** Event that made the node, if it was recorded. */
  readonly made: number | null;
  /** Event in which the engine ran it, and its place in the engine's order, from 1. */
  ran: number | null;
  order: number | null;
  readonly sequence: number | null;
  /** The tensor that the node made or, for a leaf, to which it adds. */
  readonly tensor: TensorRecord | null;
  readonly leaf: boolean;
}

export interface GraphEdge {
  readonly from: number;
  readonly to: number;
  /** `edge`: from next_edges. `gradient`: seen only as a gradient passed on. `order`: only the order is known. */
  readonly kind: "edge" | "gradient" | "order";
  /** Number of the input of `to` that receives the gradient, if recorded. */
  readonly input: number | null;
  /** Shape of the gradient that passed, if one did. */
  gradient: string | null;
}

export interface AutogradGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** A gradient on its way: the node and the edge it came from. */
interface Handed {
  readonly node: GraphNode;
  readonly edge: GraphEdge | null;
}

class GraphBuilder {
  readonly nodes: GraphNode[] = [];
  readonly edges: GraphEdge[] = [];
  private readonly leaves = new Map<number, GraphNode>();
  /** Nodes by the number in the recording. */
  private readonly numbered = new Map<number, GraphNode>();
  /** Gradients on their way, by storage id. */
  private readonly underWay = new Map<number, readonly Handed[]>();
  private readonly model: TraceModel;
  private ran = 0;

  constructor(model: TraceModel) {
    this.model = model;
  }

  private add(fields: Omit<GraphNode, "id">): GraphNode {
    const node = { id: this.nodes.length, ...fields };
    this.nodes.push(node);
    return node;
  }

  private connect(from: GraphNode, to: GraphNode, kind: GraphEdge["kind"], input: number | null = null): GraphEdge {
    const edge: GraphEdge = { from: from.id, to: to.id, kind, input, gradient: null };
    this.edges.push(edge);
    return edge;
  }

  /** Handles the creation of a node: it is below the operator call whose output has it as grad_fn. */
  made(i: number): void {
    const event = this.model.event(i);
    const call = this.model.nearest(i, (above) => above.kind === "op");
    const op = call === -1 ? null : this.model.event(call);
    const node = this.add({
      name: nodeName(event),
      made: i,
      ran: null,
      order: null,
      sequence: sequenceOf(event),
      tensor: tensorsOf(op?.outputs)[0] ?? null,
      leaf: false,
    });
    if (isNumbered(event)) {
      this.numbered.set(event.node, node);
      this.connectNumbered(node, event, tensorsOf(op?.inputs));
      return;
    }
    const names = Array.isArray(event["next_edges"]) ? (event["next_edges"] as readonly (string | null)[]) : [];
    const tensors = tensorsOf(op?.inputs);
    names.forEach((name, k) => {
      if (name !== null)
        this.connect(
          node,
          this.target(node, shortEngineName(name), tensors.length >= names.length ? (tensors[k] ?? null) : null),
          "edge",
        );
    });
  }

  /** Adds the edges in the recording. If `tensors` has one per edge, the k-th belongs to edge k. */
  private connectNumbered(node: GraphNode, event: Numbered, tensors: readonly TensorRecord[] = []): void {
    event.edges.forEach((edge, k) => {
      if (edge === null) return;
      let to = this.numbered.get(edge.node);
      if (to === undefined) {
        const name = shortEngineName(event.next_edges?.[k] ?? "");
        const tensor = tensors.length >= event.edges.length ? (tensors[k] ?? null) : null;
        to = this.add({ name, made: null, ran: null, order: null, sequence: null, tensor, leaf: isLeaf(name) });
        this.numbered.set(edge.node, to);
      }
      this.connect(node, to, "edge", edge.input_nr);
    });
  }

  /** Handles the run of a numbered node: its gradients came over the edges of the nodes that ran before. */
  private runNumbered(i: number, event: Numbered): void {
    let node = this.numbered.get(event.node);
    if (node === undefined) {
      const name = nodeName(event);
      node = this.add({
        name,
        made: null,
        ran: null,
        order: null,
        sequence: sequenceOf(event),
        tensor: null,
        leaf: isLeaf(name),
      });
      this.numbered.set(event.node, node);
    }
    if (!this.edges.some((e) => e.from === node.id)) this.connectNumbered(node, event);
    this.ran++;
    if (node.ran === null) {
      node.ran = i;
      node.order = this.ran;
    }
    const [gradients] = Array.isArray(event.inputs) ? event.inputs : [];
    for (const edge of this.edges) {
      if (edge.to !== node.id || edge.input === null || this.nodes[edge.from]?.ran === null) continue;
      const [gradient] = tensorsOf(Array.isArray(gradients) ? gradients[edge.input] : null);
      if (gradient !== undefined) edge.gradient = `[${gradient.shape.join(", ")}]`;
    }
  }

  private target(from: GraphNode, name: string, tensor: TensorRecord | null): GraphNode {
    const candidates = this.nodes.filter((n) => n !== from && !n.leaf && n.name === name);
    const storage = tensor?.storage ?? null;
    const maker =
      candidates.filter((n) => storage !== null && n.tensor?.storage === storage).at(-1) ?? candidates.at(-1);
    if (maker !== undefined) return maker;
    // Nodes made before the recording began, and the leaves' AccumulateGrad, are identified only by their tensor.
    const known = storage === null ? undefined : this.leaves.get(storage);
    if (known !== undefined && known.name === name) return known;
    const made = this.add({ name, made: null, ran: null, order: null, sequence: null, tensor, leaf: isLeaf(name) });
    if (storage !== null) this.leaves.set(storage, made);
    return made;
  }

  /** Handles the run of a node: its gradients identify it. */
  run(i: number): void {
    const event = this.model.event(i);
    if (isNumbered(event)) {
      this.runNumbered(i, event);
      return;
    }
    const name = nodeName(event);
    const received = tensorsOf(event.inputs).flatMap((t) =>
      t.storage === null ? [] : (this.underWay.get(t.storage) ?? []).map((handed) => ({ handed, t })),
    );
    const named = received.find(({ handed }) => handed.edge !== null && this.free(handed.edge.to, name));
    const node =
      (named === undefined ? undefined : this.nodes[(named.handed.edge as GraphEdge).to]) ??
      this.waiting(event, name) ??
      this.add({
        name,
        made: null,
        ran: null,
        order: null,
        sequence: sequenceOf(event),
        tensor: null,
        leaf: isLeaf(name),
      });
    node.ran = i;
    node.order = ++this.ran;
    for (const { handed, t } of received) {
      const edge =
        handed.edge?.to === node.id
          ? handed.edge
          : handed.edge === null
            ? this.connect(handed.node, node, "gradient")
            : null;
      if (edge !== null) edge.gradient = `[${t.shape.join(", ")}]`;
    }
    this.handOn(node, event);
  }

  private free(id: number, name: string): boolean {
    const node = this.nodes[id] as GraphNode;
    return node.ran === null && node.name === name;
  }

  /** The youngest node of this name that has not run; a profiler trace states the sequence number. */
  private waiting(event: TraceEvent, name: string): GraphNode | undefined {
    const sequence = sequenceOf(event);
    const waiting = this.nodes.filter((n) => n.ran === null && n.name === name);
    return (sequence === null ? undefined : waiting.find((n) => n.sequence === sequence)) ?? waiting.at(-1);
  }

  private handOn(node: GraphNode, event: TraceEvent): void {
    const outgoing = this.edges.filter((e) => e.from === node.id && e.kind === "edge");
    const outputs = Array.isArray(event.outputs) ? event.outputs : [];
    outputs.forEach((output, k) => {
      const storage = tensorsOf(output)[0]?.storage ?? null;
      if (storage !== null) this.underWay.set(storage, [{ node, edge: outgoing[k] ?? null }]);
    });
  }

  /**
   * Handles an operator between two nodes (a sum to the edge's shape, an addition of two gradients), which passes gradients on.
   */
  carry(event: TraceEvent): void {
    const handed = tensorsOf(event.inputs).flatMap((t) =>
      t.storage === null ? [] : (this.underWay.get(t.storage) ?? []),
    );
    if (handed.length === 0) return;
    for (const output of tensorsOf(event.outputs))
      if (output.storage !== null) this.underWay.set(output.storage, [...new Set(handed)]);
  }
}

/** An event of a node, with its number and edges. */
type Numbered = TraceEvent & { readonly node: number; readonly edges: readonly (EdgeRecord | null)[] };

function isNumbered(event: TraceEvent): event is Numbered {
  return typeof event.node === "number" && Array.isArray(event.edges);
}

const isLeaf = (name: string): boolean => name.endsWith("AccumulateGrad");
const shortEngineName = (name: string): string => name.replace(/^(torch::autograd::)?(generated::)?/, "");
const nodeName = (event: TraceEvent): string => shortName(event).replace(/::apply$/, "");

function sequenceOf(event: TraceEvent): number | null {
  return typeof event["sequence_nr"] === "number" ? event["sequence_nr"] : null;
}

/** Whether the event is the run of a node (and not the engine itself, or the profiler's frame around a run). */
export function isNodeRun(event: TraceEvent): boolean {
  if (event.kind !== "engine") return false;
  return (
    event.name.endsWith("::apply") ||
    (!event.name.includes("::Engine::") && !event.name.startsWith("autograd::engine::"))
  );
}

export function graphOf(model: TraceModel): AutogradGraph {
  const builder = new GraphBuilder(model);
  for (let i = 0; i < model.events.length; i++) {
    const event = model.event(i);
    if (event.kind === "autograd") builder.made(i);
    else if (isNodeRun(event)) builder.run(i);
    // Only between nodes: calls inside a node do not pass gradients on.
    else if (
      event.kind === "op" &&
      model.parent[i] !== -1 &&
      model.event(model.parent[i] as number).kind === "engine" &&
      model.nearest(i, isNodeRun) === -1
    )
      builder.carry(event);
  }
  if (builder.edges.length === 0) joinInOrder(builder);
  return { nodes: builder.nodes, edges: builder.edges };
}

/** Connects nodes in the engine's order, because a profiler trace has no edges. */
function joinInOrder(builder: GraphBuilder): void {
  const ran = builder.nodes.filter((node) => node.order !== null);
  for (let k = 1; k < ran.length; k++)
    builder.edges.push({
      from: (ran[k - 1] as GraphNode).id,
      to: (ran[k] as GraphNode).id,
      kind: "order",
      input: null,
      gradient: null,
    });
}
