/**
 * @file The library as the page holds it: the archive's texts, the reader's edits, what codegen made of them, all of it as modules.
 * @original
 */
import type { Texts } from "./archive.ts";
import type { Module } from "./transpile.ts";

/** Turns texts into modules; in a page, in workers beside it. Rejects with a `SyntaxProblem`. */
export type Compile = (texts: readonly (readonly [string, string])[]) => Promise<readonly Module[]>;

/** Runs codegen; in a page, in a worker that is loaded when the first edit needs it. Rejects with a `CodegenProblem`. */
export type Regenerate = (
  texts: Texts,
  pristine: Texts,
  edited: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** Texts handed to a compiler at once, in characters: small enough to share among compilers, and to begin while more arrives. */
const BATCH = 400_000;

export class Library {
  /** As the archive has them. */
  readonly pristine: Map<string, string>;
  /** Counts states: modules of one number belong together. */
  version = 0;
  private readonly compile: Compile;
  private readonly regenerate: Regenerate;
  private readonly edits = new Map<string, string>();
  /** The archive's modules, whatever is edited. */
  unchanged: readonly Module[] = [];
  private generated: ReadonlyMap<string, string> = new Map();
  /** By path, with the text they were made from. */
  private readonly compiled = new Map<string, { readonly text: string; readonly module: Module }>();
  /** The edits that `generated` and `compiled` know. */
  private preparedVersion = -1;

  constructor(compile: Compile, regenerate: Regenerate, pristine = new Map<string, string>()) {
    this.pristine = pristine;
    this.compile = compile;
    this.regenerate = regenerate;
  }

  /**
   * Reads the archive; compiles what has arrived while the rest is on its way.
   * @param known modules of this very archive from an earlier visit, by path
   */
  async fill(
    texts: AsyncIterable<readonly [string, string]> | Iterable<readonly [string, string]>,
    known: ReadonlyMap<string, string> = new Map(),
  ): Promise<void> {
    const compiling: Promise<void>[] = [];
    let batch: (readonly [string, string])[] = [];
    let size = 0;
    const send = (): void => {
      if (batch.length > 0) compiling.push(this.compileTexts(batch));
      batch = [];
      size = 0;
    };
    for await (const entry of texts) {
      this.pristine.set(...entry);
      if (!isModule(entry[0])) continue;
      const js = known.get(entry[0]);
      if (js !== undefined) {
        this.compiled.set(entry[0], { text: entry[1], module: { path: entry[0], js } });
        continue;
      }
      batch.push(entry);
      size += entry[1].length;
      if (size >= BATCH) send();
    }
    send();
    await Promise.all(compiling);
    this.unchanged = [...this.compiled.values()].map(({ module }) => module);
  }

  /** A copy of the archive that can be edited; nothing is compiled again. */
  fork(): Library {
    const other = new Library(this.compile, this.regenerate, this.pristine);
    other.unchanged = this.unchanged;
    for (const module of this.unchanged)
      other.compiled.set(module.path, { text: this.pristine.get(module.path) as string, module });
    return other;
  }

  /** The text that the reader sees in an editor or beside a step. */
  text(path: string): string | undefined {
    return this.edits.get(path) ?? this.generated.get(path) ?? this.pristine.get(path);
  }

  paths(): string[] {
    return [...new Set([...this.pristine.keys(), ...this.edits.keys(), ...this.generated.keys()])];
  }

  edited(): string[] {
    return [...this.edits.keys()];
  }

  /** Generated files that are other than in the archive; known once `modules()` has seen the last edit. */
  regenerated(): string[] {
    return this.preparedVersion === this.version ? [...this.generated.keys()] : [];
  }

  /** A text equal to the archive's, or `null`, takes the edit back. */
  edit(path: string, text: string | null): void {
    const before = this.edits.get(path);
    if (text === null || text === this.pristine.get(path)) this.edits.delete(path);
    else this.edits.set(path, text);
    if (before !== this.edits.get(path)) this.version++;
  }

  /**
   * All modules, after codegen and compilation of whatever the edits changed.
   * @throws `CodegenProblem`, `SyntaxProblem`: an edit that cannot be run
   */
  async modules(): Promise<readonly Module[]> {
    const { version } = this;
    if (this.preparedVersion !== version) {
      const edited = this.edited();
      // A text that cannot be parsed is told before codegen wonders what is missing.
      await this.compileTexts(this.stale(edited.filter(isModule)));
      const generated =
        edited.length === 0 ? new Map<string, string>() : await this.regenerate(this.tree(), this.pristine, edited);
      if (this.version !== version) return this.modules();
      this.generated = generated;
      for (const path of this.compiled.keys()) if (this.text(path) === undefined) this.compiled.delete(path);
      await this.compileTexts(
        this.stale(new Set([...this.compiled.keys(), ...[...generated.keys()].filter(isModule)])),
      );
      if (this.version !== version) return this.modules();
      this.preparedVersion = version;
    }
    return [...this.compiled.values()].map(({ module }) => module);
  }

  private stale(paths: Iterable<string>): [string, string][] {
    const texts = [...paths].map((path): [string, string] => [path, this.text(path) as string]);
    return texts.filter(([path, text]) => this.compiled.get(path)?.text !== text);
  }

  /** The archive with the reader's edits. */
  private tree(): Map<string, string> {
    return new Map([...this.pristine, ...this.edits]);
  }

  private async compileTexts(texts: readonly (readonly [string, string])[]): Promise<void> {
    if (texts.length === 0) return;
    const modules = await this.compile(texts);
    modules.forEach((module, i) => {
      this.compiled.set(module.path, { text: texts[i][1], module });
    });
  }
}

/** Programs are compiled when they run; the library and what walkthroughs share, once. */
export function isModule(path: string): boolean {
  return (
    (path.startsWith("src/") && path.endsWith(".ts")) || /^walkthroughs\/support\/(?:claims|device)\.ts$/.test(path)
  );
}

/** The device that `import "glasstorch/webgpu"` turns on, and what walkthroughs need for it: sent to programs that import it. */
export function isOfDevice(path: string): boolean {
  return /^src\/(?:[\w-]+\/)*webgpu(?:\.ts$|\/)|^walkthroughs\/support\/device\.ts$/.test(path);
}
