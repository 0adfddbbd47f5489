/**
 * @file PyTorch's meanings of a name, built here or not: classes, functions, members, macros, placeholders, files,
 * operators. They come from recorded data (tools/pytorch), not from a list of answers.
 * @original
 */
import type { SymbolFile } from "#trace/symbol_entry";
import { type NamesFile, PyTorchNames, type TheirName } from "../pytorch/names.ts";
import { nameOf, type OperatorsFile, type TheirOperator, unambiguousName } from "../pytorch/operators.ts";
import { upstreamPath } from "../pytorch/paths.ts";
import { plain } from "./stack_trace.ts";

/** The form in the file: docs/static/generated/pytorch.json. */
export interface TheirIndex {
  readonly names: NamesFile;
  readonly operators: OperatorsFile;
  /** Every known file in PyTorch's tree, separated by line feeds. */
  readonly paths: string;
}

export interface Theirs {
  readonly symbol: string;
  /** The kind, in words. */
  readonly kind: string;
  /** PyTorch's files: the one that defines it, then those that declare it. */
  readonly paths: readonly string[];
  /** Our files that mirror these. */
  readonly ours: readonly string[];
}

export interface TheirOperatorAnswer {
  readonly name: string;
  readonly schema: string;
  /** Line of PyTorch's native_functions.yaml. */
  readonly line: number;
  /** Its kernels: keys, function, files. */
  readonly kernels: readonly { readonly keys: string; readonly symbol: string; readonly paths: readonly string[] }[];
  /** The operator whose structured kernel serves it. */
  readonly delegate: string | null;
}

export interface FileAnswer {
  readonly path: string;
  readonly ours: readonly string[];
}

const KIND_WORDS: { readonly [kind in TheirName["kind"]]: string } = {
  class: "class",
  type: "type",
  function: "function",
  member: "member",
  macro: "macro",
  value: "constant",
  namespace: "namespace",
  Python: "Python",
  "built-in": "made in C++, seen from Python",
  placeholder: "placeholder, filled in when the file is generated",
};

export class TheirLookup {
  private readonly names: PyTorchNames;
  private readonly operators = new Map<string, TheirOperator>();
  private readonly byBase = new Map<string, TheirOperator[]>();
  private readonly byUnambiguous = new Map<string, TheirOperator>();
  private readonly paths: readonly string[];
  /** Our files, by PyTorch's file. */
  private readonly mirrors = new Map<string, string[]>();
  /** The template of generated names, by namespace (`at::_ops::`). */
  private readonly templates = new Map<string, string>();
  /** Folders that our files mirror: answers in them come first. */
  private readonly folders = new Set<string>();

  /** @param mirrored for each of our files, PyTorch's file */
  constructor(index: TheirIndex, symbols: SymbolFile, mirrored: { readonly [file: string]: string }) {
    this.names = new PyTorchNames(index.names);
    for (const operator of index.operators.operators) {
      const name = nameOf(operator);
      this.operators.set(name, operator);
      this.byUnambiguous.set(unambiguousName(name), operator);
      push(this.byBase, name.split(".")[0], operator);
    }
    this.paths = [...new Set([...index.paths.split("\n"), ...this.names.paths()].map(upstreamPath))];
    for (const [file, path] of Object.entries(mirrored)) {
      push(this.mirrors, path, file);
      this.folders.add(folderOf(path));
    }
    for (const [file, { mirrors, prefix }] of Object.entries(symbols))
      if (file.includes("/generated/") && !this.templates.has(plain(prefix)))
        this.templates.set(plain(prefix), mirrors);
  }

  /** Operators of this name, `conv2d` or `add.Tensor`. */
  operatorsNamed(name: string): TheirOperatorAnswer[] {
    const one = this.operators.get(name);
    return (one === undefined ? (this.byBase.get(name) ?? []) : [one]).map((operator) => this.operatorAnswer(operator));
  }

  isOperator(name: string): boolean {
    return this.operators.has(name);
  }

  private operatorAnswer(operator: TheirOperator): TheirOperatorAnswer {
    const name = nameOf(operator);
    const kernels = this.kernelsOf(operator).map(([keys, kernel]) => {
      const found = this.kernelNamed(kernel);
      return { keys, symbol: found?.symbol ?? `at::native::${kernel}`, paths: found?.paths ?? [] };
    });
    return {
      name,
      schema: operator.func,
      line: operator.line,
      kernels,
      delegate: operator.structured_delegate ?? null,
    };
  }

