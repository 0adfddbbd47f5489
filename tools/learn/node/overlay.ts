/**
 * @file Lays the learner's files over the unchanged tree: an import of a tree's file leads to the overlay's file if there is one.
 * @original
 */
import { existsSync } from "node:fs";
import { register } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ROOT } from "../../codegen/file_system.ts";

interface Layers {
  readonly root: string;
  /** Folders, the uppermost first. */
  readonly overlays: readonly string[];
}

/** Must be called before the first import of the library. */
export function layOver(overlays: readonly string[]): void {
  const data: Layers = { root: ROOT, overlays };
  register(import.meta.url, { data });
}

let layers: Layers = { root: "", overlays: [] };

// The module hooks that Node calls in its loader's thread ------------------------------------------------------------------

export function initialize(data: Layers): void {
  layers = data;
}

type Next = (specifier: string, context: Context) => Promise<{ url: string }>;

interface Context {
  readonly parentURL?: string;
}

/** A file of the overlay imports as if it were in the tree. */
export async function resolve(specifier: string, context: Context, next: Next): Promise<{ url: string }> {
  const parent = context.parentURL === undefined ? null : treePath(context.parentURL);
  if (parent !== null && specifier.startsWith(".")) {
    const wanted = new URL(specifier, pathToFileURL(join(layers.root, parent)));
    const laid = overlaid(wanted.href);
    return next(laid ?? wanted.href, context);
  }
  // Node would not find a file that only an overlay has.
  const inside = /^#(\w+\/.+)$/.exec(specifier);
  const only = inside === null ? null : overlaid(pathToFileURL(join(layers.root, `src/${inside[1]}.ts`)).href);
  if (only !== null) return next(only, context);
  const found = await next(specifier, context);
  const laid = overlaid(found.url);
  return laid === null ? found : { ...found, url: laid };
}

/** The tree's path of a file in the overlay. */
function treePath(url: string): string | null {
  if (!url.startsWith("file:")) return null;
  const path = fileURLToPath(url);
  for (const folder of layers.overlays)
    if (path.startsWith(join(folder, "/"))) return path.slice(join(folder, "/").length);
  return null;
}

function overlaid(url: string): string | null {
  if (!url.startsWith("file:")) return null;
  const path = fileURLToPath(url);
  if (!path.startsWith(join(layers.root, "/"))) return null;
  for (const folder of layers.overlays) {
    const candidate = join(folder, path.slice(join(layers.root, "/").length));
    if (existsSync(candidate)) return pathToFileURL(candidate).href;
  }
  return null;
}
