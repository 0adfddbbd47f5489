/**
 * @file The import graphs of the house pages: read from the sources, laid out here, drawn by src/components/ImportGraph.
 *
 * What counts is what runs: `import type` is left out here (tools/layers.ts looks at it, too). An import from a lower layer into a higher
 * one ends the build.
 */
import { join, posix } from "node:path";
import dagre from "@dagrejs/dagre";
import { imports_of, read_sources } from "../../tools/imports_of.ts";
import type { Context } from "./context";
import { type GraphPlan, graphFile, graphPlans, layers } from "./import_graph_plans";

export type Imports = ReadonlyMap<string, readonly string[]>;

export interface GraphNode {
  readonly id: string;
  readonly label: string;
  /** The text below the label: a folder, or a count of files. */
  readonly note: string;
  /** A file of ours, or a folder. */
  readonly path: string;
  readonly files: readonly string[];
  readonly layer: string;
  /** Center and size, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Every node it imports from; the drawn arrows are those that do not follow from others. */
  readonly imports: readonly string[];
}

export interface ImportGraphData {
  readonly id: string;
  readonly title: string;
  readonly fileCount: number;
  readonly importCount: number;
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly path: string }[];
  readonly bands: readonly { readonly label: string; readonly y: number; readonly height: number }[];
  /** Layers further down that these files import from, and in how many files. */
  readonly below: readonly { readonly layer: string; readonly files: number }[];
  /** Layers further up whose files import from these. */
  readonly above: readonly { readonly layer: string; readonly files: number }[];
}

/** Files that each file imports when it runs, in the order of its text. */
export function readImports(root: string, folders: readonly string[] = ["src", "tools/codegen"]): Imports {
  const sources = read_sources(root, folders);
  return new Map(
    [...sources].map(([path, text]) => {
      const targets = imports_of(path, text).filter(({ to, type_only }) => !type_only && sources.has(to));
      return [path, [...new Set(targets.map(({ to }) => to))]];
    }),
  );
}

/** The number of the layer that holds a file, from the highest layer down. */
export function layerOf(path: string): number {
  const index = layers.findIndex(({ holds }) => holds.test(path));
  if (index < 0) throw new Error(`import graph: ${path} is in no layer`);
  return index;
}

/** Imports from a lower layer into a higher one, as `file -> file`. */
export function upwardImports(imports: Imports): string[] {
  const found: string[] = [];
  for (const [path, targets] of imports)
    for (const target of targets) if (layerOf(target) < layerOf(path)) found.push(`${path} -> ${target}`);
  return found;
}

interface Group {
  readonly id: string;
  label: string;
  note: string;
  readonly path: string;
  readonly files: string[];
  readonly layer: number;
  readonly imports: Set<string>;
}

/** The nodes of a plan: named ones, and each remaining file by itself. */
function group(plan: GraphPlan, files: readonly string[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const file of files) {
    const named = plan.nodes?.find(({ match }) => match.test(file));
    const id = named?.label ?? file;
    const found = groups.get(id);
    if (found !== undefined) {
      found.files.push(file);
      continue;
    }
    const folder = posix.relative(plan.id, posix.dirname(file));
    groups.set(id, {
      id,
      label: named?.label ?? posix.basename(file),
      note: named?.note ?? (named === undefined && !folder.startsWith("..") ? folder : ""),
      path: named?.path ?? file,
      files: [file],
      layer: layerOf(file),
      imports: new Set(),
    });
  }
  return groups;
}

/** Nodes that reach each other become one: a picture of layers has no circles. */
function mergeCircles(groups: Map<string, Group>): void {
  const reach = (from: string): Set<string> => {
    const seen = new Set<string>();
    const open = [from];
    for (let id = open.pop(); id !== undefined; id = open.pop())
      for (const next of groups.get(id)?.imports ?? [])
        if (!seen.has(next)) {
          seen.add(next);
          open.push(next);
        }
    return seen;
  };
  for (const id of [...groups.keys()]) {
    const one = groups.get(id);
    if (one === undefined) continue;
    const partners = [...reach(id)].filter((other) => other !== id && reach(other).has(id));
    for (const other of partners) {
      const gone = groups.get(other) as Group;
      one.files.push(...gone.files);
      one.label += ` + ${gone.label}`;
      for (const target of gone.imports) one.imports.add(target);
      groups.delete(other);
      for (const g of groups.values()) if (g.imports.delete(other)) g.imports.add(id);
    }
    one.imports.delete(id);
  }
}

