/**
 * @file The list of events as a tree, and errors for invalid files.
 * @original
 */
import { expect, test } from "vitest";
import { openText, openValue, textOf } from "../src/model/open.ts";
import { TraceModel } from "../src/model/TraceModel.ts";
import { fixture, made } from "./support/fixtures.ts";

test("subtrees are ranges, lanes follow the kinds", () => {
  const model = made([0, "a"], [1, "b"], [2, "c"], [1, "d", { kind: "op" }], [0, "e"]);
  expect([...model.parent]).toEqual([-1, 0, 1, 0, -1]);
  expect([...model.last]).toEqual([3, 2, 2, 3, 4]);
  expect([...model.depth]).toEqual([0, 1, 2, 1, 0]);
  expect(model.lanesInUse()).toEqual(["dispatcher", "native"]);
  expect(model.path(2)).toEqual([0, 1, 2]);
});

test("a kernel stands in the lane of its key", () => {
  const model = fixture("prelu.json");
  const lane = (name: string) => model.laneAt(model.events.findIndex((e) => e.name === name));
  expect(lane("VariableType::_prelu_kernel")).toBe("autograd");
  expect(lane("wrapper_CPU___prelu_kernel")).toBe("native");
});

test("a parent that is not open is an error that names the event", () => {
  const events = [
    { id: 0, parent: null, kind: "op", name: "a", start: 0, end: 1 },
    { id: 1, parent: null, kind: "op", name: "b", start: 2, end: 3 },
    { id: 2, parent: 0, kind: "op", name: "late", start: 4, end: 5 },
  ] as const;
  expect(() => new TraceModel({ origin: "glasstorch", torch: null, events, dropped: 0 })).toThrow(
    /event 2 \(late\) names parent 0/,
  );
});

test("what cannot be read says so", () => {
  expect(() => openText("hello")).toThrow("This is not JSON");
  expect(() => openText('{"a": 1, "b": 2}')).toThrow("an object with the fields a, b");
  expect(() => openText('{"format": "glasstorch-trace", "version": 9, "events": []}')).toThrow("version 9");
  expect(() => openValue({ format: "glasstorch-tables", version: 3 })).toThrow("not of version 1");
});

test("a packed file is unpacked", async () => {
  const packed = new Response(new Blob(['{"x": 1}']).stream().pipeThrough(new CompressionStream("gzip")));
  expect(await textOf(await packed.blob())).toBe('{"x": 1}');
  expect(await textOf(new Blob(["plain"]))).toBe("plain");
});

test("what the recorder dropped is kept in mind", () => {
  const opened = openValue({ format: "glasstorch-trace", version: 1, torch: "2.13.0", dropped: 7, events: [] });
  expect(opened.kind === "trace" && opened.model.dropped).toBe(7);
});
