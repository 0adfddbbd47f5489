/**
 * @file The tests of an operator: recordings of PyTorch that contain it, and test files that name it.
 * @original
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import type { OperatorFacts } from "./operators.ts";

/** A recording of what PyTorch does, or a test that names the operator. */
interface Known {
  readonly opinfo: ReadonlyMap<string, string[]>;
  /** Number of recorded call paths that contain the operator (`add_Tensor`). */
  readonly paths: ReadonlyMap<string, number>;
  readonly texts: readonly { readonly path: string; readonly words: ReadonlySet<string> }[];
}

let known: { readonly root: string; readonly value: Known } | null = null;

/** Lines for a reader: recordings first, then files. */
export function testsOf(root: string, o: Pick<OperatorFacts, "name" | "unambiguous" | "base">): string[] {
  if (known?.root !== root) known = { root, value: read(root) };
  const { opinfo, paths, texts } = known.value;
  const lines = [
    "test/fixtures/dispatch/operators.json.gz: its table, row by row, against PyTorch's",
    ...(opinfo.get(o.base) ?? []).map((path) => `${path}: PyTorch's values for PyTorch's own samples`),
  ];
  const recorded = paths.get(o.unambiguous) ?? 0;
  if (recorded > 0)
    lines.push(`test/fixtures/paths: ${recorded} recorded call ${recorded === 1 ? "path holds" : "paths hold"} it`);
  // A short name like `t` or `to` may be any method, so only calls through torch count.
  const plain = o.base.length > 3 || o.base.includes("_") ? [`.${o.base}(`] : [];
  // `torch.special.i1(` calls special_i1.
  const [, module, short] = /^(special|linalg|fft)_(\w+)$/.exec(o.base) ?? [];
  const ofModule = module === undefined ? [] : [`${module}.${short}(`];
  const marks = [
    `aten::${o.name}`,
    `"${o.name}"`,
    o.unambiguous,
    `torch.${o.base}(`,
    `F.${o.base}(`,
    `at.${o.base}(`,
    ...plain,
    ...ofModule,
  ];
  const files = texts.filter(({ words }) => marks.some((mark) => words.has(mark)));
  return [...lines, ...files.map(({ path }) => path)];
}

/** All texts in a test that may name an operator: schema names, quoted names, calls, names in the spelling of `at::_ops`. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const m of text.matchAll(/aten::[\w.]*\w|"[\w.]+"|\b(?:torch|F|at|special|linalg|fft)\.\w+\(|\w+_\w+/g))
    words.add(m[0]);
  for (const m of text.matchAll(/\.\w+\(/g)) words.add(m[0]);
  return words;
}

function read(root: string): Known {
  const opinfo = new Map<string, string[]>();
  const fixtures = join(root, "test/fixtures/opinfo");
  for (const file of existsSync(fixtures) ? readdirSync(fixtures).sort() : []) {
    const base = file.replace(/^nn\.functional\./, "").split(".")[0];
    opinfo.set(base, [...(opinfo.get(base) ?? []), `test/fixtures/opinfo/${file}`]);
  }
  const paths = new Map<string, number>();
  for (const file of ["backtraces", "more"]) {
    const path = join(root, `test/fixtures/paths/${file}.json.gz`);
    if (!existsSync(path)) continue;
    const { cases } = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {
      cases: Record<string, { rows: [number, string, ...unknown[]][] }>;
    };
    for (const { rows } of Object.values(cases))
      for (const name of new Set(rows.map((r) => r[1]))) paths.set(name, (paths.get(name) ?? 0) + 1);
  }
  const texts = [...testFiles(join(root, "test"))].map((path) => ({
    path: relative(root, path),
    words: wordsOf(readFileSync(path, "utf8")),
  }));
  return { opinfo, paths, texts };
}

function* testFiles(folder: string): Generator<string> {
  if (!existsSync(folder)) return; // a copy that contains only the sources
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* testFiles(path);
    else if (entry.name.endsWith(".test.ts")) yield path;
  }
}