/** The edges of an acyclic graph that do not follow from other edges. */
function withoutImplied(groups: ReadonlyMap<string, Group>): [string, string][] {
  const memo = new Map<string, Set<string>>();
  const reach = (id: string): Set<string> => {
    let all = memo.get(id);
    if (all !== undefined) return all;
    memo.set(id, (all = new Set()));
    for (const next of groups.get(id)?.imports ?? []) {
      all.add(next);
      for (const further of reach(next)) all.add(further);
    }
    return all;
  };
  const kept: [string, string][] = [];
  for (const [id, { imports }] of groups)
    for (const target of imports)
      if (![...imports].some((other) => other !== target && reach(other).has(target))) kept.push([id, target]);
  return kept;
}

const charWidth = 6.6;
const noteWidth = 5.6;

function sizeOf(g: Group): { width: number; height: number } {
  const width = Math.max(g.label.length * charWidth, g.note.length * noteWidth) + 18;
  return { width: Math.round(width), height: g.note === "" ? 24 : 36 };
}

function round(x: number): number {
  return Math.round(x * 10) / 10;
}

/**
 * Rows, counted from the bottom: everything stands above what it imports, no row is wider than `rowWidth`, no layer shares a row with
 * another. Of the nodes that could stand in a row, those with the longest way to the top go first.
 */
function rows(groups: readonly Group[], edges: readonly [string, string][]): Map<string, number> {
  const importers = new Map<string, string[]>(groups.map((g) => [g.id, []]));
  for (const [from, to] of edges) importers.get(to)?.push(from);
  const heights = new Map<string, number>();
  const height = (id: string): number => {
    let known = heights.get(id);
    if (known === undefined) heights.set(id, (known = 1 + Math.max(0, ...(importers.get(id) ?? []).map(height))));
    return known;
  };
  const row = new Map<string, number>();
  const used: number[] = [];
  let floor = 0;
  for (const layer of [...new Set(groups.map((g) => g.layer))].sort((a, b) => b - a)) {
    const waiting = new Set(groups.filter((g) => g.layer === layer));
    for (let at = floor; waiting.size > 0; at++) {
      const ready = [...waiting].filter((g) =>
        edges.every(([from, to]) => from !== g.id || (row.get(to) ?? Infinity) < at),
      );
      ready.sort((a, b) => height(b.id) - height(a.id));
      for (const g of ready) {
        const width = sizeOf(g).width + 14;
        if ((used[at] ?? 0) > 0 && used[at] + width > rowWidth) continue;
        used[at] = (used[at] ?? 0) + width;
        row.set(g.id, at);
        waiting.delete(g);
        floor = at + 1;
      }
    }
  }
  return row;
}

interface Box {
  x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Placed {
  readonly at: ReadonlyMap<string, Box>;
  readonly width: number;
  readonly height: number;
  readonly paths: readonly { readonly from: string; readonly to: string; readonly path: string }[];
}

const rowWidth = 760;
const rowGap = 40;
const nodeGap = 14;
/** Room for arrows that go around a row. */
const margin = 18;

/** Pushes a row's boxes apart, in their order, as near as can be to where they wish to stand. */
function spread(boxes: readonly Box[], wishes: readonly number[], width: number): void {
  let left = margin;
  boxes.forEach((box, i) => {
    box.x = Math.max(wishes[i], left + box.width / 2);
    left = box.x + box.width / 2 + nodeGap;
  });
  let right = width - margin;
  for (const box of [...boxes].reverse()) {
    box.x = Math.min(box.x, right - box.width / 2);
    right = box.x - box.width / 2 - nodeGap;
  }
}

/** dagre finds the order in each row; the places are made narrower than it would. Nodes that no arrow touches stand below the others. */
function layOut(groups: readonly Group[], edges: readonly [string, string][]): Placed {
  const connected = groups.filter((g) => edges.some((edge) => edge.includes(g.id)));
  const row = rows(connected, edges);
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "TB", nodesep: nodeGap, edgesep: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const g of connected) graph.setNode(g.id, sizeOf(g));
  // Each edge as long as its rows are apart: so dagre's ranks are the rows.
  for (const [from, to] of edges)
    graph.setEdge(from, to, { minlen: (row.get(from) as number) - (row.get(to) as number) });
  if (connected.length > 0) dagre.layout(graph);

