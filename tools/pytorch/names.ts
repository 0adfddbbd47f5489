/**
 * @file PyTorch's names, taken from the 2.13.0 wheel by tools/oracle/record_names.py: the names in each file, and their
 * full form. Queries are by name, by full name and by file; it uses only data, so that a page can use it too.
 * @original
 */

/** The form in the file tools/pytorch/names.json.gz. Names of one scope and kind are one string, separated by spaces. */
export interface NamesFile {
  readonly torch: string;
  /** The names that C++ defines at each path in PyTorch's tree ("" if the symbol table does not say). */
  readonly cpp: { readonly [path: string]: readonly (readonly [scope: string, kind: CppKind, names: string])[] };
  readonly python: { readonly [path: string]: readonly (readonly [scope: string, names: string])[] };
  /** The name where a public name is defined: `torch.save` -> `torch.serialization.save`. */
  readonly aliases: { readonly [written: string]: string };
  /** Names that Python sees and C++ defines: `torch._C._VariableFunctions` -> its functions. */
  readonly built_in: { readonly [scope: string]: string };
  /** Customary meanings of short names: `F` -> `torch.nn.functional`, `m` -> `torch::Library`. */
  readonly variables: { readonly [name: string]: string };
  /** The placeholders in each template. */
  readonly placeholders: { readonly [path: string]: string };
  /** The shared libraries of the wheel. */
  readonly libraries: readonly string[];
}

export type CppKind = "class" | "type" | "function" | "member" | "macro" | "value";

export interface TheirName {
  /** The full name: `c10::impl::OperatorEntry`, `torch.serialization.load`. */
  readonly symbol: string;
  readonly kind: CppKind | "namespace" | "Python" | "built-in" | "placeholder";
  /** PyTorch's file; "" if it is not known. */
  readonly path: string;
}

/** A stored row: a name is found by its last part, and its full form is built on demand. */
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
        // A class without a header may have functions all the same.
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

  /** Every file that contains names. */
  paths(): string[] {
    return [...this.byStem.values()].flatMap((paths) => [...paths]).filter((path) => path !== "");
  }

  /** A file and its relatives: `X.h`, `X.cpp`, `X_inl.h`. */
  beside(path: string): string[] {
    return [...(this.byStem.get(stemOf(path)) ?? [])];
  }

  /** All names with this last part. */
  named(name: string): TheirName[] {
    return (this.byName.get(name) ?? []).map((row) => theirName(name, row));
  }

  /** The last parts of all names. */
  shortNames(): Iterable<string> {
    return this.byName.keys();
  }

  /**
   * Names by their full form or its end: `OperatorEntry`, `impl::OperatorEntry`, `c10::impl::OperatorEntry`. Exact matches first.
   */
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
