/**
 * Schemas, graphs, source ranges and errors of scripts are PyTorch's (tools/oracle/record_torchscript.py recorded them).
 */
import torch, { jit } from "glasstorch/jit";
import { python } from "glasstorch/python";
import { describe, expect, test } from "vitest";
import { readFixture } from "../../helpers/recorded.ts";

interface Function_ {
  schema: string;
  graph: string;
  ranges: (string | null)[];
}
interface Case extends Partial<Function_> {
  name: string;
  src: string;
  functions?: Record<string, Function_>;
  message?: string;
}

/** Programs that differ, and the reasons. */
const KNOWN: Readonly<Record<string, string>> = {
  early_returns: "a value has another number",
};

const fixture = (name: string): Case[] =>
  readFixture<{ cases: Case[] }>(new URL(`../../fixtures/torchscript/${name}.json.gz`, import.meta.url)).cases;

function described(fn: jit.ScriptFunction): Function_ {
  const lines = String(fn.graph).trimEnd().split("\n");
  const place = / # [^\n#"]*?:(\d+):(\d+)$/;
  return {
    schema: String(fn.schema),
    graph: `${lines.map((line) => line.replace(place, "")).join("\n")}\n`,
    ranges: lines.map((line) => {
      const found = place.exec(line);
      return found === null ? null : `${found[1]}:${found[2]}`;
    }),
  };
}

function outcome(make: () => object): object {
  try {
    return make();
  } catch (error) {
    return { message: (error as Error).message.replace(/0x[0-9a-f]+/g, "0x0") };
  }
}

const part = ({ schema, graph, ranges }: Function_): Function_ => ({ schema, graph, ranges });

function expected({ message, functions, ...fn }: Case): object {
  if (message !== undefined) return { message };
  if (functions === undefined) return part(fn as Function_);
  return Object.fromEntries(Object.entries(functions).map(([name, value]) => [name, part(value)]));
}

for (const file of ["cu_control", "cu_values", "errors_compile"]) {
  describe(file, () => {
    for (const recorded of fixture(file)) {
      test.skipIf(recorded.name in KNOWN)(recorded.name, () => {
        const ours = outcome(() => {
          const unit = new jit.CompilationUnit(recorded.src);
          return Object.fromEntries(unit.get_functions().map((fn) => [fn.name, described(fn)]));
        });
        expect(ours).toEqual(expected(recorded));
      });
    }
  });
}

describe("py_programs", () => {
  for (const recorded of fixture("py_programs")) {
    test.skipIf(recorded.name in KNOWN)(recorded.name, () => {
      const { name, src } = recorded;
      const ours = outcome(() => {
        const { f } = python(src, { filename: `${name}.py`, name });
        return described(jit.script(f) as jit.ScriptFunction);
      });
      expect(ours).toEqual(expected(recorded));
    });
  }
});

test("a script runs, also from TypeScript", () => {
  const unit = new jit.CompilationUnit(`
def double(x, k: int = 2):
    return x * k

def f(x, n: int):
    for i in range(n):
        x = double(x) + i
    return x
`);
  const { f } = unit as unknown as { f: (x: unknown, n: number) => unknown };
  expect(String(f(torch.ones(2), 3))).toBe("tensor([12., 12.])");
  expect(unit.find_function("g")).toBe(null);
});

test("a function of TypeScript has no Python text", () => {
  expect(() => jit.script((x: unknown) => x)).toThrow(/^Can't get source for /);
});
