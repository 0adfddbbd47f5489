/**
 * @file The page of the road, and the marks that source pages take from it.
 * @original
 */
import { beforeAll, expect, test } from "vitest";
import { type Context, makeContext } from "../../site/context.ts";
import { fileText } from "../../site/repository.ts";
import { type RoadLines, roadPage } from "../../site/road_page.ts";
import { isOnRoad, roadLineNumbers } from "../../src/components/source/road.ts";

let lines: RoadLines;
let page: string;

beforeAll(async () => {
  const written = new Map<string, string>();
  const context: Context = {
    ...makeContext(),
    write: (path, text) => void written.set(path.replace(/^.*\//, ""), String(text)),
  };
  await roadPage(context);
  lines = JSON.parse(written.get("road.json") ?? "") as RoadLines;
  page = written.get("road.mdx") ?? "";
}, 120_000);

test("the marks stand beside the functions of the step", () => {
  const file = "src/aten/native/Activation/index.ts";
  const marked = roadLineNumbers(lines[file]);
  const runs = (text: string): boolean => {
    const at = (fileText(file) ?? "").split("\n").findIndex((line) => line.includes(text));
    expect(at).toBeGreaterThan(0);
    return marked.has(at + 1);
  };
  expect(runs("export function prelu(")).toBe(true);
  expect(runs("@mirrors")).toBe(false);
  expect(isOnRoad(lines, "src/aten/native/")).toBe(true);
  expect(isOnRoad(lines, "src/c10/webgpu/")).toBe(false);
});

test("a mark's lines are in the file", () => {
  for (const [file, ranges] of Object.entries(lines)) {
    expect(ranges.length % 2).toBe(0);
    expect(Math.max(...ranges)).toBeLessThanOrEqual(fileText(file)?.split("\n").length ?? 0);
  }
});

test("the marks are small: they are fetched when a source is opened", () => {
  expect(JSON.stringify(lines).length).toBeLessThan(30_000);
});

test("links of the page lead to the site's pages of the sources", () => {
  const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target as string);
  expect(links.length).toBeGreaterThan(300);
  for (const link of links) expect(link).toMatch(/^(?:\/source\/\?file=(?:src|tools|walkthroughs)\/|#[\w-]+$)/);
  for (const link of links.filter((each) => each.startsWith("/source/") && !each.endsWith("/")))
    expect(fileText(link.slice("/source/?file=".length)), link).not.toBeNull();
});

test("the page has both routes and all programs", () => {
  for (const heading of ["### Two hours", "### A week", "## One PReLU step, forward and backward", "## One SGD step"])
    expect(page).toContain(`\n${heading}\n`);
  expect(page).not.toContain("<!--");
});
