/**
 * @file `npm run road`: records which functions four small programs run, and writes src/ROAD.md and the counts of the
 * reading routes in CONTRIBUTING.md and README.md. With `--check` nothing is written, and a stale text is an error.
 * @original
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROAD_PAGE, road_page } from "./road/page.ts";
import { ROAD_PROGRAMS, recorded_road } from "./road/programs.ts";
import { TEXTS, with_counts } from "./road/routes.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

async function main(): Promise<void> {
  const check = process.argv.includes("--check");
  const recording = await recorded_road(root);
  const read = (path: string): string => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "");
  const texts = new Map([[ROAD_PAGE, road_page(recording, ROAD_PROGRAMS)]]);
  for (const path of TEXTS) texts.set(path, with_counts(read(path), recording, read));
  const stale = [...texts].filter(([path, text]) => read(path) !== text);
  for (const [path, text] of stale) {
    if (check) console.error(`${path} is stale: run \`npm run road\``);
    else writeFileSync(join(root, path), text);
  }
  console.log(stale.length === 0 ? "the road is up to date" : `${stale.length} ${check ? "stale" : "written"}`);
  process.exitCode = check && stale.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) void main();
