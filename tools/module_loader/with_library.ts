/**
 * @file Node's arguments for a program of this repository that uses the library: it then comes from the cache.
 * @original
 * @see register.ts
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

export const WITH_LIBRARY: readonly string[] = [
  "--import",
  tsx,
  "--import",
  new URL("./register.ts", import.meta.url).href,
];
