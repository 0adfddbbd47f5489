/** Steps, results and gradients of the profiling executor, against recordings of PyTorch (tools/oracle/record_executor.py). */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { jit } from "../../../../src/jit.ts";
import {
  set_jit_logging_levels,
  set_jit_logging_output_stream,
} from "../../../../src/torch/csrc-equivalent/jit/jit_log.ts";
import { executor_settings } from "../../../../src/torch/csrc-equivalent/jit/runtime/executor_settings.ts";
import torch from "../../../../src/torch/index.ts";
import { cases_in_turn } from "../../../../tools/ci/turn.ts";

/** A tensor of the front end. */
type Tensor = ReturnType<typeof torch.tensor>;

interface Case {
  readonly name: string;
  readonly inputs: string;
  readonly src: string;
  readonly results: readonly { readonly out: unknown[]; readonly grads: unknown[] }[];
  /** Run, title, and the graph, or null if it is the one before. */
  readonly steps: readonly (readonly [string, string, string | null])[];
}

const file = new URL("../../../fixtures/torchscript/executor.json.gz", import.meta.url);
const { cases } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { cases: readonly Case[] };

/** The settings with which PyTorch begins: other tests of the same process may have left others. */
beforeEach(() => {
  const fusion_strategy = [
    ["STATIC", 2],
    ["DYNAMIC", 10],
  ] as const;
  Object.assign(executor_settings, { executor_mode: true, profiling_mode: true, optimize: true });
  Object.assign(executor_settings, { autodiff_subgraph_inlining: true, num_profiled_runs: 1, fusion_strategy });
});

/** A fresh argument: `t(2,3)!`, `i(3)`, `n`. */
function decode(word: string, last: boolean): unknown {
  const sizes = (/\(([\d,]+)\)/.exec(word)?.[1] ?? "").split(",").map(Number);
  if (word.startsWith("n")) return null;
  if (word.startsWith("i")) return sizes[0];
  const count = sizes.reduce((product, size) => product * size, 1);
  const values = torch.arange(count, { dtype: torch.float32 }).div(4).sub(0.5).reshape(sizes);
  return values.requires_grad_(word.endsWith("!") && !last);
}

/** Numbers of values do not matter, only which are equal. */
function renamed(text: string): string {
  const names = new Map<string, string>();
  return text.replace(/%[\w.]+/g, (name) => {
    if (!names.has(name)) names.set(name, `%${names.size}`);
    return names.get(name) as string;
  });
}

