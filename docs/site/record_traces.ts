/**
 * @file Runs every walkthrough once and keeps what it records: the traces as the walkthrough writes them (`static/generated/traces/`),
 * and for each a figure (`generated/figures/`): the small form that a page draws before anything else is loaded. What a walkthrough computed
 * for figures of its own is kept too (`generated/drawn/`).
 * A walkthrough whose claims do not hold ends in an error, and with it the build.
 * @original
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TraceFile } from "../../src/trace/Trace.ts";
import { arguments_for } from "../../tools/module_loader/with_library.ts";
import type { Figure } from "../src/components/trace/figure_types.ts";
import type { Context } from "./context.ts";
import { coloured, figureOf } from "./figure.ts";
import { toPython } from "./python.ts";
import { recordedProgram } from "./recorded_program.ts";

/** `generated/walkthroughs/<name>.json`: what pages say about a walkthrough. */
export interface WalkthroughIndex {
  readonly records: readonly {
    readonly name: string;
    readonly title: string;
    readonly note: string;
    readonly mermaid: string;
  }[];
  readonly claims: number;
  readonly python: string;
}

/** Data that the run computed for figures, by name. */
interface Drawn {
  readonly drawn: Readonly<Record<string, unknown>>;
}

export function walkthroughNames(root: string): string[] {
  return readdirSync(join(root, "walkthroughs"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -3));
}

const run = promisify(execFile);

export async function recordTraces(context: Context): Promise<string> {
  const names = walkthroughNames(context.root);
  rmSync(join(context.out, "traces"), { recursive: true, force: true });
  rmSync(join(context.generated, "figures"), { recursive: true, force: true });
  rmSync(join(context.generated, "drawn"), { recursive: true, force: true });
  const waiting = [...names];
  let recordings = 0;
  const worker = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const made = await one(context, name);
      recordings += made;
    }
  };
  await Promise.all([worker(), worker()]);
  return `${recordings} recordings of ${names.length} walkthroughs`;
}

async function one(context: Context, name: string): Promise<number> {
  const folder = join(context.out, "traces", name);
  const script = join("walkthroughs", `${name}.ts`);
  try {
    const args = [...arguments_for(join(context.root, script)), script, "--all", folder];
    await run(process.execPath, args, { cwd: context.root });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${script} fails:\n${stderr}${stdout}`);
  }
  const { drawn, ...index } = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as WalkthroughIndex & Drawn;
  rmSync(join(folder, "index.json"));
  context.write(join(context.generated, "walkthroughs", `${name}.json`), JSON.stringify(index));
  for (const [figure, data] of Object.entries(drawn))
    context.write(join(context.generated, "drawn", name, `${figure}.json`), JSON.stringify(data));
  for (const { name: record, title, note } of index.records) {
    const file = JSON.parse(readFileSync(join(folder, `${record}.json`), "utf8")) as TraceFile;
    const figure = await figureOf(file, { of: name, record, title, note });
    const program = await programOf(readFileSync(join(context.root, script), "utf8"), record);
    context.write(
      join(context.generated, "figures", name, `${record}.json`),
      JSON.stringify({ ...figure, ...program }),
    );
  }
  return index.records.length;
}

/** The recorded program, as a reader would write it. */
async function programOf(text: string, record: string): Promise<Pick<Figure, "program">> {
  const program = recordedProgram(text, record);
  if (program === null) return {};
  const python = toPython(program, { whole: true });
  const short = (text: string): string => text.replace(/^import .*\n+/, "");
  return {
    program: {
      ...(python === null ? {} : { python: await coloured(short(python), "python") }),
      typescript: await coloured(short(program)),
    },
  };
}
