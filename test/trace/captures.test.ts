/**
 * @file A recording of a program that captures graphs: which hook recorded which node at which line, the texts of the graphs, the cut of a joint
 * graph; and that a recording changes nothing.
 */
import "glasstorch/fx";
import { python } from "glasstorch/python";
import { laneOf, record, Trace, type TraceEvent, toChrome, toText } from "glasstorch/trace";
import { expect, test } from "vitest";

const symbolic = `import torch, torch.fx
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.scale = nn.Parameter(torch.ones(2))
    def forward(self, x):
        y = torch.relu(self.layer(x))
        return (y * self.scale).sum(1)
gm = torch.fx.symbolic_trace(Net())
`;

const recorded = (text: string, detail: "layers" | "full" = "layers"): Trace =>
  record(() => python(text, { filename: "net.py", stdout: () => {} }), { detail });

/** `hook: node at line` of each node. */
function captures(trace: Trace): string[] {
  return trace.events
    .filter((event) => event.graph_node !== undefined)
    .map((event) => {
      const hook = trace.parent(event) as TraceEvent;
      const line = trace.graphs[event.graph as number]?.nodes.find(({ id }) => id === event.graph_node)?.source?.line;
      return `${hook.kind === "capture" ? (hook.name.split(".").at(-1) as string) : ""}: ${event.graph_node} at ${line}`;
    });
}

const of_net = [
  ": x at 11",
  "call_module: layer at 9",
  "__torch_function__: relu at 9",
  "getattr: scale at 10",
  "__mul__: mul at 10",
  "__call__: sum_1 at 10",
  ": output at 11",
];

test("each node has the hook that recorded it and the line of the program", () => {
  const trace = recorded(symbolic);
  expect(captures(trace)).toEqual(of_net);
  expect(captures(recorded(symbolic, "full")).map((each) => each.split(": ")[1])).toEqual(
    of_net.map((each) => each.split(": ")[1]),
  );
  expect(trace.events.filter((event) => laneOf(event, null) === "capture").length).toBeGreaterThan(of_net.length);
});

test("the graph has its text and its code, and each node its line in both", () => {
  const [graph, ...others] = recorded(symbolic).graphs;
  expect(others).toEqual([]);
  const [text, code] = [graph?.text.split("\n"), graph?.code?.split("\n")];
  for (const node of graph?.nodes ?? []) {
    if (node.op === "output") continue;
    expect(text?.[node.line - 1]).toContain(`%${node.id} :`);
    expect(code?.[(node.code_line as number) - 1]).toContain(
      node.op === "placeholder" ? "def forward" : `${node.id} = `,
    );
  }
  expect(code?.at(-1)).toBe("    return sum_1");
});

test("a file of version 2 keeps the graphs; one of version 1 can be read", () => {
  const file = recorded(symbolic).toJSON();
  expect(file.version).toBe(2);
  expect(Trace.fromJSON(JSON.parse(JSON.stringify(file))).graphs).toEqual(file.graphs);
  const { graphs, ...rest } = file;
  expect(graphs).toHaveLength(1);
  expect(Trace.fromJSON({ ...rest, version: 1 }).graphs).toEqual([]);
  expect(() => Trace.fromJSON({ ...rest, version: 3 as 2 })).toThrow("version 3");
});

test("text and Chrome's form show the events", () => {
  const trace = recorded(symbolic);
  expect(toText(trace, { width: 200 })).toMatch(/capture +.*create_node.*%relu: call_function torch\.relu/);
  const events = (toChrome(trace) as { traceEvents: { cat?: string; args: object }[] }).traceEvents;
  expect(events.filter(({ cat }) => cat === "capture").length).toBeGreaterThan(0);
});

const joint = `import torch
from functorch.compile import aot_function, make_boxed_func, min_cut_rematerialization_partition
def f(x):
    return x.cos().sin()
def compiler(gm, args):
    return make_boxed_func(gm.forward)
x = torch.ones([4], requires_grad=True)
aot_function(f, compiler, partition_fn=min_cut_rematerialization_partition)(x).sum().backward()
`;

test("a cut names the joint graph, its parts, and what is saved with its bytes", () => {
  const trace = recorded(joint);
  const cut = trace.events.find((event) => event.saved !== undefined) as TraceEvent;
  const { joint: whole, forward, backward } = cut.graphs as Record<string, number>;
  expect(cut.saved).toEqual([{ name: "primals_1", dtype: "torch.float32", shape: [4], nbytes: 16 }]);
  const names = (graph: number | undefined): string[] => trace.graphs[graph as number]?.nodes.map(({ id }) => id) ?? [];
  expect(names(whole)).toContain("tangents_1");
  expect(names(forward)).not.toContain("tangents_1");
  expect(names(backward)).toContain("tangents_1");
  // A node of a part stands at the line that recorded it in the joint graph.
  const cos = trace.graphs[forward as number]?.nodes.find(({ id }) => id === "cos");
  expect(cos?.source).toEqual({ file: "net.py", line: 4 });
});

test("a graph whose capture ends in an error is kept as far as it came", () => {
  const program = `import torch, torch.fx
def f(x):
    y = x + 1
    return y if y.sum() > 0 else x
try:
    torch.fx.symbolic_trace(f)
except torch.fx.proxy.TraceError:
    pass
`;
  const [graph] = recorded(program).graphs;
  expect(graph?.nodes.map(({ id }) => id)).toEqual(["x", "add", "sum_1", "gt"]);
});

test("a recording does not change what is captured", () => {
  const printed = (run: (fn: () => void) => unknown): string => {
    let output = "";
    const stdout = (part: string): void => {
      output += part;
    };
    run(() => python(`${symbolic}print(gm.graph)\nprint(gm.code)\n`, { filename: "net.py", stdout }));
    return output;
  };
  expect(printed((fn) => record(fn))).toBe(printed((fn) => fn()));
});

test("operators that a capture runs nest below its hook unchanged", () => {
  const program = `import torch
from torch.fx.experimental.proxy_tensor import make_fx
def f(x):
    return x.exp()
make_fx(f)(torch.ones(2))
`;
  const trace = recorded(program);
  const hook = trace.named("torch.fx.experimental.proxy_tensor.proxy_call")[0] as TraceEvent;
  const below = trace.ops("aten::exp").filter((event) => {
    for (let at: TraceEvent | null = event; at !== null; at = trace.parent(at)) if (at === hook) return true;
    return false;
  });
  expect(below.map((event) => event.key)).toContain("CPU");
});
