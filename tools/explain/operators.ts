/**
 * @file What there is to say about an operator: schema, YAML entry, generated functions, computed table, kernels down to the loop,
 * derivative, tests. One collector serves `npm run explain` and the operator pages.
 * @original
 */
import type { SymbolEntry } from "#trace/symbol_entry";
import { NativeKernels } from "../codegen/api/native.ts";
import { kernel_path } from "../codegen/dest/ufunc.ts";
import { ErrorList } from "../codegen/errors.ts";
import { is_group, type NativeFunction, type NativeFunctionsGroup, type ParsedYaml } from "../codegen/model.ts";
import { parse_native_yaml } from "../codegen/parse_native_yaml.ts";
import { type Declaration, mirrors_of, SourceIndex } from "../codegen/source_index.ts";
import { is_tensor_like } from "../codegen/types.ts";
import { KernelFinder, type Step } from "./source_text.ts";

export const YAML = "src/aten/native/native_functions.yaml";
export const DERIVATIVES = "tools/codegen/autograd/derivatives.yaml";
const TAGS = "src/aten/native/tags.yaml";

export interface Place {
  readonly file: string;
  readonly line: number;
}

/** A function, ours and PyTorch's. */
export interface FunctionPlace extends Place {
  readonly symbol: string;
  readonly mirrors: string;
}

export interface GeneratedFunction extends FunctionPlace {
  /** What it is for, in a few words. */
  readonly role: string;
}

/** Rows of a computed table that hold one kernel. */
export interface TableRow {
  readonly keys: readonly string[];
  /** The words of `_dispatch_dump_table`: `kernel`, `math kernel`, ... */
  readonly origin: string;
  readonly fallthrough: boolean;
  readonly file: string;
  /** Of the registration; 0 where the table names the file alone. */
  readonly line: number;
  readonly kernel: FunctionPlace | null;
}

/** One place where an ordinary call of this operator on the CPU stops. */
export interface Stop {
  readonly what: "binding" | "api" | "dispatcher" | "key" | "native" | "stub" | "kernel" | "loop" | "template";
  readonly name: string;
  readonly note: string;
  readonly place: Place | null;
}

export interface KernelFact extends FunctionPlace {
  /** Dispatch key of the YAML, or what part of a structured kernel it is. */
  readonly key: string;
  readonly name: string;
  readonly lines: number;
  readonly steps: readonly (Step & { readonly mirrors: string; readonly lines: number })[];
  /** Operators (as `at::_ops` writes them) that it calls through the dispatcher. */
  readonly calls: readonly string[];
}

export interface Derivative extends Place {
  readonly text: string;
  readonly node: FunctionPlace | null;
  /** Of which operator the formula is: for `add_.Tensor` it is `add.Tensor`. */
  readonly of: string;
}

export type OperatorKind =
  | "structured"
  | "kernel"
  | "view"
  | "factory"
  | "composite-explicit"
  | "composite-implicit"
  | "autogen";

export interface OperatorFacts {
  /** `add.Tensor` */
  readonly name: string;
  /** `add_Tensor`, as `at::_ops` writes it. */
  readonly unambiguous: string;
  /** `add`: the page it stands on. */
  readonly base: string;
  readonly schema: string;
  readonly yaml: Place;
  readonly yamlText: string;
  readonly kind: OperatorKind;
  readonly variant: "functional" | "inplace" | "out" | "mutable";
  readonly sentence: string;
  readonly functions: readonly GeneratedFunction[];
  readonly table: readonly TableRow[];
  /** Keys that have only the fallback of their key, the same for every operator. */
  readonly fallbackKeys: number;
  readonly way: readonly Stop[];
  readonly kernels: readonly KernelFact[];
  /** The out operator whose structured kernel serves this one. */
  readonly delegate: string | null;
  readonly derivative: Derivative | null;
  readonly tags: readonly string[];
}

export interface OperatorSources {
  readonly files: ReadonlyMap<string, string>;
  readonly symbols: readonly SymbolEntry[];
  /** `torch._C._dispatch_dump_table`. */
  readonly dumpTable: (op: string) => string;
}

/** The words of a table cell, plainly. */
export const ORIGINS: Readonly<Record<string, string>> = {
  kernel: "registered for this key itself",
  "default backend kernel": "the CompositeExplicitAutograd kernel: one for all backends, below autograd",
  "math kernel":
    "the CompositeImplicitAutograd kernel: one for all keys, autograd's too, because it only calls other operators",
  "autograd kernel": "registered for Autograd, which stands for all these keys",
  "backend fallback": "the fallback of the key, the same for every operator",
};

