/**
 * @file The pages of the built site.
 * @original
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "./paths.ts";

const notPages = new Set(["assets", "generated", "img"]);

function* below(folder: string): Generator<string> {
  if (existsSync(join(build, folder, "index.html"))) yield folder === "" ? "" : `${folder}/`;
  for (const entry of readdirSync(join(build, folder), { withFileTypes: true })) {
    if (entry.isDirectory() && !(folder === "" && notPages.has(entry.name)))
      yield* below(folder === "" ? entry.name : `${folder}/${entry.name}`);
  }
}

/** Addresses below the site's own, `""` for the first page. */
export const all: readonly string[] = existsSync(build) ? [...below("")].sort() : [];

const made = (page: string): boolean => /^operators\/./.test(page);

/** Every page but those of single operators; of these, some. */
export const visited: readonly string[] = [
  ...all.filter((page) => !made(page)),
  ...all.filter(made).filter((page, i) => i % 25 === 0 || ["operators/add/", "operators/prelu/"].includes(page)),
];

export const walkthroughs: readonly string[] = all.filter((page) => page.startsWith("walkthroughs/"));

/** Pages that are looked at in both themes and on a phone. */
export const main: readonly string[] = [
  "",
  "start/",
  "walkthroughs/prelu/",
  "walkthroughs/add/",
  "house/",
  "house/dispatcher/",
  "learn/",
  "learn/03-views/",
  "learn/teach/",
  "then-and-now/",
  "operators/",
  "operators/add/",
  "api/",
  "api/tensor/",
  "differs/",
  "road/",
  "names/",
  "glossary/",
  "lookup/",
  "playground/",
  "search/",
  "viewer/",
  "source/?file=src/aten/native/cpu/Activation/index.ts#L20",
];

/** A page's name as part of a file name. */
export const nameOf = (page: string): string =>
  page
    .replace(/[?#].*$/, "")
    .replace(/\/$/, "")
    .replaceAll("/", "-") || "home";
