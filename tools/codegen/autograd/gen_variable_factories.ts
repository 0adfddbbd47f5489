/**
 * @file `torch::` factory functions: like `at::`, but the result may be a leaf that requires grad.
 * @mirrors tools/autograd/gen_variable_factories.py
 */
import * as cpp from "../api/cpp.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import { import_lines } from "../imports.ts";
import type { NativeFunction } from "../model.ts";
import { cite, generated_header } from "../utils.ts";
import { GENERATED_FOLDER, TEMPLATES_FOLDER } from "./folders.ts";

const OUTPUT = `${GENERATED_FOLDER}/variable_factories.ts`;

export function is_factory_function(f: NativeFunction): boolean {
  if (!f.variants.has("function")) return false;
  return f.func.arguments.tensor_options !== null || cpp.name(f.func).endsWith("_like");
}

export function gen_variable_factories(input: CodegenInput): Outputs {
  const definitions = input.yaml.native_functions.filter(is_factory_function).map(process_function);
  const text = input.templates(`${TEMPLATES_FOLDER}/variable_factories.ts.tmpl`).substitute({
    generated_comment: generated_header("templates/variable_factories.ts.tmpl and native_functions.yaml"),
    imports: import_lines(OUTPUT, definitions.join("\n")),
    function_definitions: definitions,
  });
  return new Map([[OUTPUT, text]]);
}

/** The kernel must not see `requires_grad`: autograd sets it on the finished tensor. */
function process_function(f: NativeFunction): string {
  const name = f.func.name.unambiguous_name();
  const parameters = cpp.api_parameters(f, false);
  const gathered = cpp.has_gathered_options(f);
  const args = parameters.map((p) => (gathered && p.name === "options" ? "options.requires_grad(null)" : p.name));
  return [
    "",
    `/** ${f.func}   ${cite(f)} */`,
    `export function ${name}(${cpp.declare(parameters)}): Tensor {`,
    "  const guard = new AutoDispatchBelowADInplaceOrView();",
    "  try {",
    `    return make_variable(at.${name}(${args.join(", ")}), ${gathered ? "options.requires_grad()" : "false"});`,
    "  } finally {",
    "    guard.restore();",
    "  }",
    "}",
  ].join("\n");
}
