/**
 * @file Which lines of the sources one PReLU step runs, for the marks beside files and lines.
 * @original
 */
import type { RoadLines } from "../../../site/road_page.ts";

export type { RoadLines };

/** The text of a mark under the pointer. */
export const ROAD_TITLE = "on the road of one PReLU step";

/** The numbers of a file's lines that run; `ranges` are the first and the last line of each range. */
export function roadLineNumbers(ranges: readonly number[] = []): ReadonlySet<number> {
  const lines = new Set<number>();
  for (let k = 0; k < ranges.length; k += 2) for (let line = ranges[k]; line <= ranges[k + 1]; line++) lines.add(line);
  return lines;
}

/** Whether a file, or something in a folder (`src/aten/`), runs. */
export function isOnRoad(road: RoadLines, path: string): boolean {
  return path.endsWith("/") ? Object.keys(road).some((file) => file.startsWith(path)) : path in road;
}