interface Registered {
  readonly file: string;
  readonly fn: string;
}

/** The kernel of operators that have no formula: it makes a node that fails when gradients reach it. */
const NOT_IMPLEMENTED = "autogradNotImplementedFallback";
const AUTOGRAD = "src/torch/csrc-equivalent/autograd";
const bindings = [
  [`${AUTOGRAD}/generated/python_torch_functions.ts`, "binding of the function", "function"],
  [`${AUTOGRAD}/generated/python_variable_methods.ts`, "binding of the method", "method"],
  [`${AUTOGRAD}/generated/python_nn_functions.ts`, "binding in torch._C._nn", "function"],
] as const;

export class Operators {
  readonly yaml: ParsedYaml;
  readonly finder: KernelFinder;
  readonly sources: SourceIndex;
  private readonly given: OperatorSources;
  private readonly kernels: NativeKernels;
  private readonly byFile = new Map<string, Map<string, SymbolEntry>>();
  private readonly registered = new Map<string, Registered[]>();
  private readonly groups = new Map<string, NativeFunctionsGroup>();
  private readonly derivatives = new Map<string, { place: Place; text: string }>();
  private readonly nodes = new Map<number, SymbolEntry>();
  private readonly unambiguousNames: ReadonlySet<string>;

  constructor(given: OperatorSources) {
    this.given = given;
    const { files } = given;
    const read = (path: string) => ({ path, text: files.get(path) as string });
    this.yaml = parse_native_yaml({ native_functions: read(YAML), tags: read(TAGS) });
    this.sources = new SourceIndex(files);
    this.finder = new KernelFinder(files, this.sources);
    this.kernels = new NativeKernels({
      yaml: this.yaml,
      files,
      sources: this.sources,
      templates: () => {
        throw new Error("no templates here");
      },
      allow_missing: false,
      errors: new ErrorList(), // what is missing is no error here: it is not shown
    });
    for (const s of given.symbols) {
      let inFile = this.byFile.get(s.file);
      if (inFile === undefined) this.byFile.set(s.file, (inFile = new Map()));
      if (!inFile.has(s.name)) inFile.set(s.name, s);
      if (s.file === `${AUTOGRAD}/generated/Functions.ts` && s.from !== undefined && s.name.endsWith(".apply"))
        this.nodes.set(s.from.line, s);
    }
    for (const [file, text] of files) {
      if (!file.startsWith("src/") || !text.includes("m.impl(")) continue;
      for (const m of text.matchAll(/m\.impl\(\s*"([\w.]+)",\s*(\w+)(?:\(\))?[,)]/g)) {
        const name = m[1];
        this.registered.set(name, [...(this.registered.get(name) ?? []), { file, fn: m[2] }]);
      }
    }
    for (const g of this.yaml.grouped)
      if (is_group(g))
        for (const f of [g.functional, g.out, g.inplace, g.mutable])
          if (f !== null) this.groups.set(String(f.func.name), g);
    for (const entry of entriesOf(files.get(DERIVATIVES) as string, "name"))
      this.derivatives.set(entry.name, { place: { file: DERIVATIVES, line: entry.line }, text: entry.text });
    this.unambiguousNames = new Set(this.yaml.native_functions.map((f) => f.func.name.unambiguous_name()));
  }

  all(): OperatorFacts[] {
    return this.yaml.native_functions.map((f) => this.facts(f));
  }

  named(name: string): NativeFunction | null {
    return this.yaml.native_functions.find((f) => String(f.func.name) === name) ?? null;
  }

  /** Operators of one page: `add` -> add.Tensor, add_.Tensor, add.out, ... */
  ofBase(base: string): NativeFunction[] {
    return this.yaml.native_functions.filter((f) => baseOf(f) === base);
  }

