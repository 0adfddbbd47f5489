/**
 * @file The lookup from a word, a call, a symbol or a line of a stack trace to our line and PyTorch's file. It uses one
 * index, so that it runs in a page without a server.
 * @original
 */
import { decode, type SymbolEntry, type SymbolFile } from "#trace/symbol_entry";
import type { Paragraph } from "./paragraphs.ts";
import { kindOf, kindOfLine, kindOfText, parseTrace, plain, type StackLine } from "./stack_trace.ts";
import { type FileAnswer, type TheirIndex, TheirLookup, type TheirOperatorAnswer, type Theirs } from "./theirs.ts";

export interface LookupOperator {
  /** `add.Tensor` */
  readonly name: string;
  readonly schema: string;
  /** Line of native_functions.yaml. */
  readonly line: number;
  /** Its page: /operators/<base>. */
  readonly base: string;
  /** The kind of operator, in one sentence. */
  readonly sentence: string;
  /** The place of its arithmetic or of its composite kernel. */
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
  /** The template or generator of each generated file. */
  readonly generators: { readonly [file: string]: string };
  /** The places of entries that generated text cites: for `native_functions.yaml`, its path and the line of each entry. */
  readonly entries: { readonly [list: string]: EntryLines };
  readonly paragraphs: readonly Paragraph[];
  /** PyTorch's file for each of ours. */
  readonly mirrors: { readonly [file: string]: string };
}

export interface EntryLines {
  readonly file: string;
  readonly lines: { readonly [entry: string]: number };
}

/** The YAML entry from which a function was made. */
export interface Origin {
  /** `native_functions.yaml#exp.out` */
  readonly entry: string;
  readonly file: string;
  readonly line: number;
}

export interface Found {
  readonly symbol: string;
  /** Whether PyTorch has nothing of this name; the file is then where it would be. */
  readonly isOurs: boolean;
  readonly kind: string;
  readonly ours: { readonly file: string; readonly line: number };
  /** PyTorch's file. */
  readonly mirrors: string;
  readonly from: Origin | null;
  /** The codegen file that writes it, or null if it is hand-written. */
  readonly generator: string | null;
}

export interface LineAnswer {
  readonly line: StackLine;
  readonly found: Found | null;
  /** PyTorch's own symbol, if we have none. */
  readonly theirs: Theirs | null;
  /** A description without a function of ours. */
  readonly kind: string;
}

export type Part = "operators" | "unbuilt" | "symbols" | "theirs" | "files" | "paragraphs" | "word";

/** All possible meanings of a word. */
export interface FoundAnswer {
  /** The part that answers best. */
  readonly what: Part;
  /** The parts that answer, in this order. */
  readonly parts: readonly Part[];
  readonly operators: readonly LookupOperator[];
  /** PyTorch's operators that are not built here. */
  readonly unbuilt: readonly TheirOperatorAnswer[];
  readonly symbols: readonly Found[];
  readonly theirs: readonly Theirs[];
  readonly files: readonly FileAnswer[];
  readonly paragraphs: readonly Paragraph[];
  /** The meaning of the name by its form alone: a function of Python's C API. */
  readonly word: string;
  /** The name that was taken out of a sentence; absent if the query is a name. */
  readonly taken?: string;
}

export type Answer =
  | { readonly what: "trace"; readonly lines: readonly LineAnswer[] }
  | FoundAnswer
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

/** Words of questions: no reader means a function by them. */
const LITTLE_WORDS = new Set(
  `a an and are at be by called can code come comes computed defined did do does file files find for from function get gets has have how i if in
   into is it kernel kernels know line made make makes me model my name new not of on one operator or out pytorch see source stands tell that the
   there this to torch use used want was we what when where which who why with work works written you your`.split(
    /\s+/,
  ),
);

/** Files whose functions are in the dispatch table. */
const REGISTERED = /\/(Register\w+|VariableType\w*|ADInplaceOrViewType\w*|\w*Fallback\w*)\.ts$/;

/** Names of ours come last, and before them those of the C++ front end, unless the name is one of C++. */
const order_of = (s: SymbolEntry, name: string): number =>
  (s.ours === true ? 2 : 0) + (!name.includes("::") && s.file.startsWith("src/torch/csrc-equivalent/api/") ? 1 : 0);

