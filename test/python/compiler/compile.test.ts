import { describe, expect, test } from "vitest";
import {
  CO,
  type Code,
  compile,
  dump,
  type FunctionDef,
  get_instructions,
  type Module,
  parse,
  RecursionError,
  Scope,
  SyntaxError_,
  symtable,
} from "#python/index";
import { FloatValue } from "#python/Objects/floatobject";
import { PyFrozenSet } from "#python/Objects/setobject";
import { PyTuple } from "#python/Objects/tupleobject";

function function_code(text: string): Code {
  return compile(text, "<string>").co_consts.find((value) => (value as Code | null)?.co_code !== undefined) as Code;
}

describe("async is not in this Python", () => {
  test.each([
    ["async def f(): pass", "'async def' is not in this Python", 1, 1],
    ["def f():\n  async for x in y: pass", "'async for' is not in this Python", 2, 3],
    ["def f():\n  async with x: pass", "'async with' is not in this Python", 2, 3],
    ["def f():\n  return await x", "'await' is not in this Python", 2, 10],
    ["x = [y async for y in z]", "'async for' is not in this Python", 1, 18],
  ])("%s", (text, message, lineno, offset) => {
    try {
      compile(text, "net.py");
      expect.unreachable();
    } catch (e) {
      const error = e as SyntaxError_;
      expect(error).toBeInstanceOf(SyntaxError_);
      expect([error.message, error.lineno, error.offset, error.filename]).toEqual([message, lineno, offset, "net.py"]);
    }
  });
});

test("an error shows its line", () => {
  expect(() => compile("x = 1\nreturn x\n", "net.py")).toThrow(
    expect.objectContaining({ text: "return x\n", filename: "net.py", lineno: 2 }),
  );
});

test("the tree stays as it was parsed", () => {
  const text = "def f(x):\n  return x in [1, 2], -1 + 2, '%s' % (x,), not x in y, __debug__\n";
  const tree = parse(text);
  const before = dump(tree, { include_attributes: true });
  compile(tree, "<string>");
  expect(dump(tree, { include_attributes: true })).toBe(before);
});

test("a code object knows its node", () => {
  const tree = parse("def f(): pass\n") as Module;
  const code = compile(tree, "<string>").co_consts[0] as Code;
  expect(code.node).toBe(tree.body[0] as FunctionDef);
});

test("constants keep their Python types", () => {
  const { co_consts } = compile("a = 1, 1.0, True, 2.5, 2 ** 64, None, 'x', -0.0\nb in {1, 2}\n", "<string>");
  const constants = co_consts.find((value) => value instanceof PyTuple) as PyTuple;
  expect([...constants]).toEqual([1, new FloatValue(1), true, 2.5, 2n ** 64n, null, "x", new FloatValue(-0)]);
  expect(co_consts.find((value) => value instanceof PyFrozenSet)).toEqual(new PyFrozenSet([1, 2]));
});

test("flags tell what a function is", () => {
  const flags = (text: string): number => function_code(text).co_flags;
  expect(flags("def f(): pass")).toBe(CO.OPTIMIZED | CO.NEWLOCALS);
  expect(flags("def f(*a, **k): yield")).toBe(CO.OPTIMIZED | CO.NEWLOCALS | CO.VARARGS | CO.VARKEYWORDS | CO.GENERATOR);
  expect(flags("from __future__ import annotations\ndef f(): pass") & CO.FUTURE_ANNOTATIONS).not.toBe(0);
});

test("fast variables are numbered as in localsplusnames", () => {
  const code = function_code("def f(a, b):\n  c = 1\n  return lambda: (a, d)\n  d = 2\n");
  expect(code.localsplusnames()).toEqual(["a", "b", "c", "d"]);
  const cells = get_instructions(code).filter(({ opname }) => opname === "MAKE_CELL");
  expect(cells.map(({ argval }) => argval)).toEqual(["a", "d"]);
});

test("jumps go to instructions", () => {
  const code = function_code(`def f(x):\n  while x:\n${"    if x: y(x)\n    else: z(x)\n".repeat(60)}`);
  const instructions = get_instructions(code);
  const offsets = new Set(instructions.map(({ offset }) => offset));
  const jumps = instructions.filter(({ argrepr }) => argrepr.startsWith("to "));
  expect(jumps.length).toBeGreaterThan(100);
  for (const { argval } of jumps) expect(offsets.has(argval as number)).toBe(true);
  expect(instructions.some(({ opname }) => opname === "EXTENDED_ARG")).toBe(true);
});

test("nesting without end is refused, not a stack overflow", () => {
  for (const text of [`${"a + ".repeat(100_000)}a`, `a${"()".repeat(100_000)}`, `a${".b".repeat(100_000)}`])
    expect(() => compile(text, "<string>")).toThrow(RecursionError);
});

test("symtable names the scopes of a program, as the compiler sees them", () => {
  const module = symtable("import a\ndef f(x, *, k=1):\n    y = x + a\n    def g():\n        return y\n    return g\n");
  const [f] = module.children;
  const [g] = f?.children ?? [];
  const scopes = (entry: typeof module | undefined) => [...(entry?.scopes ?? [])].sort(([p], [q]) => (p < q ? -1 : 1));
  expect([module.type, f?.name, f?.parameters, g?.nested]).toEqual(["module", "f", ["x", "k"], true]);
  expect(scopes(module)).toEqual([
    ["a", Scope.LOCAL],
    ["f", Scope.LOCAL],
  ]);
  expect(scopes(f)).toEqual([
    ["a", Scope.GLOBAL_IMPLICIT],
    ["g", Scope.LOCAL],
    ["k", Scope.LOCAL],
    ["x", Scope.LOCAL],
    ["y", Scope.CELL],
  ]);
  expect(scopes(g)).toEqual([["y", Scope.FREE]]);
  expect(() => symtable("def f(x, x): pass")).toThrow("duplicate argument 'x' in function definition");
});
