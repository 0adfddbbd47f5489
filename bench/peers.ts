/**
 * @file `npm run bench:peers [-- --turns 2] [--only 'add|mm']`: glasstorch beside other libraries of arrays for JavaScript, on the same rows in
 * one run, in turns, each row of each library in a process of its own; with `--webgpu` on a GPU, in a browser (peers/webgpu). They are no dependencies of ours: `cd bench/peers && npm ci`
 * installs them. Never fails on a time.
 * @original
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../tools/build.ts";
import type { Timed } from "./peers/case.ts";
import { name_of, ROWS, type Row, THREAD_ROWS } from "./peers/rows.ts";
import { made_program, ROOT } from "./program.ts";

const { values } = parseArgs({
  options: { turns: { type: "string", default: "2" }, only: { type: "string" }, webgpu: { type: "boolean" } },
});
const TURNS = Number(values.turns);
const only = new RegExp(values.only ?? "");

const folder = join(ROOT, "bench/peers");
const OURS = "glasstorch";

interface Peer {
  readonly name: string;
  readonly package: string;
  readonly node: number;
}
const PEERS: readonly Peer[] = [
  { name: "tfjs-wasm", package: "@tensorflow/tfjs-backend-wasm", node: 0 },
  { name: "jax-js", package: "@jax-js/jax", node: 0 },
  { name: "numpy-ts", package: "numpy-ts", node: 22 },
];

/** How far a peer's number may be from ours: a part of ours, or of 1 where ours is less. */
const TOLERANCE = 1e-3;

interface Outcome {
  readonly threads: number;
  /** Undefined: there is no such thing. */
  readonly ns?: number;
  readonly result?: Float32Array;
  readonly failed?: string;
}

const node_version = Number(process.versions.node.split(".")[0]);

/** The peers that run here; says in a line each which do not. */
function peers_here(): Peer[] {
  const here = PEERS.filter((peer) => node_version >= peer.node);
  for (const { name, node } of PEERS)
    if (node_version < node) console.log(`${name} needs Node ${node}, this is ${process.versions.node}: left out`);
  return here;
}

function versions(peers: readonly Peer[]): string {
  const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  return peers.map((peer) => `${peer.name} ${dependencies[peer.package]}`).join(", ");
}

/** One row in one library, in a process that has run nothing else. */
function alone(program: string, library: string, row: Row, threads: number, file: string): Outcome {
  rmSync(file, { force: true });
  try {
    const out = execFileSync(process.execPath, [program, library, JSON.stringify(row), String(threads), file], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, GLASSTORCH_DIST: join(ROOT, "dist") },
    });
    const timed = JSON.parse(out.slice(out.lastIndexOf("\n") + 1)) as Timed; // some greet first
    if (timed.ns === undefined) return timed;
    return { ...timed, result: new Float32Array(new Uint8Array(readFileSync(file)).buffer) };
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.split("\n").find((line) => line.includes("Error"));
    return { threads: 0, failed: said ?? String(error).split("\n")[0] };
  }
}

/** The least of all turns; libraries take turns, since what else the machine does comes and goes, and only adds. */
function in_turns(libraries: readonly string[], run: (library: string) => Outcome): Map<string, Outcome> {
  const best = new Map<string, Outcome>();
  for (let turn = 0; turn < TURNS; turn++)
    for (const library of libraries) {
      const known = best.get(library);
      if (known !== undefined && known.ns === undefined) continue;
      const now = run(library);
      if (known?.ns === undefined || (now.ns !== undefined && now.ns < known.ns)) best.set(library, now);
    }
  return best;
}

/** Says where a library's result is not ours; null where it is. */
function disagreement(ours: Float32Array, theirs: Float32Array): string | null {
  if (ours.length !== theirs.length) return `${theirs.length} numbers, not ${ours.length}`;
  let [at, worst] = [0, 0];
  for (let i = 0; i < ours.length; i++) {
    const off = Math.abs(ours[i] - theirs[i]) / Math.max(1, Math.abs(ours[i]));
    if (!(off <= worst)) [at, worst] = [i, off]; // NaN, too
  }
  return worst <= TOLERANCE ? null : `number ${at} is ${theirs[at]}, ours ${ours[at]}`;
}

const show = (ns: number | undefined): string =>
  ns === undefined ? "-" : ns < 1e5 ? `${ns.toFixed(0)} ns` : `${(ns / 1000).toFixed(0)} µs`;

const line = (name: string, cells: readonly string[]): string =>
  name.padEnd(38) + cells.map((cell) => cell.padStart(14)).join("");

/** Errors in the peers' answers to a row, one line each. */
function remarks(row: Row, outcomes: ReadonlyMap<string, Outcome>): string[] {
  const ours = outcomes.get(OURS)?.result;
  return [...outcomes].flatMap(([library, { failed, result }]) => {
    const wrong = ours !== undefined && result !== undefined ? disagreement(ours, result) : null;
    if (failed !== undefined) return [`${library}, ${name_of(row)}: FAILED, ${failed}`];
    return wrong === null ? [] : [`${library}, ${name_of(row)}: DISAGREES, ${wrong}`];
  });
}

function main(program: string, peers: readonly Peer[], file: string): void {
  const libraries = [OURS, ...peers.map((peer) => peer.name)];
  const complaints: string[] = [];
  const asked = (rows: readonly Row[]) => rows.filter((row) => only.test(name_of(row)));

  console.log(`Node ${process.versions.node}; one thread; ${versions(peers)}; the least of ${TURNS} turns\n`);
  console.log(line("", [...libraries, "ours / best"]));
  for (const row of asked(ROWS)) {
    const outcomes = in_turns(libraries, (library) => alone(program, library, row, 1, file));
    complaints.push(...remarks(row, outcomes));
    const times = libraries.map((library) => outcomes.get(library)?.ns);
    const [ours, ...theirs] = times;
    const best = Math.min(...theirs.filter((ns) => ns !== undefined));
    const speed = ours === undefined || best === Number.POSITIVE_INFINITY ? "" : (best / ours).toFixed(2);
    console.log(line(name_of(row), [...times.map(show), speed]));
  }

  const threads = availableParallelism();
  if (threads > 1) {
    console.log(`\n${line(`${threads} threads`, libraries)}`);
    for (const row of asked(THREAD_ROWS)) {
      const outcomes = in_turns(libraries, (library) => alone(program, library, row, threads, file));
      complaints.push(...remarks(row, outcomes));
      console.log(line(name_of(row), [...libraries.map((library) => show(outcomes.get(library)?.ns))]));
    }
  }
  console.log(`\n${complaints.length === 0 ? `all results agree within ${TOLERANCE}` : complaints.join("\n")}`);
}

if (values.webgpu === true) {
  const { lacking, webgpu_rows } = await import("./peers/webgpu/run.ts");
  const lacks = lacking();
  if (lacks === null) await webgpu_rows(TURNS, only);
  else console.log(lacks);
} else if (!existsSync(join(folder, "node_modules"))) {
  console.log("The other libraries are not installed: cd bench/peers && npm ci");
} else {
  const start = performance.now();
  const scratch = mkdtempSync(join(tmpdir(), "glasstorch-peers-"));
  try {
    await build();
    main(made_program("peers/case.ts", folder), peers_here(), join(scratch, "result"));
    console.log(`${((performance.now() - start) / 1000).toFixed(0)} s in all`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
