/**
 * @file The symbol index: every function, class and method with its file and line, PyTorch's qualified name for it, the PyTorch file it
 * mirrors, and for generated code the YAML entry it was made from. Read off the sources when somebody asks, so it is never stale.
 * @original
 */
import { outline } from "./outline.ts";
import { in_namespace, type SymbolEntry, type SymbolFile, type SymbolGroup, type SymbolRow } from "./symbol_entry.ts";

/** Folder (or file) -> C++ namespace; the first match counts. */
const NAMESPACES: readonly (readonly [string, string])[] = [
  ["src/aten/generated/Operators", "at::_ops::"],
  ["src/aten/generated/Register", "at::(anonymous namespace)::"],
  ["src/aten/generated/CompositeViewCopyKernels", "at::native::"],
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

/** What stands in the index: the library's own sources. The recorder is nobody's mirror. */
export function is_indexed(path: string): boolean {
  return path.startsWith("src/") && path.endsWith(".ts") && !path.startsWith("src/trace/") && !path.endsWith(".d.ts");
}

/** The index of a tree, path by path. */
export function symbol_index(files: Iterable<readonly [path: string, text: string]>): SymbolFile {
  const index: Record<string, SymbolGroup> = {};
  for (const [path, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!is_indexed(path)) continue;
    const entries = entries_of(path, text);
    if (entries.length > 0) index[path] = group_of(entries);
  }
  return index;
}

/** What entries of a file share is kept once. */
function group_of(entries: readonly SymbolEntry[]): SymbolGroup {
  const { mirrors } = entries[0];
  const prefix = prefix_of(entries);
  const symbols = entries.map((e): SymbolRow => {
    const symbol = e.symbol === in_namespace(prefix, e.name) ? "" : e.symbol;
    const row = [e.name, e.line, e.from ?? "", symbol, e.mirrors === mirrors ? "" : e.mirrors];
    while (row.at(-1) === "") row.pop();
    return row as unknown as SymbolRow;
  });
  return { mirrors, prefix, symbols };
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

/** `native_functions.yaml#exp.out`, as generated text cites what it was made from. */
const CITATION = /\w+\.yaml#[\w.]+/;

function entries_of(file: string, text: string): SymbolEntry[] {
  const file_mirrors = mirrors_of(text) ?? "";
  const generated = file.includes("/generated/");
  const home = home_of(file);
  const consts = new Set<string>();
  // Constants of generated files are tables and helpers nobody asks for; but at::_ops is objects.
  const declarations = outline(text).filter((d) => {
    if (d.kind === "const") consts.add(d.name);
    if (home.namespace === "at::_ops::") return true;
    if (d.kind === "method") return !consts.has(d.name.slice(0, d.name.indexOf(".")));
    return !generated || d.kind !== "const";
  });
  const impl_classes = new Set(
    declarations.filter((d) => d.name.endsWith(".impl")).map((d) => d.name.slice(0, -".impl".length)),
  );
  const lines = generated ? text.split("\n") : [];
  let class_from: string | undefined;
  return declarations.map((d, i) => {
    const mirrors = /@mirrors\s+(\S+)/.exec(d.comment)?.[1] ?? file_mirrors;
    const symbol = /@symbol\s+(\S+)/.exec(d.comment)?.[1] ?? qualify(home, d.name, impl_classes);
    let from: string | undefined = CITATION.exec(d.comment)?.[0];
    // A binding serves all overloads of its operator and cites each where it is called: it comes from the first.
    if (generated && from === undefined && d.name.startsWith("THPVariable_")) {
      const end = (declarations[i + 1]?.line ?? lines.length) - 1;
      from = CITATION.exec(lines.slice(d.line, end).join("\n"))?.[0];
    }
    if (d.kind !== "method") class_from = from;
    from ??= class_from;
    return { name: d.name, symbol, file, line: d.line, mirrors, ...(from === undefined ? {} : { from }) };
  });
}

/** The `@mirrors` path of a file's or declaration's comment, or null. */
export function mirrors_of(comment: string): string | null {
  return /@mirrors\s+(\S+)/.exec(comment.slice(0, 4000))?.[1]?.replace(/[;,.]$/, "") ?? null;
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
    global_bindings: !/\/python_(?:variable_methods|\w+_functions|torch_functions_manual)(?:_\d+)?\.ts$/.test(file),
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