function run({ src, inputs }: Case) {
  const steps: [string, string, string | null][] = [];
  const results: { out: unknown[]; grads: unknown[] }[] = [];
  let current = "COMPILE";
  let before: string | null = null;
  set_jit_logging_levels(">>profiling_graph_executor_impl");
  set_jit_logging_output_stream(({ title, text }) => {
    if (current === "COMPILE") return;
    // A default value of a parameter is computed, once in a process.
    if (/Noopt/.test(title)) steps.pop();
    if (/Noopt/.test(title) || /^graph\(\):\n.*\n.*\n?$/.test(text)) return;
    const graph = text.replace(/ # [^\n#"]*?:\d+:\d+$/gm, "").trimEnd();
    const label = title
      .replace(/ # [^\n#"]*?:\d+:\d+$/gm, "")
      .trim()
      .replace(/:$/, "");
    steps.push([current, label, graph === "" || graph === before ? null : graph]);
    if (graph !== "") before = graph;
  });
  try {
    const f = (new jit.CompilationUnit(src) as unknown as { f: (...args: unknown[]) => unknown }).f;
    for (let i = 0; i < 4; i++) {
      const args = inputs.split(" ").map((word) => decode(word, i === 3));
      current = `RUN ${i + 1}`;
      const out = f(...args);
      const flat = (Array.isArray(out) ? [...out] : [out]) as Tensor[];
      if (flat[0].requires_grad) {
        current = `BACKWARD ${i + 1}`;
        flat
          .map((o) => o.sum())
          .reduce((a, b) => a.add(b))
          .backward();
      }
      const grads = args.map((arg) => (arg as { grad?: Tensor } | null)?.grad?.tolist() ?? null);
      results.push({ out: flat.map((o) => o.tolist()), grads });
    }
  } finally {
    set_jit_logging_levels("");
    set_jit_logging_output_stream(null);
  }
  return { steps, results };
}

function close(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => close(x, b[i]));
  if (typeof a === "number" && typeof b === "number") return a === b || Math.abs(a - b) <= 1e-5 + 1e-4 * Math.abs(b);
  return a === b;
}

describe.each(cases_in_turn("steps of the executor", cases, 8).map((one) => [one.name, one] as const))(
  "%s",
  (_name, one) => {
    test("steps and results", () => {
      const { steps, results } = run(one);
      const numbers = (list: Case["results"]): unknown[] => list.map(({ out, grads }) => [out, grads]);
      expect(close(numbers(results), numbers(one.results))).toBe(true);
      expect(steps.map(([at, title]) => `${at}: ${renamed(title)}`)).toEqual(
        one.steps.map(([at, title]) => `${at}: ${renamed(title)}`),
      );
      for (const [i, [at, title, text]] of one.steps.entries()) {
        expect(renamed(steps[i][2] ?? ""), `${at}: ${title}`).toBe(renamed(text ?? ""));
      }
    });
  },
);

/** A statement: its text with `a` and `b` for two earlier values, and the same for eager tensors. */
const operations: readonly (readonly [string, (a: Tensor, b: Tensor) => Tensor])[] = [
  ["a + b", (a, b) => a.add(b)],
  ["a * b", (a, b) => a.mul(b)],
  ["a - b * 0.5", (a, b) => a.sub(b.mul(0.5))],
  ["torch.tanh(a)", (a) => a.tanh()],
  ["torch.sigmoid(a) * b", (a, b) => a.sigmoid().mul(b)],
  ["torch.relu(a)", (a) => a.relu()],
  ["torch.sin(a) + a", (a) => a.sin().add(a)],
  ["a / (b * b + 2.0)", (a, b) => a.div(b.mul(b).add(2))],
  ["a.sum(0) + b", (a, b) => a.sum(0).add(b)],
  ["torch.where(a > b, a, b)", (a, b) => torch.where(a.gt(b), a, b)],
];

test("a random program gives what it gives without a script, and the same gradients, in each run", () => {
  const statement = fc.record({ op: fc.nat(operations.length - 1), a: fc.nat(20), b: fc.nat(20) });
  fc.assert(
    fc.property(fc.array(statement, { minLength: 2, maxLength: 7 }), fc.boolean(), (program, second_requires_grad) => {
      const names = ["x", "y"];
      const lines = program.map(({ op, a, b }, i) => {
        const pick = (n: number): string => names[n % names.length];
        const line = operations[op][0].replace(/\b[ab]\b/g, (name) => (name === "a" ? pick(a) : pick(b)));
        names.push(`v${i}`);
        return `    v${i} = ${line}\n`;
      });
      const src = `def f(x, y):\n${lines.join("")}    return ${names.at(-1)}\n`;
      const f = (new jit.CompilationUnit(src) as unknown as { f: (...args: unknown[]) => Tensor }).f;
      const eager = (x: Tensor, y: Tensor): Tensor => {
        const values = [x, y];
        for (const { op, a, b } of program)
          values.push(operations[op][1](values[a % values.length], values[b % values.length]));
        return values[values.length - 1];
      };
      const run_once = (fn: (x: Tensor, y: Tensor) => Tensor): unknown[] => {
        const x = torch.tensor([[0.5, -1, 2]]).requires_grad_(true);
        const y = torch.tensor([[1.5], [-0.25]]).requires_grad_(second_requires_grad);
        const out = fn(x, y);
        if (out.requires_grad) out.sum().backward();
        return [out.tolist(), x.grad?.tolist() ?? null, y.grad?.tolist() ?? null];
      };
      const expected = run_once(eager);
      for (let i = 0; i < 3; i++) expect(close(run_once(f), expected), src).toBe(true);
    }),
    { numRuns: 8 },
  );
});

test("without profiling a graph runs as it is, and with depth 0 without assumptions", () => {
  const src = "def f(x):\n    return torch.relu(x * 2) + x\n";
  const C = torch._C as unknown as Record<
    "_jit_set_profiling_mode" | "_jit_set_fusion_strategy",
    (...args: unknown[]) => unknown
  >;
  const plan = (): string => {
    const f = (new jit.CompilationUnit(src) as unknown as { f: (...args: unknown[]) => Tensor }).f;
    for (let i = 0; i < 3; i++) f(torch.ones([2]).requires_grad_(true));
    return String(jit.last_executed_optimized_graph());
  };
  expect(plan()).toContain("prim::DifferentiableGraph");
  const profiling = C._jit_set_profiling_mode(false);
  expect(plan()).not.toContain("prim::DifferentiableGraph");
  C._jit_set_profiling_mode(profiling);
  const strategy = C._jit_set_fusion_strategy([["STATIC", 0]]);
  expect(plan()).not.toContain("prim::DifferentiableGraph");
  C._jit_set_fusion_strategy(strategy);
  expect(plan()).toContain("prim::RequiresGradCheck");
});
