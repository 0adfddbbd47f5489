/**
 * @file Schemas and tags of every operator, generated ones included.
 * @mirrors torchgen/gen.py#RegisterSchema
 */
import type { CodegenInput, Outputs } from "../context.ts";
import { generated_header, yaml_place } from "../utils.ts";

const PATH = "src/aten/generated/RegisterSchema.ts";

export function generate(input: CodegenInput): Outputs {
  const tags = new Map<string, string>();
  const registrations = input.yaml.native_functions.map((f) => {
    const list = JSON.stringify([...f.tags].sort());
    let name = tags.get(list);
    if (name === undefined) tags.set(list, (name = `tags_${tags.size}`));
    return `m.def(${JSON.stringify(String(f.func))}, ${name}); // ${yaml_place(f.loc)}`;
  });
  const text = input.templates("src/aten/templates/RegisterSchema.ts.tmpl").substitute({
    generated_comment: generated_header("templates/RegisterSchema.ts.tmpl and native_functions.yaml"),
    schema_tags: [...tags].map(([list, name]) => `const ${name} = ${list};`),
    aten_schema_registrations: registrations,
  });
  return new Map([[PATH, text]]);
}
