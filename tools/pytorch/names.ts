/**
 * @file PyTorch's names, as tools/oracle/record_names.py took them from the 2.13.0 wheel: what stands in which file, and how a name is
 * written in full. Answers questions by name, by full name and by file; pure, so that a page can ask too.
 * @original
 */

/** The file form: tools/pytorch/names.json.gz. Names of one scope and kind are one string, with spaces between. */
export interface NamesFile {
  readonly torch: string;
  /** Path in PyTorch's tree ("" where the symbol table does not tell) -> what C++ defines there. */
  readonly cpp: { readonly [path: string]: readonly (readonly [scope: string, kind: CppKind, names: string])[] };
  readonly python: { readonly [path: string]: readonly (readonly [scope: string, names: string])[] };
  /** `torch.save` -> `torch.serialization.save`: a public name and where it is defined. */
  readonly aliases: { readonly [written: string]: string };
  /** What Python sees and C++ defines: `torch._C._VariableFunctions` -> its functions. */
  readonly built_in: { readonly [scope: string]: string };
  /** `F` -> `torch.nn.functional`, `m` -> `torch::Library`: what a short name is by custom. */
  readonly variables: { readonly [name: string]: string };
  /** Template -> the placeholders in it. */
  readonly placeholders: { readonly [path: string]: string };
  /** The shared libraries of the wheel. */
  readonly libraries: readonly string[];
}

export type CppKind = "class" | "type" | "function" | "member" | "macro" | "value";

export interface TheirName {
  /** In full: `c10::impl::OperatorEntry`, `torch.serialization.load`. */
  readonly symbol: string;
  readonly kind: CppKind | "namespace" | "Python" | "built-in" | "placeholder";
  /** PyTorch's file; "" where it is not known. */
  readonly path: string;
}

/** Rows as they are kept: a name is found by its last part, and put together when it is asked for. */
interface Row {
  readonly path: string;
  readonly scope: string;
  readonly kind: TheirName["kind"];
}

export class PyTorchNames {
  readonly file: NamesFile;
  private readonly byName = new Map<string, Row[]>();
  private readonly byStem = new Map<string, Set<string>>();

  constructor(file: NamesFile) {
    this.file = file;
    const scopes = new Set<string>();
    for (const [path, rows] of Object.entries(file.cpp)) {
      this.addPath(path);
      for (const [scope, kind, names] of rows) {
        for (const name of names.split(" ")) this.add(name, { path, scope, kind });
        // A class that no header shows has functions all the same.
        if (scope !== "" && !scopes.has(`${path} ${scope}`)) {
          scopes.add(`${path} ${scope}`);
          this.addScope(path, scope);
        }
      }
    }
    for (const [path, rows] of Object.entries(file.python)) {
      this.addPath(path);
      const module = moduleOf(path);
      this.add(module.slice(module.lastIndexOf(".") + 1), {
        path,
        scope: module.replace(/\.?[^.]*$/, ""),
        kind: "Python",
      });
      for (const [scope, names] of rows)
        for (const name of names.split(" "))
          this.add(name, { path, scope: scope === "" ? module : `${module}.${scope}`, kind: "Python" });
    }
    for (const [scope, names] of Object.entries(file.built_in)) {
      const at = scope.lastIndexOf(".");
      if (at !== -1) this.add(scope.slice(at + 1), { path: "", scope: scope.slice(0, at), kind: "built-in" });
      for (const name of names.split(" ")) this.add(name, { path: "", scope, kind: "built-in" });
    }
    for (const [path, names] of Object.entries(file.placeholders))
      for (const name of names.split(" ")) this.add(name, { path, scope: "", kind: "placeholder" });
  }

  private add(name: string, row: Row): void {
    const rows = this.byName.get(name);
    if (rows === undefined) this.byName.set(name, [row]);
    else rows.push(row);
  }

  private addScope(path: string, scope: string): void {
    const [outer, name] = lastPart(scope);
    const kind = /^[a-z]/.test(name) ? "namespace" : "class";
    const known = this.byName.get(name)?.some((row) => row.scope === outer && row.path === path);
    if (known !== true) this.add(name, { path, scope: outer, kind });
  }

  private addPath(path: string): void {
    const stem = stemOf(path);
    const paths = this.byStem.get(stem);
    if (paths === undefined) this.byStem.set(stem, new Set([path]));
    else paths.add(path);
  }

  /** Every file with names in it. */
  paths(): string[] {
    return [...this.byStem.values()].flatMap((paths) => [...paths]).filter((path) => path !== "");
  }

  /** `X.h`, `X.cpp`, `X_inl.h` beside a file, and the file. */
  beside(path: string): string[] {
    return [...(this.byStem.get(stemOf(path)) ?? [])];
  }

  /** All that has this last name. */
  named(name: string): TheirName[] {
    return (this.byName.get(name) ?? []).map((row) => theirName(name, row));
  }

  /** All names, the last part only. */
  shortNames(): Iterable<string> {
    return this.byName.keys();
  }

  /** By a full name or its end: `OperatorEntry`, `impl::OperatorEntry`, `c10::impl::OperatorEntry`. Exact ones first. */
  find(written: string): TheirName[] {
    const separator = written.includes("::") ? "::" : ".";
    const name = written.slice(written.includes(separator) ? written.lastIndexOf(separator) + separator.length : 0);
    const named = this.named(name);
    const found =
      name === written ? named : named.filter((n) => `${separator}${n.symbol}`.endsWith(separator + written));
    const exact = found.filter((n) => n.symbol === written);
    return exact.length > 0 ? exact : found;
  }

  has(symbol: string): boolean {
    return this.find(symbol).some((n) => n.symbol === symbol);
  }
}

function theirName(name: string, { path, scope, kind }: Row): TheirName {
  if (kind === "placeholder") return { symbol: `\${${name}}`, kind, path };
  const separator = kind === "Python" || kind === "built-in" ? "." : "::";
  return { symbol: scope === "" ? name : scope + separator + name, kind, path };
}

/** `torch/nn/modules/__init__.py` -> `torch.nn.modules`. */
export function moduleOf(path: string): string {
  return path
    .replace(/\.py$/, "")
    .replace(/\/__init__$/, "")
    .replaceAll("/", ".");
}

/** `c10/core/X_inl.h` -> `c10/core/X`: a header, its body and its inline part belong together. */
function stemOf(path: string): string {
  return path.replace(/(?:[-_]inl)?\.\w+$/, "");
}

function lastPart(scope: string): [outer: string, name: string] {
  const at = scope.lastIndexOf("::");
  return at === -1 ? ["", scope] : [scope.slice(0, at), scope.slice(at + 2)];
}
