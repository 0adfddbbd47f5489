/**
 * @file Everything that is made before the site is built: traces, pages of the reference, graphs, the library for the playground.
 * `npx tsx site/prepare.ts home operators` makes only these parts again; all parts must have been made before.
 * @original
 */
import { readFileSync } from "node:fs";
import "../../src/export.ts";
import "../../src/fx.ts";
import "../../src/jit.ts";
import { apiPages } from "./api_pages.ts";
import { codegenExample } from "./codegen_example.ts";
import { type Context, makeContext } from "./context.ts";
import { copySources } from "./copy_sources.ts";
import { differsPage } from "./differs_page.ts";
import { exercises } from "./exercises.ts";
import { importGraphs } from "./import_graphs.ts";
import { libraryArchive } from "./library_archive.ts";
import { lookupIndex } from "./lookup_index.ts";
import { loopMachines } from "./loop_machines.ts";
import { checkNames } from "./names_check.ts";
import { openOperatorsPage } from "./open_operators_page.ts";
import { operatorPages } from "./operator_pages.ts";
import { recordHome } from "./record_home.ts";
import { recordTraces } from "./record_traces.ts";
import { roadPage } from "./road_page.ts";
import { viewerExamples } from "./viewer_examples.ts";
import { viewsDrawn } from "./views_drawn.ts";
import { wholeMap } from "./whole_map.ts";

/** Each part says in a few words what it made. */
const parts: readonly (readonly [name: string, part: (context: Context) => Promise<string | undefined>])[] = [
  ["sources", copySources],
  ["traces", recordTraces],
  ["home", recordHome],
  ["viewer", viewerExamples],
  ["views", viewsDrawn],
  ["whole", wholeMap],
  ["imports", importGraphs],
  ["codegen", codegenExample],
  ["machines", loopMachines],
  ["operators", operatorPages],
  ["open", openOperatorsPage],
  ["api", apiPages],
  ["differs", differsPage],
  ["road", roadPage],
  ["lookup", lookupIndex],
  ["exercises", exercises],
  ["library", libraryArchive],
  ["names", checkNames],
];

/** Seconds of processor time of this process and of the programs that it ran, where the system tells. */
function cpuSeconds(): number {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
  } catch {
    return process.cpuUsage().user / 1e6;
  }
}

/** Examples of deprecated functions run while pages are made: the library's warnings are counted, and shown if `WARNINGS` is set. */
function bundleWarnings(): () => number {
  let count = 0;
  if (process.env["WARNINGS"] === undefined) console.warn = () => void count++;
  return () => count;
}

async function prepare(): Promise<void> {
  const warnings = bundleWarnings();
  const begin = performance.now();
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !parts.some(([each]) => each === name));
  if (unknown.length > 0)
    throw new Error(`no part ${unknown.join(", ")}; there are ${parts.map(([name]) => name).join(", ")}`);
  for (const [name, part] of parts) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const start = performance.now();
    const startCpu = cpuSeconds();
    const lines: string[] = [];
    const context: Context = { ...makeContext(), log: (line) => lines.push(line) };
    const made = (await part(context)) ?? lines.join("; ");
    console.log(
      `${name.padEnd(12)} ${made}   ${Math.round(performance.now() - start)} ms, CPU ${(cpuSeconds() - startCpu).toFixed(1)} s`,
    );
  }
  if (warnings() > 0) console.log(`${warnings()} warnings of the library, as intended (WARNINGS=1 shows them)`);
  console.log(`prepared in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}

prepare().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
