/**
 * @file What the reader writes is kept in the browser, and a browser that has no room says so instead of losing it.
 */
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { keep, keptAt } from "../../src/playground/kept.ts";
import { exported, imported, keepEdits, kept } from "../../src/school/kept.ts";

const texts = new Map<string, string>();
let room = Number.POSITIVE_INFINITY;
vi.stubGlobal("localStorage", {
  getItem: (key: string) => texts.get(key) ?? null,
  removeItem: (key: string) => void texts.delete(key),
  setItem: (key: string, text: string) => {
    if (text.length > room) throw new Error("QuotaExceededError");
    texts.set(key, text);
  },
});
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
  room = Number.POSITIVE_INFINITY;
  texts.clear();
  keepEdits("04-cpu-kernel", {});
});

const here = new Set(["04-cpu-kernel", "05-yaml-entry"]);
const file = (edits: unknown, passed: unknown = []): string => JSON.stringify({ passed, edits });

test("the playground's text is there again, each under its own address; without changes there is none", () => {
  expect(keep("/a/", { code: "1" })).toBe(true);
  expect(keep("/b/", { code: "2" })).toBe(true);
  expect([keptAt("/a/"), keptAt("/b/"), keptAt("/c/")]).toEqual([{ code: "1" }, { code: "2" }, null]);
  keep("/a/", {});
  expect(keptAt("/a/")).toBeNull();
});

test("of many texts the newest stay; in a full store older ones give way; without room it is told", () => {
  for (let i = 0; i < 40; i++) keep(`/${i}/`, { code: `${i}` });
  expect([keptAt("/0/"), keptAt("/39/")]).toEqual([null, { code: "39" }]);
  room = 100;
  expect(keep("/x/", { code: "x" })).toBe(true);
  expect([keptAt("/39/"), keptAt("/x/")]).toEqual([null, { code: "x" }]);
  expect(keep("/y/", { code: "y".repeat(200) })).toBe(false);
  expect(keptAt("/x/")).toEqual({ code: "x" });
});

test("what stands in the store need not be the playground's", () => {
  for (const text of ["no JSON", "5", "null", '[null, {"at": "/a/", "state": {"code": 5}}]']) {
    texts.set("glasstorch.playground", text);
    expect(keptAt("/a/")).toBeNull();
    expect(keep("/a/", { code: "1" })).toBe(true);
  }
});

test("an exercise in a full store: its files stay as long as the page is open, and that is told", () => {
  keepEdits("04-cpu-kernel", { "kernel.ts": "short" });
  expect(kept().unsaved).toBe(false);
  room = 200;
  const long = "x".repeat(500);
  keepEdits("04-cpu-kernel", { "kernel.ts": long });
  expect(kept().edits["04-cpu-kernel"]).toEqual({ "kernel.ts": long });
  expect(kept().unsaved).toBe(true);
  expect(exported()).toContain(long);
  keepEdits("04-cpu-kernel", { "kernel.ts": "short" });
  expect(kept().unsaved).toBe(false);
});

test("a file of progress brings what this site has, and nothing else", () => {
  const edits = { "04-cpu-kernel": { "kernel.ts": "mine" }, "99-unknown": { "x.ts": "x".repeat(4_000) } };
  const passed = [
    { id: "05-yaml-entry", hash: "h", passed_at: "now" },
    { id: "99-unknown", hash: "h", passed_at: "now" },
  ];
  expect(imported(file(edits, passed), here)).toEqual({ passed: 1, exercises: 1, leftOut: 2 });
  expect(Object.keys(kept().edits)).toEqual(["04-cpu-kernel"]);
  const long = file({ "05-yaml-entry": { "x.yaml": "x".repeat(200_000) } });
  expect(imported(long, here)).toEqual({ passed: 0, exercises: 0, leftOut: 1 });
  expect(kept().passed.map(({ id }) => id)).toEqual(["05-yaml-entry"]);
});

test.each([
  ["nothing", ""],
  ["no JSON", "{"],
  ["null", "null"],
  ["another file", "{}"],
  ["a huge file", file({ "04-cpu-kernel": { "kernel.ts": "x".repeat(4_900_000) } })],
])("%s instead of a file of progress: an error, and the reader's files are as they were", (_, text) => {
  keepEdits("04-cpu-kernel", { "kernel.ts": "mine" });
  const before = exported();
  expect(() => imported(text, here)).toThrow(/^(it|no) /);
  expect(exported()).toBe(before);
  expect(kept().unsaved).toBe(false);
});

test("a file of progress for which there is no room changes nothing", () => {
  keepEdits("04-cpu-kernel", { "kernel.ts": "mine" });
  const before = exported();
  room = 300;
  expect(() => imported(file({ "05-yaml-entry": { "x.yaml": "x".repeat(1000) } }), here)).toThrow("no room");
  expect(exported()).toBe(before);
  expect(kept().unsaved).toBe(false);
});
