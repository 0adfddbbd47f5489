/**
 * @file Steps and moves; elevator, tree and timeline as layouts of them.
 * @original
 */
import { expect, test } from "vitest";
import { layOut, stepsBetween } from "../src/model/elevator.ts";
import { find, type Move, move, project, stepOf } from "../src/model/projection.ts";
import { TraceModel } from "../src/model/TraceModel.ts";
import { barsIn, fullRange, pan, ticks, zoom } from "../src/model/timeline.ts";
import { foldedAtFirst, treeRows, unfoldTo } from "../src/model/tree.ts";
import { fixture, longTrace, made } from "./support/fixtures.ts";

const small = made(
  [0, "a"],
  [1, "b", { kind: "op" }],
  [2, "c"],
  [1, "d"],
  [1, "e", { kind: "op" }],
  [2, "f"],
  [0, "g"],
);

test("children of a hidden lane move up", () => {
  const p = project(small, new Set(["dispatcher"]));
  expect([...p.steps].map((i) => small.event(i).name)).toEqual(["a", "c", "d", "f", "g"]);
  expect([...p.parent]).toEqual([-1, 0, 0, 0, -1]);
  expect([...p.end]).toEqual([4, 2, 3, 4, 5]);
  expect(stepOf(p, 1)).toBe(0); // hidden: its caller
});

test("moves lead where a debugger's would", () => {
  const p = project(small);
  const to = (step: number, how: Move) => small.event(p.steps[move(p, step, how)] as number).name;
  expect(to(0, "into")).toBe("b");
  expect(to(1, "over")).toBe("d");
  expect(to(2, "over")).toBe("d"); // a last child: on to what the caller does next
  expect(to(5, "out")).toBe("e");
  expect(to(4, "overBack")).toBe("d");
  expect(to(3, "overBack")).toBe("b");
  expect(to(1, "overBack")).toBe("a");
  expect(to(1, "nextDispatch")).toBe("e");
  expect(to(5, "previousDispatch")).toBe("e");
  expect(to(6, "next")).toBe("g");
  expect(to(0, "back")).toBe("a");
  expect(to(6, "overBack")).toBe("a");
});

test("stepping on from the first reaches every step once, and back again", () => {
  const p = project(fixture("prelu-backward.json"));
  const seen = [0];
  while ((seen.at(-1) as number) < p.steps.length - 1) seen.push(move(p, seen.at(-1) as number, "next"));
  expect(seen).toEqual([...p.steps.keys()]);
  let at = p.steps.length - 1;
  for (let k = 0; k < p.steps.length; k++) at = move(p, at, "back");
  expect(at).toBe(0);
});

test("search wraps around and sees operators and kernels", () => {
  const p = project(fixture("prelu.json"));
  const name = (step: number) => p.model.event(p.steps[step] as number).name;
  expect(name(find(p, 0, "wrapper_CPU__view"))).toBe("at::_ops::view::redispatch");
  expect(find(p, p.steps.length - 1, "_call_impl")).toBe(0);
  expect(find(p, 0, "no such thing")).toBe(-1);
});

test("no two bars of the elevator overlap, and each lies within its caller's span", () => {
  const p = project(fixture("prelu.json"));
  const e = layOut(p);
  const taken = new Map<string, number>();
  for (let s = 0; s < p.steps.length; s++) {
    const place = `${e.lane[s]} ${e.row[s]}`;
    expect(e.x[s]).toBeGreaterThanOrEqual(taken.get(place) ?? 0);
    taken.set(place, e.x[e.end[s] as number] as number);
    const above = p.parent[s] as number;
    if (above !== -1) expect(e.x[p.end[s] as number]).toBeLessThanOrEqual(e.x[p.end[above] as number] as number);
  }
});

test("what is on screen is what begins there and what is still open", () => {
  const p = project(fixture("prelu.json"));
  const e = layOut(p);
  const left = (e.x[20] as number) + 1;
  const right = e.x[25] as number;
  const shown = new Set(stepsBetween(p, e, left, right));
  for (let s = 0; s < p.steps.length; s++) {
    const visible = (e.x[s] as number) <= right && (e.x[p.end[s] as number] as number) > left;
    if (visible) expect(shown.has(s)).toBe(true);
  }
  expect(shown.size).toBeLessThan(p.steps.length);
});

test("a folded row hides its subtree; standing below opens it", () => {
  const p = project(small);
  expect(treeRows(p, new Set([0])).map((r) => r.step)).toEqual([0, 6]);
  const rows = treeRows(p, new Set());
  expect(rows.map((r) => [r.depth, r.position, r.siblings, r.open])).toEqual([
    [0, 1, 2, true],
    [1, 1, 3, true],
    [2, 1, 1, null],
    [1, 2, 3, null],
    [1, 3, 3, true],
    [2, 1, 1, null],
    [0, 2, 2, null],
  ]);
  expect([...unfoldTo(p, new Set([0, 1, 4]), 2)]).toEqual([4]);
  expect(foldedAtFirst(p).size).toBe(0);
});

test("the timeline draws what is in range and keeps within the recording", () => {
  const p = project(small);
  const full = fullRange(p);
  expect(full).toEqual({ from: 0, to: 7 });
  expect(barsIn(p, full, 700).map((b) => b.step)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(barsIn(p, { from: 6.2, to: 7 }, 700).map((b) => b.step)).toEqual([6]);
  expect(zoom(full, full, 4, 0.5)).toEqual(full);
  const near = zoom(full, full, 0.25, 1);
  expect(near.to).toBeCloseTo(7);
  expect(pan(near, full, 3)).toEqual({ from: 5.25, to: 7 });
  expect(ticks(full, 700)).toEqual([0, 2, 4, 6]);
});

test("50,000 events are drawn as few", () => {
  const file = longTrace(50_000);
  const model = new TraceModel({ origin: "glasstorch", torch: null, events: file.events, dropped: 0 });
  const p = project(model);
  const e = layOut(p);
  const rows = treeRows(p, foldedAtFirst(p));
  const bars = barsIn(p, fullRange(p), 1200);
  expect(rows.length).toBeLessThan(p.steps.length);
  expect(bars.length).toBeLessThan(15_000);
  expect(stepsBetween(p, e, 100_000, 101_400).length).toBeLessThan(120);
});
