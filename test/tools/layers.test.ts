/**
 * Imports go down only: c10 <- aten <- torch/csrc-equivalent <- torch. The layer check of `npm run check` sees what runs; here are the
 * type-only imports too, for a type that must be looked up in a higher layer is a word that the lower one should own.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const src = fileURLToPath(new URL("../../src/", import.meta.url));
const LAYERS = ["c10", "aten", "torch/csrc-equivalent", "torch"];

/** The place of a path below `src` among the layers; -1 for what stands beside them. */
const layer_of = (path: string): number => LAYERS.findIndex((layer) => path.startsWith(`${layer}/`));

const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts") && layer_of(path) >= 0);

/** What a source imports or exports from, as paths below `src`. */
function imported_by(path: string): string[] {
  const text = readFileSync(join(src, path), "utf8");
  return [...text.matchAll(/\bfrom\s+"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g)]
    .map((match) => match[1] ?? match[2])
    .filter((name) => /^[.#]/.test(name))
    .map((name) => (name.startsWith("#") ? name.slice(1) : relative(src, join(src, dirname(path), name))))
    .map((name) => name.replaceAll("\\", "/"));
}

test("no source imports from a higher layer, not even a type", () => {
  const seen = sources.flatMap((path) => imported_by(path).map((to) => ({ path, to })));
  expect(seen.length).toBeGreaterThan(2000);
  const upward = seen.filter(({ path, to }) => layer_of(to) < 0 || layer_of(to) > layer_of(path));
  expect(upward.map(({ path, to }) => `${path} -> ${to}`)).toEqual([]);
});
