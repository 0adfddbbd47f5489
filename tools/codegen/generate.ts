/**
 * @file The code generator, from texts to texts. `gen.ts` is the shell around it that reads and writes files.
 * @mirrors torchgen/gen.py
 */
import { NativeKernels } from "./api/native.ts";
import { generate as generate_autograd } from "./autograd/gen_autograd.ts";
import { generate as generate_python_functions } from "./autograd/gen_python_functions.ts";
import { type CodegenInput, type Files, type Outputs, template_reader } from "./context.ts";
import { generate as generate_backend_select } from "./dest/backend_select.ts";
import { generate as generate_composite_kernels } from "./dest/composite_kernels.ts";
import { generate as generate_functions } from "./dest/functions.ts";
import { generate as generate_kernels, generateFunctions as generate_wgsl_functions } from "./dest/kernels.ts";
import { generate as generate_native_functions } from "./dest/native_functions.ts";
import { generate as generate_operators } from "./dest/operators.ts";
import { generate as generate_prim_ops } from "./dest/prim_ops.ts";
import { generate as generate_register_all } from "./dest/register_all.ts";
import { generate as generate_register_dispatch_key } from "./dest/register_dispatch_key.ts";
import { generate as generate_register_schema } from "./dest/register_schema.ts";
import { generate as generate_ufunc } from "./dest/ufunc.ts";
import { generate as generate_vec_kernels } from "./dest/vec_kernels.ts";
import { check_dispatch_stubs } from "./dispatch_stubs.ts";
import { CodegenError, ErrorList, with_errors } from "./errors.ts";
import { generate as generate_backend_stubs } from "./gen_backend_stubs.ts";
import { generate as generate_lazy_tensor } from "./gen_lazy_tensor.ts";
import { parse_native_yaml } from "./parse_native_yaml.ts";
import { SourceIndex } from "./source_index.ts";

export interface GenerateOptions {
  readonly allow_missing?: boolean;
}

export interface Generated {
  readonly outputs: Outputs;
  readonly operators: number;
  /** Kernels replaced by stand-ins; empty unless `allow_missing`. */
  readonly missing: readonly string[];
}

const NATIVE_FUNCTIONS = "src/aten/native/native_functions.yaml";
const TAGS = "src/aten/native/tags.yaml";

/**
 * Generates all files from the hand-written ones. Generated files among `files` are ignored.
 * @throws {CodegenError} with every error of the run: Note [All errors of a run]
 */
export function generate(files: Files, options: GenerateOptions = {}): Generated {
  return with_errors(undefined, (errors) => generate_with(files, options.allow_missing ?? false, errors));
}

function generate_with(files: Files, allow_missing: boolean, errors: ErrorList): Generated {
  const outputs: Outputs = new Map();
  const stage = (run: () => Outputs): void => {
    for (const [path, text] of errors.attempt(run) ?? []) outputs.set(path, with_final_newline(text));
  };
  stage(() => generate_kernels_of(files, allow_missing, errors));
  stage(() => generate_wgsl_functions(files));
  stage(() => generate_vec_kernels(files));
  // All stages but these work on the entries of the YAML.
  const yaml = parse_native_yaml(
    { native_functions: text_of(files, NATIVE_FUNCTIONS), tags: text_of(files, TAGS) },
    errors,
  );
  const input: CodegenInput = {
    yaml,
    files,
    sources: new SourceIndex(files),
    templates: template_reader(files),
    allow_missing,
    errors,
  };
  const kernels = new NativeKernels(input);
  stage(() => generate_operators(input));
  stage(() => generate_functions(input));
  stage(() => generate_register_schema(input));
  stage(() => generate_backend_select(input));
  stage(() => generate_composite_kernels(input, kernels));
  stage(() => generate_ufunc(input, kernels));
  stage(() => generate_register_dispatch_key(input, kernels));
  stage(() => generate_native_functions(input, kernels));
  stage(() => generate_register_all(input));
  stage(() => generate_prim_ops(input));
  stage(() => generate_backend_stubs(input));
  stage(() => unless_missing(input, generate_lazy_tensor));
  stage(() => unless_missing(input, generate_autograd));
  stage(() => unless_missing(input, generate_python_functions));
  if (!allow_missing) check_dispatch_stubs(files, outputs, errors);
  const missing = [...kernels.used.values()].filter((k) => k.declaration === null).map((k) => k.name);
  return { outputs, operators: yaml.native_functions.length, missing };
}

function text_of(files: Files, path: string): { path: string; text: string } {
  const text = files.get(path);
  if (text !== undefined) return { path, text };
  const way_out = "run from the repository root, or give --root";
  throw new CodegenError({ file: path, line: 0 }, "input", "no such file", way_out);
}

/**
 * After a defect the other files are tried one by one, so that each reports its own. While the tree is under
 * construction, a file with a defect is skipped instead.
 */
function generate_kernels_of(files: Files, allow_missing: boolean, errors: ErrorList): Outputs {
  try {
    return generate_kernels(files);
  } catch (error) {
    if (!(error instanceof CodegenError)) throw error;
    const told = new ErrorList();
    const made = [...files.keys()].map((path) => told.attempt(() => generate_kernels(files, [path])));
    for (const e of told.sorted())
      if (allow_missing) console.warn(`skipped: ${e.message}`);
      else errors.add(e);
    return new Map(made.flatMap((outputs) => [...(outputs ?? [])]));
  }
}

/** While the tree is under construction, a generator whose inputs do not exist yet makes nothing. */
function unless_missing(input: CodegenInput, run: (input: CodegenInput) => Outputs): Outputs {
  if (!input.allow_missing) return run(input);
  const errors = new ErrorList();
  const outputs = errors.attempt(() => run({ ...input, errors }));
  for (const e of errors.sorted()) console.warn(`skipped: ${e.message}`);
  return errors.is_empty() ? (outputs ?? new Map()) : new Map();
}

/** The text with one line break at the end and without consecutive empty lines, which empty template fields may leave. */
function with_final_newline(text: string): string {
  return `${text.replace(/\n{3,}/g, "\n\n").trimEnd()}\n`;
}
