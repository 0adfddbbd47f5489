/**
 * @file The user's C++ API: `at.f` (Functions.ts) and the methods of `at::Tensor` (TensorBody.ts).
 * @mirrors torchgen/gen.py#ComputeFunction
 */
import * as cpp from "../api/cpp.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import { import_lines } from "../imports.ts";
import type { NativeFunction } from "../model.ts";
import { generated_header, yaml_place } from "../utils.ts";

const FUNCTIONS = "src/aten/generated/Functions.ts";
const TENSOR_BODY = "src/aten/generated/core/TensorBody.ts";

export function generate(input: CodegenInput): Outputs {
  const api = input.yaml.native_functions.filter((f) => !f.manual_cpp_binding);
  const functions = api.filter((f) => f.variants.has("function")).map((f) => define(f, false));
  const methods = api.filter((f) => f.variants.has("method")).map((f) => define(f, true));
  const functions_text = input.templates("src/aten/templates/Functions.ts.tmpl").substitute({
    generated_comment: generated_header("templates/Functions.ts.tmpl and native_functions.yaml"),
    Functions_includes: import_lines(FUNCTIONS, functions.join("\n")),
    Functions_declarations: functions,
  });
  const body = input.templates("src/aten/templates/TensorBody.ts.tmpl");
  const tensor_text = body.substitute({
    generated_comment: generated_header("templates/TensorBody.ts.tmpl and native_functions.yaml"),
    imports: import_lines(TENSOR_BODY, `${methods.join("\n")}\n${body.pattern}`),
    tensor_method_definitions: methods,
  });
  return new Map([
    [FUNCTIONS, functions_text],
    [TENSOR_BODY, tensor_text],
  ]);
}

function define(f: NativeFunction, method: boolean): string {
  const name = f.func.name.unambiguous_name();
  const parameters = cpp.declare(cpp.api_parameters(f, method));
  const args = cpp.scatter_exprs(f, method ? "this" : null).join(", ");
  return `
/** ${f.func}   ${yaml_place(f.loc)} */
${method ? "" : "export function "}${name}(${parameters}): ${cpp.returns_type(f.func.returns)} {
  return _ops.${name}.call(${args});
}`;
}
