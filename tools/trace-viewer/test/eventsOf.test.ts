/**
 * @file The contents that a recording from elsewhere may have, and those that are dropped.
 * @original
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { eventsOf, isPlainPath } from "../src/model/eventsOf.ts";
import { openValue } from "../src/model/open.ts";

const folder = fileURLToPath(new URL("../public/samples/", import.meta.url));
const samples = readdirSync(folder).filter((name) => /^prelu(-backward)?\.json$/.test(name));

test.each(samples)("of our own recording %s nothing is left out", (name) => {
  const { events } = JSON.parse(readFileSync(`${folder}${name}`, "utf8"));
  expect(eventsOf(events)).toEqual(events);
});

const step = { id: 0, parent: null, kind: "native", name: "x", start: 0, end: 1 };

test.each([
  ["source", { file: "../../x", line: 1 }],
  ["source", { file: "/etc/x", line: 1 }],
  ["source", { file: "src/x.ts", line: "1" }],
  ["mirrors", { path: "../../../evil/repository", symbol: "x" }],
  ["mirrors", { path: "aten/%2e%2e/x", symbol: "x" }],
  ["mirrors", { path: {}, symbol: "x" }],
  ["mirrors", { path: 5, symbol: "x" }],
  ["mirrors", { path: ["x"], symbol: "x" }],
  ["inputs", { dtype: "float32" }],
  ["inputs", [[{ shape: 1 }]]],
  ["error", { toString: 1 }],
  ["args", [null]],
  ["keyset", [1]],
  ["anything", { deep: [[[[[[[[[[[[[[1]]]]]]]]]]]]]] }],
])("%s: %j is left out", (field, value) => {
  expect(eventsOf([{ ...step, [field]: value }])).toEqual([step]);
});

test("the texts of a program come with its recording, and its files may lie anywhere", () => {
  const events = [
    { ...step, kind: "frame", name: "<module>", source: { file: "/home/me/a.py", line: 1 } },
    { ...step, id: 1, parent: 0, kind: "line", name: "x = 1", source: { file: "/home/me/b.py", line: 1 } },
  ];
  const opened = openValue({
    format: "glasstorch-trace",
    version: 1,
    events,
    sources: { "/home/me/a.py": "x = 1\n", b: 5 },
  });
  if (opened.kind !== "trace") throw new Error("no trace");
  expect([...opened.model.sources]).toEqual([["/home/me/a.py", "x = 1\n"]]);
  expect(opened.model.events.map((event) => event.source?.file)).toEqual(["/home/me/a.py", undefined]);
});

test.each([
  null,
  5,
  "x",
  { ph: 1, name: "x" },
  { ph: "X", name: {}, cat: "cpu_op" },
  { ph: "X", name: "x", cat: "cpu_op", args: null },
])("a Chrome trace with the entry %j is refused in words", (entry) => {
  expect(() => openValue({ traceEvents: [entry] })).toThrow(
    "Entry 0 of traceEvents does not have the form of an event.",
  );
});

test("fields under the name __proto__ do not get past the check", () => {
  const args = JSON.parse('{"kind": "native", "__proto__": {"inputs": 5, "error": {}}}');
  const opened = openValue({
    traceName: "glasstorch",
    traceEvents: [{ ph: "X", cat: "x", name: "n", ts: 0, dur: 1, args }],
  });
  const [event] = opened.kind === "trace" ? opened.model.events : [];
  expect(event?.inputs).toBeUndefined();
  expect(event?.error).toBeUndefined();
});

test("a field that leads back to itself is left out", () => {
  const loop: unknown[] = [];
  loop.push(loop);
  expect(eventsOf([{ ...step, inputs: loop, more: loop }])).toEqual([step]);
});

test.each([null, 5, [], {}, { ...step, id: "0" }, { ...step, kind: "constructor" }, { ...step, name: 5 }])(
  "%j is no step",
  (entry) => {
    expect(() => openValue({ format: "glasstorch-trace", version: 1, events: [step, entry] })).toThrow(
      "Entry 1 of the list of events is no step.",
    );
  },
);

test("paths that stay where they are", () => {
  for (const path of ["src/a.ts", "torch/nn/modules/activation.py", "a", "a.b/c..d"])
    expect(isPlainPath(path)).toBe(true);
  for (const path of [
    "",
    "/a",
    "./a",
    "../a",
    "a/../b",
    "a/..",
    "a//b",
    "a/./b",
    "https://x/y",
    "a?b",
    "a#b",
    "a\\b",
    ".a",
  ])
    expect(isPlainPath(path), path).toBe(false);
});
