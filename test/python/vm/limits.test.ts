/** Limits of a program: how many instructions may run, how far the heap may grow, and who is told now and then. */
import { expect, test } from "vitest";
import { python, type python as run } from "../../../src/python.ts";

const raised = (text: string, limit: NonNullable<Parameters<typeof run>[1]>["limit"]): string => {
  try {
    python(text, { stdout: () => {}, ...(limit === undefined ? {} : { limit }) });
    return "";
  } catch (error) {
    return `${(error as Error).constructor.name}: ${(error as Error).message}`;
  }
};

test("an endless loop ends; a handler does not make it endless", () => {
  const reached = "RuntimeError: the program reached its limit of instructions";
  expect(raised("while True:\n    pass\n", { instructions: 100_000 })).toBe(reached);
  expect(
    raised("def f():\n    f()\nwhile True:\n    try:\n        f()\n    except RecursionError:\n        pass\n", {
      instructions: 100_000,
    }),
  ).toBe(reached);
  const once =
    "try:\n    while True:\n        pass\nexcept RuntimeError:\n    pass\nfor i in range(100):\n    pass\nwhile True:\n    pass\n";
  expect(raised(once, { instructions: 100_000 })).toBe(reached);
  expect(raised("n = 0\nwhile n >= 0:\n    n += 1\n", { instructions: 100_000 })).toBe(reached);
  expect(raised("n = None\nwhile n is None:\n    pass\n", { instructions: 100_000 })).toBe(reached);
  expect(raised("for i in range(1000):\n    pass\n", { instructions: 100_000 })).toBe("");
});

test("a heap that grows ends in a MemoryError", () => {
  expect(raised("kept = []\nwhile True:\n    kept.append([0] * 100_000)\n", { memory: 100_000_000 })).toMatch(
    /^MemoryError/,
  );
  expect(raised("for i in range(200):\n    [0] * 1000\n", { memory: 100_000_000 })).toBe("");
  expect(raised("bytes(10 ** 11)\n", undefined)).toMatch(/^MemoryError/);
});

test("whoever looks sees the line that runs, and may raise", () => {
  const lines = new Set<number>();
  const text = "for i in range(20_000):\n    pass\n\nn = 0\nwhile n < 20_000:\n    n += 1\n";
  expect(raised(text, { look: () => void lines.add(python.frame()?.f_lineno ?? 0) })).toBe("");
  expect([...lines].sort()).toEqual([2, 5]); // the ends of the loops
  let looks = 0;
  const look = (): void => {
    if (++looks === 3) throw new RangeError("enough");
  };
  expect(raised("while True:\n    pass\n", { look })).toContain("enough");
});

test("names that every object of JavaScript has are no names of a module of the library", () => {
  const asked =
    'import torch\nfound = [n for n in ("constructor", "valueOf", "__proto__") for m in (torch, torch.nn) if hasattr(m, n)]\n';
  expect(python(asked)["found"]).toEqual([]);
});
