/**
 * @file Runs codegen for edited files: everything if a schema, a template or a signature changed, otherwise only the kernels of the
 * edited file.
 * @original
 */

import { outline } from "../../../../src/trace/outline.ts";
import { generate as generateKernels, HELPER_MODULES } from "../../../../tools/codegen/dest/kernels.ts";
import { generate as generateVecKernels } from "../../../../tools/codegen/dest/vec_kernels.ts";
import { CodegenError, errors_of } from "../../../../tools/codegen/errors.ts";
import { generate } from "../../../../tools/codegen/generate.ts";
import { hasKernels } from "../../../../tools/codegen/kernels/source.ts";
import { VEC_FOLDER } from "../../../../tools/codegen/kernels/vec_source.ts";
import { parameters_at } from "../../../../tools/codegen/parameters.ts";
import type { Texts } from "./archive.ts";
import type { Defect } from "./protocol.ts";

/**
 * Generated files that are not what `pristine` has.
 * @param texts the edited tree · `edited`: its paths that differ from `pristine`
 * @throws {CodegenError}
 */
export function regenerate(texts: Texts, pristine: Texts, edited: readonly string[]): Map<string, string> {
  const outputs = edited.some((path) => concernsAll(path, texts.get(path) ?? "", pristine.get(path)))
    ? generate(texts).outputs
    : new Map([...generateKernels(texts, edited), ...generateVecKernels(texts, edited)]);
  return new Map([...outputs].filter(([path, text]) => pristine.get(path) !== text && !edited.includes(path)));
}

/** The other files that `regenerate` reads for these edits, which are few or none; null: it reads the whole tree. */
export function readsOf(texts: Texts, pristine: Texts, edited: readonly string[]): readonly string[] | null {
  let kernels = false;
  for (const path of edited) {
    const text = texts.get(path) ?? "";
    if (path.startsWith(VEC_FOLDER) || concernsAll(path, text, pristine.get(path))) return null;
    kernels ||= path.startsWith("src/aten/native/") && hasKernels(text);
  }
  return kernels ? HELPER_MODULES : [];
}

/** Whether other files are generated from this one than its own kernels. */
function concernsAll(path: string, text: string, before: string | undefined): boolean {
  if (!path.endsWith(".ts") || HELPER_MODULES.includes(path)) return true;
  return !path.includes("/generated/") && (before === undefined || signatures(text) !== signatures(before));
}

/** The declarations that codegen looks up in a source file: names and parameters. */
function signatures(text: string): string {
  const lines = text.split("\n");
  return outline(text)
    .map((d) => {
      const takes = d.kind === "function" ? parameters_at(text, d.line) : {};
      return JSON.stringify([d.name, d.kind, lines[d.line - 1]?.startsWith("export "), takes]);
    })
    .join("\n");
}

/** The errors of a codegen run as the page shows them: the first with its place to go to, the others below it. */
export function problemOf(error: unknown): Defect | null {
  if (!(error instanceof CodegenError)) return null;
  const [first, ...others] = errors_of(error) as [CodegenError, ...CodegenError[]];
  const { file, line } = first.place;
  const message = (first.message.split("\n")[0] as string).replace(`${file}:${line}: ${first.field}: `, "");
  return {
    file,
    line,
    column: 0,
    message,
    told: (error as CodegenError).message,
    field: first.field,
    wayOut: first.way_out,
    others: others.map((e) => e.message),
  };
}
