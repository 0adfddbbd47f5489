/**
 * @file `at::_ops`: one object per operator with `call` and `redispatch`, the only ways into the dispatcher.
 * @mirrors torchgen/gen.py#ComputeOperators
 */
import * as cpp from "../api/cpp.ts";
import { KEY_SET_FUNCTIONS, key_set_expr } from "../api/dispatcher.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import { import_lines } from "../imports.ts";
import { fill } from "../layout.ts";
import type { NativeFunction } from "../model.ts";
import { by_operator, everything, NUM_SHARDS, shards } from "../shards.ts";
import { cite, generated_header } from "../utils.ts";

const PATH = "src/aten/generated/Operators.ts";
const TEMPLATES = "src/aten/templates";

export function generate(input: CodegenInput): Outputs {
  const template = input.templates(`${TEMPLATES}/Operators_shard.ts.tmpl`);
  const outputs: Outputs = new Map();
  for (const { path, items } of shards(PATH, NUM_SHARDS.Operators, input.yaml.native_functions, by_operator)) {
    const definitions = items.map(define_operator);
    const text = template.substitute({
      generated_comment: generated_header("templates/Operators_shard.ts.tmpl and native_functions.yaml"),
      imports: import_lines(path, definitions.join("\n"), KEY_SET_FUNCTIONS),
      definitions,
    });
    outputs.set(path, text);
  }
  const text = input.templates(`${TEMPLATES}/Operators.ts.tmpl`).substitute({
    generated_comment: generated_header("templates/Operators.ts.tmpl"),
    shards: everything(PATH, NUM_SHARDS.Operators),
  });
  return outputs.set(PATH, text);
}

function define_operator(f: NativeFunction): string {
  const name = f.func.name.unambiguous_name();
  const parameters = cpp.scattered_parameters(f.func);
  const declared = cpp.declare(parameters);
  const names = parameters.map((p) => p.name).join(", ");
  const after_ks = (list: string) => (list === "" ? "" : `, ${list}`);
  const returns = cpp.returns_type(f.func.returns);
  // A parameter with the operator's own name (`threshold`) would hide the operator.
  const hidden = parameters.some((p) => p.name === name);
  const self = hidden ? `${name}_operator` : name;
  const fields = [
    `name: "${f.namespace}::${f.func.name.name}",`,
    `overload_name: "${f.func.name.overload_name}",`,
    `op: null as TypedOperatorHandle<(ks: DispatchKeySet${after_ks(declared)}) => ${returns}> | null,`,
  ];
  return `
// ${f.func}   ${cite(f)}
${hidden ? "" : "export "}const ${self} = {
${fill(fields, "  ").join("\n")}
  call(${declared}): ${returns} {
    const op = ${self}.op;
    if (op === null || observed) return callSlow(${self}, null, [${names}]);
    const ks = op.extractor.${key_set_expr(f.func)};
    return op.lookup(ks)(ks${after_ks(names)});
  },
  redispatch(ks: DispatchKeySet${after_ks(declared)}): ${returns} {
    const op = ${self}.op;
    if (op === null || observed) return callSlow(${self}, ks, [${names}]);
    return op.lookup(ks)(ks${after_ks(names)});
  },
};${hidden ? `\nexport { ${self} as ${name} };` : ""}`;
}
