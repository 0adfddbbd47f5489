/** Steps, results and gradients of the profiling executor, against recordings of PyTorch (tools/oracle/record_executor.py). */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { jit } from "../src/jit.ts";
import torch from "../src/torch/index.ts";
import type { Tensor } from "../src/torch/_tensor.ts";
import { set_jit_logging_levels, set_jit_logging_output_stream } from "../src/torch/csrc-equivalent/jit/jit_log.ts";


interface Case {
  readonly name: string;
  readonly inputs: string;
  readonly src: string;
  readonly results: readonly { readonly out: unknown[]; readonly grads: unknown[] }[];
  /** Run, title, and the graph, or null if it is the one before. */
  readonly steps: readonly (readonly [string, string, string | null])[];
}

const file = new URL("../test/fixtures/torchscript/executor.json.gz", import.meta.url);
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

let total = 0, good = 0;
for (const one of cases) {
  if (process.argv[2] && !process.argv[2].split(",").includes(one.name)) continue;
  try {
  const { steps, results } = run(one);
  const ok = close(results.map((r) => r.out), one.results.map((r) => r.out)) && close(results.map((r) => r.grads), one.results.map((r) => r.grads));
  const expected = one.steps.map((s) => s);
  const ts = (list: any) => list.map((s: any) => `${s[0]}: ${renamed(s[1])}`);
  const a = ts(steps), b = ts(expected);
  let first = b.findIndex((t: string, i: number) => t !== a[i]);
  if (first < 0 && a.length !== b.length) first = b.length;
  let bad = -1;
  for (let i = 0; i < (first < 0 ? expected.length : first); i++) { total++; if (renamed(steps[i][2] ?? "") === renamed(expected[i][2] ?? "")) good++; else if (bad < 0) bad = i; }
  console.log(one.name, ok ? "values ok" : "VALUES", "titles", first < 0 ? "ok" : `differ at ${first}: ours ${a[first]} theirs ${b[first]}`, bad < 0 ? "texts ok" : `text ${bad} ${b[bad]}`);
  if (process.argv[3] && bad >= 0) { console.log("--- ours\n" + steps[bad][2] + "\n--- theirs\n" + expected[bad][2]); }
  } catch (e) { console.log(one.name, (e as Error).stack?.slice(0, 600)); }
}
console.log(good, total);
if (process.argv[4]) { const one = cases.find((c) => c.name === process.argv[2])!; const { steps } = run(one); for (const [i, s] of steps.entries()) { if (i < Number(process.argv[4]) || i > Number(process.argv[5])) continue; console.log(i, s[0], s[1], "\nOURS\n" + s[2], "\nTHEIRS\n" + one.steps[i][2]); } }
