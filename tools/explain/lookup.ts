/**
 * @file From a word, a call, a symbol or a line of a stack trace to our line and PyTorch's file. Works on one index, so that it runs
 * in a page without a server.
 * @original
 */
import { decode, type SymbolEntry, type SymbolFile } from "#trace/symbol_entry";
import { kindOf, kindOfLine, kindOfText, parseTrace, plain, type StackLine } from "./stack_trace.ts";

export interface LookupOperator {
  /** `add.Tensor` */
  readonly name: string;
  readonly schema: string;
  /** Line of native_functions.yaml. */
  readonly line: number;
  /** The page it stands on: /operators/<base>. */
  readonly base: string;
  /** In one sentence, what kind of operator. */
  readonly sentence: string;
  /** Where its arithmetic or its composite kernel stands. */
  readonly kernel: {
    readonly name: string;
    readonly file: string;
    readonly line: number;
    readonly mirrors: string;
  } | null;
}

/** The file form: docs/static/generated/lookup.json. */
export interface LookupIndex {
  readonly symbols: SymbolFile;
  readonly operators: readonly LookupOperator[];
  /** Template or generator that writes a generated file: path -> codegen's file. */
  readonly generators: { readonly [file: string]: string };
  /** Where the entries stand that generated text cites: `native_functions.yaml` -> its path and the line of each. */
  readonly entries: { readonly [list: string]: EntryLines };
}

export interface EntryLines {
  readonly file: string;
  readonly lines: { readonly [entry: string]: number };
}

/** The YAML entry that a function was made from. */
export interface Origin {
  /** `native_functions.yaml#exp.out` */
  readonly entry: string;
  readonly file: string;
  readonly line: number;
}

export interface Found {
  readonly symbol: string;
  readonly kind: string;
  readonly ours: { readonly file: string; readonly line: number };
  /** PyTorch's file. */
  readonly mirrors: string;
  readonly from: Origin | null;
  /** Who wrote it: codegen's file, or null for a person. */
  readonly generator: string | null;
}

export interface LineAnswer {
  readonly line: StackLine;
  readonly found: Found | null;
  /** What can be said without a function of ours. */
  readonly kind: string;
}

export type Answer =
  | { readonly what: "trace"; readonly lines: readonly LineAnswer[] }
  | { readonly what: "operators"; readonly operators: readonly LookupOperator[]; readonly symbols: readonly Found[] }
  | { readonly what: "symbols"; readonly symbols: readonly Found[] }
  | { readonly what: "nothing"; readonly near: readonly string[] };

const NAMESPACES = [
  "",
  "at::",
  "torch::autograd::",
  "torch::",
  "at::native::",
  "c10::",
  "at::_ops::",
  "torch::autograd::generated::",
];

/** Files whose functions stand in the dispatch table. */
const REGISTERED = /\/(Register\w+|VariableType\w*|ADInplaceOrViewType\w*|\w*Fallback\w*)\.ts$/;

export class Lookup {
  readonly index: LookupIndex;
  readonly symbols: readonly SymbolEntry[];
  private readonly bySymbol = new Map<string, SymbolEntry[]>();
  private readonly byName = new Map<string, SymbolEntry[]>();
  private readonly operatorsByBase = new Map<string, LookupOperator[]>();

  constructor(index: LookupIndex) {
    this.index = index;
    this.symbols = decode(index.symbols);
    for (const s of this.symbols) {
      push(this.bySymbol, plain(s.symbol), s);
      push(this.byName, s.name, s);
    }
    for (const o of index.operators) {
      push(this.operatorsByBase, o.name.split(".")[0], o);
      if (o.base !== o.name.split(".")[0]) push(this.operatorsByBase, o.base, o);
    }
  }

