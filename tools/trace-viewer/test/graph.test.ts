/**
 * @file The autograd graph of forward, of backward, of both, and of a profiler trace.
 * @original
 */
import { expect, test } from "vitest";
import type { TensorRecord, TraceEvent } from "../../../src/trace/event.ts";
import { type AutogradGraph, graphOf } from "../src/model/graph.ts";
import { fixture, made } from "./support/fixtures.ts";

const names = (graph: AutogradGraph) =>
  graph.edges.map((e) => `${graph.nodes[e.from]?.name} ${e.kind} ${graph.nodes[e.to]?.name}`);

test("forward: nodes as they were made, edges to the makers of their inputs", () => {
  const graph = graphOf(fixture("prelu.json"));
  expect(names(graph)).toEqual([
    "ViewBackward0 edge AccumulateGrad",
    "PreluKernelBackward0 edge AccumulateGrad",
    "PreluKernelBackward0 edge ViewBackward0",
  ]);
  const leaves = graph.nodes.filter((n) => n.leaf);
  expect(leaves.length).toBe(2); // x and weight: told apart by their storages
  expect(graph.nodes.every((n) => n.order === null)).toBe(true);
});

test("backward alone: the engine's order, edges as its nodes state them", () => {
  const graph = graphOf(fixture("prelu-backward.json"));
  expect(graph.nodes.filter((n) => n.order !== null).map((n) => n.name)).toEqual([
    "PreluKernelBackward0",
    "AccumulateGrad",
    "ViewBackward0",
    "AccumulateGrad",
  ]);
  expect(names(graph)).toEqual([
    "PreluKernelBackward0 edge AccumulateGrad",
    "PreluKernelBackward0 edge ViewBackward0",
    "ViewBackward0 edge AccumulateGrad",
  ]);
});

const tensor = (storage: number): TensorRecord => ({
  dtype: "float32",
  shape: [2],
  strides: [1],
  storage,
  offset: 0,
  version: 0,
  device: "cpu",
});
const op = (inputs: number[], output: number): Partial<TraceEvent> => ({
  kind: "op",
  inputs: inputs.map(tensor),
  outputs: tensor(output),
});
const node = (...next_edges: (string | null)[]): Partial<TraceEvent> => ({ kind: "autograd", next_edges });
const run = (input: number, ...outputs: number[]): Partial<TraceEvent> => ({
  kind: "engine",
  inputs: [[tensor(input)]],
  outputs: outputs.map(tensor),
});

test("two nodes of one name are told apart by the storages, in both directions", () => {
  // y = a * 2 + a * b
  const graph = graphOf(
    made(
      [0, "mul", op([0], 2)],
      [1, "torch::autograd::generated::MulBackward0", node("torch::autograd::AccumulateGrad")],
      [0, "mul", op([0, 1], 3)],
      [
        1,
        "torch::autograd::generated::MulBackward0",
        node("torch::autograd::AccumulateGrad", "torch::autograd::AccumulateGrad"),
      ],
      [0, "add", op([2, 3], 4)],
      [1, "torch::autograd::generated::AddBackward0", node("MulBackward0", "MulBackward0")],
      [0, "torch::autograd::Engine::execute", { kind: "engine" }],
      [1, "torch::autograd::AddBackward0::apply", run(5, 6, 7)],
      [1, "torch::autograd::MulBackward0::apply", run(7, 8, 9)],
      [1, "torch::autograd::AccumulateGrad::apply", run(9)],
    ),
  );
  const add = graph.nodes.find((n) => n.name === "AddBackward0");
  const targets = graph.edges.filter((e) => e.from === add?.id).map((e) => graph.nodes[e.to]);
  expect(targets.map((n) => n?.tensor?.storage)).toEqual([2, 3]);
  expect(targets.map((n) => n?.order)).toEqual([null, 2]);
  const b = graph.nodes.find((n) => n.leaf && n.tensor?.storage === 1);
  expect(b?.order).toBe(3);
  expect(graph.nodes.filter((n) => n.leaf).length).toBe(2);
});

test("a profiler trace shows order only", () => {
  const graph = graphOf(fixture("prelu_profiler_trace.json"));
  expect(graph.nodes.map((n) => n.name)).toEqual([
    "PreluKernelBackward0",
    "AccumulateGrad",
    "ViewBackward0",
    "AccumulateGrad",
  ]);
  expect(new Set(graph.edges.map((e) => e.kind))).toEqual(new Set(["order"]));
  expect(graph.nodes[0]?.sequence).toBe(3);
});

test("nodes with numbers: the edges are those of the recording, whatever the storages are", () => {
  const numbered = (id: number, ...to: ([number, number] | null)[]): Partial<TraceEvent> => ({
    node: id,
    next_edges: to.map((t) => (t === null ? null : t[0] === 0 ? "torch::autograd::AccumulateGrad" : "MulBackward0")),
    edges: to.map((t) => (t === null ? null : { node: t[0], input_nr: t[1] })),
  });
  // y = a * a, then y * y: both edges of the second lead to the first
  const graph = graphOf(
    made(
      [0, "mul", op([0, 0], 2)],
      [1, "torch::autograd::generated::MulBackward0", { kind: "autograd", ...numbered(1, [0, 0], [0, 0]) }],
      [0, "mul", op([2, 2], 3)],
      [1, "torch::autograd::generated::MulBackward0", { kind: "autograd", ...numbered(2, [1, 0], [1, 0]) }],
      [0, "torch::autograd::Engine::execute", { kind: "engine" }],
      [1, "torch::autograd::generated::MulBackward0::apply", { ...run(5, 6, 7), ...numbered(2, [1, 0], [1, 0]) }],
      [1, "torch::autograd::generated::MulBackward0::apply", { ...run(8, 9, 10), ...numbered(1, [0, 0], [0, 0]) }],
      [1, "torch::autograd::AccumulateGrad::apply", { ...run(11), ...numbered(0) }],
    ),
  );
  expect(graph.nodes.map((n) => [n.name, n.order])).toEqual([
    ["MulBackward0", 2],
    ["AccumulateGrad", 3],
    ["MulBackward0", 1],
  ]);
  expect(graph.edges.map((e) => [e.from, e.to, e.kind, e.input, e.gradient])).toEqual([
    [0, 1, "edge", 0, "[2]"],
    [0, 1, "edge", 0, "[2]"],
    [2, 0, "edge", 0, "[2]"],
    [2, 0, "edge", 0, "[2]"],
  ]);
});
