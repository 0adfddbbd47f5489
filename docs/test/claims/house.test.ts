/**
 * @file What the house pages, the glossary and "then and now" say of the library, held against the library.
 * @original
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  DispatchKey,
  isPerBackendFunctionalityKey,
  num_backends,
  num_functionality_keys,
  num_runtime_entries,
} from "../../../src/c10/core/DispatchKey.ts";
import {
  autocast_dispatch_keyset,
  default_excluded_set,
  default_included_set,
} from "../../../src/c10/core/DispatchKeySet.ts";
import torch from "../../../src/index.ts";
import { record } from "../../../src/trace/index.ts";
import { graphPlans } from "../../site/import_graph_plans.ts";
import { makeGraph, readImports, upwardImports } from "../../site/import_graphs.ts";

const imports = readImports(join(import.meta.dirname, "../../../"));
const importsOf = (path: string): readonly string[] => imports.get(path) ?? [];

test("47 functionalities, 16 backends, 6 of the functionalities for each backend: 137 cells", () => {
  const functionalities = Array.from({ length: num_functionality_keys }, (_, k) => k as DispatchKey);
  expect([num_functionality_keys, num_backends]).toEqual([47, 16]);
  expect(functionalities.filter(isPerBackendFunctionalityKey).length).toBe(6);
  expect([num_runtime_entries, 47 + 6 * 15]).toEqual([137, 137]);
  expect(DispatchKey.Undefined).toBe(0);
});

test("a CPU tensor carries an autograd key, whether or not it requires a gradient", () => {
  for (const requires_grad of [false, true])
    expect(torch._C._dispatch_keys(torch.ones([2], { requires_grad })).has(torch._C.DispatchKey.AutogradCPU)).toBe(
      true,
    );
});

test("what a thread includes and excludes by default", () => {
  expect(default_included_set.names()).toEqual(expect.arrayContaining(["BackendSelect", "ADInplaceOrView"]));
  expect(default_excluded_set.eq(autocast_dispatch_keyset)).toBe(true);
});

test("old spellings of keys", () => {
  expect(DispatchKey.CPUTensorId).toBe(DispatchKey.CPU);
  expect(DispatchKey.CatchAll).toBe(DispatchKey.Undefined);
  expect(DispatchKey.DefaultBackend).toBe(DispatchKey.CompositeExplicitAutograd);
});

test("imports go down only, without circles, and each graph can be read", () => {
  expect(upwardImports(imports)).toEqual([]);
  for (const plan of graphPlans) {
    const graph = makeGraph(plan, imports);
    const merged = graph.nodes.filter((n) => n.label.includes(" + ")).map((n) => n.label);
    expect([plan.id, merged, graph.nodes.length <= 40, graph.width <= 800]).toEqual([plan.id, [], true, true]);
    // An arrow never goes up.
    const row = new Map(graph.nodes.map((n) => [n.id, n.y]));
    for (const { from, to } of graph.edges) expect((row.get(from) as number) < (row.get(to) as number)).toBe(true);
  }
});

test("the front end reaches the binding through files named _C.ts alone: for the core, frames, functional tensors, transforms, lazy tensors and scripts", () => {
  const doors = [...imports].filter(
    ([path, targets]) =>
      /^src\/torch\/(?!csrc)/.test(path) && targets.some((t) => t.startsWith("src/torch/csrc-equivalent/")),
  );
  expect(doors.map(([path]) => path)).toEqual([
    "src/torch/_C.ts",
    "src/torch/_dynamo/_C.ts",
    "src/torch/_functorch/_C.ts",
    "src/torch/_functorch/_C_functorch.ts",
    "src/torch/_lazy/_C.ts",
    "src/torch/jit/_C.ts",
  ]);
});

test("the recorder imports nothing of the library but the hook and the reader of backtraces", () => {
  const used = [...imports].flatMap(([path, targets]) =>
    path.startsWith("src/trace/") ? targets.filter((t) => !t.startsWith("src/trace/")) : [],
  );
  expect([...new Set(used)].sort()).toEqual(["src/c10/util/Backtrace.ts", "src/c10/util/Trace.ts"]);
  expect(importsOf("src/c10/util/Backtrace.ts")).toEqual([]);
});

test("at:: imports the dispatcher and no kernel", () => {
  const shards = [...imports.keys()].filter((path) =>
    /^src\/aten\/generated\/(Functions|Operators)_\d+\.ts$/.test(path),
  );
  expect(shards.length).toBeGreaterThan(10);
  const from = shards.flatMap(importsOf);
  expect(from.filter((t) => t.includes("/native/") || t.includes("/Register"))).toEqual([]);
  expect(from).toContain("src/aten/core/dispatch/operator_call.ts");
});

test("two steps of PReLU belong to the front end, the third to the binding", () => {
  const net = new torch.nn.PReLU();
  const x = torch.randn([3, 4], { requires_grad: true });
  net(x);
  const { events } = record(() => net(x));
  expect(events.slice(0, 3).map((e) => e.kind)).toEqual(["python", "python", "binding"]);
});

test("down to at::native::dot, every step of dot is generated", () => {
  const a = torch.tensor([1.5, 2.5], { requires_grad: true });
  torch.dot(a, a);
  const { events } = record(() => torch.dot(a, a));
  const native = events.findIndex((e) => e.name === "at::native::dot");
  expect(native).toBeGreaterThan(4);
  expect(events.slice(0, native).filter((e) => !e.source?.file.includes("/generated/"))).toEqual([]);
});

test("the same tensor is the same object, and a module's function is torch's", () => {
  const x = torch.ones([2], { requires_grad: true });
  x.sum().backward();
  expect(x.grad).toBe(x.grad);
  expect(torch.nn.functional.prelu).toBe(torch.prelu);
  expect(torch.prelu).toBe(torch._C._VariableFunctions.prelu);
});

test("promotion: int64 with float32 is float32, and a number does not turn float32 into float64", () => {
  const whole = torch.ones([2], { dtype: torch.int64 });
  const float = torch.ones([2]);
  expect(whole.add(float).dtype).toBe(torch.float32);
  expect(float.add(1.5).dtype).toBe(torch.float32);
});

test("a contiguous tensor of 3 rows and 4 columns has strides 4 and 1", () => {
  expect(torch.ones([3, 4]).stride()).toEqual([4, 1]);
});
