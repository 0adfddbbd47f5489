/**
 * @file The traces of the pages are what the walkthroughs print, and they are in the pages' HTML: without JavaScript, too.
 * @original
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test as each, expect } from "vitest";
import type { TraceFile } from "../../../src/trace/Trace.ts";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
import { untimed } from "../untimed.ts";
import { walkthroughs } from "./support/pages.ts";
import { build, root } from "./support/paths.ts";
import { shoot, site, test } from "./support/site.ts";

const s = site();
const fresh = mkdtempSync(join(tmpdir(), "glasstorch-traces-"));
afterAll(() => rmSync(fresh, { recursive: true }));

const read = (file: string): TraceFile => JSON.parse(readFileSync(file, "utf8"));
const tsx = join(root, "docs/node_modules/tsx/dist/cli.mjs");

const scripts = readdirSync(join(root, "walkthroughs"))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -3));

each.each(cases_in_turn("walkthroughs beside their pages", scripts, 12))(
  "%s: the site's traces are those of a run",
  (name) => {
    const folder = join(fresh, name);
    execFileSync(process.execPath, [tsx, `walkthroughs/${name}.ts`, "--all", folder], { cwd: root, stdio: "pipe" });
    const ofSite = readdirSync(join(build, "generated/traces", name)).sort();
    expect(ofSite).toEqual(
      readdirSync(folder)
        .filter((file) => file !== "index.json")
        .sort(),
    );
    for (const file of ofSite)
      expect(untimed(read(join(build, "generated/traces", name, file)))).toEqual(untimed(read(join(folder, file))));
  },
);

each("prelu: the site's trace is what the script prints with --format json", () => {
  const printed = execFileSync(process.execPath, [tsx, "walkthroughs/prelu.ts", "--format", "json"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(untimed(read(join(build, "generated/traces/prelu/forward.json")))).toEqual(untimed(JSON.parse(printed)));
});

/** The pages of walkthroughs in Python only have steps and no figures. */
const with_figures = walkthroughs.filter((path) => {
  const page = path.replace(/^walkthroughs\/|\/$/g, "").replaceAll("-", "_");
  const name = page === "jit_trace" ? "trace" : page; // `trace` would be taken for the library's own recordings
  return !existsSync(join(root, `walkthroughs/${name}.py`)) || existsSync(join(root, `walkthroughs/${name}.ts`));
});

test.each(with_figures)("/%s: its figures stand in the HTML, without JavaScript", async (path) => {
  const page = await s.open(path, { javaScriptEnabled: false });
  const figures = page.locator("section.trace");
  const count = await figures.count();
  expect(count).toBeGreaterThan(0);
  for (let k = 0; k < count; k++) {
    const figure = figures.nth(k);
    const rows = await figure.locator("ol.steps li").count();
    expect(rows).toBeGreaterThan(2);
    expect(await figure.locator(".trace-count").textContent()).toMatch(new RegExp(`/ ${rows}$`));
    expect(await figure.locator(".step-name").textContent()).not.toBe("");
  }
  if (path === "walkthroughs/prelu/") await shoot(page, "walkthrough-without-javascript");
});

test.each(walkthroughs)("/%s: each figure has the steps of one recording, in order", async (path) => {
  const page = await s.open(path);
  const recordings = scripts.flatMap((name) =>
    readdirSync(join(build, "generated/traces", name)).map((file) => ({
      of: `${name}/${file}`,
      names: read(join(build, "generated/traces", name, file)).events.map((event) => event.name),
    })),
  );
  const figures = page.locator("section.trace");
  for (let k = 0; k < (await figures.count()); k++) {
    const figure = figures.nth(k);
    const total = Number(
      /(\d+) steps/.exec((await figure.locator(".trace-head > span").first().textContent()) ?? "")?.[1],
    );
    const shown: string[] = [];
    const last = (await figure.locator("ol.steps li").count()) - 1;
    for (const row of new Set([0, 1, Math.min(2, last), last])) {
      await figure.locator("ol.steps li button").nth(row).click();
      shown.push((await figure.locator(".step-name").textContent()) ?? "");
    }
    const found = recordings.filter(({ names }) => names.length === total && inOrder(shown, names));
    expect(found, `a recording of ${total} steps with ${shown.join(", ")}`).not.toEqual([]);
  }
});

function inOrder(wanted: readonly string[], names: readonly string[]): boolean {
  let at = 0;
  for (const name of names) if (name === wanted[at]) at++;
  return at === wanted.length;
}

test("there is a page for every walkthrough's recordings", () => {
  expect(existsSync(join(build, "generated/traces"))).toBe(true);
  const text = walkthroughs.map((path) => readFileSync(join(build, path, "index.html"), "utf8")).join();
  expect(text).toContain("_prelu_kernel");
});
