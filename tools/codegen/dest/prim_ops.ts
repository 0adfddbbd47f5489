/**
 * @file The schemas of TorchScript's own operators, from prim_ops.yaml, and the order of overloads, from overload_order.yaml.
 * @original PyTorch writes each of these schemas beside its implementation, in torch/csrc/jit/runtime/register_prim_ops.cpp.
 */
import type { CodegenInput, Outputs } from "../context.ts";
import { CodegenError } from "../errors.ts";
import { generated_header } from "../utils.ts";
import { read_yaml_list } from "../yaml_reader.ts";

const FOLDER = "src/torch/csrc-equivalent/jit/runtime";
const YAML = `${FOLDER}/prim_ops.yaml`;
const ORDER = `${FOLDER}/overload_order.yaml`;

/** A schema that names a custom class cannot be parsed, because no custom class is registered. */
const names_custom_class = (schema: string): boolean => schema.includes("__torch__.torch.classes.");

export function generate(input: CodegenInput): Outputs {
  const yaml = input.files.get(YAML);
  if (yaml === undefined) return new Map(); // a tree of the generator's own tests
  const by_name = new Map<string, string[]>();
  for (const { place, fields } of read_yaml_list(YAML, yaml)) {
    const schema = fields.get("func")?.value;
    if (typeof schema !== "string")
      throw new CodegenError(place, "func", "no schema", "write `func: NAME(ARGUMENTS) -> RETURNS`");
    if (names_custom_class(schema)) continue;
    const name = schema.slice(0, schema.search(/[.(]/));
    const alias = fields.get("alias")?.value;
    const entry = alias === undefined ? [schema] : [schema, alias];
    const overloads = by_name.get(name);
    if (overloads === undefined) by_name.set(name, [JSON.stringify(entry)]);
    else overloads.push(JSON.stringify(entry));
  }
  const lines = [...by_name].map(([name, overloads]) => `${JSON.stringify(name)}: [\n${overloads.join(",\n")},\n],`);
  const text = input.templates(`${FOLDER}/templates/prim_ops.ts.tmpl`).substitute({
    generated_comment: generated_header("templates/prim_ops.ts.tmpl and prim_ops.yaml"),
    prim_ops: lines,
  });
  return new Map([
    [`${FOLDER}/generated/prim_ops.ts`, text],
    [`${FOLDER}/generated/overload_order.ts`, overload_order(input)],
  ]);
}

function overload_order(input: CodegenInput): string {
  const lines = read_yaml_list(ORDER, input.files.get(ORDER) ?? "").map(({ place, fields }) => {
    const [name, overloads] = ["name", "overloads"].map((field) => fields.get(field)?.value);
    if (typeof name !== "string" || typeof overloads !== "string")
      throw new CodegenError(place, "overloads", "no names", "write `name: NAME` and `overloads: A B`");
    return `${JSON.stringify(name)}: ${JSON.stringify(overloads)},`;
  });
  return input.templates(`${FOLDER}/templates/overload_order.ts.tmpl`).substitute({
    generated_comment: generated_header("templates/overload_order.ts.tmpl and overload_order.yaml"),
    overload_order: lines,
  });
}