  facts(f: NativeFunction): OperatorFacts {
    const name = String(f.func.name);
    const group = this.groups.get(name) ?? null;
    const kernels = this.kernelsOf(f, group);
    const { rows, fallbackKeys } = this.tableOf(name);
    const kind = kindOf(f);
    const functions = this.functionsOf(f);
    const delegate = f.structured_delegate === null ? null : String(f.structured_delegate);
    return {
      name,
      unambiguous: f.func.name.unambiguous_name(),
      base: baseOf(f),
      schema: String(f.func),
      yaml: { file: YAML, line: f.loc.line },
      yamlText: f.generated ? "" : (entryAt(this.given.files.get(YAML) as string, f.loc.line) ?? ""),
      kind,
      variant: f.func.kind() as OperatorFacts["variant"],
      sentence: sentenceOf(
        f,
        kind,
        group,
        kernels.length > 0,
        rows.some((r) => r.origin === "autograd kernel"),
      ),
      functions,
      table: rows,
      fallbackKeys,
      way: this.wayOf(f, functions, rows, kernels),
      kernels,
      delegate,
      derivative: this.derivativeOf(f),
      tags: [...f.tags].filter((t) => t !== "generated"),
    };
  }

  private symbol(file: string, name: string): FunctionPlace | null {
    const s =
      this.byFile.get(file)?.get(name) ??
      (name === NOT_IMPLEMENTED ? this.given.symbols.find((x) => x.name === name) : undefined);
    return s === undefined ? null : { symbol: s.symbol, file: s.file, line: s.line, mirrors: s.mirrors };
  }

  private functionsOf(f: NativeFunction): GeneratedFunction[] {
    const name = String(f.func.name);
    const unambiguous = f.func.name.unambiguous_name();
    const found: GeneratedFunction[] = [];
    const add = (file: string, symbol: string, role: string): void => {
      const place = this.symbol(file, symbol);
      if (place !== null) found.push({ ...place, role });
    };
    const pythonName = f.func.is_out_fn() ? baseOf(f) : String(f.func.name.name);
    for (const [file, role, variant] of bindings)
      if (f.variants.has(variant) || (f.func.is_out_fn() && variant === "function"))
        add(file, `THPVariable_${pythonName}`, role);
    add("src/aten/generated/Functions.ts", unambiguous, "the C++ function");
    add("src/aten/generated/core/TensorBody.ts", `Tensor.${unambiguous}`, "the C++ method");
    add("src/aten/generated/Operators.ts", `${unambiguous}.call`, "enters the dispatcher");
    add("src/aten/generated/Operators.ts", `${unambiguous}.redispatch`, "goes on below the present key");
    for (const { file, fn } of this.registered.get(name) ?? []) {
      const role =
        fn === NOT_IMPLEMENTED
          ? "kernel of the Autograd keys where there is no formula"
          : file.endsWith("/VariableType.ts") || file.endsWith("/VariableTypeManual.ts")
            ? "kernel of the Autograd keys"
            : file.includes("ADInplaceOrView")
              ? "kernel of ADInplaceOrView"
              : file.includes("BackendSelect")
                ? "kernel of BackendSelect: from the arguments to the backend"
                : /Register(\w+)\.ts$/.test(file)
                  ? `kernel of ${/Register(\w+)\.ts$/.exec(file)?.[1]}`
                  : "kernel";
      add(file, fn, fn.startsWith("ADInplaceOrView_") ? "kernel of ADInplaceOrView" : role);
    }
    const derivative = this.derivativeOf(f);
    if (derivative?.node) found.push({ ...derivative.node, role: "the node of the backward graph" });
    for (const s of this.given.symbols)
      if (s.from?.yaml === YAML && s.from.line === f.loc.line && /^structured_\w+$/.test(s.name) && !f.generated)
        found.push({
          symbol: s.symbol,
          file: s.file,
          line: s.line,
          mirrors: s.mirrors,
          role: "class that gives the structured kernel its outputs",
        });
    return found.filter((x, i) => found.findIndex((y) => y.file === x.file && y.line === x.line) === i);
  }

