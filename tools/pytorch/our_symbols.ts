/**
 * @file PyTorch's full names of our functions and classes, found in recorded data by the file that ours mirrors. A name
 * that PyTorch lacks is ours, and is never shown as PyTorch's.
 * @original
 */
import type { PyTorchNames, TheirName } from "./names.ts";

/** A query for a name of ours. */
export interface OurName {
  /** `mul_out`, `Class.method`. */
  readonly name: string;
  /** PyTorch's file, optionally with `#name`. */
  readonly mirrors: string;
}

export class OurSymbols {
  private readonly names: PyTorchNames;
  /** Overload names of all operators: `add_Scalar` is the overload `Scalar` of what C++ calls `add`. */
  private readonly overloads: ReadonlySet<string>;

  constructor(names: PyTorchNames, operators: Iterable<string>) {
    this.names = names;
    this.overloads = new Set([...operators].flatMap((name) => name.split(".").slice(1)));
  }

  /** PyTorch's full name, or null for a name that is ours. */
  symbolOf({ name, mirrors }: OurName): string | null {
    const [path, mark] = mirrors.split("#");
    if (path === "") return null;
    const parts = name.split(".");
    const own = parts.length > 1 ? parts[0] : "";
    const short = parts[parts.length - 1];
    const wanted = [short, ...(own === "" ? this.withoutOverload(short) : [])];
    for (const each of wanted) {
      const found =
        this.in(path, own, each, mark) ?? this.beyond(path, own, each) ?? this.in(path, own, each, mark, true);
      if (found !== null) return found;
    }
    if (own === "") return null;
    // A method that C++ gives to Python is a function of the C API: THPDevice_type.
    return this.in(path, "", `${own}_${short}`, undefined) ?? this.inOneClass(path, own, short);
  }

  /** Searches the file that ours mirrors, its header and its body. */
  private in(path: string, own: string, short: string, mark: string | undefined, aliases = false): string | null {
    const files = new Set([path, ...this.names.beside(path)]);
    const found = this.names.named(short).filter((n) => files.has(n.path) && isDefined(n, aliases) && isIn(n, own));
    const best = found.find((n) => mark !== undefined && n.symbol.endsWith(mark)) ?? outermost(found);
    if (best !== undefined) return best.symbol;
    if (!path.startsWith("torch/csrc/")) return null;
    return own === "" ? (this.names.named(short).find((n) => n.symbol === `torch._C.${short}`)?.symbol ?? null) : null;
  }

  /** Searches a method of a class that we have split: it belongs to the one class in PyTorch's file that has it. */
  private inOneClass(path: string, own: string, short: string): string | null {
    if (this.symbolOf({ name: own, mirrors: path }) !== null) return null;
    const files = new Set(this.names.beside(path));
    const found = this.names
      .named(short)
      .filter((n) => files.has(n.path) && /(?:^|::|\.)[A-Z]\w*(?:::|\.)\w+$/.test(n.symbol));
    const symbols = new Set(found.map((n) => n.symbol));
    return symbols.size === 1 ? found[0].symbol : null;
  }

  /** Searches other files that use the namespaces of the mirrored one, for names that we put elsewhere. */
  private beyond(path: string, own: string, short: string): string | null {
    // A kernel's file in native/cpu is visible to no other: a scalar function there has a name of its own.
    if (path.endsWith(".py") || path.includes("/native/cpu/")) return null;
    const spaces = this.spacesOf(path);
    const found = this.names.named(short).filter((n) => {
      if (n.kind === "Python" || n.kind === "built-in" || !isDefined(n, false) || !isIn(n, own)) return false;
      const scope = n.symbol.slice(0, -short.length - 2);
      return spaces.has(own === "" ? scope : scope.slice(0, -own.length - 2));
    });
    return outermost(found)?.symbol ?? null;
  }

  private readonly spaces = new Map<string, ReadonlySet<string>>();

  /** The namespaces in which a file defines names. */
  private spacesOf(path: string): ReadonlySet<string> {
    let spaces = this.spaces.get(path);
    if (spaces === undefined) {
      const found = this.names.beside(path).flatMap((p) => (this.names.file.cpp[p] ?? []).map(([scope]) => scope));
      spaces = new Set(
        found.map((scope) => scope.replace(/(?:::)?[A-Z_]\w*(?:::.*)?$/, "")).filter((scope) => scope !== ""),
      );
      this.spaces.set(path, spaces);
    }
    return spaces;
  }

  /** `fill__Tensor` -> `fill_`; if there are several possibilities, the longest name first. */
  private withoutOverload(name: string): string[] {
    const found: string[] = [];
    for (let at = name.lastIndexOf("_"); at > 0; at = name.lastIndexOf("_", at - 1))
      if (this.overloads.has(name.slice(at + 1))) found.push(name.slice(0, at));
    return found;
  }
}

/**
 * Whether it is a definition: no placeholder, no enumerator, and (unless `aliases`) no other name of a type defined elsewhere.
 */
function isDefined({ symbol, kind }: TheirName, aliases: boolean): boolean {
  if (kind === "placeholder" || (kind === "type" && !aliases)) return false;
  return kind !== "value" || !/(?:^|::)[A-Z]\w*::\w+$/.test(symbol);
}

/** Whether it is a member of PyTorch's class of the same name (any function may be: C++ has methods where we have functions). */
function isIn({ symbol }: TheirName, own: string): boolean {
  if (own === "") return true;
  const outer = symbol.replace(/(?:::|\.)[^:.]*$/, "");
  return outer === own || outer.endsWith(`::${own}`) || outer.endsWith(`.${own}`);
}

/** Among several, the one in the fewest scopes, preferably not a member or enumerator. */
function outermost(found: readonly TheirName[]): TheirName | undefined {
  const cost = (n: TheirName): number =>
    n.symbol.split(/::|\./).length + (n.kind === "member" || n.kind === "value" ? 10 : 0);
  return [...found].sort((a, b) => cost(a) - cost(b))[0];
}
