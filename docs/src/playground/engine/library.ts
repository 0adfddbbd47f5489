/**
 * @file The library as the page holds it: the archive's texts, the reader's edits, what codegen made of them, all of it as modules.
 * @original
 */
import type { Texts } from "./archive.ts";
import type { Module } from "./transpile.ts";

/** Turns texts into modules; in a page, in workers beside it. Rejects with a `SyntaxProblem`. */
export type Compile = (texts: readonly (readonly [string, string])[]) => Promise<readonly Module[]>;

/** Texts that codegen has to read and has not got; null: all of them. */
export interface Reads {
  readonly reads: readonly string[] | null;
}

/**
 * Runs codegen; in a page, in a worker that is loaded when the first edit needs it. Rejects with a `CodegenProblem`.
 * @param whole whether `texts` is the whole tree; if it is not, codegen may name texts that it has to read first
 */
export type Regenerate = (
  texts: Texts,
  pristine: Texts,
  edited: readonly string[],
  whole: boolean,
) => Promise<ReadonlyMap<string, string> | Reads>;

/** Fetches one text of the archive. */
export type ReadText = (path: string) => Promise<string>;

/** Texts handed to a compiler at once, in characters: small enough to share among compilers, and to begin while more arrives. */
const BATCH = 400_000;

export class Library {
  /** As the archive has them: all of them, or those that were asked for one by one. */
  readonly pristine: Map<string, string>;
  /** Whether the whole archive is here. */
  whole = false;
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
    this.whole = true;
  }

  /** A copy of the archive that can be edited; nothing is compiled again. */
  fork(): Library {
    const other = new Library(this.compile, this.regenerate);
    other.take(this);
    return other;
  }

  /** Takes over the whole archive; edits stay. */
  take(archive: Library): void {
    if (this.whole) return;
    for (const [path, text] of archive.pristine) this.pristine.set(path, text);
    this.unchanged = archive.unchanged;
    for (const module of this.unchanged)
      if (!this.compiled.has(module.path))
        this.compiled.set(module.path, { text: archive.pristine.get(module.path) as string, module });
    this.whole = true;
    this.version++;
  }

  /** Makes sure that a text of the archive is here. */
  async read(path: string, readText: ReadText): Promise<void> {
    if (!this.whole && !this.pristine.has(path)) this.pristine.set(path, await readText(path));
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
   * All modules, after codegen and compilation of whatever the edits changed. The whole archive must be here.
   * @throws `CodegenProblem`, `SyntaxProblem`: an edit that cannot be run
   */
  async modules(): Promise<readonly Module[]> {
    await this.prepare(null);
    return [...this.compiled.values()].map(({ module }) => module);
  }

  /**
   * The modules that differ from the archive's, without the whole archive: codegen reads the texts that it needs one by one. Null if it has to
   * read all of them.
   * @throws as `modules`
   */
  async changedModules(readText: ReadText): Promise<readonly Module[] | null> {
    if (!(await this.prepare(readText))) return null;
    const changed = [...this.edits.keys(), ...this.generated.keys()].filter(isModule);
    return changed.map((path) => (this.compiled.get(path) as { readonly module: Module }).module);
  }

  /** Whether everything that the edits changed is compiled; false if that takes the whole archive. */
  private async prepare(readText: ReadText | null): Promise<boolean> {
    const { version } = this;
    if (this.preparedVersion === version) return true;
    const edited = this.edited();
    // A text that cannot be parsed is told before codegen wonders what is missing.
    await this.compileTexts(this.stale(edited.filter(isModule)));
    const generated = edited.length === 0 ? new Map<string, string>() : await this.generate(edited, readText);
    if (generated === null) return false;
    if (this.version !== version) return this.prepare(readText);
    this.generated = generated;
    for (const path of this.compiled.keys()) if (this.text(path) === undefined) this.compiled.delete(path);
    await this.compileTexts(this.stale(new Set([...this.compiled.keys(), ...[...generated.keys()].filter(isModule)])));
    if (this.version !== version) return this.prepare(readText);
    this.preparedVersion = version;
    return true;
  }

  /** The generated files that differ from the archive because of the edits; null if codegen has to read the whole archive. */
  private async generate(
    edited: readonly string[],
    readText: ReadText | null,
  ): Promise<ReadonlyMap<string, string> | null> {
    const made = await this.regenerate(this.tree(), this.pristine, edited, this.whole);
    if (!("reads" in made)) {
      if (this.whole || readText === null) return made;
      // Of a generated file that is not here, nobody knows yet whether it has changed.
      await Promise.all([...made.keys()].map((path) => this.read(path, readText).catch(() => {})));
      return new Map([...made].filter(([path, text]) => this.pristine.get(path) !== text));
    }
    if (made.reads === null || readText === null) return null;
    await Promise.all(made.reads.map((path) => this.read(path, readText)));
    return this.generate(edited, readText);
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

/** Whether a reader may open and edit the file: the library's sources, and what codegen reads beside them. */
export function isEditable(path: string): boolean {
  return /^src\/.*\.(?:ts|yaml|tmpl)$|^tools\/codegen\/.*\.(?:yaml|tmpl)$/.test(path);
}

/** The device that `import "glasstorch/webgpu"` turns on, and what walkthroughs need for it: sent to programs that import it. */
export function isOfDevice(path: string): boolean {
  return /^src\/(?:[\w-]+\/)*webgpu(?:\.ts$|\/)|^walkthroughs\/support\/device\.ts$/.test(path);
}
