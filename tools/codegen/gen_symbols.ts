/**
 * @file The symbol index (src/generated/symbols.json): every function, class and method with its file and line, PyTorch's qualified name
 * for it, the PyTorch file it mirrors, and for generated code the YAML line it was made from. Recorder and tools link through it.
 * @original
 */

import { in_namespace, type SymbolEntry } from "#trace/symbol_entry";
import type { CodegenInput, Outputs } from "./context.ts";
import { outline } from "./outline.ts";
import { mirrors_of } from "./source_index.ts";

/** The YAML line that generated code was made from. */
type From = NonNullable<SymbolEntry["from"]>;

const PATH = "src/generated/symbols.json";
const NATIVE_FUNCTIONS = "src/aten/native/native_functions.yaml";

/** Folder (or file) -> C++ namespace; the first match counts. */
const NAMESPACES: readonly (readonly [string, string])[] = [
  ["src/aten/generated/Operators.ts", "at::_ops::"],
  ["src/aten/generated/Register", "at::(anonymous namespace)::"],
  ["src/aten/generated/CompositeViewCopyKernels.ts", "at::native::"],
  ["src/aten/generated/UfuncCPU", "at::native::"],
  ["src/aten/native/", "at::native::"],
  ["src/aten/core/dispatch/", "c10::"],
  ["src/aten/core/boxing/", "c10::"],
  ["src/aten/core/library.ts", "torch::"],
  ["src/aten/", "at::"],
  ["src/c10/", "c10::"],
  ["src/caffe2/serialize/", "caffe2::serialize::"],
  ["src/torch/csrc-equivalent/autograd/generated/VariableType", "torch::autograd::VariableType::"],
  ["src/torch/csrc-equivalent/autograd/VariableTypeManual.ts", "torch::autograd::VariableType::"],
  ["src/torch/csrc-equivalent/autograd/generated/ADInplaceOrViewType", "torch::ADInplaceOrView::"],
  ["src/torch/csrc-equivalent/autograd/generated/Functions", "torch::autograd::generated::"],
  ["src/torch/csrc-equivalent/autograd/", "torch::autograd::"],
  ["src/torch/csrc-equivalent/jit/", "torch::jit::"],
  ["src/torch/csrc-equivalent/profiler/", "torch::profiler::impl::"],
  ["src/torch/csrc-equivalent/tensor/", "torch::tensors::"],
  ["src/torch/csrc-equivalent/utils/device_lazy_init", "torch::utils::"],
  ["src/torch/csrc-equivalent/utils/python_dispatch", "torch::impl::dispatch::"],
  ["src/torch/csrc-equivalent/utils/tensor_", "torch::utils::"],
  ["src/torch/csrc-equivalent/", "torch::"],
];

/** The YAML files that comments in generated code cite by base name. */
const YAML_FILES: Readonly<Record<string, string>> = {
  "native_functions.yaml": NATIVE_FUNCTIONS,
  "derivatives.yaml": "tools/codegen/autograd/derivatives.yaml",
  "deprecated.yaml": "tools/codegen/autograd/deprecated.yaml",
};

export function generate(input: CodegenInput, outputs: Outputs): Outputs {
  // A binding function serves all overloads of an operator: it comes from the first.
  const operators = new Map(
    input.yaml.native_functions
      .map((f) => [`THPVariable_${f.func.name.name}`, { yaml: f.loc.file, line: f.loc.line }] as const)
      .reverse(),
  );
  const files = [
    ...outputs,
    ...[...input.files].filter(([path]) => !path.includes("/generated/") && !path.startsWith("src/trace/")),
  ];
  const entries = files
    .filter(([path]) => path.startsWith("src/") && path.endsWith(".ts"))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, text]) => entries_of(path, text, operators));
  return new Map([[PATH, encode(entries)]]);
}

/** The file form, grouped by source file so that what entries share is written once; src/trace/symbols.ts reads it. */
function encode(entries: readonly SymbolEntry[]): string {
  const by_file = new Map<string, SymbolEntry[]>();
  for (const e of entries) {
    const list = by_file.get(e.file);
    if (list === undefined) by_file.set(e.file, [e]);
    else list.push(e);
  }
  const groups = [...by_file].map(([file, list]) => `  ${JSON.stringify(file)}: ${encode_file(list)}`);
  return `{\n${groups.join(",\n")}\n}\n`;
}

