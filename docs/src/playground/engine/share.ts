/**
 * @file A playground's state as part of an address, and back: the program, the edits as their changed lines, the switches.
 * @original
 */
import { applyEdits, type LineEdit, lineEdits } from "./diff.ts";

/** In a file of the library, the first `find` becomes `replace`. */
export interface Change {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface Shared {
  /** The program's text, if it is not the page's own. */
  readonly code?: string;
  /** Edited files as changes of the archive's text. */
  readonly edits?: Readonly<Record<string, readonly LineEdit[]>>;
  /** The same by the text that is replaced, as pages link to it. */
  readonly changes?: readonly Change[];
  /** Switch -> chosen value. */
  readonly switches?: Readonly<Record<string, number>>;
  readonly detail?: "full";
  readonly values?: true;
}

/** Addresses much longer than this are cut by mail programs and chats. */
export const MAX_LENGTH = 8000;

const KEY = "try=";

export async function toHash(shared: Shared): Promise<string> {
  const packed = await pipe(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  return `#${KEY}${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** Null if the hash is about something else; an error if it is damaged. */
export async function fromHash(hash: string): Promise<Shared | null> {
  const part = hash
    .replace(/^#/, "")
    .split("&")
    .find((p) => p.startsWith(KEY));
  if (part === undefined) return null;
  try {
    const binary = atob(part.slice(KEY.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await pipe(bytes, new DecompressionStream("deflate-raw"))));
  } catch {
    throw new Error("The address holds a program, but a damaged one: it was probably cut when it was copied.");
  }
}

async function pipe(bytes: Uint8Array<ArrayBuffer>, through: CompressionStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(through)).arrayBuffer());
}

/** @param pristine the archive's text of a path */
export function shareEdits(
  edits: ReadonlyMap<string, string>,
  pristine: (path: string) => string | undefined,
): Record<string, readonly LineEdit[]> {
  return Object.fromEntries([...edits].map(([path, text]) => [path, lineEdits(pristine(path) ?? "", text)]));
}

/** @throws {Error} if the library has changed since where the edits were made */
export function openEdits(
  edits: Readonly<Record<string, readonly LineEdit[]>>,
  pristine: (path: string) => string | undefined,
): Map<string, string> {
  return new Map(
    Object.entries(edits).map(([path, changes]) => {
      const before = pristine(path);
      if (before === undefined) throw new Error(`The address holds a change of ${path}, which is no longer there.`);
      const text = applyEdits(before, changes);
      if (text === null) throw new Error(`The address holds a change of ${path}, which has been rewritten since.`);
      return [path, text];
    }),
  );
}
