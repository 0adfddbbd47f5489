/**
 * @file Weighs the built pages: HTML, scripts, styles and images that a page asks for before its reader does anything, in gzip.
 * Ends in an error when a page is above its budget. Scripts that a page loads later (the viewer, the playground) are not in its HTML.
 * @original
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { docs } from "./repository.ts";

const budget = 450;
const build = join(docs, "build");
const baseUrl = (process.env["BASE_URL"] ?? "/").replace(/\/?$/, "/");

const weights = new Map<string, number>();

function weight(path: string): number {
  if (!weights.has(path)) weights.set(path, gzipSync(readFileSync(path), { level: 6 }).length);
  return weights.get(path) as number;
}

/** Kilobytes of everything that the HTML of a page names. */
function weigh(page: string): number {
  const path = join(build, page, "index.html");
  const html = readFileSync(path, "utf8");
  const asked = new Set<string>();
  for (const [, tag] of html.matchAll(/<((?:script|link|img)\b[^>]*)>/g)) {
    if (/^link/.test(tag) && !/rel="?(stylesheet|preload|icon)/.test(tag)) continue;
    const address = /\b(?:src|href)="?([^"\s>]+)/.exec(tag)?.[1];
    if (address?.startsWith(baseUrl)) asked.add(join(build, address.slice(baseUrl.length)));
  }
  let bytes = weight(path);
  for (const file of asked) {
    if (!existsSync(file)) throw new Error(`${page} asks for ${file}, which the build has not made`);
    bytes += weight(file);
  }
  return bytes / 1024;
}

function pagesBelow(folder: string): string[] {
  return readdirSync(join(build, folder))
    .map((name) => join(folder, name))
    .filter((page) => existsSync(join(build, page, "index.html")));
}

const pages = [
  "",
  "start",
  ...pagesBelow("walkthroughs"),
  ...pagesBelow("house"),
  "house",
  "operators",
  "operators/add",
  "lookup",
  "playground",
];
let heavy = 0;
for (const page of pages.filter((each) => existsSync(join(build, each, "index.html")))) {
  const kilobytes = weigh(page);
  if (kilobytes > budget) heavy++;
  console.log(
    `${`/${page}`.padEnd(36)} ${kilobytes.toFixed(0).padStart(4)} KB${kilobytes > budget ? `   above its budget of ${budget}` : ""}`,
  );
}
process.exit(heavy === 0 ? 0 : 1);
