/**
 * @file The generator of NativeFunctions.ts: every native function and structured class in the YAML, re-exported from its file.
 * @mirrors torchgen/dest/native_functions.py
 */
import type { Kernel, NativeKernels } from "../api/native.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import { specifier_of } from "../module_path.ts";
import { generated_header } from "../utils.ts";

const PATH = "src/aten/generated/NativeFunctions.ts";

/** Precondition: every other generator has requested from `kernels` the functions it calls. */
export function generate(input: CodegenInput, kernels: NativeKernels): Outputs {
  return new Map([[PATH, generate_to(PATH, "native_functions.yaml", input, kernels)]]);
}

/** The text of the file `path` with the kernels in the list `yaml`. */
export function generate_to(path: string, yaml: string, input: CodegenInput, kernels: NativeKernels): string {
  const by_file = new Map<string, string[]>();
  const missing: Kernel[] = [];
  for (const kernel of kernels.used.values()) {
    if (kernel.declaration === null) missing.push(kernel);
    else by_file.set(kernel.declaration.file, [...(by_file.get(kernel.declaration.file) ?? []), kernel.name]);
  }
  for (const [name, file] of kernels.generated) by_file.set(file, [...(by_file.get(file) ?? []), name]);
  return input.templates("src/aten/templates/NativeFunctions.ts.tmpl").substitute({
    generated_comment: generated_header(`templates/NativeFunctions.ts.tmpl and ${yaml}`),
    native_function_declarations: [...by_file]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([file, names]) => {
        const list = [...new Set(names)].sort();
        return `export {\n${list.map((n) => `  ${n},`).join("\n")}\n} from "${specifier_of(path, file)}";`;
      }),
    stand_ins: stand_ins(missing),
  });
}

/** Development only (`--allow-missing`): a kernel that is not yet written throws when called. */
function stand_ins(missing: readonly Kernel[]): string[] {
  if (missing.length === 0) return [];
  const lines = [
    "",
    'import { MetaBase } from "#aten/TensorMeta";',
    "",
    "// biome-ignore lint/suspicious/noExplicitAny: a stand-in has no signature",
    "type Any = any;",
    "function not_written(name: string): never {",
    '  throw new Error("not written yet (code generated with --allow-missing): " + name);',
    "}",
    "abstract class NotWritten extends MetaBase {",
    "  meta(..._args: unknown[]): Any {\n    not_written(this.constructor.name);\n  }",
    "  impl(..._args: unknown[]): Any {\n    not_written(this.constructor.name);\n  }",
    "}",
  ];
  for (const { name } of missing)
    lines.push(
      name.startsWith("structured_")
        ? `export abstract class ${name} extends NotWritten {}`
        : `export const ${name} = (..._args: unknown[]): Any => not_written("${name}");`,
    );
  return lines;
}
