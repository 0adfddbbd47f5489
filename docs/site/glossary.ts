/**
 * @file The glossary as other pages use it: an anchor and a short text for each word, read from content/glossary.mdx.
 * Each `### word` is an entry; its tip is the first paragraph. `aliases` of the front matter are other forms of a word.
 * @original
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import GithubSlugger, { slug } from "github-slugger";
import { parse } from "yaml";
import { docs } from "./repository.ts";

export interface Entry {
  readonly word: string;
  readonly anchor: string;
  readonly tip: string;
}

export interface Glossary {
  readonly words: readonly string[];
  find(word: string): Entry | null;
}

const path = join(docs, "content/glossary.mdx");
let read: { readonly at: number; readonly glossary: Glossary } | null = null;

export function glossary(): Glossary {
  const at = statSync(path).mtimeMs;
  if (read?.at !== at) read = { at, glossary: parseGlossary(readFileSync(path, "utf8")) };
  return read.glossary;
}

export function parseGlossary(text: string): Glossary {
  const [, front = "", body = text] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const { aliases = {} } = (parse(front) ?? {}) as { aliases?: Record<string, string> };
  const slugger = new GithubSlugger();
  const entries = new Map<string, Entry>();
  for (const [, level, heading] of body.matchAll(/^(#{1,6}) (.+)$/gm)) {
    const [, title = heading, id] = /^(.*?)\s*\{#([\w-]+)\}\s*$/.exec(heading) ?? [];
    const anchor = id ?? slugger.slug(plain(title));
    if (level !== "###") continue;
    const after = body.slice(body.indexOf(`${level} ${heading}\n`) + heading.length + 5);
    entries.set(key(plain(title)), { word: plain(title), anchor, tip: tipOf(after) });
  }
  const forms = new Map(Object.entries(aliases).map(([form, word]) => [key(form), key(word)]));
  return {
    words: [...entries.values()].map((entry) => entry.word).concat(Object.keys(aliases)),
    find: (word) => {
      for (const form of [key(word), key(word).replace(/s$/, ""), key(word).replace(/es$/, "")]) {
        const entry = entries.get(form) ?? entries.get(forms.get(form) ?? "");
        if (entry !== undefined) return entry;
      }
      return null;
    },
  };
}

const key = (word: string): string => slug(plain(word));

/** The first paragraph without markup. */
function tipOf(after: string): string {
  const paragraph = after.trim().split(/\n\s*\n/)[0];
  return plain(paragraph.replace(/\s+/g, " "));
}

function plain(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<(?:Sym|Op)\s+name="([^"]*)"\s*\/>/g, "$1")
    .replace(/<[^>]*>/g, "")
    .replace(/[`*]/g, "")
    .trim();
}
