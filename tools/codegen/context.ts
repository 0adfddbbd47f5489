/**
 * @file The input and output of every generator: texts in, texts out, no file system.
 * @mirrors torchgen/context.py
 */
import { CodeTemplate } from "./code_template.ts";
import { CodegenError, type ErrorList } from "./errors.ts";
import type { ParsedYaml } from "./model.ts";
import type { SourceIndex } from "./source_index.ts";

/** Texts by path from the repository root. */
export type Files = ReadonlyMap<string, string>;

export interface CodegenInput {
  readonly yaml: ParsedYaml;
  readonly files: Files;
  readonly sources: SourceIndex;
  /** The template at a path, for example `src/aten/templates/Functions.ts.tmpl`. */
  readonly templates: (path: string) => CodeTemplate;
  /** Development only: a missing kernel becomes a function that throws, instead of an error. */
  readonly allow_missing: boolean;
  /** The list to which stages add errors, so that they can continue with the rest. */
  readonly errors: ErrorList;
}

/** Whole files, including the header. */
export type Outputs = Map<string, string>;

export function template_reader(files: Files): (path: string) => CodeTemplate {
  return (path) => {
    const text = files.get(path);
    if (text === undefined)
      throw new CodegenError({ file: path, line: 0 }, "template", "no such file", "restore it from version control");
    return new CodeTemplate(text, path);
  };
}
