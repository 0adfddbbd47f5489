/**
 * @file The autograd generator run on operators written for a test: the repository's templates and helpers, other YAML.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { generate } from "../../../../tools/codegen/autograd/gen_autograd.ts";
import { template_reader } from "../../../../tools/codegen/context.ts";
import { ErrorList } from "../../../../tools/codegen/errors.ts";
import { ROOT, read_tree } from "../../../../tools/codegen/file_system.ts";
import { parse_native_yaml } from "../../../../tools/codegen/parse_native_yaml.ts";
import { SourceIndex } from "../../../../tools/codegen/source_index.ts";

const tree = read_tree(ROOT);
const NATIVE = "src/aten/native/native_functions.yaml";
const TAGS = "src/aten/native/tags.yaml";
const DERIVATIVES = "tools/codegen/autograd/derivatives.yaml";

export type GeneratedName =
  | "VariableType"
  | "ADInplaceOrViewType"
  | "Functions"
  | "ViewFuncs"
  | "variable_factories"
  | "RegisterAll";

/** Appends operators and derivatives to the repository's own (or replaces the latter) and runs the generator. */
export function autograd_codegen(more: {
  native?: string;
  derivatives?: string;
  all_derivatives?: string;
}): Record<GeneratedName, string> {
  const files = new Map(tree);
  files.set(NATIVE, `${tree.get(NATIVE)}\n${more.native ?? ""}`);
  files.set(DERIVATIVES, more.all_derivatives ?? `${tree.get(DERIVATIVES)}\n${more.derivatives ?? ""}`);
  const errors = new ErrorList();
  const yaml = parse_native_yaml(
    {
      native_functions: { path: NATIVE, text: files.get(NATIVE) as string },
      tags: { path: TAGS, text: files.get(TAGS) as string },
    },
    errors,
  );
  const outputs = generate({
    yaml,
    files,
    sources: new SourceIndex(files),
    templates: template_reader(files),
    allow_missing: false,
    errors,
  });
  errors.throw_if_any();
  const names: GeneratedName[] = [
    "VariableType",
    "ADInplaceOrViewType",
    "Functions",
    "ViewFuncs",
    "variable_factories",
    "RegisterAll",
  ];
  return Object.fromEntries(
    names.map((name) => [name, outputs.get(`src/torch/csrc-equivalent/autograd/generated/${name}.ts`)]),
  ) as Record<GeneratedName, string>;
}

/** The committed file. */
export function committed(name: GeneratedName): string {
  return readFileSync(join(ROOT, `src/torch/csrc-equivalent/autograd/generated/${name}.ts`), "utf8");
}

/** From the line that begins with `start` to the closing brace in column 0. */
export function block(text: string, start: string): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith(start));
  if (first < 0) throw new Error(`no line begins with '${start}'`);
  const last = lines.findIndex((line, i) => i > first && line.startsWith("}"));
  return lines.slice(first, last + 1).join("\n");
}

/** A recorded fixture, by its path under test/fixtures without ending. */
export function recorded<T>(name: string): T {
  return JSON.parse(gunzipSync(readFileSync(join(ROOT, `test/fixtures/${name}.json.gz`))).toString()) as T;
}
