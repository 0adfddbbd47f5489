/**
 * @file Records the call of the first page, with and without gradients, and finds the first step at which the two paths differ.
 * @original
 */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TraceFile } from "../../src/trace/Trace.ts";
import { WITH_LIBRARY } from "../../tools/module_loader/with_library.ts";
import { compare } from "../../tools/trace-viewer/src/model/compare.ts";
import { openValue } from "../../tools/trace-viewer/src/model/open.ts";
import type { TraceModel } from "../../tools/trace-viewer/src/model/TraceModel.ts";
import type { FigureProgram } from "../src/components/trace/figure_types.ts";
import type { Context } from "./context.ts";
import { coloured, figureOf } from "./figure.ts";
import { toPython } from "./python.ts";
import { findRegion } from "./regions.ts";
import { fileText } from "./repository.ts";

const program = "docs/site/home_program.mts";

export async function recordHome(context: Context): Promise<string> {
  const folder = join(context.out, "traces/home");
  mkdirSync(folder, { recursive: true });
  await promisify(execFile)(process.execPath, [...WITH_LIBRARY, join(context.root, program), folder], {
    cwd: context.root,
  });
  const [on, off] = ["on", "off"].map((name) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"))) as [
    TraceFile,
    TraceFile,
  ];
  const title = "The path of nn.PReLU()(x)";
  const first = firstDifference(modelOf(on), modelOf(off));
  const home = {
    on: {
      ...(await figureOf(on, { of: "home", record: "on", title, note: "requires_grad" })),
      program: await text("on"),
    },
    off: { ...(await figureOf(off, { of: "home", record: "off", title, note: "" })), program: await text("off") },
    first,
  };
  context.write(join(context.generated, "home.json"), JSON.stringify(home));
  return `${on.events.length} and ${off.events.length} steps; they differ from step ${first.on + 1}`;
}

/** A program as it stands in the script, and in Python. */
async function text(region: string): Promise<FigureProgram> {
  const text = findRegion(program, fileText(program) ?? "", region).text;
  const python = toPython(text, { whole: true });
  if (python === null) throw new Error("the first page's program has no Python");
  return { python: await coloured(python, "python"), typescript: await coloured(text) };
}

function modelOf(file: TraceFile): TraceModel {
  const opened = openValue(file);
  if (opened.kind !== "trace") throw new Error("the first page's recording is no trace");
  return opened.model;
}

/** Steps of either side that stand at the first difference; -1 where only the other has one. */
function firstDifference(on: TraceModel, off: TraceModel): { on: number; off: number; words: string } {
  const { pairs, first } = compare(on, off);
  const pair = pairs[first];
  if (pair === undefined) throw new Error("the first page says that requires_grad changes its call, but it does not");
  // A step that only one side has: the other side's next.
  const next = (side: "a" | "b"): number => pairs.slice(first).find((p) => p[side] !== null)?.[side] ?? 0;
  return { on: pair.a ?? next("a"), off: pair.b ?? next("b"), words: pair.differences.join("; ") };
}
