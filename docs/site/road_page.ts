/**
 * @file /road: src/ROAD.md as a page, with the reading routes of CONTRIBUTING.md; and for the pages that show sources, which lines of which
 * file one PReLU step runs.
 * @original
 */
import { join } from "node:path";
import { measured } from "../../tools/road/measure.ts";
import { road_page } from "../../tools/road/page.ts";
import { ROAD_PROGRAMS, recorded_road } from "../../tools/road/programs.ts";
import type { Recording } from "../../tools/road/record.ts";
import type { Context } from "./context.ts";
import { fileText, sourceRoute } from "./repository.ts";

/** File -> the lines that run, as first and last line of each range: `[12, 30, 44, 44]`. */
export type RoadLines = Readonly<Record<string, readonly number[]>>;

export async function roadPage(context: Context): Promise<string> {
  const recording = await recorded_road(context.root);
  const lines = roadLines(recording);
  context.write(join(context.out, "road.json"), JSON.stringify(lines));
  const routes = fileText("CONTRIBUTING.md") ?? "";
  context.write(join(context.content, "road.mdx"), pageOf(road_page(recording, ROAD_PROGRAMS), routes));
  return `${Object.keys(lines).length} files on the road of one PReLU step`;
}

/** The lines that the first program runs. */
export function roadLines(recording: Recording): RoadLines {
  const { files, generated } = measured(recording, recording.roads[0]);
  return Object.fromEntries([...files, ...generated].map(({ file, runs }) => [file, ranges(runs)]));
}

function ranges(runs: readonly boolean[]): number[] {
  const found: number[] = [];
  runs.forEach((run, line) => {
    if (run && runs[line - 1] !== true) found.push(line);
    if (run && runs[line + 1] !== true) found.push(line);
  });
  return found;
}

/** @param road src/ROAD.md; @param contributing CONTRIBUTING.md, whose links begin at the root of the repository. */
export function pageOf(road: string, contributing: string): string {
  const [heading, ...rest] = sourceLinks(road, "src/").split("\n");
  const routes = /^## Two reading routes\n([\s\S]*?)^## /m.exec(contributing)?.[1];
  if (routes === undefined) throw new Error("road: CONTRIBUTING.md has no section `Two reading routes`");
  return [
    "---",
    `title: ${heading.slice(2)}`,
    "slug: /road/",
    "custom_edit_url: null",
    "description: The functions that really run in one PReLU step, one save, one load and one SGD step, in the order of their first calls; two reading routes.",
    "---",
    "",
    "The [source pages](/source/?file=src/aten/native/Activation/index.ts) and the playground mark the lines that one PReLU step runs.",
    "",
    "## Two reading routes",
    sourceLinks(routes, ""),
    "## What runs",
    ...rest,
  ]
    .join("\n")
    .replace(/<!--[\s\S]*?-->\n?/g, "");
}

/** Links to files and folders of the repository as links to the site's pages of them. */
function sourceLinks(text: string, folder: string): string {
  const here = text.replaceAll("[src/ROAD.md](src/ROAD.md)", "[The list below](#what-runs)");
  return here.replace(/\]\((?!https?:|#)([^)]+)\)/g, (_, path: string) => {
    const file = folder + path;
    return `](${sourceRoute(/\.\w+$/.test(file) ? file : `${file}/`)})`;
  });
}
