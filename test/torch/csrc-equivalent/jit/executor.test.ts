/** Steps, results and gradients of the profiling executor, against recordings of PyTorch (tools/oracle/record_executor.py). */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { jit } from "../../../../src/jit.ts";
import torch from "../../../../src/torch/index.ts";
import { set_jit_logging_levels, set_jit_logging_output_stream } from "../../../../src/torch/csrc-equivalent/jit/jit_log.ts";
import { describe, expect, test } from "vitest";

/** What the test asks of a tensor. */
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
    const label = title.replace(/ # [^\n#"]*?:\d+:\d+$/gm, "").trim().replace(/:$/, "");
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

describe.each(cases.map((one) => [one.name, one] as const))("%s", (_name, one) => {
  test("steps and results", () => {
    const { steps, results } = run(one);
    expect(close(results.map((r) => r.out), one.results.map((r) => r.out))).toBe(true);
    expect(close(results.map((r) => r.grads), one.results.map((r) => r.grads))).toBe(true);
    expect(steps.map(([at, title]) => `${at}: ${renamed(title)}`)).toEqual(
      one.steps.map(([at, title]) => `${at}: ${renamed(title)}`),
    );
    for (const [i, [at, title, text]] of one.steps.entries()) {
      expect(renamed(steps[i][2] ?? ""), `${at}: ${title}`).toBe(renamed(text ?? ""));
    }
  });
});