  const lines: string[][] = [];
  for (const g of connected) (lines[row.get(g.id) as number] ??= []).push(g.id);
  lines.reverse();
  for (const line of lines) line.sort((a, b) => graph.node(a).x - graph.node(b).x);
  const at = new Map<string, Box>();
  const lineWidth = (ids: readonly string[]): number =>
    ids.reduce((sum, id) => sum + (graph.node(id).width as number) + nodeGap, -nodeGap);
  const width = Math.max(...lines.map(lineWidth), 0) + 2 * margin;
  let top = 4;
  const lineBounds: { readonly top: number; readonly bottom: number }[] = [];
  for (const line of lines) {
    const tallest = Math.max(...line.map((id) => graph.node(id).height as number));
    let x = (width - lineWidth(line)) / 2;
    for (const id of line) {
      const node = graph.node(id);
      at.set(id, { x: x + node.width / 2, y: top + tallest / 2, width: node.width, height: node.height });
      x += node.width + nodeGap;
    }
    lineBounds.push({ top, bottom: top + tallest });
    top += tallest + rowGap;
  }
  const box = (id: string): Box => at.get(id) as Box;
  const neighbours = (id: string): number[] =>
    edges.flatMap(([from, to]) => (from === id ? [box(to).x] : to === id ? [box(from).x] : []));
  for (let round = 0; round < 12; round++)
    for (const line of round % 2 === 0 ? lines : [...lines].reverse()) {
      const wishes = line.map((id) => {
        const all = neighbours(id);
        return all.reduce((sum, x) => sum + x, 0) / all.length;
      });
      spread(line.map(box), wishes, width);
    }

  let height = connected.length > 0 ? top - rowGap + 4 : 0;
  let fullWidth = width;
  let x = margin;
  for (const g of groups) {
    if (connected.includes(g)) continue;
    const size = sizeOf(g);
    if (x > margin && x + size.width > Math.max(width, rowWidth) - margin) {
      x = margin;
      height += 46;
    }
    at.set(g.id, { x: x + size.width / 2, y: height + 30, ...size });
    x += size.width + nodeGap;
    fullWidth = Math.max(fullWidth, x - nodeGap + margin);
  }
  if (x > margin) height += 54;
  const paths = edges.map(([from, to]) => {
    const first = lines.findIndex((line) => line.includes(from));
    const last = lines.findIndex((line) => line.includes(to));
    const between = lines
      .slice(first + 1, last)
      .map((line, i) => ({ boxes: line.map(box), ...lineBounds[first + 1 + i] }));
    return { from, to, path: route(box(from), box(to), between, width) };
  });
  return { at, width: fullWidth, height, paths };
}

/** From box to box, through the gaps of the rows in between. */
function route(
  from: Box,
  to: Box,
  between: readonly { readonly boxes: readonly Box[]; readonly top: number; readonly bottom: number }[],
  width: number,
): string {
  const end = to.y - to.height / 2;
  let x = from.x;
  let y = from.y + from.height / 2;
  let path = `M${round(x)},${round(y)}`;
  const curveTo = (nextX: number, nextY: number): void => {
    const middle = round((y + nextY) / 2);
    path += `C${round(x)},${middle} ${round(nextX)},${middle} ${round(nextX)},${round(nextY)}`;
    x = nextX;
    y = nextY;
  };
  for (const { boxes, top, bottom } of between) {
    const straight = x + ((to.x - x) * (top - y)) / (end - y);
    const edgesOfGaps = [0, ...boxes.flatMap((b) => [b.x - b.width / 2, b.x + b.width / 2]), width];
    let best = straight;
    let distance = Infinity;
    for (let i = 0; i < edgesOfGaps.length; i += 2) {
      const [low, high] = [edgesOfGaps[i] + 5, edgesOfGaps[i + 1] - 5];
      if (low > high) continue;
      const nearest = Math.min(Math.max(straight, low), high);
      if (Math.abs(nearest - straight) < distance) {
        distance = Math.abs(nearest - straight);
        best = nearest;
      }
    }
    curveTo(best, top - 2);
    path += `V${round(bottom + 2)}`;
    y = bottom + 2;
  }
  curveTo(to.x, end);
  return path;
}

