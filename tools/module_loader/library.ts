/**
 * @file The library's sources, run without a request to the module loader for each file: Node and tsx need 2 to 3 ms
 * for one, 1,300 times. Every source is translated once. Translations and the engine's compiled code are kept in a
 * cache that is named after the sources' contents.
 * @original Python keeps compiled modules in `__pycache__`, and PyTorch is linked once.
 *
 * Note [The first command]
 * ~~~~~~~~~~~~~~~~~~~~~~~~
 * The cache is one file, `node_modules/.cache/glasstorch/KEY`. A change in any source gives another key, so stale code
 * never runs:
 *
 *     KEY = hash(names and texts of all sources, the engine's version, this translator)
 * index          the position of each module's parts, and the symbol index for recordings
 * translations   made by transpile.ts; lines keep their numbers
 *     code           compiled by the engine, for the functions that have run so far
 *
 * A module runs when the first other module requires it, so the order is that of the imports, as in ECMAScript. Its
 * script has the address of the source: stack traces, breakpoints and recordings name the file and line that a person
 * reads.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Script } from "node:vm";
import { file_of } from "../codegen/module_path.ts";
import { ModuleCache, text_of } from "./cache.ts";
import { transpile } from "./transpile.ts";

type Exports = Record<string, unknown>;
type Run = (require: (specifier: string) => Exports, exports: Exports, meta: { readonly url: string }) => void;

const IS_SOURCE = /\.(?:ts|json|yaml)$/;
/** This module receives the symbol index, so that it need not read all sources again. */
const SYMBOLS = "src/trace/sources.ts";
/** This module is told how an entry of the package is loaded. */
const DOORS = "src/torch/_doors.ts";
type Doors = typeof import("../../src/torch/_doors.ts");

export class Library {
  /** The repository's root, as an address that ends with a slash. */
  private readonly root: URL;
  private readonly texts: Map<string, string>;
  /** Addresses of the files that are laid over the tree's, by the tree's path. */
  private readonly laid = new Map<string, string>();
  private readonly cache: ModuleCache;
  private readonly loaded = new Map<string, Exports>();
  private readonly scripts = new Map<string, Script>();
  private readonly packages: NodeJS.Require;

  constructor(root: URL) {
    this.root = root;
    this.packages = createRequire(root);
    this.texts = read_sources(root);
    this.cache = new ModuleCache(new URL("node_modules/.cache/glasstorch/", root), key_of(root, this.texts));
  }

  /**
   * Lays files over the tree's: the sources in these folders, the uppermost first, take the place of those of the same
   * path. Nothing of them enters the cache. Must be called before a source runs.
   */
  lay_over(folders: readonly string[]): void {
    for (const folder of folders.toReversed()) {
      const root = pathToFileURL(join(folder, "/"));
      for (const [path, text] of read_sources(root)) {
        this.texts.set(path, text);
        this.laid.set(path, new URL(path, root).href);
      }
    }
  }

  /** The path of the source at this address; null if the address is not a source's. */
  path_of(url: string): string | null {
    for (const [path, laid] of this.laid) if (laid === url) return path;
    const path = url.startsWith(this.root.href) ? url.slice(this.root.href.length) : "";
    return this.texts.has(path) ? path : null;
  }

  /** The exports of a source, for example `src/index.ts`; the source runs if it has not run yet. */
  require(path: string): Exports {
    const known = this.loaded.get(path);
    if (known !== undefined) return known;
    const text = this.texts.get(path);
    if (text === undefined) throw new Error(`Cannot find module '${path}'`);
    if (path.endsWith(".json")) return { __esModule: true, default: JSON.parse(text) };
    const exports: Exports = {};
    this.loaded.set(path, exports);
    const laid = this.laid.get(path);
    const url = laid ?? new URL(path, this.root).href;
    const script =
      laid === undefined ? this.compile(path, text, url) : new Script(wrapped(path, text), { filename: url });
    const run = script.runInThisContext() as Run;
    run((specifier) => this.required(path, specifier), exports, { url });
    make_fast(exports);
    if (path === SYMBOLS) this.keep_symbols(exports);
    if (path === DOORS) (exports as Doors).doors.require = (entry) => this.require(`src/${entry}.ts`);
    return exports;
  }

  /** Writes the cache if this program has translated or compiled anything new. Returns whether it did. */
  write_cache(): boolean {
    return this.cache.write(this.scripts);
  }

  private required(from: string, specifier: string): Exports {
    const path = file_of(from, specifier);
    return path === null ? this.packages(specifier) : this.require(path);
  }

  /** Compiles a source of the tree, with what the cache has of it. */
  private compile(path: string, text: string, url: string): Script {
    let js = this.cache.translation(path);
    if (js === null) this.cache.add_translation(path, (js = wrapped(path, text)));
    const script = new Script(js, { filename: url, cachedData: this.cache.code(path) });
    this.cache.has_compiled(path, script);
    this.scripts.set(path, script);
    return script;
  }

  /** Provides the symbol index: from the cache, or made from the sources at its first use. */
  private keep_symbols(exports: Exports): void {
    const { symbolFile, readSourcesFrom } = exports as typeof import("../../src/trace/sources.ts");
    readSourcesFrom(() => this.texts);
    if (this.laid.size > 0) return;
    exports["symbolFile"] = () => (this.cache.symbols ??= symbolFile());
  }
}

/**
 * Gives the exports of a module that has run the form in which the engine finds each property at a fixed place: it does so for
 * prototypes. Otherwise each use of an export of a large module is a search in a hash table, and no call between modules is inlined.
 */
function make_fast(exports: Exports): void {
  Object.create(exports);
}

/** The text of the function whose call runs a module. */
function wrapped(path: string, text: string): string {
  return `(function __module(require,exports,__meta){${transpile(path, text).js}\n})`;
}

/** The texts of all sources below `root`, by their paths from there. */
function read_sources(root: URL): Map<string, string> {
  const folder = new URL("src/", root);
  const texts = new Map<string, string>();
  if (!existsSync(folder)) return texts;
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const name = entry.replaceAll("\\", "/");
    if (IS_SOURCE.test(name)) texts.set(`src/${name}`, text_of(readFileSync(new URL(name, folder))));
  }
  return texts;
}

// The engine's code holds the addresses of its files: two trees that share `node_modules` do not share it.
function key_of(root: URL, texts: ReadonlyMap<string, string>): string {
  const hash = createHash("sha1").update(process.versions.v8).update(process.arch).update(root.href);
  for (const file of ["library.ts", "cache.ts", "transpile.ts"])
    hash.update(readFileSync(fileURLToPath(new URL(file, import.meta.url))));
  for (const [path, text] of texts) hash.update(`${path}\0${text.length}\0`).update(text);
  return hash.digest("hex");
}
