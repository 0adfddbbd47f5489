/**
 * @file The cache file: translations of the library's modules and the engine's compiled code for them, read and written
 * as a whole.
 * @original Python's `__pycache__`.
 * @see library.ts, Note [The first command]
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { Script } from "node:vm";
import type { SymbolFile } from "../../src/trace/symbol_entry.ts";

/** The position and length of a module's part: a translation in characters, code in bytes. */
type Range = readonly [begin: number, length: number];

interface CacheIndex {
  readonly modules: Readonly<Record<string, Range>>;
  readonly code: Readonly<Record<string, Range>>;
  readonly symbols: SymbolFile | null;
}

/** Number of caches that are kept, including this one, so that a user who switches between two branches waits for neither. */
const KEPT = 4;
export class ModuleCache {
  symbols: SymbolFile | null;
  private readonly folder: URL;
  private readonly key: string;
  private readonly index: CacheIndex;
  private readonly translations: string;
  private readonly codes: Buffer;
  /** Translations made by this process. */
  private readonly added = new Map<string, string>();
  private stale = false;

  constructor(folder: URL, key: string) {
    this.folder = folder;
    this.key = key;
    const parts = this.read();
    this.index = parts === null ? { modules: {}, code: {}, symbols: null } : JSON.parse(parts[0].toString());
    this.translations = parts === null ? "" : text_of(parts[1]);
    this.codes = parts?.[2] ?? Buffer.alloc(0);
    this.symbols = this.index.symbols;
  }

  translation(path: string): string | null {
    const range = this.index.modules[path];
    return range === undefined ? null : this.translations.slice(range[0], range[0] + range[1]);
  }

  add_translation(path: string, js: string): void {
    this.added.set(path, js);
  }

  code(path: string): Buffer | undefined {
    const range = this.index.code[path];
    return range === undefined || range[1] === 0 ? undefined : this.codes.subarray(range[0], range[0] + range[1]);
  }

  /** Notes whether the engine accepted the cached code: it refuses code compiled with other switches. */
  has_compiled(path: string, script: Script): void {
    if (script.cachedDataRejected === true || this.code(path) === undefined) this.stale = true;
  }

  /** Writes the cache. If the folder is not writable, there simply is no cache. */
  write(scripts: ReadonlyMap<string, Script>): boolean {
    if (!this.stale && this.symbols === this.index.symbols) return false;
    const paths = [...Object.keys(this.index.modules), ...this.added.keys()];
    const texts = paths.map((path) => this.added.get(path) ?? (this.translation(path) as string));
    const codes = paths.map((path) => scripts.get(path)?.createCachedData() ?? this.code(path) ?? Buffer.alloc(0));
    const index: CacheIndex = { modules: ranges(paths, texts), code: ranges(paths, codes), symbols: this.symbols };
    const parts = [Buffer.from(JSON.stringify(index)), Buffer.from(texts.join("")), Buffer.concat(codes)];
    const file = new URL(this.key, this.folder);
    const made = new URL(`${this.key}.${process.pid}`, this.folder);
    try {
      mkdirSync(this.folder, { recursive: true });
      writeFileSync(made, Buffer.concat([lengths(parts), ...parts]));
      renameSync(made, file); // in one step: a program that runs at the same time reads the old file or the new one
      this.remove_old();
    } catch {
      return false; // a read-only checkout, or a full disk: the next program takes as long as this one
    }
    return true;
  }

  /** Index, translations, code; null if there is no such file, or it is incomplete. */
  private read(): readonly [Buffer, Buffer, Buffer] | null {
    let file: Buffer;
    try {
      file = readFileSync(new URL(this.key, this.folder));
    } catch {
      return null;
    }
    const ends: number[] = [];
    for (let k = 0, end = HEAD; k < 3; k++)
      ends.push((end += file.length < HEAD ? Infinity : file.readDoubleLE(8 * k)));
    if (ends[2] !== file.length) return null;
    return [file.subarray(HEAD, ends[0]), file.subarray(ends[0], ends[1]), file.subarray(ends[1])];
  }

  private remove_old(): void {
    const others = readdirSync(this.folder).filter((name) => name !== this.key);
    const age = (name: string): number => statSync(new URL(name, this.folder), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const newest = others.sort((a, b) => age(b) - age(a));
    for (const name of newest.slice(KEPT - 1)) rmSync(new URL(name, this.folder), { force: true });
  }
}

/** Size of the header, in bytes: the lengths of the three parts. */
const HEAD = 24;

function lengths(parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(HEAD);
  for (const [k, { length }] of parts.entries()) head.writeDoubleLE(length, 8 * k);
  return head;
}

function ranges(paths: readonly string[], parts: readonly { readonly length: number }[]): Record<string, Range> {
  const found: Record<string, Range> = {};
  let at = 0;
  for (const [k, { length }] of parts.entries()) {
    found[paths[k] as string] = [at, length];
    at += length;
  }
  return found;
}

/** Decodes bytes. Almost all sources are plain ASCII, which is read in a third of the time. */
export function text_of(bytes: Buffer): string {
  const text = bytes.toString("latin1");
  return /[^\0-\x7f]/.test(text) ? bytes.toString() : text;
}