  private tableOf(name: string): { rows: TableRow[]; fallbackKeys: number } {
    const rows = new Map<string, { keys: string[] } & Omit<TableRow, "keys">>();
    let fallbackKeys = 0;
    for (const line of this.given.dumpTable(`aten::${name}`).split("\n")) {
      const found = /^(\w+): (fallthrough )?registered at (\S+?)(?::(\d+))? \[([^\]]+)\]$/.exec(line);
      if (found === null) continue;
      const [, key, through, file, row, origin] = found as unknown as [
        string,
        string,
        string?,
        string?,
        string?,
        string?,
      ];
      if (origin === "backend fallback") {
        fallbackKeys++;
        continue;
      }
      const id = `${file}:${row}${through ?? ""}[${origin}]`;
      const known = rows.get(id);
      if (known !== undefined) {
        known.keys.push(key);
        continue;
      }
      const path = (file as string).includes("/") ? (file as string) : `src/aten/generated/${file}`;
      const registered = (this.registered.get(name) ?? []).find(
        (r) =>
          (r.file === path || (path.endsWith("VariableType.ts") && r.file.endsWith("VariableTypeManual.ts"))) &&
          r.fn.startsWith("ADInplaceOrView_") === (key === "ADInplaceOrView" && path.endsWith("VariableTypeManual.ts")),
      );
      rows.set(id, {
        keys: [key],
        origin: origin as string,
        fallthrough: through !== undefined,
        file: path,
        line: Number(row ?? 0),
        kernel: through !== undefined || registered === undefined ? null : this.symbol(registered.file, registered.fn),
      });
    }
    return { rows: [...rows.values()], fallbackKeys };
  }

  private kernelsOf(f: NativeFunction, group: NativeFunctionsGroup | null): KernelFact[] {
    const found: KernelFact[] = [];
    const add = (d: Declaration | null, key: string): void => {
      if (d === null || found.some((k) => k.file === d.file && k.line === d.line)) return;
      found.push(this.kernelFact(d, key));
    };
    if (f.generated) {
      const file = "src/aten/generated/CompositeViewCopyKernels.ts";
      const name = String(f.func.name).replace(".", "_");
      add(
        this.finder.declaration(file, name) ?? this.finder.declaration(file, `${name}_symint`),
        "CompositeExplicitAutograd",
      );
      return found;
    }
    if (group?.structured && (f.structured || f.structured_delegate !== null)) {
      const metadata = this.yaml.backend_indices.get("CPU")?.get_kernel(group) ?? null;
      add(this.classNamed(`structured_${group.functional.func.name.unambiguous_name()}`, group, "meta"), "meta");
      if (metadata !== null && group.out.ufunc_inner_loop.size === 0)
        add(this.classNamed(`structured_${metadata.kernel}`, group, "impl"), "impl");
      if (group.out.ufunc_inner_loop.size > 0) this.addUfunc(group, found);
    }
    for (const [key, index] of this.yaml.backend_indices) {
      const metadata = index.get_kernel(f);
      if (metadata === null || metadata.structured) continue;
      const name = this.kernels.resolve(f, metadata);
      const file = this.kernels.file_of(name);
      if (file !== null) add(this.finder.declaration(file, name), key);
    }
    return found;
  }

  private classNamed(name: string, group: NativeFunctionsGroup, role: "meta" | "impl"): Declaration | null {
    const file = this.kernels.file_of(this.kernels.resolve_class(name, group, role));
    return file === null ? null : this.finder.declaration(file, name);
  }

  /** `ufunc_inner_loop`: the scalar function is the only part a person wrote. */
  private addUfunc(group: NativeFunctionsGroup, found: KernelFact[]): void {
    const scalar = [...group.out.ufunc_inner_loop.values()][0]?.name;
    const file = `src/aten/native/ufunc/${scalar}.ts`;
    const d = this.finder.declaration(file, scalar);
    if (d === null) return;
    const fact = this.kernelFact(d, "ufunc");
    const kernel = kernel_path(group);
    const stub = this.sources.file(kernel).declarations.find((x) => x.kind === "function");
    found.push({
      ...fact,
      steps: [
        ...this.ufuncImpl(group),
        ...(stub === undefined ? [] : [this.step({ role: "kernel", name: stub.name, file: kernel, line: stub.line })]),
        this.step({ role: "loop", name: scalar, file, line: d.line }),
      ],
    });
  }

  private ufuncImpl(group: NativeFunctionsGroup): KernelFact["steps"] {
    const base = String(group.out.func.name.name);
    const impl = this.symbolEndingIn(`src/aten/generated/UfuncCPU_${base}.ts`, ".impl");
    return impl === null ? [] : [this.step({ role: "native", name: impl.name, file: impl.file, line: impl.line })];
  }

  private symbolEndingIn(file: string, tail: string): SymbolEntry | null {
    for (const s of this.byFile.get(file)?.values() ?? []) if (s.name.endsWith(tail)) return s;
    return null;
  }

  private step(s: Step): KernelFact["steps"][number] {
    const mirrors = this.symbol(s.file, s.name)?.mirrors ?? mirrors_of(this.given.files.get(s.file) ?? "") ?? "";
    return { ...s, mirrors, lines: this.finder.text(s).split("\n").length };
  }

  private kernelFact(d: Declaration, key: string): KernelFact {
    const text = this.finder.text(d);
    const method = key === "meta" || key === "impl" ? `.${key}` : "";
    const place = this.symbol(d.file, d.name + method) ?? this.symbol(d.file, d.name);
    return {
      key,
      name: d.name,
      symbol: place?.symbol ?? `at::native::${d.name}`,
      file: d.file,
      line: d.line,
      mirrors: place?.mirrors ?? mirrors_of(this.given.files.get(d.file) ?? "") ?? "",
      lines: text.split("\n").length,
      steps: (key === "meta" ? [] : this.finder.way(d).slice(1)).map((s) => this.step(s)),
      calls: this.finder.operatorsCalled(text, this.unambiguousNames),
    };
  }

  private derivativeOf(f: NativeFunction): Derivative | null {
    const own = this.derivatives.get(String(f.func.name));
    const functional = String(f.func.name.remove_inplace());
    const of = own === undefined ? functional : String(f.func.name);
    const found = own ?? (f.func.kind() === "inplace" ? this.derivatives.get(functional) : undefined);
    if (found === undefined) return null;
    const node = this.nodes.get(found.place.line);
    return {
      ...found.place,
      text: found.text,
      of,
      node:
        node === undefined ? null : { symbol: node.symbol, file: node.file, line: node.line, mirrors: node.mirrors },
    };
  }

  /** The stops of a call on plain CPU tensors with gradients on, read from the table the library computed. */
  private wayOf(
    f: NativeFunction,
    functions: readonly GeneratedFunction[],
    rows: readonly TableRow[],
    kernels: readonly KernelFact[],
  ): Stop[] {
    const stops: Stop[] = [];
    const add = (what: Stop["what"], name: string, note: string, place: Place | null): void => {
      stops.push({ what, name, note, place: place === null ? null : { file: place.file, line: place.line } });
    };
    const binding = functions.find((x) => x.role.startsWith("binding"));
    if (binding !== undefined) add("binding", binding.symbol, "reads the arguments", binding);
    const call = functions.find((x) => x.symbol.endsWith("::call"));
    if (call !== undefined) add("dispatcher", call.symbol, "makes the key set and looks into the table", call);
    const hasTensor = takesTensor(f) || f.func.is_out_fn();
    const order = hasTensor ? ["AutogradCPU", "ADInplaceOrView", "BackendSelect", "CPU"] : ["BackendSelect", "CPU"];
    let backend = false;
    for (const key of order) {
      const row = rows.find((r) => r.keys.includes(key));
      if (row === undefined || row.fallthrough) continue;
      const shared =
        row.origin === "math kernel"
          ? ", one kernel for every key"
          : row.origin === "default backend kernel"
            ? ", one kernel for every backend"
            : "";
      add("key", shortName(row.kernel?.symbol ?? row.file), `chosen for ${key}${shared}`, row.kernel ?? row);
      if (key === "CPU" || row.origin === "math kernel") {
        backend = true;
        break;
      }
    }
    const wanted = rows.find((r) => r.keys.includes("CPU"))?.file ?? "";
    const isComposite = /Register(Composite\w+)\.ts/.exec(wanted)?.[1];
    const below = kernels.filter((k) =>
      k.key === "CPU" || k.key === "meta" || k.key === "impl" || k.key === "ufunc" ? true : k.key === isComposite,
    );
    if (backend)
      for (const k of below) {
        if (k.key === "ufunc") {
          for (const s of k.steps) add(s.role, `at::native::${s.name.replace(".", "::")}`, noteOf(s.role), s);
          continue;
        }
        const method = k.key === "meta" || k.key === "impl" ? `::${k.key}` : "";
        const note =
          k.key === "meta"
            ? "checks, shape and dtype"
            : k.calls.length > 0 && k.steps.length === 0
              ? "calls other operators"
              : "";
        add("native", k.symbol.endsWith(method) ? k.symbol : k.symbol + method, note, k);
        for (const s of k.steps) add(s.role, `at::native::${s.name.replace(".", "::")}`, noteOf(s.role), s);
      }
    return stops;
  }
}

