/**
 * @file A Python program in the playground's engine: what it prints, its traceback, its steps, its limits, and what it cannot reach.
 * @original
 */
import { expect, test } from "vitest";
import { type Captured, program as captures, type Switch } from "../../src/components/Captures/program.ts";
import { heard } from "../../src/playground/engine/hearing.ts";
import { StepReader } from "../../src/playground/engine/step_reader.ts";
import { FIRST_PYTHON_PROGRAMS, PYTHON_PLAYGROUND, pythonProgram } from "../../src/playground/first_python.ts";
import { library, run } from "./tree.ts";

const lib = await library();
const python = (text: string, more: object = {}) => run(lib, text, { path: PYTHON_PLAYGROUND, ...more });

test.each(FIRST_PYTHON_PROGRAMS.slice(0, 2))("a first program runs: %#", async (text) => {
  const { failure, output, recorded } = await python(text);
  expect(failure).toEqual([]);
  expect(output).not.toBe("");
  expect(recorded[0]?.recording.trace.events.length).toBeGreaterThan(0);
});

test("output comes line by line, with the line that printed it", async () => {
  const { console: lines } = await python(`print("a", end="")\nprint("b")\n\nprint("c\\nd")\nprint("e", end="")\n`);
  expect(lines.map(({ text, line }) => [text, line])).toEqual([
    ["ab", 2],
    ["c", 4],
    ["d", 4],
    ["e", 0],
  ]);
});

test("a graph that is captured while the run is recorded has the program's calls only", async () => {
  const { failure, output } = await python(`import torch
def f(x):
    return torch.relu(x) + 1
print(torch.fx.symbolic_trace(f).code.strip())
print(torch.jit.script(f).code, end="")
`);
  expect(failure).toEqual([]);
  expect(output).toBe(`def forward(self, x):
    relu = torch.relu(x);  x = None
    add = relu + 1;  relu = None
    return add
def f(x: Tensor) -> Tensor:
  return torch.add(torch.relu(x), 1)`);
});

test("torch.compile runs in a page: Dynamo, Inductor and the transforms of torch.func", async () => {
  const { output, failure, missing } = await run(
    lib,
    `import torch
from torch._inductor.utils import run_and_get_code
def f(x):
    return torch.relu(x * 2) + 1
result, codes = run_and_get_code(torch.compile(f), torch.ones(4))
print(result, "wasm_fused_add_mul_relu" in codes[0])
print(torch.func.vmap(torch.func.grad(lambda x: (x * x).sum()))(torch.ones(2, 2)))`,
    { path: "playground/program.py" },
  );
  expect([...failure, ...missing]).toEqual([]);
  expect(output).toBe("tensor([3., 3., 3., 3.]) True\ntensor([[2., 2.],\n        [2., 2.]])");
}, 180_000);

test("the live table of captures says what the walkthrough's table says", async () => {
  const rows = async (on: Switch): Promise<string> => {
    const { output, failure } = await run(lib, captures(new Set([on])), { path: "playground/program.py" });
    expect(failure).toEqual([]);
    const captured = output.split("\n").map((line) => JSON.parse(line) as Captured);
    const verdict = ({ refused, second, ran }: Captured): string => {
      if (refused !== null) return "refuses";
      if (second !== "right" && second !== "wrong") return "stops";
      return second === "right" && on === "print" && ran[2] === 0 ? "silent" : second;
    };
    return captured.map(verdict).join(" ");
  };
  expect(await rows("shape")).toBe("right right wrong refuses wrong stops right right");
  expect(await rows("print")).toBe("right right silent silent silent silent right right");
}, 180_000);

test("an error is CPython's traceback, with the places of the program", async () => {
  const text = `import torch\n\ndef f(x):\n    return x.view(5)\n\nprint("before")\nf(torch.ones(2, 3))\n`;
  const { failure, output } = await python(text);
  expect(output).toBe("before");
  expect(failure[0]?.failure.traceback).toBe(
    `Traceback (most recent call last):
  File "program.py", line 7, in <module>
    f(torch.ones(2, 3))
  File "program.py", line 4, in f
    return x.view(5)
           ^^^^^^^^^
RuntimeError: shape '[5]' is invalid for input of size 6`,
  );
  expect(failure[0]?.failure).toMatchObject({
    name: "RuntimeError",
    message: "shape '[5]' is invalid for input of size 6",
    stack: [
      { name: "f", file: PYTHON_PLAYGROUND, line: 4, column: 12 },
      { name: "<module>", file: PYTHON_PLAYGROUND, line: 7, column: 1 },
    ],
  });
  expect(heard(failure[0])).toEqual(failure[0]);
});

test("a syntax error stands at its line and column", async () => {
  const { failure } = await python("x = 1\ny = = 2\n");
  expect(failure[0]?.failure).toMatchObject({
    name: "SyntaxError",
    message: "invalid syntax",
    stack: [{ line: 2, column: 5 }],
  });
  expect(failure[0]?.failure.traceback).toContain("    y = = 2\n        ^\n");
});

test("a program that exits has no error; a status that is not 0 is told", async () => {
  const ended = await python("import sys\nprint(1)\nsys.exit()\n");
  expect([ended.failure, ended.output]).toEqual([[], "1"]);
  const failed = await python("import sys\nsys.exit('no input')\n");
  expect([failed.failure, failed.output]).toEqual([[], "no input\nThe program ended with exit status 1."]);
});

