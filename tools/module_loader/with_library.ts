/**
 * @file Node's arguments for a program of this repository that uses the library: it then comes from the cache.
 * @original
 * @see register.ts
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { names_a_source } from "./single_sources.ts";

const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

export const WITH_LIBRARY: readonly string[] = [
  "--import",
  tsx,
  "--import",
  new URL("./register.ts", import.meta.url).href,
];

/**
 * Node's arguments for a walkthrough or a program of the gallery. One that imports only the package's entries finds the
 * cache by itself (entry.ts).
 */
export function arguments_for(program: string): readonly string[] {
  return names_a_source(program) ? WITH_LIBRARY : WITH_LIBRARY.slice(0, 2);
}
