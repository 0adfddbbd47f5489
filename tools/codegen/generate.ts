/**
 * @file The code generator: texts in, texts out. `gen.ts` is the shell around it that reads and writes files.
 * @mirrors torchgen/gen.py
 */
import { NativeKernels } from "./api/native.ts";
import { generate as generate_autograd } from "./autograd/gen_autograd.ts";
import { generate as generate_python_functions } from "./autograd/gen_python_functions.ts";
import { type CodegenInput, type Files, type Outputs, template_reader } from "./context.ts";
import { generate as generate_backend_select } from "./dest/backend_select.ts";
import { generate as generate_composite_kernels } from "./dest/composite_kernels.ts";
import { generate as generate_functions } from "./dest/functions.ts";
import { generate as generate_kernels } from "./dest/kernels.ts";
import { generate as generate_native_functions } from "./dest/native_functions.ts";
import { generate as generate_operators } from "./dest/operators.ts";
import { generate as generate_register_all } from "./dest/register_all.ts";
import { generate as generate_register_dispatch_key } from "./dest/register_dispatch_key.ts";
import { generate as generate_register_schema } from "./dest/register_schema.ts";
import { generate as generate_ufunc } from "./dest/ufunc.ts";
import { CodegenError } from "./errors.ts";
import { parse_native_yaml } from "./parse_native_yaml.ts";
import { SourceIndex } from "./source_index.ts";

export interface GenerateOptions {
  readonly allow_missing?: boolean;
}

export interface Generated {
  readonly outputs: Outputs;
  readonly operators: number;
  /** Kernels that stand-ins replace; empty unless `allow_missing`. */
  readonly missing: readonly string[];
}

const NATIVE_FUNCTIONS = "src/aten/native/native_functions.yaml";
const TAGS = "src/aten/native/tags.yaml";

/** Everything that is generated, from everything that is written. Generated files among `files` are not read. */
export function generate(files: Files, options: GenerateOptions = {}): Generated {
  const read = (path: string): { path: string; text: string } => {
    const text = files.get(path);
    if (text === undefined)
      throw new CodegenError(
        { file: path, line: 0 },
        "input",
        "no such file",
        "run from the repository root, or give --root",
      );
    return { path, text };
  };
  const yaml = parse_native_yaml({ native_functions: read(NATIVE_FUNCTIONS), tags: read(TAGS) });
  const input: CodegenInput = {
    yaml,
    files,
    sources: new SourceIndex(files),
    templates: template_reader(files),
    allow_missing: options.allow_missing ?? false,
  };
  const kernels = new NativeKernels(input);
  const outputs: Outputs = new Map();
  const add = (more: Outputs): void => {
    for (const [path, text] of more) outputs.set(path, with_final_newline(text));
  };
  add(generate_kernels_of(files, input.allow_missing));
  add(generate_operators(input));
  add(generate_functions(input));
  add(generate_register_schema(input));
  add(generate_backend_select(input));
  add(generate_composite_kernels(input, kernels));
  add(generate_ufunc(input, kernels));
  add(generate_register_dispatch_key(input, kernels));
  add(generate_native_functions(input, kernels));
  add(generate_register_all(input));
  add(unless_missing(input, () => generate_autograd(input)));
  add(unless_missing(input, () => generate_python_functions(input)));
  const missing = [...kernels.used.values()].filter((k) => k.declaration === null).map((k) => k.name);
  return { outputs, operators: yaml.native_functions.length, missing };
}

/** While the tree grows, a kernel file with a defect is left out. */
function generate_kernels_of(files: Files, allow_missing: boolean): Outputs {
  try {
    return generate_kernels(files);
  } catch (error) {
    if (!allow_missing || !(error instanceof CodegenError) || !files.has(error.place.file)) throw error;
    console.warn(`skipped: ${error.message}`);
    const { file } = error.place;
    return generate_kernels_of(new Map([...files].filter(([path]) => path !== file)), allow_missing);
  }
}

/** While the tree grows, a generator whose inputs are not there yet makes nothing. */
function unless_missing(input: CodegenInput, run: () => Outputs): Outputs {
  if (!input.allow_missing) return run();
  try {
    return run();
  } catch (error) {
    if (!(error instanceof CodegenError)) throw error;
    console.warn(`skipped: ${error.message}`);
    return new Map();
  }
}

/** Ends with one line break and has no run of empty lines, whatever the template's empty holes leave behind. */
function with_final_newline(text: string): string {
  return `${text.replace(/\n{3,}/g, "\n\n").trimEnd()}\n`;
}
