/** The lane `python`: frames, lines and instructions of a Python program that lead to a call of the library. */
import torch from "glasstorch";
import { python } from "glasstorch/python";
import {
  type RecordOptions,
  record,
  stop,
  Trace,
  type TraceEvent,
  toChrome,
  toMermaid,
  toText,
} from "glasstorch/trace";
import { expect, test } from "vitest";
import { dis } from "#python/compiler/dis";
import { hooks } from "#python/vm/hooks";
import { isProgramStep } from "#trace/event";

const quiet = { filename: "program.py", stdout: () => {} };

/** Records a program that has run before, so that nothing of its first run is in the way. */
function recorded(text: string, options: RecordOptions = {}): { trace: Trace; error: unknown } {
  let error: unknown = null;
  const run = (): void => {
    try {
      python(text, quiet);
    } catch (raised) {
      error = raised;
    }
  };
  run();
  error = null;
  return { trace: record(run, options), error };
}

/** The program's steps as lines of text: two blanks a level, and the line in the file. Other events count as levels, but are not written. */
function tree(trace: Trace, wanted: (event: TraceEvent) => boolean = isProgramStep): string[] {
  const lines: string[] = [];
  const walk = (event: TraceEvent | null, depth: number): void => {
    for (const child of trace.children(event)) {
      const shown = wanted(child);
      if (shown)
        lines.push(`${"  ".repeat(depth)}${child.name}${isProgramStep(child) ? ` :${child.source?.line}` : ""}`);
      walk(child, shown ? depth + 1 : depth);
    }
  };
  walk(null, 0);
  return lines;
}

/** Checks that ids are in order of begin, that each parent is open, and that it ends after its children. */
function expect_well_formed({ events }: Trace): void {
  const open: TraceEvent[] = [];
  events.forEach((event, i) => {
    expect(event.id).toBe(i);
    while (open.length > 0 && open.at(-1)?.id !== event.parent) open.pop();
    expect(open.at(-1)?.id ?? null).toBe(event.parent);
    open.push(event);
    const parent = event.parent === null ? null : (events[event.parent] as TraceEvent);
    expect(event.end).toBeGreaterThanOrEqual(event.start);
    if (parent === null) return;
    expect(parent.start).toBeLessThanOrEqual(event.start);
    expect(parent.end).toBeGreaterThanOrEqual(event.end);
  });
}

const NET = `import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        y = self.fc(x)
        return helper(y)

def helper(y):
    count = pure(3)
    return torch.relu(y) * count

def pure(n):
    return n + 1

net = Net()
x = torch.ones(1, 3)
net(x)
`;

test("a frame and a line are on record if a call of the library lies below them", () => {
  const { trace } = recorded(NET);
  expect_well_formed(trace);
  expect(tree(trace)).toEqual([
    "<module> :1",
    "  net = Net() :20",
    "    Net.__init__ :5",
    "      self.fc = nn.Linear(3, 2) :7",
    "  x = torch.ones(1, 3) :21",
    "  net(x) :22",
    "    Net.forward :9",
    "      y = self.fc(x) :10",
    "      return helper(y) :11",
    "        helper :13",
    "          return torch.relu(y) * count :15", // `pure` calls nothing, nor does line 14
  ]);
  expect(trace.named("helper")[0]).toMatchObject({ kind: "frame", source: { file: "program.py", line: 13 } });
  expect(trace.events.every((event) => !isProgramStep(event) || trace.children(event).length > 0)).toBe(true);
});

test("the library and the program take turns: each call lies below the line that makes it", () => {
  const { trace } = recorded(NET);
  const names = ["Module._call_impl", "THPVariable_relu", "THPVariable_mul"];
  const wanted = (event: TraceEvent): boolean =>
    isProgramStep(event) || names.some((name) => event.name.endsWith(name));
  expect(tree(trace, wanted).slice(-10)).toEqual([
    "  net(x) :22",
    "    torch.nn.modules.module.Module._call_impl",
    "      Net.forward :9",
    "        y = self.fc(x) :10",
    "          torch.nn.modules.module.Module._call_impl",
    "        return helper(y) :11",
    "          helper :13",
    "            return torch.relu(y) * count :15",
    "              torch::autograd::THPVariable_relu",
    "              torch::autograd::THPVariable_mul", // of the operator `*`
  ]);
});

test("a line that runs again is another event, also where a loop stands in one line", () => {
  const { trace } = recorded(`import torch
x = torch.ones(2)
for i in range(3):
    x = x + i
while x.sum() < 30: x = x * 2
parts = [x + i for i in range(2)]
y = torch.add(x, 1) + torch.add(x, 2)
`);
  expect_well_formed(trace);
  const lines = tree(trace).map((line) => line.trim());
  const count = (line: string): number => lines.filter((each) => each === line).length;
  expect(count("x = x + i :4")).toBe(3);
  expect(count("while x.sum() < 30: x = x * 2 :5")).toBe(2); // twice back to the body, which ends with the test
  expect(count("parts = [x + i for i in range(2)] :6")).toBe(3); // the line, and in its comprehension two turns
  expect(count("y = torch.add(x, 1) + torch.add(x, 2) :7")).toBe(1);
});

