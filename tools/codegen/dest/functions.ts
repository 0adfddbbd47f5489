/**
 * @file The user's C++ API: `at.f` (Functions.ts) and the methods of `at::Tensor` (TensorBody.ts).
 * @mirrors torchgen/gen.py#ComputeFunction
 */
import * as cpp from "../api/cpp.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import { import_lines } from "../imports.ts";
import type { NativeFunction } from "../model.ts";
import { by_operator, everything, NUM_SHARDS, shards } from "../shards.ts";
import { cite, generated_header } from "../utils.ts";

const FUNCTIONS = "src/aten/generated/Functions.ts";
const TENSOR_BODY = "src/aten/generated/core/TensorBody.ts";
const TEMPLATES = "src/aten/templates";

export function generate(input: CodegenInput): Outputs {
  const api = input.yaml.native_functions.filter((f) => !f.manual_cpp_binding);
  const outputs: Outputs = new Map();
  const functions = api.filter((f) => f.variants.has("function"));
  for (const { path, items } of shards(FUNCTIONS, NUM_SHARDS.Functions, functions, by_operator)) {
    const definitions = items.map((f) => define(f, false));
    const text = input.templates(`${TEMPLATES}/Functions_shard.ts.tmpl`).substitute({
      generated_comment: generated_header("templates/Functions_shard.ts.tmpl and native_functions.yaml"),
      Functions_includes: import_lines(path, definitions.join("\n")),
      Functions_declarations: definitions,
    });
    outputs.set(path, text);
  }
  const functions_text = input.templates(`${TEMPLATES}/Functions.ts.tmpl`).substitute({
    generated_comment: generated_header("templates/Functions.ts.tmpl"),
    shards: everything(FUNCTIONS, NUM_SHARDS.Functions),
  });
  const methods = api.filter((f) => f.variants.has("method")).map((f) => define(f, true));
  const body = input.templates(`${TEMPLATES}/TensorBody.ts.tmpl`);
  const tensor_text = body.substitute({
    generated_comment: generated_header("templates/TensorBody.ts.tmpl and native_functions.yaml"),
    imports: import_lines(TENSOR_BODY, `${methods.join("\n")}\n${body.pattern}`),
    tensor_method_definitions: methods,
  });
  return outputs.set(FUNCTIONS, functions_text).set(TENSOR_BODY, tensor_text);
}

function define(f: NativeFunction, method: boolean): string {
  const name = f.func.name.unambiguous_name();
  const parameters = cpp.declare(cpp.api_parameters(f, method));
  const args = cpp.scatter_exprs(f, method ? "this" : null).join(", ");
  const doc = `/** ${f.func}   ${cite(f)} */`;
  const head = `${name}(${parameters}): ${cpp.returns_type(f.func.returns)}`;
  const body = `return _ops.${name}.call(${args});`;
  // A file has a thousand methods, so each takes two lines. A function has the same form.
  return `${doc}\n${method ? "" : "export function "}${head} { ${body} }`;
}
