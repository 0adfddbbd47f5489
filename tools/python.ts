/**
 * @file Runs a Python program on the library: `npm run python -- script.py [args]`, or `-c text [args]`.
 * `--trace FILE` records the program and writes the recording. `--dis` prints the instructions of the program and `--ast` its syntax
 * tree; it does not run then.
 * @original
 */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { compile, dis, dump, format_exception, parse, program, python, SystemExit } from "../src/python.ts";
import "../src/torch/testing/_internal/index.ts";

const USAGE = `usage: python [options] (script.py | -c text) [args]

  --trace FILE                        record the program, and write what it called to FILE, also if it fails
  --report FILE                       write what torch.compile made to FILE, a page of HTML: bytecode, graphs, guards, output code
  --format json|text|chrome|mermaid   form of the recording (json)
  --detail layers|full                full: every function and instruction between the layers too (layers)
  --dis                               print the instructions of the program instead of running it
  --ast                               print its syntax tree instead of running it
`;

type Form = "json" | "text" | "chrome" | "mermaid";

interface Options {
  shows: "dis" | "ast" | null;
  trace: string | null;
  report: string | null;
  format: Form;
  detail: "layers" | "full";
}

/** Takes the options from the front of `args`; null if one is wrong. */
function options_of(args: string[]): Options | null {
  const options: Options = { shows: null, trace: null, report: null, format: "json", detail: "layers" };
  while (args[0]?.startsWith("--")) {
    const [option, given] = (args.shift() as string).split(/=(.*)/s);
    if (option === "--dis" || option === "--ast") {
      options.shows = option.slice(2) as "dis" | "ast";
      continue;
    }
    const value = given ?? args.shift();
    if (option === "--trace" && value !== undefined && value !== "") options.trace = value;
    else if (option === "--report" && value !== undefined && value !== "") options.report = value;
    else if (option === "--format" && /^(json|text|chrome|mermaid)$/.test(value ?? "")) options.format = value as Form;
    else if (option === "--detail" && /^(layers|full)$/.test(value ?? "")) options.detail = value as "layers" | "full";
    else return null;
  }
  return options;
}

/** Runs the program and writes its recording; an error of the program passes through afterwards. */
async function run_recorded(run: () => void, path: string, { format, detail }: Options): Promise<void> {
  const { record, toChrome, toMermaid, toText } = await import("../src/trace/index.ts");
  let error: unknown = null;
  const trace = record(
    () => {
      try {
        run();
      } catch (raised) {
        error = raised;
      }
    },
    { detail },
  );
  const text = {
    json: () => `${JSON.stringify(trace.toJSON())}\n`,
    text: () => `${toText(trace, { width: 160 })}\n`,
    chrome: () => `${JSON.stringify(toChrome(trace))}\n`,
    mermaid: () => toMermaid(trace),
  };
  try {
    writeFileSync(path, text[format]());
  } catch (problem) {
    process.stderr.write(`python: can't write the recording: ${(problem as Error).message}\n`);
    error ??= new SystemExit(1);
  }
  if (error !== null) throw error;
}

/** Runs the program and writes the report of its compilations; an error of the program passes through afterwards. */
async function run_reported(run: () => void | Promise<void>, path: string, name: string): Promise<void> {
  const { CompileReport } = await import("./compile_report.ts");
  const report = new CompileReport();
  try {
    await run();
  } finally {
    report.stop();
    try {
      writeFileSync(path, report.html(name));
    } catch (problem) {
      process.stderr.write(`python: can't write the report: ${(problem as Error).message}\n`);
      process.exitCode = 1;
    }
  }
}

async function main(args: string[]): Promise<number> {
  const options = options_of(args);
  const [first] = args;
  if (options === null || first === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const command = first === "-c";
  const filename = command ? "<string>" : resolve(first);
  if (!command && !(existsSync(filename) && statSync(filename).isFile())) {
    process.stderr.write(`python: can't open file '${resolve(filename)}': [Errno 2] No such file or directory\n`);
    return 2;
  }
  const text = command ? (args[1] ?? "") : readFileSync(filename, "utf8");
  const run = (): void => {
    program.prepare(command ? ["-c", ...args.slice(2)] : args, command ? "" : dirname(resolve(filename)));
    python(text, { filename });
  };
  try {
    if (options.shows === "dis") process.stdout.write(dis(compile(text, filename)));
    else if (options.shows === "ast") process.stdout.write(`${dump(parse(text, filename), { indent: 2 })}\n`);
    else {
      const { trace, report } = options;
      const run_all = trace === null ? run : (): Promise<void> => run_recorded(run, trace, options);
      if (report === null) await run_all();
      else await run_reported(run_all, report, command ? "-c" : first);
    }
    return process.exitCode === 1 ? 1 : 0;
  } catch (error) {
    if (error instanceof SystemExit) return program.exit_status(error);
    process.stderr.write(format_exception(error));
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
program.finish();