function noteOf(role: Step["role"]): string {
  if (role === "stub") return "chooses the device's kernel";
  if (role === "kernel") return "hands the iterator to the loops";
  if (role === "loop") return "the arithmetic of one element";
  if (role === "template") return "the loop, written once for all dtypes";
  return "";
}

export function shortName(symbol: string): string {
  return symbol.replace("(anonymous namespace)::", "").replace(/^torch::autograd::|^torch::|^at::/, "");
}

/** The page of an operator: its base name without the in-place mark. */
export function baseOf(f: NativeFunction): string {
  const { name } = f.func.name;
  return name.dunder_method ? String(name) : name.base;
}

function takesTensor(f: NativeFunction): boolean {
  return f.func.arguments.flat_non_out.some((a) => is_tensor_like(a.type));
}

/** Makes a tensor from no tensor, or like another one (`ones_like`, `new_ones`). */
function isFactory(f: NativeFunction): boolean {
  if (f.func.arguments.tensor_options === null) return false;
  return !takesTensor(f) || /_like$|^new_/.test(f.func.name.name.base);
}

function kindOf(f: NativeFunction): OperatorKind {
  if (f.generated) return "autogen";
  if (isFactory(f)) return "factory";
  if (f.is_view_op) return "view";
  if (f.part_of_structured_group) return "structured";
  if (f.has_composite_implicit_autograd_kernel) return "composite-implicit";
  if (f.has_composite_explicit_autograd_kernel || f.has_composite_explicit_autograd_non_functional_kernel)
    return "composite-explicit";
  return "kernel";
}

