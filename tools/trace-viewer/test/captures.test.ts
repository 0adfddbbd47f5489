/**
 * @file The captured graphs of a recording: lines of the program, the graph and the code that belong to one node; how a joint graph was cut.
 */
import { expect, test } from "vitest";
import { capturesOf } from "../src/model/captures.ts";
import { openValue } from "../src/model/open.ts";
import type { TraceModel } from "../src/model/TraceModel.ts";

const graph = (id: number) => ({
  id,
  ir: "fx",
  text: "graph():\n    %x : placeholder\n    %relu : call_function",
  code: "def forward(self, x):\n    relu = torch.relu(x)",
  nodes: [
    { id: "x", op: "placeholder", line: 2, code_line: 1, source: null },
    { id: "relu", op: "call_function", line: 3, code_line: 2, source: { file: "net.py", line: 4 } },
  ],
});
const event = (id: number, fields: object) => ({
  id,
  parent: null,
  kind: "capture",
  name: "torch.fx.graph.Graph.create_node",
  start: 0,
  end: 0,
  ...fields,
});
const file = (graphs: readonly unknown[]) => ({
  format: "glasstorch-trace",
  version: 2,
  torch: "2.13.0",
  dropped: 0,
  sources: { "net.py": "import torch\n\ndef f(x):\n    return torch.relu(x)\n\n\nf(1)\n" },
  events: [
    event(0, { graph: 0, graph_node: "relu" }),
    event(1, {
      graphs: { joint: 0, forward: 1, backward: 2 },
      saved: [{ name: "x", dtype: "torch.float32", shape: [4], nbytes: 16 }],
    }),
  ],
  graphs,
});

function opened(value: unknown): TraceModel {
  const found = openValue(value);
  if (found.kind !== "trace") throw new Error("no trace");
  return found.model;
}

test("a node has its lines in the program, the graph and the code, and the event that recorded it", () => {
  const [joint] = capturesOf(opened(file([graph(0), graph(1), graph(2)])));
  const of_relu = (lines: readonly { nodes: readonly string[]; text: string }[] = []) =>
    lines.filter(({ nodes }) => nodes.includes("relu")).map(({ text }) => text.trim());
  expect(of_relu(joint?.program[0]?.lines)).toEqual(["return torch.relu(x)"]);
  expect(of_relu(joint?.text)).toEqual(["%relu : call_function"]);
  expect(of_relu(joint?.code)).toEqual(["relu = torch.relu(x)"]);
  expect(joint?.program[0]?.lines.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6]);
  expect(joint?.recorded.get("relu")).toBe(0);
});

test("the graphs of a cut know each other, and what is saved", () => {
  const captures = capturesOf(opened(file([graph(0), graph(1), graph(2)])));
  expect(captures.map(({ title }) => title)).toEqual(["joint graph", "forward graph", "backward graph"]);
  expect(captures[1]?.partition).toMatchObject({
    joint: 0,
    forward: 1,
    backward: 2,
    saved: [{ name: "x", nbytes: 16 }],
  });
});

test("a list of graphs in another form is refused", () => {
  expect(() => opened(file([{ ...graph(0), nodes: [{ id: "x" }] }]))).toThrow(
    "An entry of the list of graphs is no graph",
  );
});
