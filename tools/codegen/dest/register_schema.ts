/**
 * @file Schemas and tags of every operator, generated ones included.
 * @mirrors torchgen/gen.py#RegisterSchema
 */
import type { CodegenInput, Outputs } from "../context.ts";
import { by_operator_name } from "../registrations.ts";
import { cite, generated_header } from "../utils.ts";

const PATH = "src/aten/generated/RegisterSchema.ts";

export function generate(input: CodegenInput): Outputs {
  const registrations = input.yaml.native_functions.map((f) => {
    const tags = [...f.tags].sort().map((tag) => JSON.stringify(tag));
    return { f, line: `m.def_checked(${JSON.stringify(String(f.func))}, [${tags.join(", ")}]); // ${cite(f)}` };
  });
  const text = input.templates("src/aten/templates/RegisterSchema.ts.tmpl").substitute({
    generated_comment: generated_header("templates/RegisterSchema.ts.tmpl and native_functions.yaml"),
    path: PATH,
    aten_schema_registrations: by_operator_name(registrations),
  });
  return new Map([[PATH, text]]);
}
