/**
 * @file The captured graphs of a recording as linked lines: the program, the graph, its code; and how a joint graph was cut.
 * @original
 */
import type { GraphNodeRecord, GraphRecord, SavedRecord, TraceEvent } from "../../../../src/trace/event.ts";
import type { TraceModel } from "./TraceModel.ts";

/** A cut of a joint graph. */
export interface Partition {
  readonly joint: number;
  readonly forward: number;
  readonly backward: number;
  readonly saved: readonly SavedRecord[];
}

export interface Line {
  readonly text: string;
  /** Number of the line in its file, from 1. */
  readonly number: number;
  /** Names of the nodes that belong to this line. */
  readonly nodes: readonly string[];
}

export interface Capture {
  readonly graph: GraphRecord;
  /** How its last capture event names it: `Tracer.trace`, or its part in a cut. */
  readonly title: string;
  readonly partition: Partition | null;
  /** The lines of the program that recorded nodes, and the lines between them; for each file. */
  readonly program: readonly { readonly file: string; readonly lines: readonly Line[] }[];
  /** The syntax tree of a function that was compiled; otherwise there are no lines. */
  readonly tree: readonly Line[];
  readonly text: readonly Line[];
  readonly code: readonly Line[];
  /** The event that recorded a node, by its name. */
  readonly recorded: ReadonlyMap<string, number>;
}

export function capturesOf(model: TraceModel): Capture[] {
  const recorded = model.graphs.map(() => new Map<string, number>());
  /** Events that name a node without its graph: it has the same name in all versions of the graph. */
  const anywhere = new Map<string, number>();
  const titles = new Map<number, string>();
  const partitions = new Map<number, Partition>();
  model.events.forEach((event, i) => {
    if (event.graph !== undefined && event.graph_node !== undefined) recorded[event.graph]?.set(event.graph_node, i);
    else if (event.kind === "capture" && event.graph_node !== undefined) anywhere.set(event.graph_node, i);
    for (const [role, graph] of Object.entries(event.graphs ?? {}))
      if (role === "captured" || !titles.has(graph)) titles.set(graph, titleOf(event, role));
    const { joint, forward, backward } = event.graphs ?? {};
    if (joint === undefined || forward === undefined || backward === undefined) return;
    const partition = { joint, forward, backward, saved: event.saved ?? [] };
    for (const graph of [joint, forward, backward]) partitions.set(graph, partition);
  });
  for (const [i, { nodes }] of model.graphs.entries())
    for (const { id } of nodes) {
      const at = anywhere.get(id);
      if (at !== undefined) recorded[i]?.set(id, at);
    }
  return model.graphs.map((graph, i) => ({
    graph,
    title: titles.get(i) ?? "not completed",
    partition: partitions.get(i) ?? null,
    program: programOf(graph, model.sources),
    tree: linesFrom(graph, graph.tree ?? []),
    text: linesOf(graph.text, graph.nodes, (node) => node.line),
    code: codeOf(graph),
    recorded: recorded[i] as Map<string, number>,
  }));
}

function titleOf({ name, note }: TraceEvent, role: string): string {
  if (role !== "captured") return `${role} graph`;
  return name === "torch::jit::to_ir" ? `script ${note}` : name.split(/\.|::/).slice(-2).join(".");
}

function codeOf(graph: GraphRecord): Line[] {
  const { code = "", code_places, nodes } = graph;
  if (code_places === undefined) return linesOf(code, nodes, (node) => node.code_line);
  return linesFrom(
    graph,
    code.split("\n").map((text, i) => [text, code_places[i] ?? 0] as const),
  );
}

/** A line that knows its line of the program belongs to the nodes that were made from the same one. */
function linesFrom({ nodes }: GraphRecord, lines: readonly (readonly [text: string, source_line: number])[]): Line[] {
  return lines.map(([text, source_line], i) => ({
    text,
    number: i + 1,
    nodes: source_line === 0 ? [] : nodes.filter(({ source }) => source?.line === source_line).map(({ id }) => id),
  }));
}

function linesOf(
  text: string,
  nodes: readonly GraphNodeRecord[],
  lineOf: (node: GraphNodeRecord) => number | undefined,
): Line[] {
  if (text === "") return [];
  const at = new Map<number, string[]>();
  for (const node of nodes) {
    const line = lineOf(node);
    if (line !== undefined) at.set(line, [...(at.get(line) ?? []), node.id]);
  }
  return text.split("\n").map((line, i) => ({ text: line, number: i + 1, nodes: at.get(i + 1) ?? [] }));
}

/** Lines shown above and below those that recorded something. */
const AROUND = 2;

function programOf(graph: GraphRecord, sources: ReadonlyMap<string, string>): Capture["program"] {
  const files = [...new Set(graph.nodes.flatMap((node) => (node.source === null ? [] : [node.source.file])))];
  return files.flatMap((file) => {
    const own = graph.nodes.filter((node) => node.source?.file === file);
    const lines = linesOf(sources.get(file) ?? "", own, (node) => node.source?.line);
    const near = (line: Line): boolean =>
      own.some((node) => Math.abs((node.source?.line ?? 0) - line.number) <= AROUND);
    return lines.length === 0 ? [] : [{ file, lines: lines.filter(near) }];
  });
}
