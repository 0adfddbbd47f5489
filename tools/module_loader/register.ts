/**
 * @file `node --import tsx --import ./tools/module_loader/register.ts PROGRAM`: the program, and everything it imports, gets the
 * library's modules from the cache, also single sources such as `#c10/core/Scalar`. Tools and tests that start a process use it
 * (`WITH_LIBRARY`).
 * @original
 * @see library.ts, Note [The first command]; hooks.ts asks the questions that are answered here
 */
import { register } from "node:module";
import { MessageChannel } from "node:worker_threads";
import type { Answer, Question } from "./hooks.ts";
import { Library } from "./library.ts";

export const library = new Library(new URL("../../", import.meta.url));
process.once("exit", () => library.write_cache());

const { port1: here, port2: hooks } = new MessageChannel();
here.on("message", ({ id, url }: Question) => {
  const path = library.path_of(url);
  here.postMessage({ id, module: path === null ? null : { path, names: names_of(path) } } satisfies Answer);
});
here.unref(); // a program ends although more could be asked
(globalThis as { __glasstorch_library?: Library }).__glasstorch_library = library;
register("./hooks.ts", { parentURL: import.meta.url, data: hooks, transferList: [hooks] });

/** The names that a source exports. If it cannot be loaded, there are none: its error is thrown where it is imported. */
function names_of(path: string): string[] {
  try {
    return Object.keys(library.require(path)).filter((name) => name !== "__esModule");
  } catch {
    return [];
  }
}
