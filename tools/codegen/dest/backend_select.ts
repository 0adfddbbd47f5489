/**
 * @file BackendSelect kernels of factories, which have no tensor to dispatch on: the key is computed from dtype, layout
 * and device.
 * @mirrors torchgen/gen.py#ComputeBackendSelect
 */
import * as cpp from "../api/cpp.ts";
import { fold_expr, KEY_SET_FUNCTIONS, native_name } from "../api/dispatcher.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import type { FunctionSchema } from "../function_schema.ts";
import { import_lines } from "../imports.ts";
import type { NativeFunction } from "../model.ts";
import { by_operator_name } from "../registrations.ts";
import { is_tensor_like } from "../types.ts";
import { cite, generated_header } from "../utils.ts";

const PATH = "src/aten/generated/RegisterBackendSelect.ts";

/** Whether it is a factory with tensor options that does not follow the backend of a tensor: `x_like` and `new_x` do. */
export function needs_backend_select(f: NativeFunction): boolean {
  const base = String(f.func.name.name);
  return f.func.arguments.tensor_options !== null && !base.endsWith("_like") && !base.startsWith("new_");
}

export function generate(input: CodegenInput): Outputs {
  const selected = input.yaml.native_functions.filter(needs_backend_select);
  const definitions = selected.map(define);
  const template = input.templates("src/aten/templates/RegisterBackendSelect.ts.tmpl");
  const text = template.substitute({
    generated_comment: generated_header("templates/RegisterBackendSelect.ts.tmpl and native_functions.yaml"),
    imports: import_lines(PATH, `${definitions.join("\n")}\n${template.pattern}`, KEY_SET_FUNCTIONS),
    path: PATH,
    backend_select_method_definitions: definitions,
    backend_select_function_registrations: by_operator_name(
      selected.map((f) => ({
        f,
        line: `m.impl("${f.func.name}", ${native_name(f)}, "${native_name(f)}"); // ${cite(f)}`,
      })),
    ),
  });
  return new Map([[PATH, text]]);
}

function define(f: NativeFunction): string {
  const parameters = cpp.scattered_parameters(f.func);
  const names = parameters.map((p) => p.name).join(", ");
  return `
// ${f.func}   ${cite(f)}
function ${native_name(f)}(_ks: DispatchKeySet, ${cpp.declare(parameters)}): ${cpp.returns_type(f.func.returns)} {
  const ks = ${key_set(f.func)};
  return _ops.${f.func.name.unambiguous_name()}.redispatch(ks, ${names});
}`;
}

/** The key set. If there are tensors (`_to_copy`), their keys and the thread's sets count too. */
function key_set(func: FunctionSchema): string {
  const start = "setOfKey(computeDispatchKey(dtype, layout, device))";
  const tensors = func.arguments.flat_non_out.filter((a) => is_tensor_like(a.type));
  return tensors.length === 0 ? start : `computeDispatchKeySet(${fold_expr(start, tensors)}, after_backend_select)`;
}