  private kernelsOf(operator: TheirOperator): [keys: string, kernel: string][] {
    const { dispatch, structured_delegate, structured } = operator;
    const delegate = structured_delegate === undefined ? undefined : this.operators.get(structured_delegate);
    if (delegate !== undefined) return this.kernelsOf(delegate);
    if (dispatch === undefined) return [["CompositeImplicitAutograd", nameOf(operator).split(".")[0]]];
    return Object.entries(dispatch).map(([keys, kernel]) => [
      keys,
      structured === true ? `structured_${kernel}` : kernel,
    ]);
  }

  /** A kernel by its name in the YAML; C++ may add the suffix of symbolic sizes, the overload, or the suffix of out. */
  private kernelNamed(kernel: string): Theirs | null {
    for (const name of [kernel, `${kernel}_symint`, `${kernel}_out`]) {
      const found = this.symbols(`at::native::${name}`).filter((t) => t.symbol === `at::native::${name}`);
      if (found.length > 0) return found[0];
    }
    return null;
  }

  /** Symbols by their full name or its end; the likeliest first. */
  symbols(written: string): Theirs[] {
    return this.merged(this.names.find(written));
  }

  /** Names that begin with this one. */
  beginningWith(word: string): Theirs[] {
    const names = [...this.names.shortNames()].filter(
      (name) => name.startsWith(word) && /^[A-Z0-9_]/.test(name.slice(word.length)),
    );
    return this.merged(
      names
        .sort((a, b) => a.length - b.length)
        .slice(0, 40)
        .flatMap((name) => this.names.named(name)),
    ).slice(0, 12);
  }

