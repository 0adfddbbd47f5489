/**
 * @file Runs a Python program on the library: `npm run python -- script.py [args]`, or `-c text [args]`.
 * `--dis` prints the instructions of the program and `--ast` its syntax tree; it does not run then.
 * @original
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { compile, dis, dump, format_exception, parse, program, python, SystemExit } from "../src/python.ts";

const USAGE = "usage: python [--dis] [--ast] (script.py | -c text) [args]\n";

function run(args: string[]): number {
  let shows: "dis" | "ast" | null = null;
  while (args[0] === "--dis" || args[0] === "--ast") shows = args.shift()?.slice(2) as "dis" | "ast";
  const [first] = args;
  if (first === undefined) {
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
  try {
    if (shows === "dis") process.stdout.write(dis(compile(text, filename)));
    else if (shows === "ast") process.stdout.write(`${dump(parse(text, filename), { indent: 2 })}\n`);
    else {
      program.prepare(command ? ["-c", ...args.slice(2)] : args, command ? "" : dirname(resolve(filename)));
      python(text, { filename });
    }
    return 0;
  } catch (error) {
    if (error instanceof SystemExit) return program.exit_status(error);
    process.stderr.write(format_exception(error));
    return 1;
  }
}

process.exitCode = run(process.argv.slice(2));
program.finish();