/** A band behind each layer's nodes, from half way to the layer above to half way to the layer below. */
function bandsOf(nodes: readonly GraphNode[], height: number): ImportGraphData["bands"] {
  const bands = layers
    .map(({ name }) => ({ label: name, own: nodes.filter((n) => n.layer === name) }))
    .filter(({ own }) => own.length > 0)
    .map(({ label, own }) => ({
      label,
      top: Math.min(...own.map((n) => n.y - n.height / 2)),
      bottom: Math.max(...own.map((n) => n.y + n.height / 2)),
    }));
  return bands.map(({ label, top, bottom }, i) => {
    const before = bands[i - 1];
    const after = bands[i + 1];
    const y = before === undefined ? 0 : (before.bottom + top) / 2 + 2;
    const end = after === undefined ? height : (bottom + after.top) / 2 - 2;
    return { label, y: round(y), height: round(end - y) };
  });
}

function countBy(entries: Iterable<[number, string]>): { layer: string; files: number }[] {
  const files = new Map<number, Set<string>>();
  for (const [layer, file] of entries) files.set(layer, (files.get(layer) ?? new Set()).add(file));
  return [...files]
    .sort(([a], [b]) => a - b)
    .map(([layer, of]) => ({ layer: (layers[layer] as { name: string }).name, files: of.size }));
}

export function makeGraph(plan: GraphPlan, imports: Imports): ImportGraphData {
  const files = [...imports.keys()].filter((file) => plan.files.test(file));
  if (files.length === 0) throw new Error(`import graph ${plan.id}: no file matches ${plan.files}`);
  const groups = group(plan, files);
  const groupOf = new Map<string, string>();
  for (const [id, g] of groups) for (const file of g.files) groupOf.set(file, id);
  let importCount = 0;
  for (const file of files)
    for (const target of imports.get(file) ?? []) {
      const [from, to] = [groupOf.get(file) as string, groupOf.get(target)];
      if (to === undefined) continue;
      importCount++;
      if (to !== from) (groups.get(from) as Group).imports.add(to);
    }
  mergeCircles(groups);
  if (groups.size > 40)
    throw new Error(
      `import graph ${plan.id}: ${groups.size} nodes are too many to read; put files together in import_graph_plans.ts`,
    );
  for (const g of groups.values()) if (g.note === "" && g.files.length > 1) g.note = `${g.files.length} files`;

  const edges = withoutImplied(groups);
  const placed = layOut([...groups.values()], edges);
  const nodes: GraphNode[] = [...placed.at].map(([id, { x, y, width, height }]) => {
    const g = groups.get(id) as Group;
    const layer = (layers[g.layer] as { name: string }).name;
    const { label, note, path, files: members } = g;
    return {
      id,
      label,
      note,
      path,
      files: members,
      layer,
      x: round(x),
      y: round(y),
      width,
      height,
      imports: [...g.imports],
    };
  });
  const inside = new Set(files);
  const below: [number, string][] = [];
  const above: [number, string][] = [];
  const ownLayers = new Set(files.map(layerOf));
  for (const [file, targets] of imports)
    for (const target of targets) {
      if (inside.has(file) && !inside.has(target) && !ownLayers.has(layerOf(target)))
        below.push([layerOf(target), file]);
      if (!inside.has(file) && inside.has(target) && !ownLayers.has(layerOf(file))) above.push([layerOf(file), file]);
    }
  return {
    id: plan.id,
    title: plan.title,
    fileCount: files.length,
    importCount,
    width: Math.ceil(placed.width),
    height: Math.ceil(placed.height),
    nodes,
    edges: placed.paths,
    bands: plan.bands === true ? bandsOf(nodes, Math.ceil(placed.height)) : [],
    below: countBy(below),
    above: countBy(above),
  };
}

export async function importGraphs(context: Context): Promise<string> {
  const imports = readImports(context.root);
  const upward = upwardImports(imports);
  if (upward.length > 0) throw new Error(`imports may only go down; these go up:\n  ${upward.join("\n  ")}`);
  for (const plan of graphPlans)
    context.write(
      join(context.generated, "import_graphs", graphFile(plan.id)),
      JSON.stringify(makeGraph(plan, imports)),
    );
  return `${graphPlans.length} graphs of ${imports.size} files`;
}
