/**
 * @file Runs programs on the library as the playground does, with some of its files changed; generated files are made again.
 * @original
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generate as generateKernels } from "../../../tools/codegen/dest/kernels.ts";
import { generate } from "../../../tools/codegen/generate.ts";
import { isModule } from "../../src/playground/engine/library.ts";
import { Runtime } from "../../src/playground/engine/runtime.ts";
import { transpile } from "../../src/playground/engine/transpile.ts";

const root = join(import.meta.dirname, "../../../");

function read(folder: string, wanted: RegExp, into: Map<string, string>): void {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (entry.name !== "node_modules") read(path, wanted, into);
    } else if (wanted.test(path)) into.set(path, readFileSync(join(root, path), "utf8"));
  }
}

const texts = new Map<string, string>();
read("src", /\.(ts|tmpl|yaml|json)$/, texts);
read("tools/codegen", /\.(ts|tmpl|yaml)$/, texts);
const plain = new Map(
  [...texts].filter(([path]) => isModule(path)).map(([path, text]) => [path, transpile(path, text)]),
);

/** What the generated files are written again for: loops alone, or everything. */
const kernelText = /^src\/aten\/native\/(cpu|ufunc)\/(?!generated)/;
const listed = /\.(yaml|tmpl)$/;

export function textOf(path: string): string | undefined {
  return texts.get(path);
}

export interface Outcome {
  readonly printed: readonly string[];
  /** The message of the error that ended the program. */
  readonly failed: string | null;
}

/** @param edits path -> text that takes the place of the file's */
export async function run(program: string, edits: ReadonlyMap<string, string> = new Map()): Promise<Outcome> {
  const changed = new Map(edits);
  const all = new Map([...texts, ...edits]);
  const touches = (kind: RegExp): boolean => [...edits.keys()].some((path) => kind.test(path));
  const outputs = touches(listed)
    ? generate(all).outputs
    : touches(kernelText)
      ? generateKernels(all)
      : new Map<string, string>();
  for (const [path, text] of outputs) if (texts.get(path) !== text && isModule(path)) changed.set(path, text);
  const printed: string[] = [];
  let failed: string | null = null;
  const runtime = new Runtime((message) => {
    if (message.type === "console") printed.push(message.text);
    if (message.type === "failure") failed = message.failure.message;
  });
  runtime.load([...plain.values()], null);
  runtime.load(
    [...changed].filter(([path]) => isModule(path)).map(([path, text]) => transpile(path, text)),
    null,
  );
  await runtime.run({
    program: { path: "program.ts", text: program, js: transpile("program.ts", program, true).js },
    options: { detail: "layers", values: false },
    files: [],
    complete: true,
    symbols: null,
  });
  return { printed, failed };
}

/** @throws {Error} if `find` does not stand in the file exactly once. */
export function edited(path: string, find: string, replace: string): ReadonlyMap<string, string> {
  const text = texts.get(path);
  if (text === undefined) throw new Error(`there is no ${path}`);
  if (text.split(find).length !== 2) throw new Error(`${path} has ${text.split(find).length - 1} times: ${find}`);
  return new Map([[path, text.replace(find, () => replace)]]);
}
