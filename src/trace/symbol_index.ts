/**
 * @file The symbol index: every function, class and method with its file and line, PyTorch's qualified name, the
 * PyTorch file that it mirrors, and for generated code the YAML entry from which it was made. It is built from the
 * sources when it is needed, so it is never stale.
 * @original
 */
import { outline } from "./outline.ts";
import {
  in_namespace,
  OURS,
  type SymbolEntry,
  type SymbolFile,
  type SymbolGroup,
  type SymbolRow,
} from "./symbol_entry.ts";

/**
 * The namespaces of generated files: the generator gives the same names as PyTorch's generator. A hand-written file has
 * no namespace here: those of its names that PyTorch has are listed with their full form in pytorch_names.json, and the
 * others are ours.
 */
const GENERATED: readonly (readonly [path: string, namespace: string])[] = [
  ["src/aten/generated/Operators", "at::_ops::"],
  ["src/aten/generated/Register", "at::(anonymous namespace)::"],
  ["src/aten/generated/CompositeViewCopyKernels", "at::native::"],
  ["src/aten/generated/UfuncCPU", "at::native::"],
  ["src/aten/native/", "at::native::"],
  ["src/aten/", "at::"],
  ["src/torch/csrc-equivalent/autograd/generated/VariableType", "torch::autograd::VariableType::"],
  ["src/torch/csrc-equivalent/autograd/generated/ADInplaceOrViewType", "torch::ADInplaceOrView::"],
  ["src/torch/csrc-equivalent/autograd/generated/Functions", "torch::autograd::generated::"],
  ["src/torch/csrc-equivalent/autograd/", "torch::autograd::"],
];

/** A table beside the sources: PyTorch's names in hand-written files. Made by tools/names.ts. */
export const PYTORCH_NAMES = "src/trace/pytorch_names.json";

/**
 * Names by file and namespace (or module), separated by spaces. Methods follow their class as `.method`; a
 * name that PyTorch spells differently has the form `ours=theirs`.
 */
export type NameTable = { readonly [file: string]: { readonly [prefix: string]: string } };

/** Whether a file is in the index: only the library's own sources are. The recorder mirrors nothing. */
export function is_indexed(path: string): boolean {
  return path.startsWith("src/") && path.endsWith(".ts") && !path.startsWith("src/trace/") && !path.endsWith(".d.ts");
}

const OPERATORS = "src/aten/native/native_functions.yaml";

/** Whether the index depends on the file: the sources, the table of names, and the list of operators. */
export function is_read(path: string): boolean {
  return path === PYTORCH_NAMES || path === OPERATORS || is_indexed(path);
}

/** The index of a tree, file by file. */
export function symbol_index(
  files: Iterable<readonly [path: string, text: string]>,
  wanted: (path: string) => boolean = is_indexed,
): SymbolFile {
  const index: Record<string, SymbolGroup> = {};
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  const names = JSON.parse(sorted.find(([path]) => path.endsWith("/pytorch_names.json"))?.[1] ?? "{}") as NameTable;
  const operators = operators_of(sorted.find(([path]) => path === OPERATORS)?.[1] ?? "");
  for (const [path, text] of sorted) {
    if (!wanted(path)) continue;
    const entries = entries_of(path, text, names, operators);
    index[path] =
      entries.length > 0 ? group_of(path, entries) : { mirrors: mirrors_of(text) ?? "", prefix: "", symbols: [] };
  }
  return index;
}

/** Data that a file's entries share is stored once. */
function group_of(file: string, entries: readonly SymbolEntry[]): SymbolGroup {
  const { mirrors } = entries[0];
  const prefix = is_generated(file) ? namespace_of(file) : prefix_of(entries);
  const symbols = entries.map((e): SymbolRow => {
    const symbol =
      e.ours === true
        ? OURS + (e.symbol === e.name ? "" : e.symbol)
        : e.symbol === in_namespace(prefix, e.name)
          ? ""
          : e.symbol;
    const row = [e.name, e.line, e.from ?? "", symbol, e.mirrors === mirrors ? "" : e.mirrors];
    while (row.at(-1) === "") row.pop();
    return row as unknown as SymbolRow;
  });
  return { mirrors, prefix, symbols };
}

