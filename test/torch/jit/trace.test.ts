/**
 * `torch.jit.trace`: graphs, code, warnings, errors and results are PyTorch's (tools/oracle/record_trace.py recorded them).
 */
import { readFileSync } from "node:fs";
import type { Tensor } from "glasstorch";
import torch, { jit } from "glasstorch/jit";
import { python } from "glasstorch/python";
import { describe, expect, test } from "vitest";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
import { readFixture } from "../../helpers/recorded.ts";

const PROGRAMS = new URL("../../../tools/oracle/trace_programs/", import.meta.url);
const { cases } = readFixture<{ cases: Record<string, object> }>(
  new URL("../../fixtures/torchscript/trace.json.gz", import.meta.url),
);

/** Programs that differ, and the reasons. */
const KNOWN: Readonly<Record<string, string>> = {
  "modules.lstm": "the library's LSTM reads sizes as numbers",
};

type Program = Record<string, () => unknown>;
const load = (name: string): Program =>
  python(readFileSync(new URL(`${name}.py`, PROGRAMS), "utf8"), {
    filename: `${name}.py`,
    name,
  }) as unknown as Program;
const loaded = new Map<string, Program>();
const program = (name: string): Program => {
  let found = loaded.get(name);
  if (found === undefined) loaded.set(name, (found = load(name)));
  return found;
};

/** Errors quote the file that calls the check. */
const without_callers = (text: string): string =>
  text.replace(/\n\t[^\n]*(?:describe|record_trace)\.py\(\d+\)[^\n]*/g, "");

function plain(value: unknown): unknown {
  if (typeof value === "string") return without_callers(value);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  if (Array.isArray(value)) return [...value].map(plain);
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
  }
  return typeof value === "object" && value !== null ? Number(value) : value;
}

describe("recorded programs", () => {
  for (const name of cases_in_turn("traces that are PyTorch's", Object.keys(cases), 8)) {
    test.skipIf(name in KNOWN)(name, () => {
      const [file, member] = name.split(".");
      const { describe: described } = program("describe") as unknown as { describe(make: unknown): unknown };
      expect(plain(described(program(file)[`case_${member}`]))).toEqual(plain(cases[name]));
    });
  }
});

describe("TypeScript", () => {
  const x = torch.linspace(-1, 1, 6).reshape(2, 3);

  test("a function is traced; its values have numbers", () => {
    const f = jit.trace((a: Tensor, b: Tensor) => a.mul(b).add(1), [x, x.mul(2)]) as jit.ScriptFunction;
    expect(f.graph.toString(false)).toBe(`graph(%0 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu),
      %1 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %2 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::mul(%0, %1)
  %3 : Long(requires_grad=0, device=cpu) = prim::Constant[value={1}]()
  %4 : int = prim::Constant[value=1]()
  %5 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::add(%2, %3, %4)
  return (%5)
`);
    expect(String(f(torch.ones(2), torch.ones(2)))).toBe("tensor([2., 2.])");
  });

  test("a module is traced, saved, loaded and called, and has gradients", () => {
    const net = new torch.nn.Sequential(new torch.nn.Linear(3, 4), new torch.nn.ReLU(), new torch.nn.Linear(4, 1));
    const traced = jit.trace(net, x) as jit.TopLevelTracedModule;
    expect(traced.code).toContain("_3 = (_2).forward((_1).forward((_0).forward(input, ), ), )");
    const loaded_again = jit.load(traced.save_to_buffer()) as jit.RecursiveScriptModule;
    const result = loaded_again(x) as Tensor;
    expect(result.tolist()).toEqual((net(x) as Tensor).tolist());
    result.sum().backward();
    expect([...loaded_again.parameters()].every((p) => p.grad !== null)).toBe(true);
  });

  test("nothing is recorded outside of a trace, also after one that failed", () => {
    expect(() => jit.trace(() => null, [x])).toThrow("The traced function didn't return any values!");
    expect(jit.is_tracing()).toBe(false);
    expect(x.add(1).shape).toEqual([2, 3]);
    expect(() => jit.trace((a: Tensor) => jit.trace((b: Tensor) => b, [a]), [x])).toThrow("Tracing can't be nested");
    expect(jit.is_tracing()).toBe(false);
  });

  test("malformed calls are refused in Python's words", () => {
    expect(() => (jit.trace as (...args: unknown[]) => unknown)()).toThrow(
      "missing 1 required positional argument: 'func'",
    );
    expect(() => jit.trace((a: Tensor) => a, 3 as never)).toThrow("'int' object is not iterable");
    expect(() => jit.trace_module(3 as never, {} as never)).toThrow("expected torch.nn.Module as the first argument");
  });
});
