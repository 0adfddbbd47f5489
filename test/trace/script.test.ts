/**
 * @file A recording of TorchScript: the graph with its tree and code, passes with the graph before and after, plans, instructions with stack and registers;
 * and that a recording changes nothing.
 */
import "glasstorch/jit";
import { python } from "glasstorch/python";
import { laneOf, record, type Trace, type TraceEvent, toChrome, toText } from "glasstorch/trace";
import { expect, test } from "vitest";

const program = `import torch
def f(x, n: int):
    y = x * 1
    for i in range(n):
        y = y / 2
    return y.relu()
g = torch.jit.script(f)
for _ in range(3):
    print(g(torch.ones(2), 2))
`;

const recorded = (text: string): Trace => record(() => python(text, { filename: "net.py", stdout: () => {} }));
const trace = recorded(program);
const of_kind = (kind: string): TraceEvent[] => trace.events.filter((event) => event.kind === kind);

test("a script that was compiled has its tree, its graph and its code, linked by lines of the program", () => {
  const made = of_kind("capture").filter(({ name }) => name === "torch::jit::to_ir");
  expect(made.map((event) => event["note"])).toEqual(["f"]); // and nothing that the library compiles for itself
  const graph = trace.graphs[made[0]?.graphs?.["captured"] as number];
  expect(graph?.code).toContain("def f(x: Tensor,");
  const code = graph?.code?.split("\n") ?? [];
  expect(graph?.code_places?.[code.findIndex((line) => line.includes("torch.div"))]).toBe(5);
  expect(graph?.tree?.[0]).toEqual(["(def", 2]);
  expect(graph?.tree?.find(([text]) => text.includes("(while") || text.includes("(for"))?.[1]).toBe(4);
  const lines = graph?.text.split("\n") ?? [];
  const div = graph?.nodes.find(({ op }) => op === "aten::div");
  expect(div?.source).toEqual({ file: "net.py", line: 5 });
  expect(lines.every((line) => !line.includes(" # "))).toBe(true);
  for (const { op, line } of graph?.nodes ?? []) expect(lines[line - 1]).toContain(op);
});

test("each pass names the graph before and after; equal numbers mean that it changed nothing", () => {
  const passes = of_kind("pass");
  const peephole = passes.find(({ name }) => name === "torch::jit::PeepholeOptimize");
  for (const { graphs, name } of passes) {
    const [before, after] = [graphs?.["before"], graphs?.["after"]].map((n) => trace.graphs[n as number]?.text);
    expect(before === after, name).toBe(graphs?.["before"] === graphs?.["after"]);
  }
  expect(trace.graphs[peephole?.graphs?.["before"] as number]?.text).toContain("aten::mul");
  expect(trace.graphs[peephole?.graphs?.["after"] as number]?.text).not.toContain("aten::mul");
  expect(passes.map(({ title }) => title)).toContain("After BatchMM, before Fusion");
  expect(laneOf(passes[0] as TraceEvent, null)).toBe("compile");
});

test("three runs take three plans: one that profiles, one that is optimized, the same again", () => {
  const plans = of_kind("runtime").filter(({ plan }) => plan !== undefined);
  expect(plans.map(({ plan }) => plan)).toEqual(["a plan that profiles", "an optimized plan", "the plan that is kept"]);
  expect(plans[1]?.graphs).toEqual(plans[2]?.graphs);
});

test("an instruction has the stack and the registers before it, and what it calls is inside it", () => {
  const steps = of_kind("runtime").filter(({ pc }) => pc !== undefined);
  expect(steps[0]).toMatchObject({ name: "STOREN 1 2", pc: 0, function: "f" });
  expect(steps[0]?.stack).toMatchObject([{ shape: [2] }, 2]);
  expect(steps[1]?.registers).toMatchObject({ 1: { shape: [2] }, 2: 2 });
  const callers = trace.ops("aten::div.Scalar").map((event) => trace.parent(event) as TraceEvent);
  const div = callers.filter(({ kind }) => kind === "runtime"); // two rounds in each of three runs
  expect(div.every(({ name }) => name.startsWith("OP "))).toBe(true);
  expect(div).toHaveLength(6);
  const running = trace.parent(steps[0] as TraceEvent) as TraceEvent;
  const code = trace.graphs[running.graphs?.["running"] as number]?.code?.split("\n") ?? [];
  for (const step of steps.filter((each) => each.parent === running.id))
    expect(code[step.pc as number]?.split("  ")[0]).toBe(`${step.pc} ${step.name}`);
});

test("text and Chrome's form show the events", () => {
  const text = toText(trace, { width: 200 });
  expect(text).toMatch(/compile +.*EliminateDeadCode.*no change/);
  expect(text).toMatch(/runtime +.*OP 0/);
  const events = (toChrome(trace) as { traceEvents: { cat?: string }[] }).traceEvents;
  for (const cat of ["pass", "runtime"]) expect(events.some((event) => event.cat === cat)).toBe(true);
});

test("a recording does not change what a script does", () => {
  const printed = (run: (fn: () => void) => unknown): string => {
    let output = "";
    const stdout = (part: string): void => {
      output += part;
    };
    run(() =>
      python(`${program}print(g.graph)\nprint(g.graph_for(torch.ones(2), 2))\n`, { filename: "net.py", stdout }),
    );
    return output;
  };
  expect(printed((fn) => record(fn))).toBe(printed((fn) => fn()));
});

test("a trace shows which node the Tracer key added", () => {
  const traced = recorded(`import torch
def f(x):
    return x.relu() * 2
torch.jit.trace(f, (torch.ones(2),), check_trace=False)
`);
  const added = traced.events.filter(({ kind, graph_node }) => kind === "capture" && graph_node !== undefined);
  expect(added.map((event) => event["note"])).toEqual(["aten::relu", "aten::mul"]);
  const [graph] = traced.graphs;
  expect(added.map(({ graph_node }) => graph?.nodes.find(({ id }) => id === graph_node)?.source?.line)).toEqual([3, 3]);
});
