/**
 * @file Nodes and kernels of lazy tensors, from the list ts_native_functions.yaml.
 *
 *   backend: Lazy                the dispatch key
 *   cpp_namespace: torch::lazy   the kernels' namespace in traces
 *   full_codegen:                operators that get a class of nodes and a kernel. In-place and out variants call the functional one
 *     - add.Tensor               and assign its result
 *   ir_gen:                      operators that get only a class of nodes
 *   symint:                      operators among them whose single sizes are operands
 *   supported:                   operators whose kernel is written by hand, and registered where it is written
 *
 * @mirrors torchgen/gen_lazy_tensor.py
 * @differs The lists `autograd` and `non_native` are missing, and nothing is generated for `supported`.
 * @see dest/lazy_ir.ts (what is generated for one operator)
 */
import type { CodegenInput, Outputs } from "./context.ts";
import { kernel, type LazyFunction, node_class, registration_lines } from "./dest/lazy_ir.ts";
import { CodegenError } from "./errors.ts";
import { import_lines } from "./imports.ts";
import { functions_of, is_group, type NativeFunction } from "./model.ts";
import { by_operator_name } from "./registrations.ts";
import { NUM_SHARDS, shards } from "./shards.ts";
import { generated_header } from "./utils.ts";
import { FieldReader, read_yaml_map, type YamlField } from "./yaml_reader.ts";

const LIST = "src/aten/native/ts_native_functions.yaml";
const LAZY = "src/torch/csrc-equivalent/lazy/";
const TEMPLATES = `${LAZY}templates/`;
const GENERATED = `${LAZY}generated/`;

export function generate(input: CodegenInput): Outputs {
  const { full_codegen, ir_gen } = parse_native_functions_keys(input);
  const outputs: Outputs = new Map();
  const root_name = ({ f }: LazyFunction): string => f.root_name;
  const template = (name: string) => input.templates(`${TEMPLATES}${name}.ts.tmpl`);
  const comment = (name: string) => generated_header(`templates/${name}.ts.tmpl and ts_native_functions.yaml`);
  const write = (name: "LazyIr" | "LazyNativeFunctions", of: readonly LazyFunction[], text: typeof kernel): void => {
    for (const { path, items } of shards(`${GENERATED}${name}.ts`, NUM_SHARDS[name], of, root_name)) {
      const definitions = items.map(text);
      const { pattern } = template(name);
      outputs.set(
        path,
        template(name).substitute({
          generated_comment: comment(name),
          imports: import_lines(path, `${definitions.join("\n")}\n${pattern}`, NAMES),
          definitions,
        }),
      );
    }
    const lines = Array.from({ length: NUM_SHARDS[name] }, (_, i) => `export * from "./${name}_${i}.ts";`);
    const all = template("Shards").substitute({ generated_comment: comment("Shards"), name, lines });
    outputs.set(`${GENERATED}${name}.ts`, all);
  };
  write("LazyIr", [...full_codegen, ...ir_gen], node_class);
  write("LazyNativeFunctions", full_codegen, kernel);
  const path = `${GENERATED}RegisterLazy.ts`;
  const registrations = template("RegisterLazy").substitute({
    generated_comment: comment("RegisterLazy"),
    path,
    registrations: by_operator_name(full_codegen.flatMap(registration_lines)),
  });
  return outputs.set(path, registrations);
}

/** Names that generated files import, and their files. */
const NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    "core/hash.ts": ["MHash"],
    "core/ir.ts": ["OpKind", "Output", "Value"],
    "core/lazy_graph_executor.ts": ["LazyGraphExecutor"],
    "core/metrics.ts": ["TORCH_LAZY_FN_COUNTER"],
    "core/printing.ts": ["tag"],
    "core/symbolic_values.ts": ["GetSymIntValue"],
    "core/tensor.ts": ["LazyTensor"],
    "core/tensor_conversions.ts": [
      "GetBackendDevice",
      "GetLtcTensorOrCreateForWrappedNumber",
      "GetTensorList",
      "TryGetLtcTensor",
      "CreateAtenFromLtcTensor",
      "refresh_sizes",
    ],
    "core/trie.ts": ["CacheNode", "ReuseNode"],
    "ts_backend/ts_node.ts": ["TsNode", "same"],
    "ts_backend/ts_node_lowering.ts": ["attribute", "keyword", "LowerTSBuiltin"],
    "ts_backend/ts_eager_fallback.ts": ["force_eager_fallback", "call_fallback_fn"],
    "ts_backend/meta.ts": ["at_meta", "infer", "to_meta", "to_meta_list", "to_meta_optional", "shapes_of"],
  }).flatMap(([file, names]) => names.map((name) => [name, `${LAZY}${file}`])),
);

interface LazyLists {
  readonly full_codegen: readonly LazyFunction[];
  readonly ir_gen: readonly LazyFunction[];
}

function parse_native_functions_keys(input: CodegenInput): LazyLists {
  const text = input.files.get(LIST);
  if (text === undefined)
    throw new CodegenError({ file: LIST, line: 0 }, "input", "no such file", "restore it from version control");
  const fields = new FieldReader(read_yaml_map(LIST, text));
  if (fields.required_string("backend") !== "Lazy")
    throw fields.error("backend", "is not the key of lazy tensors", "write Lazy");
  fields.required_string("cpp_namespace");
  const symint = new Set(names_of(fields.take("symint")).map(({ name }) => name));
  const supported = new Set(names_of(fields.take("supported")).map(({ name }) => name));
  const known = new Map<string, LazyFunction>();
  for (const g of input.yaml.grouped) {
    const variants = functions_of(g);
    for (const f of variants) {
      const is_functional = is_group(g) && f === g.functional;
      const others = is_functional
        ? variants.filter((other) => derived(other) && !supported.has(String(other.func.name)))
        : [];
      known.set(String(f.func.name), { f, others, symint: symint.has(String(f.func.name)) });
    }
  }
  const find = (field: YamlField | null): LazyFunction[] =>
    names_of(field).map(({ name, place }) => {
      const found = known.get(name);
      if (found !== undefined) return found;
      const way_out = "write it as in native_functions.yaml: add.Tensor";
      throw new CodegenError(place, "full_codegen", `Found an invalid operator name: ${name}`, way_out);
    });
  const lists = { full_codegen: find(fields.take("full_codegen")), ir_gen: find(fields.take("ir_gen")) };
  fields.done();
  return lists;
}

/** Whether a variant is made of the functional one. */
function derived(f: NativeFunction): boolean {
  return ["inplace", "out"].includes(f.func.kind());
}

function names_of(field: YamlField | null) {
  if (field === null) return [];
  if (!Array.isArray(field.value))
    throw new CodegenError(field.place, field.name, "is not a list", "write '- operator' lines below it");
  return field.value.map((name, i) => ({ name: String(name), place: field.items[i] ?? field.place }));
}