test("a statement of several lines is on record line by line", () => {
  const { trace } = recorded(`import torch
torch.add(
    torch.ones(2),
    torch.zeros(2),
)
`);
  expect(tree(trace)).toEqual(["<module> :1", "  torch.ones(2), :3", "  torch.zeros(2), :4", "  torch.add( :2"]);
});

test("a generator has a frame for each stay in it", () => {
  const { trace } = recorded(`import torch
def steps(n):
    for i in range(n):
        yield torch.full((2,), i)

def outer():
    yield from steps(2)
    try:
        yield torch.ones(1)
    except ValueError:
        yield torch.zeros(1)

for t in steps(2):
    pass
both = list(outer())
g = outer()
next(g); next(g); next(g)
g.throw(ValueError("now"))
`);
  expect_well_formed(trace);
  const inner = ["yield torch.full((2,), i) :4"];
  const through = ["outer :6", "yield from steps(2) :7", "steps :2", ...inner];
  expect(tree(trace).map((line) => line.trim())).toEqual([
    "<module> :1",
    ...["for t in steps(2): :13", "steps :2", ...inner],
    ...["for t in steps(2): :13", "steps :2", ...inner],
    ...["both = list(outer()) :15", ...through, ...through, "outer :6", "yield torch.ones(1) :9"],
    ...["next(g); next(g); next(g) :17", ...through, ...through, "outer :6", "yield torch.ones(1) :9"],
    ...['g.throw(ValueError("now")) :18', "outer :6", "yield torch.zeros(1) :11"],
  ]);
});

test("hooks, and a Function's forward and backward, lie below the library's event that calls them", () => {
  const { trace } = recorded(`import torch
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return 2 * x * g

def watch(grad):
    return grad * 2

x = torch.ones(2, requires_grad=True)
x.register_hook(watch)
Square.apply(x).sum().backward()
`);
  expect_well_formed(trace);
  const frame = (name: string): TraceEvent => trace.named(name).find((event) => event.kind === "frame") as TraceEvent;
  const above = (event: TraceEvent): TraceEvent[] => {
    const parent = trace.parent(event);
    return parent === null ? [] : [...above(parent), parent];
  };
  expect(above(frame("Square.forward")).at(-1)?.kind).toBe("line");
  for (const name of ["Square.backward", "watch"]) {
    const kinds = above(frame(name)).map((event) => event.kind);
    expect(kinds.slice(0, 2)).toEqual(["frame", "line"]); // the line that calls backward
    expect(kinds.at(-1)).toBe("engine");
  }
  expect(trace.parent(frame("Square.backward"))?.name).toMatch(/::apply$/);
});

test("an exception is on record at each line and frame that it leaves, and nowhere else", () => {
  const { trace, error } = recorded(`import torch
def product(a, b):
    return a @ b

def safe(a):
    try:
        product(a, a)
    except RuntimeError:
        return torch.zeros(1)

x = torch.ones(2, 3)
safe(x)
product(x, x)
`);
  expect_well_formed(trace);
  const message = "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)";
  expect((error as Error).message).toContain(message);
  const failed = trace.events.filter((event) => isProgramStep(event) && event.error !== undefined);
  expect(failed.map(({ name, error }) => [name, error])).toEqual(
    ["<module>", "product(a, a)", "product", "return a @ b", "product(x, x)", "product", "return a @ b"].map((name) => [
      name,
      `RuntimeError: ${message}`,
    ]),
  );
});

test("full detail also has the instructions, with the functions that carry them out", () => {
  const text = "import torch\nx = torch.ones(2)\ny = x + torch.mul(x, 2)\n";
  const { trace } = recorded(text, { detail: "full" });
  expect_well_formed(trace);
  const instructions = trace.events.filter((event) => event.kind === "instruction");
  expect(instructions.map(({ name, argrepr }) => [name, argrepr])).toEqual([
    ["CALL", ""],
    ["CALL", ""],
    ["BINARY_OP", "+"],
  ]);
  const [, mul, add] = instructions as [TraceEvent, TraceEvent, TraceEvent];
  expect(trace.parent(mul)?.name).toBe("y = x + torch.mul(x, 2)");
  const listing = dis(python.expr(`compile(${JSON.stringify(text)}, "program.py", "exec")`) as never);
  for (const { offset, name } of instructions) expect(listing).toMatch(new RegExp(`^.* ${offset} ${name}\\b`, "m"));
  // Between the instruction and the operator stand the machine's functions, without the loop itself.
  const between = (from: TraceEvent, to: RegExp): string[] => {
    const names: string[] = [];
    for (let at = trace.children(from)[0]; at !== undefined && !to.test(at.name); at = trace.children(at)[0])
      names.push(at.name);
    return names;
  };
  expect(between(add, /add_Tensor/)[0]).toBe("binary_op");
  expect(between(mul, /THPVariable_mul/)).toContain("call_native");
  expect(trace.events.some(({ name }) => name === "run")).toBe(false);
});