  answer(query: string): Answer {
    const text = query.trim();
    if (text === "") return { what: "nothing", near: [] };
    if (text.includes("\n") || /^(#\d+|frame #\d+|File ")/.test(text))
      return { what: "trace", lines: this.lines(query) };
    if (text.includes("::") && !text.startsWith("aten::")) {
      const found = this.symbolsOf(bareSymbol(text));
      if (found.length > 0) return { what: "symbols", symbols: found };
      const [only] = parseTrace(text).map((line) => this.line(line));
      return only !== undefined && (only.found !== null || only.kind !== "")
        ? { what: "trace", lines: [only] }
        : { what: "nothing", near: this.suggest(text.split("::").at(-1) as string).slice(0, 8) };
    }
    const wanted = text.replace(/^aten::/, "");
    const called = nameOfCall(text);
    const exact = this.index.operators.filter((o) => o.name === wanted);
    const operators =
      exact.length > 0 ? exact : (this.operatorsByBase.get(wanted) ?? this.operatorsByBase.get(called) ?? []);
    const symbols = this.symbolsOf(wanted);
    const more = symbols.length > 0 || wanted === called ? symbols : this.symbolsOf(called);
    if (operators.length > 0) return { what: "operators", operators, symbols: more };
    return more.length > 0
      ? { what: "symbols", symbols: more }
      : { what: "nothing", near: this.suggest(called).slice(0, 8) };
  }

  private lines(text: string): LineAnswer[] {
    const lines = parseTrace(text);
    return lines.map((line, i) => {
      const answer = this.line(line);
      if (answer.found !== null || answer.kind !== "") return answer;
      const kind = line.symbol === null ? kindOfText(line.text, lines[i - 1] ?? null) : "no function of that name here";
      return { ...answer, kind };
    });
  }

  line(line: StackLine): LineAnswer {
    if (line.python !== null) return this.pythonLine(line, line.python);
    if (line.symbol === null) return { line, found: null, kind: "" };
    const all = this.symbolsOf(line.symbol);
    // What the dispatcher's glue wraps is a registered kernel, never the function of `at::` with the same name.
    const found = (line.wraps ? all.find((f) => REGISTERED.test(f.ours.file)) : undefined) ?? all[0] ?? null;
    if (found === null) return { line, found, kind: kindOf(line.symbol) || kindOfLine(line.text) };
    const kind = found.kind || kindOf(line.symbol);
    return {
      line,
      found,
      kind: line.wraps ? `glue between the dispatch table and its kernel. ${capital(kind)}` : kind,
    };
  }

  private pythonLine(line: StackLine, python: NonNullable<StackLine["python"]>): LineAnswer {
    const inFile = this.symbols.filter((s) => s.mirrors === python.file);
    const short = python.name.split(".").at(-1) as string;
    const entries = inFile.filter((s) => s.name === python.name || s.name.split(".").at(-1) === short);
    const [entry] = entries;
    if (entry !== undefined && entries.length === 1)
      return { line, found: this.found(entry), kind: "Python front end" };
    if (entry !== undefined) {
      const classes = entries.map((s) => s.name.split(".")[0]).join(", ");
      return { line, found: null, kind: `Python front end: ${short} of one of ${classes} in ${entry.file}` };
    }
    const file = inFile[0];
    return {
      line,
      found: null,
      kind:
        file !== undefined
          ? `Python front end; ${file.file} stands for this file`
          : python.file.startsWith("torch/")
            ? "a part of PyTorch's Python that is not built here"
            : "your code",
    };
  }

  /** All functions that a (qualified or short) name may mean, the best first. */
  symbolsOf(name: string): Found[] {
    const bare = plain(name);
    // Only C++ has inner namespaces and a name of its own for symbolic sizes.
    const outer = bare.replace(/::(?:detail|impl|internal)::/g, "::").replace(/_symint$/, "");
    const exact = NAMESPACES.flatMap(
      (namespace) => this.bySymbol.get(namespace + bare) ?? this.bySymbol.get(namespace + outer) ?? [],
    );
    const entries =
      exact.length > 0
        ? exact
        : (this.byName.get(bare) ?? this.byName.get(bare.replaceAll("::", ".")) ?? this.lastParts(bare));
    const classOf = exact.length > 0 ? [] : entries;
    return dedupe([...exact, ...classOf]).map((s) => this.found(s));
  }

  /** `torch::autograd::Engine::f` by `Engine.f`, or by `f` where one function of that namespace has the name: methods of a large class stand in several files here. */
  private lastParts(name: string): SymbolEntry[] {
    const parts = name.split("::");
    if (parts.length < 2) return [];
    const method = this.byName.get(parts.slice(-2).join("."));
    if (method !== undefined) return method;
    const namespace = parts.slice(0, Math.min(2, parts.length - 1)).join("::");
    const same = (this.byName.get(parts.at(-1) as string) ?? []).filter((s) =>
      plain(s.symbol).startsWith(`${namespace}::`),
    );
    return same.length === 1 ? same : [];
  }

  private found(s: SymbolEntry): Found {
    return {
      symbol: s.symbol,
      kind: /^src\/aten\/native\/(cpu|ufunc)\//.test(s.file)
        ? "a loop's arithmetic, or the kernel that runs the loop"
        : kindOf(s.symbol),
      ours: { file: s.file, line: s.line },
      mirrors: s.mirrors,
      from: s.from === undefined ? null : this.originOf(s.from),
      generator: this.index.generators[s.file] ?? null,
    };
  }

  private originOf(entry: string): Origin | null {
    const [list, name] = entry.split("#");
    const { file, lines } = this.index.entries[list] ?? {};
    return file === undefined || lines?.[name] === undefined ? null : { entry, file, line: lines[name] };
  }

  /** Names that contain what was typed: operators first, then functions. */
  suggest(typed: string): string[] {
    const word = plain(typed).toLowerCase();
    if (word.length < 2) return [];
    const names: string[] = [];
    const rank = (name: string): number => {
      const lower = name.toLowerCase();
      return lower === word ? 0 : lower.startsWith(word) ? 1 : lower.includes(word) ? 2 : 3;
    };
    const operators = [...this.operatorsByBase.keys()]
      .filter((n) => rank(n) < 3)
      .sort((a, b) => rank(a) - rank(b) || a.length - b.length);
    names.push(...operators.slice(0, 8));
    const seen = new Set(names);
    const symbols: string[] = [];
    for (const s of this.symbols) {
      if (/\.(call|redispatch)$/.test(s.name) && !word.includes("::")) continue;
      if (rank(word.includes("::") ? plain(s.symbol) : s.name) > 2) continue;
      const shown = word.includes("::") ? plain(s.symbol) : s.name;
      if (!seen.has(shown)) {
        seen.add(shown);
        symbols.push(shown);
      }
      if (symbols.length > 400) break;
    }
    if (names.length + symbols.length === 0) return word.length < 4 ? [] : this.nearest(word);
    symbols.sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1));
    return [...names, ...symbols.slice(0, 12)];
  }