function sentenceOf(
  f: NativeFunction,
  kind: OperatorKind,
  group: NativeFunctionsGroup | null,
  hasKernel: boolean,
  hasAutograd: boolean,
): string {
  const what =
    f.func.kind() === "inplace"
      ? "It writes its result into the tensor it is called on. "
      : f.func.kind() === "out"
        ? "It writes its result into the tensor given as out. "
        : "";
  const composite = f.has_composite_implicit_autograd_kernel
    ? " It is composite: its one kernel calls other operators, which are recorded in its place."
    : "";
  switch (kind) {
    case "autogen":
      return `Nobody wrote it: codegen makes it, schema and kernel, from the \`autogen\` line of ${f.loc.line > 0 ? "its group" : "the YAML"}, so that the operator has every form.`;
    case "factory":
      return !takesTensor(f)
        ? "A factory: no argument is a tensor, so nothing carries a backend key; BackendSelect reads the device argument and goes on to that backend."
        : `A factory: it makes a tensor like another one.${composite}`;
    case "view":
      if (f.func.kind() === "inplace")
        return `It gives the tensor it is called on another shape, other strides, another storage or graph; no byte is written.${composite}`;
      return composite === ""
        ? "A view: the result shares the storage of its input, and ADInplaceOrView notes whose view it is."
        : `A view by its schema: the result may share the storage of its input.${composite}`;
    case "structured":
      return group?.out.ufunc_inner_loop.size
        ? `${what}Structured, from a scalar function: a person wrote the meta function and the arithmetic of one element; codegen makes the class, the stub's kernel and the three forms (functional, in-place, out).`
        : `${what}Structured: a meta function finds shape and dtype, an impl function computes; codegen makes the three forms (functional, in-place, out) from that one pair.`;
    case "composite-implicit":
      return `${what}Composite (CompositeImplicitAutograd): one kernel for every key, written in other operators. Autograd records those; there is no node of its own.`;
    case "composite-explicit":
      return `${what}Composite (CompositeExplicitAutograd): one kernel for every backend, called below autograd${hasAutograd ? ", which has its own kernel for it" : ""}.`;
    default:
      if (!hasKernel)
        return "Only backends that are not built here have a kernel for it in PyTorch; its schema and its autograd rows stand all the same.";
      return `${what}A kernel of its own for each backend, below autograd.`;
  }
}

export interface YamlEntry {
  readonly line: number;
  readonly text: string;
  /** `add.Tensor` */
  readonly name: string;
}

/** Entries of a YAML list of operators, with their lines; `head` is the key they begin with. */
export function entriesOf(yaml: string, head: "func" | "name"): YamlEntry[] {
  const lines = yaml.split("\n");
  const entries: YamlEntry[] = [];
  const begins = new RegExp(`^- ${head}: ([^(]+)\\(`);
  for (let i = 0; i < lines.length; i++) {
    const found = begins.exec(lines[i]);
    if (found !== null) entries.push({ line: i + 1, text: textOfEntry(lines, i), name: found[1] });
  }
  return entries;
}

function entryAt(yaml: string, line: number): string | null {
  const lines = yaml.split("\n");
  return /^- /.test(lines[line - 1] ?? "") ? textOfEntry(lines, line - 1) : null;
}

function textOfEntry(lines: readonly string[], first: number): string {
  let end = first + 1;
  while (end < lines.length && lines[end].startsWith("  ")) end++;
  return lines.slice(first, end).join("\n").trimEnd();
}
