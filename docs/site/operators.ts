/**
 * @file Where an operator stands in the reference: all overloads and variants of a base name share one page.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFolder } from "./generated.ts";
import type { OperatorNames } from "./operator_pages.ts";
import { nearest } from "./regions.ts";

let read: OperatorNames | null = null;

/** Names as operator_pages.ts has put them on pages. */
function names(): OperatorNames {
  return (read ??= JSON.parse(readFileSync(join(generatedFolder, "operator_names.json"), "utf8")) as OperatorNames);
}

/** `add.Tensor` and `aten::add_.Tensor` lead to their section of `/operators/add/`, `add` to its page. Of an unknown one, the nearest names. */
export function operatorRoute(name: string): string | { readonly nearest: readonly string[] } {
  const wanted = name.replace(/^aten::/, "");
  const found = names()[wanted];
  if (found !== undefined) return `/operators/${found.base}/#${found.anchor}`;
  const ofBase = Object.entries(names()).find(
    ([each, { base }]) => base === wanted || each.replace(/\..*$/, "") === wanted,
  );
  return ofBase === undefined ? { nearest: nearest(wanted, Object.keys(names())) } : `/operators/${ofBase[1].base}/`;
}