test("an endless loop and a list without end are stopped by the machine", async () => {
  const endless = await python("n = 0\nwhile True:\n    n += 1\n");
  expect(endless.failure[0]?.failure).toMatchObject({
    name: "RuntimeError",
    message: "the program reached its limit of instructions",
  });
  expect(endless.at.at(-1)?.line).toBeGreaterThan(1);
  const growing = await python("kept = []\nwhile True:\n    kept.append([0] * 1000000)\n");
  expect(growing.failure[0]?.failure.name).toBe("MemoryError");
}, 180_000);

test("every instruction is a step: frames, variables and the stack, forth and back", async () => {
  const text = `def add(a, b):\n    c = a + b\n    return c\n\nx = add(1, 2)\nx = [x, "y"]\n`;
  const { stepped } = await python(text, { stepsFrom: 0 });
  const steps = heard(stepped[0]);
  if (steps?.type !== "stepped") throw new Error("the steps are no message of the protocol");
  const reader = new StepReader(steps.steps);
  expect(steps.steps.cut).toBe(false);

  const lines: number[] = [];
  for (let at = 0, last = -1; at !== last; last = at, at = reader.nextLine(at, 1)) lines.push(reader.lineAt(at));
  expect(lines.slice(0, 6)).toEqual([1, 5, 1, 2, 3, 6]);
  const inside = reader.reach(3, -1) as number;
  const [add, module] = reader.framesAt(inside);
  expect(add).toMatchObject({ name: "add", line: 3, stack: [] });
  expect(add?.variables).toEqual([
    { name: "a", text: "1", changed: false },
    { name: "b", text: "2", changed: false },
    { name: "c", text: "3", changed: true },
  ]);
  expect(module).toMatchObject({ name: "<module>", line: 5 });
  expect(module?.rows[module.row]?.opname).toBe("CALL");
  expect(reader.framesAt(inside + 1)[0]?.stack).toEqual(["3"]);
  // Back again it is as it was.
  expect(reader.framesAt(inside)[0]).toEqual(add);

  const call = reader.reach(5, -1) as number;
  expect(reader.lineAt(reader.over(call))).toBe(6);
  expect(reader.lineAt(reader.nextLine(call, 1))).toBe(1);
  expect(reader.lineAt(reader.out(inside))).toBe(5);
  const end = reader.framesAt(reader.length - 1)[0];
  expect(end?.variables).toContainEqual({ name: "x", text: "[3, 'y']", changed: true });
});

test("steps of a long program end with a word about it, and may begin at a line", async () => {
  const text = "n = 0\nfor i in range(5000):\n    n += i\nlast = n\n";
  const { stepped, failure } = await python(text, { stepsFrom: 0 });
  expect(failure).toEqual([]);
  expect(stepped[0]?.steps.cut).toBe(true);
  const later = await python(text, { stepsFrom: 4 });
  expect(later.stepped[0]?.steps.cut).toBe(false);
  const reader = new StepReader(later.stepped[0]?.steps as never);
  expect(reader.lineAt(0)).toBe(4);
  expect(reader.framesAt(0)[0]?.variables).toContainEqual({ name: "n", text: "12497500", changed: true });
});

test("looking at values runs nothing of the program", async () => {
  const text = `class Loud:
    def __repr__(self):
        print("repr")
        return "loud"
    __str__ = __repr__
    def __len__(self):
        print("len")
        return 1
    def __iter__(self):
        print("iter")
        return iter([1])
a = Loud()
b = [a, {"k": a}]
`;
  const { output, stepped } = await python(text, { stepsFrom: 0 });
  expect(output).toBe("");
  const reader = new StepReader(stepped[0]?.steps as never);
  const { variables = [] } = reader.framesAt(reader.length - 1)[0] ?? {};
  expect(variables.map(({ name, text }) => `${name}: ${text}`)).toEqual([
    "Loud: <class 'Loud'>",
    "a: <Loud object>",
    "b: [<Loud object>, {'k': <Loud object>}]",
  ]);
});

test("stepping changes nothing of what the program computes or of what is recorded", async () => {
  const [plain, stepped] = [await python(pythonProgram), await python(pythonProgram, { stepsFrom: 0 })];
  expect(stepped.output).toBe(plain.output);
  const ops = (of: typeof plain) =>
    of.recorded[0]?.recording.trace.events.map((event) => [event.kind, "op" in event ? event.op : event.name]);
  expect(ops(stepped)).toEqual(ops(plain));
});

test("files are in memory, the environment is empty, and modules of the outside do not exist", async () => {
  const { output, failure } = await python(`import os
print(os.listdir("/"), os.getcwd(), dict(os.environ))
with open("notes.txt", "w") as f:
    f.write("kept for this run")
print(open("/notes.txt").read())
with open("mine.py", "w") as f:
    f.write("answer = 42")
import mine
print(mine.answer)
for name in ["/etc/passwd", "/proc/self/environ", "package.json", "../package.json"]:
    try:
        print(open(name).read())
    except FileNotFoundError as error:
        print(error)
for name in ["socket", "urllib.request", "http.client", "subprocess", "multiprocessing", "ctypes", "js"]:
    try:
        __import__(name)
        print("there is", name)
    except ModuleNotFoundError as error:
        print(error)
`);
  expect(failure).toEqual([]);
  expect(output.split("\n")).toEqual([
    "['tmp'] / {}",
    "kept for this run",
    "42",
    "[Errno 2] No such file or directory: '/etc/passwd'",
    "[Errno 2] No such file or directory: '/proc/self/environ'",
    "[Errno 2] No such file or directory: 'package.json'",
    "[Errno 2] No such file or directory: '../package.json'",
    "No module named 'socket'",
    "No module named 'urllib'",
    "No module named 'http'",
    "No module named 'subprocess'",
    "No module named 'multiprocessing'",
    "No module named 'ctypes'",
    "No module named 'js'",
  ]);
});
