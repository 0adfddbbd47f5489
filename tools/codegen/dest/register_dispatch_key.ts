/**
 * @file Register<Key>.ts: one wrapper per operator and key, from the dispatcher's signature to the native function, and their registration.
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
} from "../model.ts";
import { by_operator_name } from "../registrations.ts";
import { by_operator, NUM_SHARDS, shards } from "../shards.ts";
import { cite, generated_header } from "../utils.ts";
import { gen_structured } from "./structured.ts";

/** A wrapper ready to be printed and registered. */
export interface Wrapper {
  readonly f: NativeFunction;
  readonly name: string;
  readonly definition: string;
}

const TEMPLATE = "src/aten/templates/RegisterDispatchKey.ts.tmpl";

export function generate(input: CodegenInput, kernels: NativeKernels): Outputs {
  return new Map(BUILT_DISPATCH_KEYS.flatMap((key) => generate_key(input, kernels, key)));
}

function generate_key(input: CodegenInput, kernels: NativeKernels, key: DispatchKey): [string, string][] {
  const index = input.yaml.backend_indices.get(key) as BackendIndex;
  const wrappers = input.yaml.grouped.flatMap((g): Wrapper[] => {
    if (is_group(g) && g.structured) {
      const structured = gen_structured(g, index, kernels);
      if (structured !== null) return structured;
    }
    return functions_of(g).flatMap((f) => gen_unstructured(f, index, kernels) ?? []);
  });
  const count = NUM_SHARDS[`Register${key}`];
  return shards(`src/aten/generated/Register${key}.ts`, count, wrappers, (w) => by_operator(w.f)).map(
    ({ path, items }) => {
      const definitions = items.map((w) => w.definition);
      const body = definitions.join("\n");
      const text = input.templates(TEMPLATE).substitute({
        generated_comment: generated_header("templates/RegisterDispatchKey.ts.tmpl and native_functions.yaml"),
        DispatchKey: key,
        path,
        imports: [
          ...import_lines(path, body, value_sources(key)),
          'import * as at from "./Functions.ts";',
          'import * as native from "./NativeFunctions.ts";',
        ],
        dispatch_anonymous_definitions: definitions,
        static_init_dispatch_registrations: by_operator_name(
          items.map(({ f, name }) => ({ f, line: `m.impl("${f.func.name}", ${name}, "${name}"); // ${cite(f)}` })),
        ),
      });
      return [path, text] as [string, string];
    },
  );
}

/** Functions and classes that wrappers use beside the native ones. */
function value_sources(key: DispatchKey): Readonly<Record<string, string>> {
  return {
    tracer: "src/c10/util/Trace.ts",
    traceCall: "src/c10/util/Trace.ts",
    TORCH_CHECK: "src/c10/util/Exception.ts",
    TORCH_CHECK_NOT_IMPLEMENTED: "src/c10/util/Exception.ts",
    StructuredKernel: "src/aten/StructuredOutputs.ts",
    [`create_out_${key}`]: "src/aten/StructuredKernels.ts",
  };
}

/** The wrapper of a function with a kernel of its own, or null if this key has none. */
function gen_unstructured(f: NativeFunction, index: BackendIndex, kernels: NativeKernels): Wrapper | null {
  if (f.manual_kernel_registration) return null;
  const metadata = index.get_kernel(f);
  const name = unstructured_wrapper_name(f, index.dispatch_key);
  const parameters = cpp.scattered_parameters(f.func);
  const returns = cpp.returns_type(f.func.returns);
  const head = `\n// ${f.func}   ${cite(f)}\nfunction ${name}(_ks: DispatchKeySet${parameters.length === 0 ? "" : `, ${cpp.declare(parameters)}`}): ${returns} {`;
  if (metadata === null) return gets_inplace_meta(f, index) ? { f, name, definition: inplace_meta(f, head) } : null;
  const native = kernels.resolve(f, metadata);
  const args = parameters.map((p) => p.name).join(", ");
  const definition = `${head}
  if (tracer !== null) return traceCall("native", "at::native::${native}", native.${native}, [${args}]);
  return native.${native}(${args});
}`;
  return { f, name, definition };
}

/** On Meta an in-place operator has nothing to do, unless a composite kernel covers Meta anyway. */
function gets_inplace_meta(f: NativeFunction, index: BackendIndex): boolean {
  return (
    index.dispatch_key === "Meta" &&
    f.func.kind() === "inplace" &&
    !f.has_composite_kernel &&
    f.func.returns.length === 1
  );
}

function inplace_meta(f: NativeFunction, head: string): string {
  const self = f.func.arguments.self_arg;
  if (self === null) throw new CodegenError(f.loc, "func", "in-place without self", "name the written argument self");
  return `${head}
  TORCH_CHECK_NOT_IMPLEMENTED(self.is_meta(), "Cannot inplace into non-meta tensor with meta tensor argument");
  return self;
}`;
}
