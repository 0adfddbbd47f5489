/**
 * @file A recording of TorchScript: passes in chains with the lines that they changed, and steps of the interpreter with what changed in registers.
 */
import { expect, test } from "vitest";
import { capturesOf } from "../src/model/captures.ts";
import { runsOf } from "../src/model/interpreter.ts";
import { openValue } from "../src/model/open.ts";
import { chainsOf, changedLines } from "../src/model/passes.ts";
import type { TraceModel } from "../src/model/TraceModel.ts";

const node = (id: string, line: number) => ({ id, op: "aten::relu", line, source: { file: "net.py", line: 2 } });
const graph = (id: number, text: string, more: object = {}) => ({
  id,
  ir: "torchscript",
  text,
  nodes: [node("n1", 2)],
  ...more,
});
const event = (id: number, parent: number | null, fields: object) => ({
  id,
  parent,
  name: "",
  start: 0,
  end: 0,
  ...fields,
});

function opened(): TraceModel {
  const found = openValue({
    format: "glasstorch-trace",
    version: 2,
    torch: "2.13.0",
    dropped: 0,
    sources: { "net.py": "def f(x):\n    return x.relu()\n" },
    graphs: [
      graph(0, "graph(%x):\n  %y = relu(%x)\n  return (%y)", {
        tree: [
          ["(def", 1],
          ["  (return", 2],
        ],
      }),
      graph(1, "graph(%x):\n  %y = relu(%x)\n  %z = relu(%x)\n  return (%y)"),
      graph(2, "graph(%x):\n  return (%x)", { code: "0 STORE 1\n1 MOVE 1\n2 OP 0\n3 RET" }),
    ],
    events: [
      event(0, null, { kind: "pass", name: "torch::jit::Inline", graphs: { before: 1, after: 1 } }),
      event(1, null, {
        kind: "pass",
        name: "torch::jit::EliminateDeadCode",
        graphs: { before: 1, after: 0 },
        title: "After Inline",
      }),
      event(2, 1, { kind: "pass", name: "torch::jit::Inner", graphs: { before: 1, after: 0 } }),
      event(3, null, { kind: "pass", name: "torch::jit::Inline", graphs: { before: 2, after: 2 } }),
      event(4, null, { kind: "runtime", name: "torch::jit::InterpreterState::run", graphs: { running: 2 }, note: "f" }),
      event(5, 4, { kind: "runtime", name: "STORE 1", pc: 0, stack: [7], registers: {}, graph_node: "n0" }),
      event(6, 4, { kind: "runtime", name: "MOVE 1", pc: 1, stack: [], registers: { 1: 7, 2: 3 }, graph_node: "n1" }),
      event(7, 6, { kind: "op", name: "aten::relu" }),
      event(8, 4, { kind: "runtime", name: "RET", pc: 3, stack: [7], registers: { 2: 3 }, graph_node: "n1" }),
    ],
  });
  if (found.kind !== "trace") throw new Error("no trace");
  return found.model;
}

test("passes on one graph are one chain; a pass inside a pass is not a step", () => {
  const chains = chainsOf(opened());
  expect(chains.map(({ steps }) => steps.map(({ name, changed }) => [name, changed]))).toEqual([
    [
      ["Inline", false],
      ["EliminateDeadCode", true],
    ],
    [["Inline", false]],
  ]);
  expect(chains[0]?.steps[1]).toMatchObject({ event: 1, title: "After Inline" });
  expect(chains[0]?.title).toBe("Inline, 2 passes, 1 changed the graph");
});

test("the lines that a pass took away or added are marked", () => {
  const { before, after } = changedLines("a\nb\nc\nd", "a\nc\nx\nd");
  expect(before.filter(({ changed }) => changed).map(({ text }) => text)).toEqual(["b"]);
  expect(after.filter(({ changed }) => changed).map(({ text }) => text)).toEqual(["x"]);
});

test("a step of the interpreter has the stack, the registers that changed, and its line of the program", () => {
  const [run] = runsOf(opened());
  expect(run?.instructions).toHaveLength(4);
  expect(run?.steps.map(({ text }) => text)).toEqual(["STORE 1", "MOVE 1", "RET"]);
  expect(run?.steps[0]?.stack).toEqual([7]);
  expect(run?.steps[1]?.registers.map(({ register, changed }) => [register, changed])).toEqual([
    ["1", true],
    ["2", true],
  ]);
  expect(run?.steps[2]?.registers).toEqual([{ register: "2", value: 3, changed: false }]);
  expect(run?.steps[1]?.source).toEqual({ file: "net.py", line: 2 });
});

test("a line of the tree belongs to the nodes from the same line of the program", () => {
  const [first] = capturesOf(opened());
  expect(first?.tree.map(({ nodes }) => nodes)).toEqual([[], ["n1"]]);
});