function encode_file(list: readonly SymbolEntry[]): string {
  const { mirrors } = list[0];
  const prefix = prefix_of(list);
  const rows = list.map((e) => {
    const from =
      e.from === undefined ? 0 : e.from.yaml === NATIVE_FUNCTIONS ? e.from.line : `${e.from.yaml}:${e.from.line}`;
    const symbol = e.symbol === in_namespace(prefix, e.name) ? "" : e.symbol;
    const row = [e.name, e.line, from, symbol, e.mirrors === mirrors ? "" : e.mirrors];
    while (row.at(-1) === "" || row.at(-1) === 0) row.pop();
    return JSON.stringify(row);
  });
  return `{"mirrors": ${JSON.stringify(mirrors)}, "prefix": ${JSON.stringify(prefix)}, "symbols": [\n    ${rows.join(",\n    ")}\n  ]}`;
}

/**
 * The index after edits that moved declarations of some files and changed no schema. Much cheaper than all of `generate`: for an editor.
 */
export function reindex(index: string, changed: ReadonlyMap<string, string>): string {
  const groups = JSON.parse(index);
  for (const [path, text] of changed) {
    if (!path.startsWith("src/") || !path.endsWith(".ts") || path.startsWith("src/trace/")) continue;
    const entries = entries_of(path, text, new Map());
    if (entries.length === 0) delete groups[path];
    else groups[path] = JSON.parse(encode_file(entries));
  }
  return JSON.stringify(groups);
}

/** What most symbols of a file begin with: its namespace or module. */
function prefix_of(list: readonly SymbolEntry[]): string {
  const counts = new Map<string, number>();
  for (const { name, symbol } of list) {
    const tail = symbol.includes("::") ? name.replaceAll(".", "::") : name;
    if (symbol.endsWith(tail)) {
      const prefix = symbol.slice(0, symbol.length - tail.length);
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

function entries_of(file: string, text: string, operators: ReadonlyMap<string, From>): SymbolEntry[] {
  const file_mirrors = mirrors_of(text) ?? "";
  const generated = file.includes("/generated/");
  // Constants of generated files are tables and helpers nobody asks for.
  const declarations = outline(text).filter((d) => !generated || d.kind !== "const");
  const impl_classes = new Set(
    declarations.filter((d) => d.name.endsWith(".impl")).map((d) => d.name.slice(0, -".impl".length)),
  );
  const registered = new Map<string, From>();
  if (generated)
    for (const m of text.matchAll(/m\.impl\("[^"]+", (\w+),.*\/\/ (\w+\.yaml):(\d+)/g))
      registered.set(m[1], from_of(m[2], m[3]));
  const home = home_of(file);
  let class_from: From | undefined;
  return declarations.map((d) => {
    const mirrors = /@mirrors\s+(\S+)/.exec(d.comment)?.[1] ?? file_mirrors;
    const symbol = /@symbol\s+(\S+)/.exec(d.comment)?.[1] ?? qualify(home, d.name, impl_classes);
    const cited = /(\w+\.yaml):(\d+)/.exec(d.comment);
    const own_from =
      cited !== null
        ? from_of(cited[1], cited[2])
        : (registered.get(d.name) ?? (generated ? operators.get(d.name) : undefined));
    if (d.kind !== "method") class_from = own_from;
    const from = own_from ?? class_from;
    return { name: d.name, symbol, file, line: d.line, mirrors, ...(from === undefined ? {} : { from }) };
  });
}

function from_of(yaml: string, line: string): From {
  return { yaml: YAML_FILES[yaml] ?? yaml, line: Number(line) };
}

/** What the folder says of the names in a file. */
interface Home {
  /** The C++ namespace, or null for the front end, which is Python. */
  readonly namespace: string | null;
  /** `torch.nn.functional` for the front end's `src/torch/nn/functional.ts`. */
  readonly module: string;
  readonly native: boolean;
  /** The binding's functions are global (`THPVariable_Wrap`), but for the methods and functions that PyTorch generates (`THPVariable_add`). */
  readonly global_bindings: boolean;
}

function home_of(file: string): Home {
  return {
    namespace: NAMESPACES.find(([prefix]) => file.startsWith(prefix))?.[1] ?? null,
    module: file
      .replace(/^src\//, "")
      .replace(/\/?(?:index)?\.ts$/, "")
      .replaceAll("/", "."),
    native: file.startsWith("src/aten/native/"),
    global_bindings: !/\/python_(?:variable_methods|\w+_functions|torch_functions_manual)\.ts$/.test(file),
  };
}

/** The folder gives the namespace; the meta class of a structured kernel is in `at::meta`, its impl class in `at::native`. */
function qualify(home: Home, name: string, impl_classes: ReadonlySet<string>): string {
  if (home.namespace === null) return `${home.module}.${name}`;
  const cpp_name = name.includes(".") ? name.replaceAll(".", "::") : name;
  if (home.native && name.startsWith("structured_") && !impl_classes.has(name.split(".")[0]))
    return `at::meta::${cpp_name}`;
  return home.global_bindings && name.startsWith("THP") ? cpp_name : home.namespace + cpp_name;
}