  /** For a misspelt word: the names that few edits make of it. */
  private nearest(word: string): string[] {
    const most = Math.max(2, Math.floor(word.length / 3));
    const seen = new Set<string>();
    const close: { name: string; far: number }[] = [];
    for (const name of [...this.operatorsByBase.keys(), ...this.symbols.map((s) => s.name)]) {
      if (seen.has(name)) continue;
      seen.add(name);
      const far = distance(word, name.toLowerCase(), most);
      if (far <= most) close.push({ name, far });
    }
    return close
      .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
      .slice(0, 6)
      .map((c) => c.name);
  }
}

/** Edits between two words, or more than `most`. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row[b.length];
}

/** `void at::native::f(at::Tensor const&)` -> `at::native::f`. */
function bareSymbol(text: string): string {
  const line = parseTrace(text)[0];
  return line?.symbol ?? text;
}

/** `torch.add(x, y)`, `x.add_`, `nn.PReLU()`: the name called. */
export function nameOfCall(query: string): string {
  return query.replace(/\(.*$/s, "").replace(/^.*\./, "");
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function dedupe(entries: readonly SymbolEntry[]): SymbolEntry[] {
  const seen = new Set<string>();
  return entries.filter((s) => {
    const id = `${s.file}:${s.line}`;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}
