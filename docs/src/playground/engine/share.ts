/**
 * @file A playground's state as part of an address, and back: the program, the edits as their changed lines, the switches.
 * @original
 */
import { unpack } from "../../../../tools/trace-viewer/src/model/unpack.ts";
import { applyEdits, type LineEdit, lineEdits } from "./diff.ts";
import type { Capability } from "./protocol.ts";

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
  /** The edits by the text that is replaced, as pages link to them. */
  readonly changes?: readonly Change[];
  /** Switch -> chosen value. */
  readonly switches?: Readonly<Record<string, number>>;
  readonly detail?: "full";
  readonly values?: true;
  readonly capability?: Capability;
}

/** Addresses much longer than this are cut by mail programs and chats. */
export const MAX_LENGTH = 8000;

/** Most bytes that an address may unpack to: far more than a person writes, far less than stops a page. */
const MOST_BYTES = 2_000_000;

const KEY = "try=";
/** The playground of its page that an address is for; without it, the first. */
const PLAYGROUND = "in=";

/** The part of an address that begins with `key`, without it. */
const partOf = (hash: string, key: string): string | undefined =>
  hash
    .replace(/^#/, "")
    .split("&")
    .find((part) => part.startsWith(key))
    ?.slice(key.length);

/** Whether an address holds a program, and for which playground of the page: null if it does not say. */
export function programIn(hash: string): { readonly text: string; readonly playground: string | null } | null {
  const text = partOf(hash, KEY);
  if (text === undefined) return null;
  const playground = partOf(hash, PLAYGROUND);
  try {
    return { text, playground: playground === undefined ? null : decodeURIComponent(playground) };
  } catch {
    return { text, playground: null }; // cut in the midst of a letter
  }
}

/** @param playground the one that it is for, if the page has several */
export async function toHash(shared: Shared, playground: string | null = null): Promise<string> {
  const text = new Blob([JSON.stringify(shared)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = new Uint8Array(await new Response(text).arrayBuffer());
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  const at = playground === null ? "" : `&${PLAYGROUND}${encodeURIComponent(playground)}`;
  return `#${KEY}${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}${at}`;
}

/** Null if the hash is about something else; an error if it is damaged. */
export async function fromHash(hash: string): Promise<Shared | null> {
  const part = partOf(hash, KEY);
  if (part === undefined) return null;
  try {
    const binary = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
    const packed = new Blob([Uint8Array.from(binary, (c) => c.charCodeAt(0))]);
    const shared: unknown = JSON.parse(new TextDecoder().decode(await unpack(packed, "deflate-raw", MOST_BYTES)));
    if (isShared(shared)) return shared;
  } catch (error) {
    if (error instanceof RangeError) throw new Error(`The address contains too much: ${error.message}.`);
  }
  throw new Error("The address contains a damaged program: it was probably cut when it was copied.");
}

/** Whoever made the address may have written anything into it. */
export function isShared(value: unknown): value is Shared {
  if (!isFields(value)) return false;
  const { code, edits, changes, switches, detail, values, capability } = value;
  return (
    (code === undefined || typeof code === "string") &&
    (edits === undefined || (isFields(edits) && Object.values(edits).every(isListOf(isLineEdit)))) &&
    (changes === undefined || isListOf(isChange)(changes)) &&
    (switches === undefined || (isFields(switches) && Object.values(switches).every(isCount))) &&
    (detail === undefined || detail === "full") &&
    (values === undefined || values === true) &&
    (capability === undefined || capability === "default" || capability === "simd128")
  );
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === "string";
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isListOf =
  (isItem: (item: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isItem);
const isChange = (value: unknown): boolean =>
  isFields(value) && isText(value["file"]) && isText(value["find"]) && isText(value["replace"]);
const isLineEdit = (value: unknown): boolean =>
  isFields(value) && isCount(value["at"]) && isListOf(isText)(value["removed"]) && isListOf(isText)(value["added"]);

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
      if (before === undefined)
        throw new Error(`The address contains a change of ${path}, a file that no longer exists.`);
      const text = applyEdits(before, changes);
      if (text === null)
        throw new Error(`The address contains a change of ${path}, but this file has been rewritten since then.`);
      return [path, text];
    }),
  );
}
