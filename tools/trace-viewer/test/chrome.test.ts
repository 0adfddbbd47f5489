/**
 * @file Chrome traces: PyTorch's own, and our export read back.
 * @original
 */
import { expect, test } from "vitest";
import { fromChrome } from "../src/model/chrome.ts";
import { tensorsOf } from "../src/model/label.ts";
import { fixture } from "./support/fixtures.ts";

test("PyTorch's profiler trace becomes a tree of its calls", () => {
  const model = fixture("prelu_profiler_trace.json");
  expect(model.origin).toBe("pytorch");
  expect(model.events.length + model.folded).toBe(25 + 6 + 85);
  const view = model.events.findIndex((e) => e.name === "aten::view");
  const way = model.path(view).map((i) => model.event(i).name);
  expect(way.slice(-3)).toEqual(["aten::prelu", "aten::reshape", "aten::view"]);
  expect(way.some((name) => name === "nn.Module: PReLU_0")).toBe(true);
});

test("the profiler's own frames are folded, the program's are not", () => {
  const model = fixture("prelu_profiler_trace.json");
  expect(model.folded).toBeGreaterThan(20);
  const names = model.events.map((e) => e.name);
  expect(names).not.toContain("_transit_action");
  expect(names.filter((name) => /profiler/.test(name))).toEqual([]);
  expect(names).toContain("<module>");
  expect(names).toContain("_make_grads");
});

test("a frame of the profiler below which the program runs stays", () => {
  const x = (cat: string, name: string, ts: number, dur: number) => ({ ph: "X", cat, name, pid: 1, tid: 1, ts, dur });
  const { events, folded } = fromChrome({
    traceEvents: [
      x("python_function", "torch/profiler/profiler.py(10): wrapped", 0, 100),
      x("cpu_op", "aten::add", 10, 20),
      x("python_function", "/usr/lib/torch/autograd/profiler.py(3): __exit__", 50, 30),
      x("python_function", "<built-in function len>", 55, 3),
    ],
  });
  expect(events.map((e) => e.name)).toEqual(["wrapped", "aten::add"]);
  expect(folded).toBe(2);
});

test("inputs come from the profiler's columns", () => {
  const model = fixture("prelu_profiler_trace.json");
  const prelu = model.events.find((e) => e.name === "aten::prelu");
  expect(tensorsOf(prelu?.inputs).map((t) => [t.dtype, t.shape, t.strides])).toEqual([
    ["float32", [3, 4], [4, 1]],
    ["float32", [1], [1]],
  ]);
  const fill = model.events.find((e) => e.name === "aten::fill_");
  expect((fill?.inputs as unknown[] | undefined)?.[1]).toBe(0);
});

test("a Python frame of PyTorch links to its file and line", () => {
  const model = fixture("prelu_profiler_trace.json");
  const backward = model.events.find((e) => e.name === "_engine_run_backward");
  expect(backward?.mirrors).toEqual({ path: "torch/autograd/graph.py", symbol: "_engine_run_backward" });
  expect(backward?.["mirrors_line"]).toBe(966);
});

test("our own export comes back as the trace it was made from", () => {
  const back = fixture("prelu-chrome.json");
  const trace = fixture("prelu.json");
  expect(back.origin).toBe("glasstorch");
  expect(back.events.map((e) => [e.kind, e.name, e.parent, e.key, e.kernel])).toEqual(
    trace.events.map((e) => [e.kind, e.name, e.parent, e.key, e.kernel]),
  );
  expect(back.events[3]?.keyset).toEqual(trace.events[3]?.keyset);
});

test("several threads stand beside each other", () => {
  const x = (tid: number, name: string, ts: number, dur: number) => ({
    ph: "X",
    cat: "cpu_op",
    name,
    pid: 1,
    tid,
    ts,
    dur,
  });
  const { events } = fromChrome({
    traceEvents: [x(1, "aten::a", 0, 10), x(2, "aten::b", 1, 5), x(1, "aten::c", 2, 3)],
  });
  expect(events.map((e) => [e.name, e.parent])).toEqual([
    ["thread 1/1", null],
    ["aten::a", 0],
    ["aten::c", 1],
    ["thread 1/2", null],
    ["aten::b", 3],
  ]);
});
