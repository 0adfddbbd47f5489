/**
 * @file The graphs of a recording: each gets a number when its first node is added, and its texts are taken when it is complete.
 * @original
 * @see src/c10/util/Trace.ts#CapturedGraph
 */
import { type CapturedGraph, type CapturedNode, current_tracer, setTracer } from "#c10/util/Trace";
import type { GraphRecord, SourcePosition } from "./event.ts";

/** Where the program stood when each node was recorded, by its name. */
type Recorded = Map<string, SourcePosition | null>;

interface Entry {
  readonly graph: CapturedGraph;
  readonly recorded: Recorded;
  record: GraphRecord | null;
}

export class CapturedGraphs {
  private readonly numbers = new Map<CapturedGraph, number>();
  private readonly entries: Entry[] = [];
  /** The name of a file of the program in the recording. */
  private readonly name_of: (file: string) => string;

  constructor(name_of: (file: string) => string) {
    this.name_of = name_of;
  }

  /** The number of a graph in this recording. */
  number_of(graph: CapturedGraph): number {
    const known = this.numbers.get(graph);
    if (known !== undefined) return known;
    this.numbers.set(graph, this.entries.length);
    return this.entries.push({ graph, recorded: new Map(), record: null }) - 1;
  }

  add_node(graph: number, node: string, source: SourcePosition | null): void {
    this.entries[graph]?.recorded.set(node, source);
  }

  /** Takes the texts of a graph that is complete. A graph made from another one has the nodes of that one by their names. */
  complete(number: number, from: number | null): void {
    const entry = this.entries[number];
    if (entry === undefined || entry.record !== null) return;
    const parent = from === null ? undefined : this.entries[from]?.recorded;
    entry.record = record_of(number, entry, parent, this.name_of);
  }

  /** All graphs; one that is not complete is taken as it is now. */
  records(): GraphRecord[] {
    return this.entries.map((entry, number) => (entry.record ??= record_of(number, entry, undefined, this.name_of)));
  }
}

function record_of(
  id: number,
  { graph, recorded }: Entry,
  parent: Recorded | undefined,
  name_of: (file: string) => string,
): GraphRecord {
  const active = current_tracer();
  setTracer(null); // the library that prints the graph is not part of what is recorded
  try {
    const source_of = ({ id: node, source }: CapturedNode): SourcePosition | null =>
      source === undefined
        ? (recorded.get(node) ?? parent?.get(node) ?? null)
        : { file: name_of(source.file), line: source.line };
    const nodes = graph.nodes().map((node) => ({ ...node, source: source_of(node) }));
    const record = { id, ir: graph.ir, text: graph.text(), nodes };
    if (graph.code !== undefined) Object.assign(record, { code: graph.code() });
    if (graph.code_places !== undefined) Object.assign(record, { code_places: graph.code_places() });
    if (graph.tree !== undefined) Object.assign(record, { tree: graph.tree() });
    return record;
  } finally {
    setTracer(active);
  }
}