  /** Joins the same name in several files to one answer. */
  private merged(found: readonly TheirName[]): Theirs[] {
    const groups = new Map<string, TheirName[]>();
    for (const name of found) push(groups, `${name.symbol} ${isPython(name) ? "" : "C++"}`, name);
    const answers = [...groups.values()].map((group): [number, Theirs] => {
      const [first] = [...group].sort((a, b) => KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind));
      const paths = this.pathsOf(first, group);
      return [
        this.cost(first, paths),
        { symbol: first.symbol, kind: KIND_WORDS[first.kind], paths, ours: this.oursFor(paths) },
      ];
    });
    return answers.sort(([a], [b]) => a - b).map(([, answer]) => answer);
  }

  private pathsOf(first: TheirName, group: readonly TheirName[]): string[] {
    const paths = [...new Set(group.map((name) => name.path))].filter((path) => path !== "");
    if (first.kind === "namespace") return commonFolder(paths);
    if (first.kind === "built-in") return this.boundBy(first.symbol);
    const template = this.templateOf(first.symbol);
    if (paths.length === 0 && template !== null) return [template];
    if (first.kind === "class") return ownFiles(paths);
    return paths.sort((a, b) => Number(isHeader(a)) - Number(isHeader(b)) || a.length - b.length);
  }

  /**
   * The C++ source of a Python name: a module's init function, a function of the C API (`THPModule_initExtension` for
   * `_initExtension`), or a generator.
   */
  private boundBy(symbol: string): string[] {
    const at = symbol.lastIndexOf(".");
    const name = symbol.slice(at + 1);
    const bare = name.replace(/^_/, "");
    for (const each of [`PyInit_${name}`, `THPModule_${bare}`, `THPVariable_${bare}`, `THPEngine_${bare}`]) {
      const paths = this.names.named(each).filter((n) => n.path.startsWith("torch/csrc/"));
      if (paths.length > 0) return [...new Set(paths.map((n) => n.path))];
    }
    const scope = symbol.slice(symbol.slice(0, at).lastIndexOf(".") + 1, at);
    const tables = [scope, name].map((each) => TABLES[each] ?? `python_${each.replace(/^_/, "")}_functions`);
    const paths = tables.map((table) => `tools/autograd/templates/${table}.cpp`);
    return paths.filter((path) => this.paths.includes(path)).slice(0, 1);
  }

  /** The template of a generated name: that of our generated names in the same namespace. */
  templateOf(symbol: string): string | null {
    const bare = plain(symbol);
    if (/(?:^|::)wrapper_[A-Z]/.test(bare)) return this.templateLike("RegisterDispatchKey");
    if (/(?:^|::)THPVariable_\w/.test(bare))
      return this.operatorBehind(bare) === null ? null : this.templateLike("python_torch_functions");
    const shape = [...this.templates]
      .sort(([a], [b]) => b.length - a.length)
      .find(([prefix]) => prefix.length > 4 && bare.startsWith(prefix));
    if (
      shape !== undefined &&
      /::_ops::|VariableType::|ADInplaceOrView::|::generated::\w+Backward\d|THPVariable_/.test(bare)
    )
      return shape[1];
    if (this.operatorBehind(bare) === null) return null;
    return /^at::Tensor::\w+$/.test(bare)
      ? this.templateLike("TensorBody")
      : /^at::\w+$/.test(bare)
        ? this.templateLike("/Functions")
        : null;
  }

  private templateLike(name: string): string | null {
    return [...this.mirrors.keys()].find((path) => path.includes("/templates/") && path.includes(name)) ?? null;
  }

  /** The operator of a generated function: `at::_ops::conv2d::call`, `wrapper_CPU__convolution`, `VariableType::relu`. */
  operatorOf(symbol: string): TheirOperatorAnswer | null {
    const operator = this.operatorBehind(symbol);
    return operator === null ? null : this.operatorAnswer(operator);
  }

  private operatorBehind(symbol: string): TheirOperator | null {
    const bare = plain(symbol)
      .replace(/::(?:call|redispatch)$/, "")
      .replace(/^.*::/, "");
    const names = [
      bare,
      bare.replace(/^THPVariable_/, ""),
      bare.replace(/^wrapper_[A-Za-z]+?_(?=_?[a-z])_?/, ""),
      bare.replace(/_symint$/, ""),
    ];
    for (const name of names) {
      const operator = this.byUnambiguous.get(name) ?? this.byBase.get(name)?.[0];
      if (operator !== undefined) return operator;
    }
    return null;
  }

  /** Files or folders whose path ends so: `engine.cpp`, `torch/csrc/autograd/engine.cpp`. */
  files(written: string): FileAnswer[] {
    const wanted = written.replace(/^\.?\//, "").replace(/\/$/, "");
    const found = this.paths.filter((path) => path === wanted || path.endsWith(`/${wanted}`));
    return this.answers(found.length > 0 ? found : this.foldersNamed(wanted));
  }

  /** Files with this stem in any folder, and folders of this name; `cuDNN` is `cudnn` there. */
  filesAbout(word: string): FileAnswer[] {
    const stem = new RegExp(`(?:^|/)${word}\\.(?:py|cpp|h)$`);
    const folders = this.foldersNamed(word);
    const found = [...this.answers(folders), ...this.answers(this.paths.filter((path) => stem.test(path)))];
    return found.length > 0 ? found : this.answers(this.foldersNamed(word.toLowerCase()));
  }

  private answers(paths: readonly string[]): FileAnswer[] {
    return [...paths]
      .sort((a, b) => this.costOfPath(a) - this.costOfPath(b))
      .map((path) => {
        const ours = this.oursFor([path]);
        if (ours.length > 0 || /\.\w+$/.test(path)) return { path, ours };
        const folder = this.ourFolder(path);
        return { path, ours: folder === null ? [] : [folder] };
      });
  }

  /** The folder of ours that stands for one of PyTorch's: the one in which most files of its tree have the same place. */
  private ourFolder(folder: string): string | null {
    const counts = new Map<string, number>();
    const tops = new Map<string, number>();
    let all = 0;
    for (const [path, files] of this.mirrors) {
      if (!path.startsWith(`${folder}/`)) continue;
      const inside = path
        .slice(folder.length + 1)
        .split("/")
        .slice(0, -1)
        .join("/");
      for (const file of files) {
        all++;
        const top = file.split("/").slice(0, 2).join("/");
        tops.set(top, (tops.get(top) ?? 0) + 1);
        const [, above] = new RegExp(`^(.+?)/${inside === "" ? "" : `${inside}/`}[^/]+$`).exec(file) ?? [];
        if (above !== undefined) counts.set(above, (counts.get(above) ?? 0) + 1);
      }
    }
    const mostOf = (of: ReadonlyMap<string, number>): string | null => {
      const [first] = [...of].sort((a, b) => b[1] - a[1]);
      return first !== undefined && first[1] * 3 > all ? first[0] : null;
    };
    return mostOf(counts) ?? mostOf(tops);
  }

  /** Whether PyTorch has names in this module of Python. */
  isModule(written: string): boolean {
    return this.paths.some(
      (path) => path.startsWith(`${written.replaceAll(".", "/")}/`) || path === `${written.replaceAll(".", "/")}.py`,
    );
  }

  private foldersNamed(wanted: string): string[] {
    const found = new Set<string>();
    for (const path of this.paths) {
      const at = `/${path}`.indexOf(`/${wanted}/`);
      if (at !== -1) found.add(path.slice(0, at + wanted.length));
    }
    return [...found];
  }

  /** Generated files of this name, `RegisterCPU.cpp`: ours, and the template of both. */
  generatedFiles(written: string): FileAnswer[] {
    const stem = written.replace(/\.\w+$/, "").replace(/_\d+$/, "");
    const found = [...this.mirrors].flatMap(([path, files]) =>
      files.some((file) => file.includes("/generated/") && stemOf(file) === stem) ? [{ path, files }] : [],
    );
    return found.map(({ path, files }) => ({ path, ours: files.filter((file) => stemOf(file) === stem) }));
  }

  /** The customary meaning of a short name: `F` -> `torch.nn.functional`, `m` -> `torch::Library`. */
  customary(name: string): string | null {
    return this.names.file.variables[name] ?? null;
  }

  /** The full name where a public Python name is defined. */
  definitionOf(written: string): string {
    return this.names.file.aliases[written] ?? written;
  }

  /** Whether Python gets it from the operators, under this full name. */
  isBuiltIn(written: string): boolean {
    return this.names.find(written).some((n) => n.symbol === written && n.kind === "built-in");
  }

  /** `torch.linalg.svd` -> `linalg_svd`: an operator that Python exposes in a module. */
  operatorInModule(written: string): string | null {
    const [, module, name] = /\b(\w+)\.(\w+)$/.exec(written) ?? [];
    const known = module === undefined ? undefined : this.byBase.get(`${module}_${name}`)?.[0];
    return known?.python_module === module ? `${module}_${name}` : null;
  }

  /** `libtorch` -> `libtorch.so`: shared libraries in the wheel. */
  libraries(word: string): string[] {
    return this.names.file.libraries.filter(
      (file) => file === word || file.startsWith(`${word}.`) || file.startsWith(`${word}_`),
    );
  }

  /** Short names, for suggestions. */
  allNames(): Iterable<string> {
    return this.names.shortNames();
  }

  oursFor(paths: readonly string[]): string[] {
    return [...new Set(paths.flatMap((path) => this.mirrors.get(path) ?? []))].sort();
  }

  private cost({ symbol, kind }: TheirName, paths: readonly string[]): number {
    const near = paths.length === 0 ? 3 : Math.min(...paths.map((path) => this.costOfPath(path)));
    return near * 4 + symbol.split(/::|\./).length + KIND_ORDER.indexOf(kind);
  }

  /** Files that ours mirror come first, then their folders, then the rest; tests and device-specific parts last. */
  private costOfPath(path: string): number {
    const far =
      /(?:^|\/)(?:test|testing|benchmarks?|android|ios|mobile|vulkan|mps|xpu|hip|cuda|metal|functorch|_inductor|onnx)(?:\/|$)/.test(
        path,
      )
        ? 3
        : 0;
    return far + (this.mirrors.has(path) ? 0 : this.folders.has(folderOf(path)) ? 1 : 2) + path.split("/").length / 10;
  }
}

