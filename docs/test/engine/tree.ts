/**
 * @file The library as the playground has it, without workers: for tests of the engine in Node.
 * @original
 */
import { fileURLToPath } from "node:url";
import { libraryTexts } from "../../site/library_archive.ts";
import { regenerate } from "../../src/playground/engine/codegen.ts";
import { Library } from "../../src/playground/engine/library.ts";
import { type FromRunner, languageOf, type RunOptions } from "../../src/playground/engine/protocol.ts";
import { Runtime } from "../../src/playground/engine/runtime.ts";
import { transpile } from "../../src/playground/engine/transpile.ts";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

const { core: texts, apart } = libraryTexts(root);
const modules = new Map<string, ReturnType<typeof transpile>>();

/** Compiled once for all tests of a file; a library of one's own to edit. */
export async function library(): Promise<Library> {
  const made = new Library(
    async (batch) =>
      batch.map(([path, text]) => {
        const key = `${path}\n${text}`;
        const known = modules.get(key) ?? transpile(path, text);
        modules.set(key, known);
        return known;
      }),
    async (tree, pristine, edited) => regenerate(tree, pristine, edited),
  );
  await made.fill(texts);
  return made;
}

type Messages = { [T in FromRunner["type"]]: Extract<FromRunner, { type: T }>[] };

let wholes: ReturnType<typeof transpile>[] | null = null;
/** What comes with a program in Python. */
export const wholeModules = () =>
  (wholes ??= Object.values(apart)
    .flatMap((part) => [...part])
    .map(([path, text]) => transpile(path, text)));

/** Runs a program to its end and sorts what it told. */
export async function run(
  lib: Library,
  text: string,
  more: Partial<RunOptions> & { path?: string; stepsFrom?: number | null } = {},
): Promise<Messages & { all: FromRunner[]; output: string; runtime: Runtime }> {
  const { path = "playground/program.ts", stepsFrom = null, ...options } = more;
  const all: FromRunner[] = [];
  const runtime = new Runtime((message) => all.push(message));
  const isPython = languageOf(path) === "python";
  const js = isPython ? "" : transpile(path, text, true).js;
  runtime.load([...(await lib.modules()), ...(isPython ? wholeModules() : [])], null, options.capability);
  await runtime.run({
    program: { path, text, js },
    options: { detail: "layers", values: false, ...options },
    files: lib.paths().map((p) => [p, lib.text(p) as string]),
    complete: true,
    symbols: null,
    stepsFrom,
  });
  const of = <T extends FromRunner["type"]>(type: T) => all.filter((m) => m.type === type) as Messages[T];
  return {
    all,
    runtime,
    output: of("console")
      .map((m) => m.text)
      .join("\n"),
    ready: of("ready"),
    console: of("console"),
    recorded: of("recorded"),
    claim: of("claim"),
    at: of("at"),
    failure: of("failure"),
    stepped: of("stepped"),
    done: of("done"),
    missing: of("missing"),
    checked: of("checked"),
    thread: of("thread"),
    device: of("device"),
  };
}

export function edit(lib: Library, path: string, from: string, to: string): void {
  const text = lib.text(path) ?? "";
  if (text.split(from).length !== 2) throw new Error(`${path} has "${from}" ${text.split(from).length - 1} times`);
  lib.edit(
    path,
    text.replace(from, () => to),
  );
}
