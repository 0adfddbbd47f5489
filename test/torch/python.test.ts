/**
 * Python programs that use the library print what they print with PyTorch (tools/oracle/record_python_programs.py recorded it), and values cross the
 * border between a program and TypeScript.
 */
import torch, { type Module } from "glasstorch";
import "glasstorch/fx"; // torch.utils._pytree
import { format_exception, PyDict, python } from "glasstorch/python";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { resetWarnOnce } from "#c10/util/Exception";
import { readFixture } from "../helpers/recorded.ts";

interface Program {
  readonly name: string;
  readonly text: string;
  readonly stdout: string;
  /** The last line of the error that ends the program. */
  readonly error: string | null;
}

const programs_of = (name: string): [string, Program][] =>
  readFixture<{ programs: readonly Program[] }>(
    new URL(`../fixtures/python/programs/${name}.json.gz`, import.meta.url),
  ).programs.map((program) => [program.name, program]);

function output(text: string): string {
  let stdout = "";
  python(text, {
    stdout: (part) => {
      stdout += part;
    },
  });
  return stdout;
}

// Each program was recorded in a process of its own.
beforeEach(resetWarnOnce);

for (const name of ["torch_subclasses", "torch_tensors", "torch_modules", "torch_dispatch"]) {
  const { programs } = readFixture<{ programs: readonly Program[] }>(
    new URL(`../fixtures/python/programs/${name}.json.gz`, import.meta.url),
  );
  describe(name, () => {
    test.each(programs.map((program) => [program.name, program] as const))("%s", (_name, { text, stdout }) => {
      expect(output(text)).toBe(stdout);
    });
  });
}

describe("pieces of articles run, or end with PyTorch's error", () => {
  // They were recorded in a folder without modules. In this one, `tools` would be a package.
  beforeAll(() => void python("import sys\nsys.path[:] = []"));

  test.each(programs_of("torch_articles"))("%s", (_name, { text, stdout, error }) => {
    let printed = "";
    let ended: string | null = null;
    try {
      python(text, {
        stdout: (part) => {
          printed += part;
        },
      });
    } catch (raised) {
      ended = format_exception(raised as never)
        .trim()
        .split("\n")
        .at(-1) as string;
    }
    expect({ printed, ended }).toEqual({ printed: stdout, ended: error });
  });
});

// Largest relative distance that rounding may cause in a curve of this length.
const CURVE = 2e-4;
describe("training in Python gives PyTorch's losses", () => {
  test.each(programs_of("torch_train"))("%s", { timeout: 60_000 }, (_name, { text, stdout }) => {
    const losses = (of: string): number[] => of.trim().split("\n").map(Number);
    const ours = losses(output(text));
    const theirs = losses(stdout);
    expect(ours.length).toBe(theirs.length);
    const off = ours.map((loss, step) => Math.abs(loss - (theirs[step] as number)) / Math.abs(theirs[step] as number));
    expect(off[0]).toBeLessThan(5e-7);
    expect(Math.max(...off)).toBeLessThan(CURVE);
  });
});

