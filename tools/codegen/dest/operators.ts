/**
 * @file `at::_ops`: one class per operator with `call` and `redispatch`, the only ways into the dispatcher.
 * @mirrors torchgen/gen.py#ComputeOperators
 */
import * as cpp from "../api/cpp.ts";
import { KEY_SET_FUNCTIONS, key_set_expr } from "../api/dispatcher.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import { import_lines } from "../imports.ts";
import type { NativeFunction } from "../model.ts";
import { generated_header, yaml_place } from "../utils.ts";

const PATH = "src/aten/generated/Operators.ts";
const TEMPLATE = "src/aten/templates/Operators.ts.tmpl";

const TYPE_NAMES = new Set([
  "any",
  "unknown",
  "never",
  "void",
  "number",
  "string",
  "boolean",
  "symbol",
  "bigint",
  "object",
  "undefined",
  "null",
]);

export function generate(input: CodegenInput): Outputs {
  const definitions = input.yaml.native_functions.map(define_operator);
  const body = definitions.join("\n");
  const text = input.templates(TEMPLATE).substitute({
    generated_comment: generated_header("templates/Operators.ts.tmpl and native_functions.yaml"),
    imports: import_lines(PATH, body, KEY_SET_FUNCTIONS),
    definitions,
  });
  return new Map([[PATH, text]]);
}

function define_operator(f: NativeFunction): string {
  const name = f.func.name.unambiguous_name();
  const parameters = cpp.scattered_parameters(f.func);
  const declared = cpp.declare(parameters);
  const names = parameters.map((p) => p.name).join(", ");
  const after_ks = (list: string) => (list === "" ? "" : `, ${list}`);
  const returns = cpp.returns_type(f.func.returns);
  // TypeScript refuses a class named like a built-in type (`any`), but not an export of that name.
  const is_type_name = TYPE_NAMES.has(name);
  const class_name = is_type_name ? `${name}_` : name;
  return `
type ${name}_schema = (ks: DispatchKeySet${after_ks(declared)}) => ${returns};
let ${name}_op: TypedOperatorHandle<${name}_schema> | null = null;
function create_${name}_typed_handle(): TypedOperatorHandle<${name}_schema> {
  ${name}_op = Dispatcher.singleton().findSchemaOrThrow("${f.namespace}::${f.func.name.name}", "${f.func.name.overload_name}").typed<${name}_schema>();
  return ${name}_op;
}
// ${f.func}   ${yaml_place(f.loc)}${f.generated ? " (autogen)" : ""}
${is_type_name ? "" : "export "}class ${class_name} {
  static call(${declared}): ${returns} {
    const op = ${name}_op ?? create_${name}_typed_handle();
    const ks = op.extractor.${key_set_expr(f.func)};
    if (tracer !== null || hasStepCallbacks) return Dispatcher.callSlow(op, "call", ks, [${names}]);
    return op.lookup(ks)(ks${after_ks(names)});
  }
  static redispatch(ks: DispatchKeySet${after_ks(declared)}): ${returns} {
    const op = ${name}_op ?? create_${name}_typed_handle();
    if (tracer !== null) return Dispatcher.callSlow(op, "redispatch", ks, [${names}]);
    return op.lookup(ks)(ks${after_ks(names)});
  }
}${is_type_name ? `\nexport { ${class_name} as ${name} };` : ""}`;
}