/** The most frequent prefix of a file's symbols: its namespace or module. */
function prefix_of(list: readonly SymbolEntry[]): string {
  const counts = new Map<string, number>();
  for (const { name, symbol, ours } of list) {
    if (ours === true) continue;
    const tail = symbol.includes("::") ? name.replaceAll(".", "::") : name;
    if (symbol.endsWith(tail)) {
      const prefix = symbol.slice(0, symbol.length - tail.length);
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

/** The first citation in `text`: generated text cites its YAML entry as `native_functions.yaml#exp.out`. */
function citation(text: string): string | undefined {
  const middle = text.indexOf(".yaml#");
  return middle < 0 ? undefined : /\w+\.yaml#[\w.]+/.exec(text.slice(text.lastIndexOf(" ", middle) + 1))?.[0];
}

/** The entries of one file. @param names the file's names in the table */
export function entries_of(
  file: string,
  text: string,
  names: NameTable,
  operators: OperatorWords = operators_of(""),
): SymbolEntry[] {
  const file_mirrors = mirrors_of(text) ?? "";
  const generated = is_generated(file);
  const namespace = namespace_of(file);
  const has_overloads = /^src\/aten\/generated\/(?:Functions_|core\/)/.test(file);
  const theirs = their_names(names[file] ?? {});
  const consts = new Set<string>();
  // Constants of generated files are tables and helpers, which nobody looks up; but at::_ops consists of objects.
  const declarations = outline(text).filter((d) => {
    if (d.kind === "const") consts.add(d.name);
    if (namespace === "at::_ops::") return true;
    if (d.kind === "method") return !consts.has(d.name.slice(0, d.name.indexOf(".")));
    return !generated || d.kind !== "const";
  });
  const impl_classes = new Set(
    declarations.filter((d) => d.name.endsWith(".impl")).map((d) => d.name.slice(0, -".impl".length)),
  );
  const lines = generated && text.includes("THPVariable_") ? text.split("\n") : [];
  let class_from: string | undefined;
  return declarations.map((d, i) => {
    const mirrors = (d.comment.includes("@mirrors") ? /@mirrors\s+(\S+)/.exec(d.comment)?.[1] : null) ?? file_mirrors;
    let from = citation(d.comment);
    // A binding serves all overloads of its operator and cites each one where it is called; the first citation is used.
    if (generated && from === undefined && d.name.startsWith("THPVariable_")) {
      const end = (declarations[i + 1]?.line ?? lines.length) - 1;
      from = citation(lines.slice(d.line, end).join("\n"));
    }
    if (d.kind !== "method") class_from = from;
    from ??= class_from;
    const owner = d.name.endsWith(".constructor") ? theirs.get(d.name.slice(0, -".constructor".length)) : undefined;
    const symbol = generated
      ? qualify(namespace, has_overloads ? overloaded(d.name, from, operators.outs) : d.name, impl_classes)
      : owner === undefined
        ? theirs.get(d.name)
        : constructor_of(owner, mirrors.includes(".py"));
    const { name, line } = d;
    const place = from === undefined ? { file, line, mirrors } : { file, line, mirrors, from };
    if (symbol !== undefined) return { name, symbol, ...place };
    const is_kernel = file.startsWith("src/aten/native/") && operators.kernels.has(name.replace(/\..*$/, ""));
    return { name, symbol: is_kernel ? qualify("at::native::", name, impl_classes) : name, ours: true, ...place };
  });
}

/** The `@mirrors` path of a file's or declaration's comment, or null. */
export function mirrors_of(comment: string): string | null {
  return /@mirrors\s+(\S+)/.exec(comment.slice(0, 4000))?.[1]?.replace(/[;,.]$/, "") ?? null;
}

/** Facts about names from native_functions.yaml. */
interface OperatorWords {
  /** Operators like `all.all_out`, which write to an argument passed as out; C++ calls them `all_out`. */
  readonly outs: ReadonlySet<string>;
  /** Functions that implement operators, and classes of structured ones. */
  readonly kernels: ReadonlySet<string>;
}

function operators_of(yaml: string): OperatorWords {
  const outs = new Set<string>();
  const kernels = new Set<string>();
  for (const [, operator, args, value] of yaml.matchAll(/^(?:- func: ([\w.]+)\((.*?)\) ->| {4}[\w, ]+: (\w+)$)/gm)) {
    if (operator !== undefined && /\*,.*\(\w!\)/.test(args)) outs.add(operator);
    const names = operator === undefined ? [value] : [operator.split(".")[0], operator.replace(".", "_")];
    for (const name of names) kernels.add(name).add(`structured_${name}`);
  }
  return { outs, kernels };
}

/**
 * PyTorch's name of an overload. C++ distinguishes overloads by their arguments: our `at::add_Tensor` is `at::add`, and
 * `at::max_dim_max` is `at::max_out`.
 */
function overloaded(name: string, from: string | undefined, outs: ReadonlySet<string>): string {
  const operator = from?.startsWith("native_functions.yaml#") === true ? from.slice(from.indexOf("#") + 1) : "";
  const [short, overload = ""] = operator.split(".");
  const [method, own] = name.includes(".")
    ? [name.slice(name.indexOf(".") + 1), name.slice(0, name.indexOf("."))]
    : [name, ""];
  if (overload === "" || method !== `${short}_${overload}`) return name;
  const cpp_name = outs.has(operator) || /(?:^|_)out$/.test(overload) ? `${short}_out` : short;
  return own === "" ? cpp_name : `${own}.${cpp_name}`;
}

function is_generated(file: string): boolean {
  return file.includes("/generated/");
}

/** The namespace of a generated file's names. */
function namespace_of(file: string): string {
  return GENERATED.find(([path]) => file.startsWith(path))?.[1] ?? "";
}

/**
 * The qualified name. The binding's functions are global, except the methods and functions that PyTorch generates
 * (`THPVariable_add`).
 */
function qualify(namespace: string, name: string, impl_classes: ReadonlySet<string>): string {
  const cpp_name = in_namespace("", name);
  if (namespace === "at::native::" && name.startsWith("structured_") && !impl_classes.has(name.split(".")[0]))
    return `at::meta::${cpp_name}`;
  return namespace + cpp_name;
}

/** The names of a file that PyTorch has too, with their full form. */
function their_names(table: NameTable[string]): Map<string, string> {
  const found = new Map<string, string>();
  for (const prefix in table) {
    let owner = "";
    for (const pair of table[prefix].split(" ")) {
      const [short, theirs] = pair.split("=");
      const name = short.startsWith(".") ? owner + short : short;
      owner = name.replace(/\..*$/, "");
      found.set(name, in_namespace(prefix, theirs ?? name));
    }
  }
  return found;
}

/** PyTorch's name for a constructor of its class. */
function constructor_of(symbol: string, is_python: boolean): string {
  return is_python ? `${symbol}.__init__` : `${symbol}::${symbol.slice(symbol.lastIndexOf(":") + 1)}`;
}