/** The template of the table of functions, for a class or module in Python. */
const TABLES: { readonly [scope: string]: string } = {
  torch: "python_torch_functions",
  _VariableFunctions: "python_torch_functions",
  _VariableFunctionsClass: "python_torch_functions",
  TensorBase: "python_variable_methods",
};

const KIND_ORDER: readonly TheirName["kind"][] = [
  "class",
  "Python",
  "type",
  "placeholder",
  "macro",
  "function",
  "built-in",
  "member",
  "namespace",
  "value",
];

function isPython({ kind }: TheirName): boolean {
  return kind === "Python" || kind === "built-in";
}

/** The files of a class: its header and the file beside it; without a header, every file. */
function ownFiles(paths: readonly string[]): string[] {
  const stem = (path: string): string =>
    path.replace(/(?:[-_]inl)?\.\w+$/, "").replace("/api/src/", "/api/include/torch/");
  const headers = paths.filter(isHeader);
  const stems = new Set(headers.map(stem));
  const kept = headers.length === 0 ? paths : paths.filter((path) => stems.has(stem(path)));
  return [...kept].sort((a, b) => Number(isHeader(a)) - Number(isHeader(b)) || a.length - b.length);
}

function isHeader(path: string): boolean {
  return /\.(?:h|cuh|hpp)$/.test(path);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

function stemOf(file: string): string {
  return file.replace(/^.*\//, "").replace(/(?:_\d+)?\.ts$/, "");
}

/** The folder that contains most of these files, directly or below. */
function commonFolder(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const parts = path.split("/").slice(0, -1);
    for (let n = 1; n <= parts.length; n++) {
      const folder = parts.slice(0, n).join("/");
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  const most = [...counts].filter(([, count]) => count * 3 > paths.length).sort(([a], [b]) => b.length - a.length)[0];
  return most === undefined ? [] : [most[0]];
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
