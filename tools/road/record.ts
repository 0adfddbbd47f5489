/**
 * @file Runs small programs on copies of the sources in which each function reports its entry: it finds which functions
 * run, in the order of their first calls. The counters are in the text, so the result does not depend on the JavaScript
 * engine's compiler.
 * @original
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { functions_of, type SourceFunctions } from "./functions.ts";

/** A program in JavaScript, in three parts. */
export interface Program {
  /** Code that runs once. */
  readonly once: string;
  /** Code that restores the state before each step. */
  readonly ready: string;
  /** The step itself. It is synchronous, so neither a timer nor a finalizer can run in it. */
  readonly step: string;
}

export interface Recording {
  readonly files: ReadonlyMap<string, SourceFunctions>;
  /** The functions that ran, by their number in the file, in the order of first calls: for each program and file. */
  readonly roads: readonly ReadonlyMap<string, readonly number[]>[];
}

/** The place of a function: its file, and its number and name there. */
interface Owner {
  readonly file: string;
  readonly index: number;
  readonly name: string;
}

/** The function that a copy of a source calls at the entry of each function. */
const BANNER = `
let __road_seen = null;
let __road_order = [];
function __road(id) {
  if (__road_seen === null || __road_seen.has(id)) return;
  __road_seen.add(id);
  __road_order.push(id);
}
`;

/**
 * Each program runs once before it counts, so that work of a first call (schemas, tables) is not in its road; then twice.
 * @param folder the repository; @param source folder in it whose functions count, `src/`
 * @param imports lines of JavaScript before the programs
 * @throws {Error} if the two warm runs of a program take different roads.
 */
export async function record(
  folder: string,
  source: string,
  imports: string,
  programs: readonly Program[],
): Promise<Recording> {
  const root = realpathSync(folder); // as the bundler names files
  const scratch = mkdtempSync(join(tmpdir(), "glasstorch-road-"));
  try {
    const files = new Map<string, SourceFunctions>();
    const owners: Owner[] = [];
    const outfile = join(scratch, "program.mjs");
    await build({
      stdin: { contents: `${imports}\n${runs(programs)}`, resolveDir: root, sourcefile: "road.js" },
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "error",
      banner: { js: BANNER },
      plugins: [
        {
          name: "road",
          setup({ onLoad }) {
            onLoad({ filter: /\.ts$/ }, ({ path }) => {
              const file = path.slice(join(root, "/").length).replaceAll("\\", "/");
              if (!path.startsWith(join(root, source))) return null;
              const functions = functions_of(readFileSync(path, "utf8"), owners.length);
              functions.places.forEach(({ name }, index) => {
                owners.push({ file, index, name });
              });
              files.set(file, functions);
              return { contents: functions.told, loader: "ts" };
            });
          },
        },
      ],
    });
    // The JavaScript loops are used, because others depend on the machine.
    const env = { ATEN_CPU_CAPABILITY: "default" };
    const orders = JSON.parse(execFileSync(process.execPath, [outfile], { env, encoding: "utf8" })) as number[][][];
    return { files, roads: orders.map(([warm, again], k) => by_file(warm, again, owners, programs[k].step)) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @throws {Error} if the two orders differ. */
function by_file(
  order: readonly number[],
  again: readonly number[],
  owners: readonly Owner[],
  step: string,
): Map<string, number[]> {
  const differs = [...order.filter((id) => !again.includes(id)), ...again.filter((id) => !order.includes(id))];
  if (differs.length > 0 || String(order) !== String(again)) {
    const named = differs.map((id) => `${owners[id].file}#${owners[id].name}`);
    throw new Error(`two runs of \`${step}\` differ: ${named.join(", ") || "in their order"}`);
  }
  const road = new Map<string, number[]>();
  for (const id of order) {
    const { file, index } = owners[id];
    const ran = road.get(file);
    if (ran === undefined) road.set(file, [index]);
    else ran.push(index);
  }
  return road;
}

/** A program that prints the orders of all programs, each from two warm runs. */
function runs(programs: readonly Program[]): string {
  const each = programs.map(
    ({ once, ready, step }) => `() => { ${once}; return [() => { ${ready}; }, () => { ${step}; }]; }`,
  );
  return `
const orders = [${each.join(",\n")}].map((program) => {
  const [ready, step] = program();
  ready();
  step();
  return [0, 1].map(() => {
    ready();
    __road_order = [];
    __road_seen = new Set();
    step();
    __road_seen = null;
    return __road_order;
  });
});
console.log(JSON.stringify(orders));
`;
}
