/**
 * @file Module hooks that put the library's loaded modules in place of its sources. Node calls them in its loader's thread; the
 * library itself lives in the program's thread, which answers questions over a port.
 * @differs A name that a program imports keeps the value that it had at the import, also if the library assigns to it again. Inside
 * the library, imported names follow such assignments, as in ECMAScript.
 * @original
 */
import type { MessagePort } from "node:worker_threads";

export interface Question {
  readonly id: number;
  readonly url: string;
}

export interface Answer {
  readonly id: number;
  /** null: the file is not the library's. */
  readonly module: { readonly path: string; readonly names: readonly string[] } | null;
}

interface Loaded {
  readonly format: string;
  readonly source?: string;
  readonly shortCircuit?: boolean;
}
type Next = (url: string, context: unknown) => Promise<Loaded>;

let program: MessagePort;
const waiting = new Map<number, (module: Answer["module"]) => void>();
let asked = 0;

export function initialize(port: MessagePort): void {
  program = port;
  program.on("message", ({ id, module }: Answer) => {
    waiting.get(id)?.(module);
    waiting.delete(id);
  });
  program.unref();
}

function ask(url: string): Promise<Answer["module"]> {
  const id = asked++;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    program.postMessage({ id, url } satisfies Question);
  });
}

export async function load(url: string, context: unknown, next: Next): Promise<Loaded> {
  const module = /^file:.*\.ts$/.test(url) ? await ask(url) : null;
  return module === null ? next(url, context) : { format: "module", source: exporting(module), shortCircuit: true };
}

/** The text of an ECMAScript module that exports what the library's module does. */
function exporting({ path, names }: NonNullable<Answer["module"]>): string {
  const lines = names.map((name, k) =>
    name === "default"
      ? "export default loaded.default;"
      : `const _${k} = loaded.${name};\nexport { _${k} as ${name} };`,
  );
  return [`const loaded = globalThis.__glasstorch_library.require(${JSON.stringify(path)});`, ...lines].join("\n");
}
