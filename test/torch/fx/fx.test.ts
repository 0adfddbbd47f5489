/** Graphs, code, errors and passes of torch.fx, against those recorded from PyTorch for the same programs; and programs in TypeScript. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import torch, { fx } from "glasstorch/fx";
import { python } from "glasstorch/python";
import { record } from "glasstorch/trace";
import { expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";

const path = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const recorded: Record<string, Record<string, unknown>> = JSON.parse(
  gunzipSync(readFileSync(path("test/fixtures/fx.json.gz"))).toString(),
);
const cases = path("tools/oracle/fx_cases.py");
const program = python(readFileSync(cases, "utf8"), { filename: cases, name: "fx_cases", stdout: () => {} }) as Any;

/** The result of a program, as JSON would hold it. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [String(key), plain(each)]));
  return Array.isArray(value) ? [...value].map(plain) : value;
}

test.each([
  ["traced", "traced", 40],
  ["refused", "refused", 40],
  ["passes", "passed", 20],
  ["operators", "operators", 100],
])("%s: every program gives what PyTorch gives", (kind, fn, least) => {
  const expected = recorded[kind] as Record<string, unknown>;
  expect(Object.keys(expected).length).toBeGreaterThan(least);
  for (const [name, facts] of Object.entries(expected)) expect(plain(program[fn](name)), name).toEqual(facts);
});

test("operators with core ATen decompositions", () => {
  for (const [expression, code] of Object.entries(recorded["decomposed"] as Record<string, unknown>))
    expect(program.operators(expression, true), expression).toBe(code);
});

const { symbolic_trace } = fx as Any;

test("a function of TypeScript: methods, functions of torch, modules", () => {
  const lin = new torch.nn.Linear(2, 2);
  class Net extends torch.nn.Module {
    lin = lin;
    override forward(x: Any): Any {
      return torch.relu(this.lin(x)).mul(2).at(0, torch.slice(1, null)).sum({ dim: 0 });
    }
  }
  const gm = symbolic_trace(new Net());
  expect(gm.code).toBe(`


def forward(self, arg0):
    lin = self.lin(arg0);  arg0 = None
    relu = torch.relu(lin);  lin = None
    mul = relu.mul(2);  relu = None
    getitem = mul[(0, slice(1, None, None))];  mul = None
    sum_1 = getitem.sum(dim = 0);  getitem = None
    return sum_1
    `);
  const x = torch.ones([3, 2]);
  expect(String(gm(x))).toBe(String(new Net()(x)));
});

test("JavaScript's conversions of a value that is not known are refused", () => {
  for (const fn of [(x: Any) => x + 1, (x: Any) => [...x], (x: Any) => +x])
    expect(() => symbolic_trace(fn)).toThrow(
      /symbolically traced variables|cannot be iterated|interpreted as an integer/,
    );
  expect(() => symbolic_trace(torch.relu)).toThrow("Expected FunctionType");
});

test("a graph that TypeScript builds, edits and runs", () => {
  const graph = new (fx as Any).Graph();
  const x = graph.placeholder("x");
  const y = graph.call_function(torch.add, [x, 1], { alpha: 2 });
  graph.output(y);
  graph.lint();
  const gm = new (fx as Any).GraphModule(new torch.nn.Identity(), graph, "Mine");
  expect(gm.code).toContain("add = torch.add(x, 1, alpha = 2);  x = None");
  expect(String(gm(torch.ones([1])))).toBe("tensor([3.])");
  expect(() => graph.erase_node(y)).toThrow(
    "Tried to erase Node add but it still had 1 users in the graph: {output: None}!",
  );
  expect(() => y.args[0].push?.(1)).not.toThrow();
  expect([...new (fx as Any).Interpreter(gm).run(torch.ones([2])).tolist()]).toEqual([3, 3]);
  const copy = torch.deepcopy(gm);
  copy.graph.find_nodes({ op: "call_function", target: torch.add })[0].target = torch.sub;
  copy.recompile();
  expect(String(copy(torch.ones([1])))).toBe("tensor([-1.])");
  expect(String(gm(torch.ones([1])))).toBe("tensor([3.])");
});

test("traced modules have the outputs and gradients of their originals", () => {
  const net = new torch.nn.Sequential(new torch.nn.Linear(3, 4), new torch.nn.Tanh(), new torch.nn.Linear(4, 1));
  const gm = symbolic_trace(net);
  const x = torch.randn([5, 3]);
  const grads = (module: Any): string[] => {
    net.zero_grad();
    module(x).sum().backward();
    return [...net.parameters()].map((p) => String(p.grad));
  };
  expect(grads(gm)).toEqual(grads(net));
});

test("nothing is replaced after a trace, also if it fails", () => {
  const before = torch.nn.functional.relu;
  expect(() => symbolic_trace((x: Any) => [...x])).toThrow("cannot be iterated");
  const lin = new torch.nn.Linear(1, 1);
  expect(lin.weight).toBeInstanceOf(torch.nn.Parameter);
  expect(lin(torch.ones([1, 1]))).toBeInstanceOf(torch.Tensor);
  expect(torch.nn.functional.relu).toBe(before);
});

test("a diagram for mermaid", () => {
  const gm = symbolic_trace((x: Any) => torch.relu(x));
  expect(new (fx as Any).passes.graph_drawer.FxGraphDrawer(gm, "one").get_mermaid()).toBe(
    '%% one\nflowchart TD\n  n_arg0(["%arg0 : placeholder"])\n  n_relu["%relu : call_function<br/>torch.relu<br/>args = (%arg0,)"]\n' +
      '  n_output(["%output : output"])\n  n_arg0 --> n_relu\n  n_relu --> n_output\n',
  );
});

test("a recording leaves no trace in the graph that is recorded", () => {
  const graph = (): string => String((symbolic_trace((x: Any) => torch.relu(x).add(1)) as Any).graph);
  const alone = graph();
  const printed: string[] = [];
  const recording = record(() => void printed.push(graph()), { detail: "full", values: true });
  expect(printed).toEqual([alone]);
  expect(JSON.stringify(recording)).toContain('"Proxy"');
});