test("functions of the machine that call the program lie between the library and the frame", () => {
  const { trace } = recorded(NET, { detail: "full" });
  expect_well_formed(trace);
  const forward = trace.named("Net.forward").find((event) => event.kind === "frame") as TraceEvent;
  const above: string[] = [];
  for (let at = trace.parent(forward); at !== null && at.kind !== "line"; at = trace.parent(at)) above.push(at.name);
  expect(above).toContain("torch.nn.modules.module.Module._call_impl");
  expect(above).toContain("run_frame");
});

test("a recording that begins inside a program knows the frames that already run", () => {
  let trace: Trace | null = null;
  const globals = {
    record_call: (fn: () => unknown) => {
      trace = record(fn);
    },
    begin_and_end: () => record(() => torch.ones([1])),
  };
  python(
    `import torch
def work():
    return torch.ones(2)

def start():
    record_call(work)

start()
`,
    { ...quiet, globals },
  );
  expect(tree(trace as unknown as Trace)).toEqual([
    "<module> :1",
    "  start() :8",
    "    start :5",
    "      record_call(work) :6",
    "        work :2",
    "          return torch.ones(2) :3",
  ]);
});

test("programs below an async function, one after the other", async () => {
  const trace = await record(async () => {
    python("import torch\na = torch.ones(1)\n", quiet);
    await Promise.resolve();
    torch.ones([1]);
    python("import torch\nb = torch.ones(1)\n", quiet);
  });
  expect_well_formed(trace);
  expect(tree(trace)).toEqual(["<module> :1", "  a = torch.ones(1) :2", "<module> :1", "  b = torch.ones(1) :2"]);
  expect(trace.children(null).map(({ kind }) => kind)).toEqual(["frame", "binding", "frame"]);
});

test("nothing follows a program outside a recording, and other hooks stay and are told", () => {
  const seen: number[] = [];
  const hook = (_: unknown, pc: number): void => void seen.push(pc);
  hooks.instruction = hook;
  try {
    const { trace } = recorded("import torch\nx = torch.ones(1)\n");
    expect(tree(trace)).toHaveLength(2);
    expect(hooks.instruction).toBe(hook);
    expect(seen.length).toBeGreaterThan(10);
  } finally {
    hooks.instruction = null;
  }
  record(() => python("x = 1", quiet));
  expect([hooks.instruction, hooks.exception]).toEqual([null, null]);
});

test("a program that ends its own recording goes on unrecorded", () => {
  let trace: Trace | null = null;
  const globals = {
    stop: () => {
      trace = stop();
    },
  };
  const after = record(() =>
    python("import torch\nx = torch.ones(1)\nstop()\nfor i in range(3):\n    y = x + i\n", { ...quiet, globals }),
  );
  expect(tree(after)).toEqual(["<module> :1", "  x = torch.ones(1) :2"]);
  expect(trace).toBe(after);
});

test("the cap never cuts between a line and its call", () => {
  const text = "import torch\nx = torch.ones(1)\ny = x + 1\n";
  const whole = recorded(text).trace.events.length;
  for (let cap = 0; cap < whole; cap += 3) {
    const { trace } = recorded(text, { cap });
    expect_well_formed(trace);
    expect(trace.events.length).toBeLessThanOrEqual(cap);
    expect(trace.events.every((event) => !isProgramStep(event) || trace.children(event).length > 0)).toBe(true);
  }
});

test("a text without a known source shows its lines by number", () => {
  const { trace } = recorded(`import torch\nexec("torch.ones(1)\\ntorch.ones(2)")\n`);
  expect(tree(trace).map((line) => line.trim())).toEqual([
    "<module> :1",
    'exec("torch.ones(1)\\ntorch.ones(2)") :2',
    "<module> :1",
    "line 1 :1",
    "line 2 :2",
  ]);
});

test("the forms: text, JSON with the program's text, Chrome, mermaid", () => {
  const text = "import torch\nx = torch.ones(2)\ny = torch.relu(x)\n";
  const { trace } = recorded(text);
  const shown = toText(trace, { width: 140 }).split("\n");
  expect(shown[0]).toMatch(/^ python +<module> +program\.py:1$/);
  expect(shown.find((line) => line.includes("relu(x)"))).toMatch(/^ python +└ y = torch\.relu\(x\) +program\.py:3$/);
  expect(toText(trace, { hide: ["python"] })).not.toContain("program.py");

  const file = trace.toJSON();
  expect(file.sources).toEqual({ "program.py": text });
  const again = Trace.fromJSON(JSON.parse(JSON.stringify(file)));
  expect(again.toJSON()).toEqual(file);
  expect(record(() => torch.ones([1])).toJSON()).not.toHaveProperty("sources");

  const { traceEvents } = toChrome(trace) as { traceEvents: { name: string; cat?: string; args: { kind?: string } }[] };
  const line = traceEvents.find(({ name }) => name === "y = torch.relu(x)");
  expect([line?.cat, line?.args.kind]).toEqual(["python_function", "line"]);

  const diagram = toMermaid(trace);
  expect(diagram).toContain("participant python as python");
  expect(diagram).toContain("caller->>python: ‹module›");
  expect(diagram).toContain("python->>binding: torch::autograd::THPVariable_relu");
});
