/**
 * @file Modules outside this repository that programs may import, as far as a page can offer them.
 * @original
 */
import { deflateSync, inflateSync } from "fflate";
import { type Exports, type Loader, ROOT } from "./loader.ts";

/** The packages that the library needs at run time (package.json's `dependencies`), as far as it needs them. */
const PACKAGES: Readonly<Record<string, Exports>> = { fflate: { deflateSync, inflateSync } };

/** Modules by name. `missing` is what is thrown for a text that is not there. `files` are the texts a program may read; `finish` takes a walkthrough's ending. */
export function builtinModules(
  files: ReadonlyMap<string, string>,
  missing: (path: string) => Error,
): Record<string, (loader: Loader) => Exports> {
  const readFileSync = (where: string | URL): string => {
    const path = String(where).replace(ROOT, "").replace("/glasstorch/", "");
    const text = files.get(path);
    if (text === undefined) throw missing(path);
    return text;
  };
  return {
    ...Object.fromEntries(Object.entries(PACKAGES).map(([name, exports]) => [name, () => exports])),
    "node:fs": () => ({ readFileSync, default: { readFileSync } }),
    // A walkthrough's options and printing belong to a terminal; in a page, the page shows what was recorded.
    "walkthroughs/support/walkthrough.ts": (loader) => ({
      ...loader.require("walkthroughs/support/claims.ts"),
      finish: () => {},
    }),
  };
}
