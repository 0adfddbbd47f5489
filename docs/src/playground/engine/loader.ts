/**
 * @file A module map: runs transpiled modules in the order ECMAScript would, with circles and live bindings.
 * @original
 */
import { file_of } from "../../../../tools/codegen/module_path.ts";
import type { MissingPart } from "./protocol.ts";
import { MISSING, WHOLE_PACK_OF_ENTRY } from "./run_form.ts";
import { type Module, SyntaxProblem } from "./transpile.ts";

/** The exports that a module has so far. */
// biome-ignore lint/suspicious/noExplicitAny: any module's exports
export type Exports = Record<string, any>;

/** Where the repository's root stands for the code that runs: `import.meta.url` and stack traces begin with it. */
export const ROOT = "file:///glasstorch/";

/** The package's own entries, as package.json names them. */
const PACKAGE: Readonly<Record<string, string>> = {
  glasstorch: "src/index.ts",
  "glasstorch/compile": "src/compile.ts",
  "glasstorch/cpp": "src/cpp.ts",
  "glasstorch/fx": "src/fx.ts",
  "glasstorch/func": "src/func.ts",
  "glasstorch/export": "src/export.ts",
  "glasstorch/jit": "src/jit.ts",
  "glasstorch/lazy": "src/lazy.ts",
  "glasstorch/python": "src/python.ts",
  "glasstorch/trace": "src/trace/index.ts",
  "glasstorch/webgpu": "src/webgpu.ts",
};

/** The path that `specifier` in module `from` means; a bare name that is no file of the repository stays as it is. */
export function resolve(from: string, specifier: string): string {
  return file_of(from, specifier) ?? PACKAGE[specifier] ?? specifier;
}

/** Names that are read from modules without being exports: by compiled imports and re-exports, and by `await`. */
const NEVER_EXPORTED = new Set(["__esModule", "__variables", "default", "then", "toJSON"]);

/** Modules that are not of the repository, by name or by path. */
export type Builtins = Readonly<Record<string, (loader: Loader) => Exports>>;

export class Loader {
  private readonly modules = new Map<string, Module>();
  private readonly loaded = new Map<string, Exports>();
  private readonly builtins: Builtins;
  /** Called in the place of a function's body that has not been sent, and for a name that a module has not exported. */
  private readonly missing: (part: MissingPart) => Error;

  constructor(
    builtins: Builtins = {},
    missing: (part: MissingPart) => Error = () => new Error("a part of the library has not been sent"),
  ) {
    this.builtins = builtins;
    this.missing = missing;
  }

  /** Stands behind the exports of a module that is here in part: a name that it has not exported may be in a part that has not been sent. */
  private unsentOf(module: string): object {
    // The proxy stands for an object of no class: Python takes such objects for modules.
    return new Proxy(
      {},
      {
        get: (own, key, exports) => {
          if (typeof key === "symbol" || key in own || NEVER_EXPORTED.has(key)) return Reflect.get(own, key, exports);
          throw this.missing({ module, name: key });
        },
      },
    );
  }

  add(modules: Iterable<Module>): void {
    for (const module of modules) this.modules.set(module.path, module);
  }

  /** The exports of a module, running it if it has not run. */
  require(path: string): Exports {
    const known = this.loaded.get(path);
    if (known !== undefined) return known;
    const builtin = this.builtins[path];
    if (builtin !== undefined) {
      const exports = { __esModule: true, ...builtin(this) };
      this.loaded.set(path, exports);
      return exports;
    }
    const found = this.modules.get(path);
    if (found === undefined) {
      if (WHOLE_PACK_OF_ENTRY.has(path)) throw this.missing({ module: path, name: "*" });
      throw new Error(`Cannot find module '${path}'`);
    }
    const { js, partial = false } = found;
    const exports: Exports = partial ? Object.create(this.unsentOf(path)) : {};
    this.loaded.set(path, exports);
    const module = this.compile(path, js, `require,exports,__meta,${MISSING}`, false);
    module(this.requireFrom(path), exports, this.meta(path), this.missing);
    return exports;
  }

  /** Runs `path` anew as the program: it may await, and sees what `scope` names. */
  async run(path: string, js: string, scope: Readonly<Record<string, unknown>>, own?: Exports): Promise<void> {
    const names = Object.keys(scope);
    const fn = this.compile(path, js, ["require", "exports", "__meta", ...names].join(), true);
    const require = this.requireFrom(path);
    const mine = (specifier: string): Exports => own?.[specifier] ?? require(specifier);
    await fn(mine, {}, this.meta(path), ...Object.values(scope));
  }

  private requireFrom(path: string): (specifier: string) => Exports {
    return (specifier) => {
      const target = resolve(path, specifier);
      if (
        !/^[.#]/.test(specifier) &&
        !this.modules.has(target) &&
        !WHOLE_PACK_OF_ENTRY.has(target) &&
        this.builtins[target] === undefined
      )
        throw new Error(`Cannot find package '${specifier}': a page has ${Object.keys(PACKAGE).join(", ")} only`);
      return this.require(target);
    };
  }

  private meta(path: string): { url: string } {
    return { url: ROOT + path };
  }

  private compile(path: string, js: string, parameters: string, async: boolean): Function {
    // Indirect eval keeps the text's first line on line 1; `new Function` would move it.
    try {
      // biome-ignore lint/security/noGlobalEval lint/complexity/noCommaOperator: running modules is what this file is for; the comma makes the eval indirect, so that a module does not see this scope
      return (0, eval)(`(${async ? "async " : ""}function(${parameters}){${js}\n})\n//# sourceURL=${ROOT}${path}`);
    } catch (error) {
      // What the transpiler let through. The engine does not say where in the text; whoever shows this has to look.
      if (error instanceof SyntaxError)
        throw new SyntaxProblem({ file: path, line: 0, column: 0, message: error.message });
      throw error;
    }
  }
}
