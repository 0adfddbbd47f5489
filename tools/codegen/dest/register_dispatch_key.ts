/**
 * @file The generator of Register<Key>.ts: one wrapper per operator and key, from the dispatcher's signature to the
 * native function, and its registration.
 * @mirrors torchgen/dest/register_dispatch_key.py
 */
import * as cpp from "../api/cpp.ts";
import { unstructured_wrapper_name } from "../api/dispatcher.ts";
import type { NativeKernels } from "../api/native.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import { CodegenError } from "../errors.ts";
import { import_lines } from "../imports.ts";
import {
  type BackendIndex,
  BUILT_DISPATCH_KEYS,
  type DispatchKey,
  functions_of,
  is_group,
  type NativeFunction,
  type NativeFunctionsGroup,
} from "../model.ts";
import { by_operator_name } from "../registrations.ts";
import { by_operator, NUM_SHARDS, shards } from "../shards.ts";
import { cite, generated_header } from "../utils.ts";
import { GUARD_SOURCES, gen_device_check, gen_device_guard, guarded } from "./device_guard.ts";
import { create_out_name, gen_structured } from "./structured.ts";

/** A wrapper that can be printed and registered. */
export interface Wrapper {
  readonly f: NativeFunction;
  readonly name: string;
  readonly definition: string;
}

const TEMPLATE = "src/aten/templates/RegisterDispatchKey.ts.tmpl";

/** A file of wrappers: its path, its header, and the files of the functions and kernels that it calls. */
export interface WrapperFile {
  readonly path: string;
  readonly generated_comment: string;
  readonly at: string;
  readonly native: string;
}

export function generate(input: CodegenInput, kernels: NativeKernels): Outputs {
  return new Map(BUILT_DISPATCH_KEYS.flatMap((key) => generate_key(input, kernels, key)));
}

function generate_key(input: CodegenInput, kernels: NativeKernels, key: DispatchKey): [string, string][] {
  const index = input.yaml.backend_indices.get(key) as BackendIndex;
  const count = NUM_SHARDS[`Register${key}` as keyof typeof NUM_SHARDS];
  const wrappers = wrappers_of(input, index, kernels);
  return shards(`src/aten/generated/Register${key}.ts`, count, wrappers, (w) => by_operator(w.f)).map(
    ({ path, items }) => {
      const generated_comment = generated_header("templates/RegisterDispatchKey.ts.tmpl and native_functions.yaml");
      const file = { path, generated_comment, at: "./Functions.ts", native: "./NativeFunctions.ts" };
      return [path, wrapper_file(input, file, key, items)];
    },
  );
}

/** The wrappers of all kernels that `index` has, or that are derived for it. */
export function wrappers_of(input: CodegenInput, index: BackendIndex, kernels: NativeKernels): Wrapper[] {
  return input.yaml.grouped.flatMap((g): Wrapper[] => {
    if (is_group(g) && g.structured) {
      const structured = gen_structured(g, index, kernels);
      if (structured !== null) return structured;
    }
    return functions_of(g).flatMap((f) => gen_unstructured(f, is_group(g) ? g : null, index, kernels) ?? []);
  });
}

/** The text of a file that contains and registers `wrappers`. */
export function wrapper_file(
  input: CodegenInput,
  { path, generated_comment, at, native }: WrapperFile,
  key: DispatchKey,
  wrappers: readonly Wrapper[],
): string {
  const definitions = wrappers.map((w) => w.definition);
  return input.templates(TEMPLATE).substitute({
    generated_comment,
    DispatchKey: key,
    path,
    imports: [
      ...import_lines(path, definitions.join("\n"), value_sources(key)),
      `import * as at from "${at}";`,
      `import * as native from "${native}";`,
    ],
    dispatch_anonymous_definitions: definitions,
    static_init_dispatch_registrations: by_operator_name(
      wrappers.map(({ f, name }) => ({ f, line: `m.impl("${f.func.name}", ${name}, "${name}"); // ${cite(f)}` })),
    ),
  });
}

/** Functions and classes that wrappers use beside native functions, with their files. */
function value_sources(key: DispatchKey): Readonly<Record<string, string>> {
  return {
    tracer: "src/c10/util/Trace.ts",
    traceCall: "src/c10/util/Trace.ts",
    TORCH_CHECK: "src/c10/util/Exception.ts",
    TORCH_CHECK_NOT_IMPLEMENTED: "src/c10/util/Exception.ts",
    StructuredKernel: "src/aten/StructuredOutputs.ts",
    [create_out_name(key)]: "src/aten/StructuredKernels.ts",
    ...GUARD_SOURCES,
  };
}