describe("TypeScript and Python", () => {
  test("a class of a program is a class of TypeScript, too", () => {
    const module = python(`
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self, n, *, scale=1.0):
        super().__init__()
        self.fc = nn.Linear(2, n)
        self.scale = scale
    def forward(self, x):
        return self.fc(x) * self.scale
`);
    const Net = module["Net"] as new (n: number, keywords?: { scale?: number }) => Module;
    const net = new Net(3, { scale: 0.5 });
    expect(net).toBeInstanceOf(torch.nn.Module);
    expect([...net(torch.ones([4, 2])).shape]).toEqual([4, 3]);
    const both = new torch.nn.Sequential(net, new torch.nn.ReLU());
    expect([...both.named_parameters()].map(([name]) => name)).toEqual(["0.fc.weight", "0.fc.bias"]);
  });

  test("functions take keywords as the library does, and give back what they return", () => {
    const module = python("def f(a, b=2, *rest, k=0, **more):\n    return [a, b, rest, k, sorted(more)]");
    const f = module["f"] as (...args: unknown[]) => unknown[];
    expect(f(1, { k: 5, z: 1 })).toEqual([1, 2, [], 5, ["z"]]);
    expect(f(1, 2, 3)).toEqual([1, 2, [3], 0, []]);
    expect(() => f()).toThrow("f() missing 1 required positional argument: 'a'");
  });

  test("an error of the library is caught by name, and one of JavaScript is a SystemError", () => {
    expect(
      output(`
import torch
try:
    torch.ones(2) + torch.ones(3)
except RuntimeError as e:
    print(type(e).__name__)
`),
    ).toBe("RuntimeError\n");
    const broken = (): never => {
      throw new TypeError("x is undefined");
    };
    expect(() => python("f()", { globals: { f: broken } })).toThrow("internal error: x is undefined");
  });

  test("an exception of a program has its traceback, and is JavaScript's error", () => {
    try {
      python("def f(x):\n    return x.foo\nf(3)", { filename: "a.py" });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
      expect(format_exception(error)).toBe(
        "Traceback (most recent call last):\n" +
          '  File "a.py", line 3, in <module>\n    f(3)\n' +
          '  File "a.py", line 2, in f\n    return x.foo\n           ^^^^^\n' +
          "AttributeError: 'int' object has no attribute 'foo'\n",
      );
    }
  });

  test("an endless loop ends by the limit of instructions", () => {
    expect(() => python("while True:\n    pass", { limit: { instructions: 10_000 } })).toThrow(
      "the program reached its limit of instructions",
    );
    expect(output("print(sum(range(100)))")).toBe("4950\n");
  });

  test("a __torch_function__ gets indices as they are written, and may give them back", () => {
    const text = `
import torch
class T(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if 'item__' in func.__name__: print(func.__name__, args[1])
        return super().__torch_function__(func, types, args, kwargs or {})
x = torch.arange(12).reshape(3, 4).as_subclass(T)
print([tuple(y.shape) for y in (x[1:], x[1:, ::2], x[..., None, 1], x[[0, 1]], x[[2]], x[True])])
x[:2, [0, 1]] = 7
print(x.tolist())
`;
    expect(output(text)).toBe(`__getitem__ slice(1, None, None)
__getitem__ (slice(1, None, None), slice(None, None, 2))
__getitem__ (Ellipsis, None, 1)
__getitem__ [0, 1]
__getitem__ [2]
__getitem__ True
[(2, 4), (2, 2), (3, 1), (2, 4), (1, 4), (1, 3, 4)]
__setitem__ (slice(None, 2, None), [0, 1])
[[7, 7, 2, 3], [7, 7, 6, 7], [8, 9, 10, 11]]
`);
  });

  test("a dict by position is no keywords; a memory format alone converts; torch.storage has its classes", () => {
    const text = `
import torch
from torch.storage import TypedStorage, UntypedStorage
try: torch.nn.init.calculate_gain("leaky_relu", {"a": "b"})
except ValueError as error: print(error)
m = torch.nn.Conv2d(3, 4, 2).to(memory_format=torch.channels_last)
print(m.weight.stride())
`;
    expect(output(text)).toBe("negative_slope {'a': 'b'} not a valid number\n(12, 1, 6, 3)\n");
  });

  test("hooks see frames and instructions", () => {
    const names: string[] = [];
    python.hooks.eval_frame = (frame, run) => {
      names.push(frame.f_code.co_name);
      return run();
    };
    let instructions = 0;
    const places = new Set<boolean>();
    python.hooks.instruction = (frame, pc) => {
      instructions++;
      places.add(frame.instruction === pc);
    };
    try {
      expect(output("def g():\n    return 1\ndef f():\n    return g() + 1\nprint(f())")).toBe("2\n");
    } finally {
      python.hooks.eval_frame = null;
      python.hooks.instruction = null;
    }
    expect(names).toEqual(["f", "g"]);
    expect(instructions).toBeGreaterThan(10);
    expect([...places]).toEqual([true]); // the frame stands at the instruction that the hook is told
  });

  test("expressions, modules and dicts", () => {
    expect(python.expr("a + [2 ** 70]", { a: [1] })).toEqual([1, 2n ** 70n]);
    expect(python.expr("{1: 'a', (1, 2): 'b'}")).toBeInstanceOf(PyDict);
    const math = python.import_("math") as { sqrt: (x: number) => unknown };
    expect(math.sqrt(2)).toBe(Math.SQRT2);
    expect(() => python("import numpy")).toThrow("No module named 'numpy'");
  });
});