export class Lookup {
  readonly index: LookupIndex;
  readonly symbols: readonly SymbolEntry[];
  /** The records of PyTorch: a page fetches them at the first query. */
  private theirs: TheirLookup | null = null;
  private readonly bySymbol = new Map<string, SymbolEntry[]>();
  private readonly byName = new Map<string, SymbolEntry[]>();
  private readonly operatorsByBase = new Map<string, LookupOperator[]>();

  constructor(index: LookupIndex, theirs: TheirIndex | null = null) {
    this.index = index;
    if (theirs !== null) this.add(theirs);
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

  add(theirs: TheirIndex): void {
    this.theirs = new TheirLookup(theirs, this.index.symbols, this.index.mirrors);
  }

  get isComplete(): boolean {
    return this.theirs !== null;
  }

  answer(query: string): Answer {
    const asked = query.trim().replace(/^`|`$/g, "");
    const text = this.isDeclared(asked) ? asked : asked.replace(/:$/, "");
    if (text === "") return { what: "nothing", near: [] };
    if (text.includes("\n") || /^(#\d+|frame #\d+|File ")/.test(text))
      return { what: "trace", lines: this.lines(query) };
    const found = this.answerFor(text);
    if (found !== null) return found;
    for (const taken of this.namesIn(text)) {
      const answer = this.answerFor(taken);
      if (answer !== null) return { ...answer, taken };
    }
    return { what: "nothing", near: this.suggest(nameOfCall(nameIn(text))).slice(0, 8) };
  }

  /** Whether a page explains exactly this, colon included: `result:` is a key of derivatives.yaml. */
  private isDeclared(asked: string): boolean {
    return this.index.paragraphs.some((p) => p.about.includes(asked));
  }

  private answerFor(text: string): FoundAnswer | null {
    const name = this.inTorch(nameIn(text));
    const found = this.foundFor(name, text);
    const parts = orderFor(name, found).filter((part) => found[part].length > 0);
    return parts.length === 0 ? null : { what: parts[0], parts, ...found };
  }

  /** `jit.trace` is `torch.jit.trace` if PyTorch has that, and no call of an operator `trace`. */
  private inTorch(name: string): string {
    if (this.theirs === null || !/^[a-z]\w*\.[\w.]+$/.test(name)) return name;
    const full = `torch.${name}`;
    return this.theirs.isModule(full.slice(0, full.lastIndexOf("."))) &&
      this.theirsFor(full, this.writtenOut(full), false).length > 0
      ? full
      : name;
  }

  /**
   * The names in a sentence, the most telling first: written as code writes them (`layer_norm`, `at::add`, `F.prelu`), then words in a row that
   * make one (flash attention), then single words that a function or a page has as its name.
   */
  private namesIn(sentence: string): string[] {
    const words = sentence
      .split(/[\s?!,;"“”()]+/)
      .map((word) => word.replace(/(?:['’]s?|[.:])$/, "").replace(/^['’`]|[`]$/g, ""))
      .filter((word) => /^[\w.:]+$/.test(word));
    if (words.length < 2) return [];
    const code = words.filter((word) => /\w(?:_|::|\.)\w/.test(word) || /[a-z][A-Z]/.test(word));
    const rows: string[] = [];
    for (let length = Math.min(4, words.length); length > 1; length--)
      for (let from = 0; from + length <= words.length; from++) {
        const row = words.slice(from, from + length);
        if (!row.some((word) => LITTLE_WORDS.has(word.toLowerCase())))
          rows.push(...this.namesWith(row.join("_").toLowerCase()));
      }
    const single = words.filter((word) => !LITTLE_WORDS.has(word.toLowerCase()) && !code.includes(word));
    const pages = single.filter((word) => this.paragraphsFor(word).length > 0);
    const operators = single.filter((word) => this.operatorsByBase.has(word.toLowerCase())).map((w) => w.toLowerCase());
    return [...new Set([...code, ...rows, ...operators, ...pages, ...single])];
  }

  /** The shortest operator, and the shortest function, with these words in its name. */
  private namesWith(words: string): string[] {
    const shortest = (names: Iterable<string>): string[] => {
      let found: string | null = null;
      for (const name of names)
        if (name.toLowerCase().includes(words) && (found === null || name.length < found.length)) found = name;
      return found === null ? [] : [found];
    };
    const operators = shortest(this.operatorsByBase.keys());
    return operators.length > 0 ? operators : shortest(this.byName.keys());
  }

  private foundFor(name: string, text: string): Omit<FoundAnswer, "what" | "parts"> {
    const placeholder = /^\$\{?,?\w+\}?$/.test(text);
    const full = this.writtenOut(name);
    const symbols = placeholder ? [] : this.oursNamed(name, full);
    const operators = placeholder ? [] : this.operatorsFor(name);
    const unbuilt = placeholder || operators.length > 0 ? [] : this.unbuiltFor(name, full);
    const theirs = this.theirsFor(name, full, placeholder);
    const paragraphs = this.paragraphsFor(name);
    const files = this.filesFor(name);
    const nothing = [operators, unbuilt, symbols, theirs, paragraphs].every((part) => part.length === 0);
    const kernel = nothing ? this.formerKernel(name) : [];
    const rest = {
      operators: kernel.length > 0 ? kernel : operators,
      unbuilt,
      symbols,
      theirs: nothing && kernel.length === 0 ? (this.theirs?.beginningWith(name) ?? []) : theirs,
      files,
      word: /^[A-Za-z_]\w*(?:::|_|[A-Z])/.test(name) ? kindOf(name) : "",
    };
    const empty = nothing && rest.theirs.length === 0 && rest.word === "" && files.length === 0;
    return { ...rest, paragraphs: empty ? this.paragraphsWith(name) : paragraphs };
  }

  /**
   * A name in full: `F.prelu` -> `torch.nn.functional.prelu`, `m.def` -> `torch::Library::def`, `torch.save` ->
   * `torch.serialization.save`.
   */
  private writtenOut(name: string): string {
    if (this.theirs === null || name.includes("::") || !name.includes(".")) return name;
    const dot = name.indexOf(".");
    const meaning = this.theirs.customary(name.slice(0, dot));
    if (meaning === null) return this.theirs.definitionOf(name);
    const rest = name.slice(dot + 1);
    if (meaning.includes("::")) return `${meaning}::${rest.replaceAll(".", "::")}`;
    return this.theirs.definitionOf(`${meaning}.${rest}`);
  }

  private oursNamed(name: string, full: string): Found[] {
    if (full !== name) {
      const exact = this.symbolsOf(full);
      if (exact.length > 0) return exact;
    }
    if (name.includes("::")) return this.symbolsOf(name);
    // A dotted Python name that PyTorch has does not mean a function elsewhere with the same last name.
    if (isPublicPython(name)) return this.pythonNamed(full);
    const symbols = this.symbolsOf(name);
    if (symbols.length > 0 || !name.includes(".")) return symbols;
    // `x.backward`: a name after a variable is first looked up as a tensor's method.
    const method = this.symbolsOf(`Tensor.${nameOfCall(name)}`);
    return method.length > 0 ? method : this.symbolsOf(nameOfCall(name));
  }

  /** `torch.Tensor`: the class of that name in a module of `torch`; if there are several, the one in the fewest folders. */
  private pythonNamed(full: string): Found[] {
    const last = full.slice(full.lastIndexOf(".") + 1);
    const above = full.slice(0, full.lastIndexOf("."));
    const inModule = (s: SymbolEntry): boolean =>
      !s.symbol.includes("::") && s.symbol.startsWith(`${above}.`) && s.ours !== true;
    const entries = (this.byName.get(last) ?? []).filter(inModule);
    return [...entries]
      .sort((a, b) => a.symbol.split(".").length - b.symbol.split(".").length)
      .map((s) => this.found(s));
  }

  private operatorsFor(name: string): LookupOperator[] {
    if (name.includes("::")) return [];
    const exact = this.index.operators.filter((o) => o.name === name);
    if (exact.length > 0 || this.theirs?.isOperator(name) === true) return exact;
    const called = this.operatorsByBase.get(nameOfCall(name)) ?? [];
    // A module's function in PyTorch is the operator only if Python gets it from the operators; a method is the tensor's.
    const [head] = name.split(".");
    const is_theirs = (): boolean => this.theirsFor(name, this.writtenOut(name), false).length > 0;
    if (this.theirs !== null && isPublicPython(name) && !this.theirs.isBuiltIn(name) && is_theirs()) return [];
    if (this.theirs?.customary(head)?.includes("::") === true) return [];
    return this.operatorsByBase.get(name) ?? called;
  }

  private unbuiltFor(name: string, full: string): TheirOperatorAnswer[] {
    if (this.theirs === null) return [];
    const generated =
      name.includes("::") || /^(?:wrapper_|THPVariable_)/.test(name) ? this.theirs.operatorOf(name) : null;
    if (generated !== null) return this.isBuilt(generated.name) ? [] : [generated];
    if (name.includes("::") || full.includes("::")) return [];
    const named = this.theirs.operatorsNamed(name);
    if (named.length > 0) return named;
    const called = this.theirs.operatorInModule(full) ?? nameOfCall(name);
    const isOperator = called !== nameOfCall(name) || !isPublicPython(name) || this.theirs.isBuiltIn(name);
    return called !== name && isOperator ? this.theirs.operatorsNamed(called) : [];
  }

  private isBuilt(name: string): boolean {
    return this.index.operators.some((o) => o.name === name);
  }

  private theirsFor(name: string, full: string, placeholder: boolean): Theirs[] {
    if (this.theirs === null) return [];
    const bare = name.replace(/^\$?\{?,?/, "").replace(/\}$/, "");
    const found = this.theirs.symbols(full === name ? bare : full);
    if (placeholder) return found.filter((t) => t.symbol.startsWith("$"));
    if (found.length > 0) return found;
    // `torch.Tensor` is defined in a module below `torch`; `fm.write_with_template` is a method of the class of `fm`.
    const dot = bare.lastIndexOf(".");
    if (dot === -1) return [];
    const above = full.slice(0, full.lastIndexOf("."));
    return this.theirs.symbols(bare.slice(dot + 1)).filter((t) => t.symbol.startsWith(`${above}.`));
  }

  private filesFor(name: string): FileAnswer[] {
    if (this.theirs === null) return [];
    const libraries = this.theirs.libraries(name).map((path) => ({ path: `torch/lib/${path}`, ours: [] }));
    if (libraries.length > 0) return libraries;
    if (/^[\w+-]+\.\w{1,5}$/.test(name) || name.includes("/")) {
      const found = this.theirs.files(name);
      return found.length > 0 ? found : this.theirs.generatedFiles(name);
    }
    return /^[A-Za-z_]\w*$/.test(name) ? this.theirs.filesAbout(name) : [];
  }

  /** `neg_cpu`: a name in older texts for the kernel of an operator for a backend. */
  private formerKernel(name: string): LookupOperator[] {
    const [, base] = /^(_?[a-z]\w*?)_(?:[a-z]*cpu|[a-z]*cuda|mkldnn|sparse)(?:_|$)/.exec(name) ?? [];
    return base === undefined ? [] : (this.operatorsByBase.get(base) ?? []);
  }

  private paragraphsFor(asked: string): Paragraph[] {
    const name = asked.replace(/^.*\//, ""); // the file name of a path
    const word = name.toLowerCase();
    const rank = (p: Paragraph): number =>
      p.about.some((w) => w === name)
        ? 0
        : p.families.some((family) => new RegExp(`^(?:${family})$`).test(name))
          ? 1
          : p.about.some((w) => w.toLowerCase() === word)
            ? 2
            : p.once.includes(name)
              ? 3
              : 4;
    return this.index.paragraphs
      .map((p) => ({ p, r: rank(p) }))
      .filter(({ r }) => r < 4)
      .sort((a, b) => a.r - b.r)
      .map(({ p }) => p);
  }

  /** The paragraphs that contain the word. */
  private paragraphsWith(name: string): Paragraph[] {
    const word = name.toLowerCase();
    return this.index.paragraphs.filter((p) => p.words.toLowerCase().split(" ").includes(word)).slice(0, 3);
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
    if (line.symbol === null) return { line, found: null, theirs: null, kind: "" };
    const all = this.symbolsOf(line.symbol);
    // The dispatcher's template glue always wraps a registered kernel, never the function in `at::` with the same name.
    const found = (line.wraps ? all.find((f) => REGISTERED.test(f.ours.file)) : undefined) ?? all[0] ?? null;
    if (found === null) return this.theirLine(line, line.symbol);
    const kind = found.kind || kindOf(line.symbol);
    return {
      line,
      found,
      theirs: null,
      kind: line.wraps ? `glue between the dispatch table and its kernel. ${capital(kind)}` : kind,
    };
  }

  /** The answer for a frame that is not built here: PyTorch's file. */
  private theirLine(line: StackLine, symbol: string): LineAnswer {
    const kind = kindOf(symbol) || kindOfLine(line.text);
    const known = this.theirs?.symbols(plain(symbol)).find((t) => t.symbol === plain(symbol));
    const template = known === undefined ? (this.theirs?.templateOf(symbol) ?? null) : null;
    const theirs =
      known ?? (template === null ? null : { symbol: plain(symbol), kind: "generated", paths: [template], ours: [] });
    return {
      line,
      found: null,
      theirs,
      kind: theirs === null || kind !== "" ? kind : `${theirs.kind}; not built here`,
    };
  }

  private pythonLine(line: StackLine, python: NonNullable<StackLine["python"]>): LineAnswer {
    const inFile = this.symbols.filter((s) => s.mirrors === python.file);
    const short = python.name.split(".").at(-1) as string;
    const entries = inFile.filter((s) => s.name === python.name || s.name.split(".").at(-1) === short);
    const [entry] = entries;
    if (entry !== undefined && entries.length === 1)
      return { line, found: this.found(entry), theirs: null, kind: "Python front end" };
    if (entry !== undefined) {
      const classes = entries.map((s) => s.name.split(".")[0]).join(", ");
      return {
        line,
        found: null,
        theirs: null,
        kind: `Python front end: ${short} of one of ${classes} in ${entry.file}`,
      };
    }
    const file = inFile[0];
    return {
      line,
      found: null,
      theirs: this.theirs?.symbols(short).find((t) => t.paths.includes(python.file)) ?? null,
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
    // Only C++ has inner namespaces and a separate name for symbolic sizes.
    const outer = bare.replace(/::(?:detail|impl|internal)::/g, "::").replace(/_symint$/, "");
    const exact = NAMESPACES.flatMap(
      (namespace) => this.bySymbol.get(namespace + bare) ?? this.bySymbol.get(namespace + outer) ?? [],
    );
    const entries =
      exact.length > 0
        ? exact
        : (this.byName.get(bare) ?? this.byName.get(bare.replaceAll("::", ".")) ?? this.lastParts(bare));
    const classOf = exact.length > 0 ? [] : entries;
    return dedupe([...exact, ...classOf])
      .sort((a, b) => order_of(a, bare) - order_of(b, bare))
      .map((s) => this.found(s));
  }

  /**
   * Finds `torch::autograd::Engine::f` by `Engine.f`, or by `f` if one function in that namespace has the name: methods
   * of a large class may be in several files here.
   */
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
      isOurs: s.ours === true,
      kind: /^src\/aten\/native\/(cpu|ufunc)\//.test(s.file)
        ? "a loop's arithmetic, or the kernel that runs the loop"
        : kindOfFound(s.symbol, this.index.generators[s.file] ?? null),
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

  /** Names that contain the typed text: operators first, then functions. */
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

  /** Similar names for a misspelt word. */
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

/** Number of edits between two words, or a number greater than `most`. */
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

/** The name in a query: `at::native::f` in `void at::native::f(at::Tensor const&)`, `torch.add` in `torch.add(x, y)`. */
function nameIn(asked: string): string {
  const text = asked.replace(/^aten::/, "");
  if (text.includes("::")) return parseTrace(text)[0]?.symbol ?? text;
  const called = text.replace(/\(.*$/s, "").trim();
  return called === "" ? text : called;
}

/** Whether it is a name in a module: `torch.load`, `torch.nn.PReLU`. */
function isPublicPython(name: string): boolean {
  return /^(?:torch|torchgen)\./.test(name);
}

/** The parts of the answer, the best first. */
function orderFor(name: string, found: Omit<FoundAnswer, "what" | "parts">): readonly Part[] {
  const [paragraph] = found.paragraphs;
  const isAbout = paragraph?.about.includes(name) === true;
  const isFormer = paragraph?.file.endsWith("then-and-now.mdx") === true && (isAbout || inFamily(paragraph, name));
  const exact = (symbol: string | undefined): boolean => symbol !== undefined && plain(symbol) === plain(name);
  if (name.includes("::"))
    return exact(found.theirs[0]?.symbol) && !exact(found.symbols[0]?.symbol)
      ? ["paragraphs", "unbuilt", "theirs", "symbols", "word"]
      : ["symbols", "unbuilt", "theirs", "paragraphs", "word"];
  if (/\/|^[\w+-]+\.(?:cpp|h|cc|c|cu|cuh|py|pyi|yaml|in|txt|so|ts)$/.test(name))
    return ["files", "paragraphs", "symbols", "theirs"];
  if (isFormer) return ["operators", "paragraphs", "symbols", "unbuilt", "theirs", "files", "word"];
  if (name.includes(".")) return ["operators", "unbuilt", "symbols", "theirs", "files", "paragraphs", "word"];
  if (isAbout && !found.symbols.some((symbol) => !symbol.isOurs))
    return ["operators", "unbuilt", "paragraphs", "theirs", "symbols", "files", "word"];
  // `native`, `ATen`, `c10` mean folders first.
  const isFolder = found.files[0]?.path.endsWith(`/${name}`) === true || found.files[0]?.path === name;
  const isAtTheTop = found.files[0]?.path === name;
  return isAtTheTop || (isFolder && !found.symbols.some((symbol) => !symbol.isOurs))
    ? ["operators", "unbuilt", "files", "theirs", "paragraphs", "symbols", "word"]
    : ["operators", "unbuilt", "symbols", "theirs", "files", "paragraphs", "word"];
}

/** The kind of a symbol of ours, in words. A binding of a generated file is generated; PyTorch's people wrote the others by hand, as ours are. */
function kindOfFound(symbol: string, generator: string | null): string {
  const kind = kindOf(symbol);
  if (!/\bTHPVariable_/.test(symbol)) return kind;
  return `${kind}; ${generator === null ? "written by hand" : "made from native_functions.yaml"}`;
}

/** Lines of a trace that are shown together. */
export interface Fold {
  readonly lines: readonly LineAnswer[];
  /** The kind that they share; null for a line that is shown by itself. */
  readonly what: string | null;
}

/** Kinds of lines that tell a reader nothing more the second time. */
const QUIET =
  /^(?:the Python interpreter|marks the part|the source of the frame|no frame: |C\+\+'s standard library|pybind11|no function of that name)/;

/** Folds neighbours that say the same: the interpreter's own frames, lines of `^^^^`. */
export function folded(lines: readonly LineAnswer[]): Fold[] {
  const folds: { lines: LineAnswer[]; what: string | null }[] = [];
  for (const line of lines) {
    const quiet = line.found === null && line.theirs === null && QUIET.test(line.kind);
    const last = folds.at(-1);
    if (!quiet) folds.push({ lines: [line], what: null });
    else if (last !== undefined && last.what !== null) last.lines.push(line);
    else folds.push({ lines: [line], what: line.kind });
  }
  return folds.map(({ lines, what }) => {
    if (what === null || lines.length === 1) return { lines, what: null };
    const kinds = [...new Set(lines.map((line) => line.kind.replace(/[;:].*$/, "")))];
    return { lines, what: kinds.join(", ") };
  });
}

/**
 * The line that answers "where?": of C++ frames the innermost kernel, which is the first; of Python's, the innermost one that is here, which is
 * the last. Null if no line is here.
 */
export function answerOf(lines: readonly LineAnswer[]): LineAnswer | null {
  const kernel = lines.find(({ found }) => found !== null && /^at::native::/.test(found.symbol));
  if (kernel !== undefined) return kernel;
  const cpp = lines.find(({ found, line }) => found !== null && line.python === null);
  return cpp ?? lines.findLast(({ found }) => found !== null) ?? null;
}

function inFamily(paragraph: Paragraph, name: string): boolean {
  return paragraph.families.some((family) => new RegExp(`^(?:${family})$`).test(name));
}

/** The called name in `torch.add(x, y)`, `x.add_`, `nn.PReLU()`. */
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