/** The wrapper of a function with a kernel of its own, or null if this key has none. */
function gen_unstructured(
  f: NativeFunction,
  g: NativeFunctionsGroup | null,
  index: BackendIndex,
  kernels: NativeKernels,
): Wrapper | null {
  if (f.manual_kernel_registration) return null;
  const metadata = index.get_kernel(f);
  const name = unstructured_wrapper_name(f, index.dispatch_key);
  const parameters = cpp.scattered_parameters(f.func);
  const returns = cpp.returns_type(f.func.returns);
  const head = `\n// ${f.func}   ${cite(f)}\nfunction ${name}(_ks: DispatchKeySet${parameters.length === 0 ? "" : `, ${cpp.declare(parameters)}`}): ${returns} {`;
  const wrapper = (body: readonly string[]): Wrapper => ({
    f,
    name,
    definition: [head, ...body.map((line) => `  ${line}`), "}"].join("\n"),
  });
  if (metadata === null) {
    if (gets_inplace_meta(f, index)) return wrapper(inplace_meta(f));
    return g !== null && gets_out_inplace_wrapper(f, g, index) ? wrapper(gen_out_inplace_wrapper(f, g, index)) : null;
  }
  const native = kernels.resolve(f, metadata);
  const args = parameters.map((p) => p.name).join(", ");
  const traced_as = `"${metadata.shared === true ? "at::native" : index.traits.cpp_namespace}::${native}"`;
  return wrapper([
    ...gen_device_check(f, index, name),
    ...guarded(gen_device_guard(f, index), [
      `if (tracer !== null) return traceCall("native", ${traced_as}, native.${native}, [${args}]);`,
      `return native.${native}(${args});`,
    ]),
  ]);
}

/** Whether in-place and out variants that copy the result are derived: the backend has only the functional kernel. */
function gets_out_inplace_wrapper(f: NativeFunction, g: NativeFunctionsGroup, index: BackendIndex): boolean {
  return !index.traits.use_out_as_primary && f.func.kind() !== "functional" && index.has_kernel(g.functional);
}

function gen_out_inplace_wrapper(f: NativeFunction, g: NativeFunctionsGroup, index: BackendIndex): string[] {
  const kind = f.func.kind();
  if (kind !== "inplace" && kind !== "out")
    throw new CodegenError(
      f.loc,
      "func",
      `no wrapper can be made for '${f.func.name}'`,
      "list it together with the others",
    );
  const copy_op = kind === "inplace" ? "_copy_from" : "_copy_from_and_resize";
  const functional = unstructured_wrapper_name(g.functional, index.dispatch_key);
  const args = g.functional.func.arguments.flat_all.map((a) => cpp.argument_name(a));
  const given = kind === "inplace" ? ["self"] : f.func.arguments.out.map((a) => cpp.argument_name(a));
  const results = given.map((_, i) => (given.length === 1 ? "tmp" : `tmp[${i}]`));
  const returned = f.func.returns.length === 0 ? "" : given.length === 1 ? ` ${given[0]}` : ` [${given.join(", ")}]`;
  return [
    `const tmp = ${functional}(_ks, ${args.join(", ")});`,
    ...given.map((name, i) =>
      f.func.arguments.out[i]?.type.kind === "list"
        ? `for (const [i, each] of ${results[i]}.entries()) at.${copy_op}(each, ${name}[i]);`
        : `at.${copy_op}(${results[i]}, ${name});`,
    ),
    `return${returned};`,
  ];
}

/** Whether an in-place operator gets a kernel on Meta that does nothing: it does, unless a composite kernel covers Meta. */
function gets_inplace_meta(f: NativeFunction, index: BackendIndex): boolean {
  return (
    index.dispatch_key === "Meta" &&
    f.func.kind() === "inplace" &&
    !f.has_composite_kernel &&
    f.func.returns.length === 1
  );
}

function inplace_meta(f: NativeFunction): string[] {
  const self = f.func.arguments.self_arg;
  if (self === null) throw new CodegenError(f.loc, "func", "in-place without self", "name the written argument self");
  return [
    'TORCH_CHECK_NOT_IMPLEMENTED(self.is_meta(), "Cannot inplace into non-meta tensor with meta tensor argument");',
    "return self;",
  ];
}
