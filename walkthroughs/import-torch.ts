/**
 * @file The steps of `import torch`, in order: libraries register schemas and kernels, the extension module is built, its functions are
 * pulled into `torch`.
 *
 * The recorder knows only the hook, not the library; so the import itself can be recorded.
 */
import { Trace, type TraceEvent } from "glasstorch/trace";
import { check, finish, keep, recordedAsync } from "./support/walkthrough.ts";

/** Blocks that register many things: in C++ a library block, in Python one module. */
const BLOCK = /^TORCH_LIBRARY|^torch\._meta_registrations$/;

/** The trace with each library block as one step, and the number of its registrations. */
function folded(all: Trace): Trace {
  const ids = new Map<number, number>();
  const events: TraceEvent[] = [];
  for (const event of all.events) {
    if (BLOCK.test(all.parent(event)?.name ?? "")) continue;
    const registrations = BLOCK.test(event.name) ? counted(all.children(event)) : {};
    ids.set(event.id, events.length);
    const parent = event.parent === null ? null : (ids.get(event.parent) as number);
    events.push({ ...event, ...registrations, id: events.length, parent });
  }
  return new Trace(events);
}

/** `impl × 252` */
function counted(inside: TraceEvent[]) {
  const what = inside[0]?.name.replace("torch::Library::_", "");
  return { registrations: inside.length, note: `${what} × ${inside.length}` };
}

// ## Step 1. Record the import
// biome-ignore lint/suspicious/noExplicitAny: the module's type is not needed to watch it load
let torch: any;
const trace = await recordedAsync(async () => {
  torch = (await import("glasstorch")).default;
});
const names = trace.events.map((e) => e.name);

// Most of it is one registration after the other. `--record all` shows every one; without it, each block of registrations is one step.
const blocks = folded(trace);
keep("import", 'The path of import torch from "glasstorch"', blocks);
keep("all", "The import with every registration", trace, { quiet: true });
const first = (name: string): number => names.findIndex((n) => n.endsWith(name));

// ## Step 2. Registration comes before the module
// In PyTorch, static objects register operators while the shared libraries load; here, modules that are imported for this side effect do.
// Python's own registrations come last: see step 3.
check(
  trace.events.some((e) => e.kind === "init"),
  true,
);
const module_begins = trace.events.findIndex((e) => e.name.endsWith("PyInit__C"));
const python_begins = trace.events.findIndex((e) => e.name === "torch._meta_registrations");
const registrations = [...trace.events.entries()]
  .filter(([, e]) => e.kind === "init" && /register(Def|Impl|Fallback)|Library/.test(e.name))
  .map(([at]) => at);
check(registrations.length > 0, true);
check(
  registrations.every((at) => at < module_begins || at > python_begins),
  true,
  "C++ registers before PyInit__C, Python after all",
);
// The kernels of `aten` are registered before its schemas: an operator may get a kernel before it has a row.
check(first("TORCH_LIBRARY_IMPL(aten, CPU)") < first("TORCH_LIBRARY(aten)"), true);
check(first("TORCH_LIBRARY(aten)") < first("TORCH_LIBRARY_IMPL(aten, Autograd)"), true);
const schemas = blocks.named("TORCH_LIBRARY(aten)")[0]?.["registrations"] as number;
check(schemas > 500, true);

// ## Step 3. The order of initModule
// Ours: src/torch/csrc-equivalent/Module.ts     PyTorch: torch/csrc/Module.h
const order = ["PyInit__C", "initModule", "THPVariable_initModule", "initTorchFunctions", "gatherTorchFunctions"].map(
  first,
);
check(
  order.every((at) => at >= 0),
  true,
  `each step is on record: ${order}`,
);
check(
  order.every((at, i) => i === 0 || at > order[i - 1]),
  true,
  "in PyTorch's order",
);
check(first("THPFunction_initModule") > first("initTorchFunctions"), true);
check(first("THPEngine_initModule") > first("THPFunction_initModule"), true);
// When the module is complete, dtypes, layouts and memory formats are made; then its functions are copied into `torch`.
check(first("THPModule_initExtension") > first("THPGenerator_initDefaultGenerator"), true);
const functions_copied = first("torch._C._VariableFunctions");
check(functions_copied > first("THPModule_initExtension"), true);
// The Python part of `torch` can register its kernels only now: the functions that compute the shapes of meta tensors.
// Ours: src/torch/_meta_registrations/index.ts     PyTorch: torch/_meta_registrations.py
check(first("torch._meta_registrations") > functions_copied, true);

// ## Step 4. The result
// Every function of `torch._C._VariableFunctions` is pulled into `torch`.
check(torch.prelu === torch._C._VariableFunctions.prelu, true);
check(torch._C._dispatch_get_all_op_names().length, schemas);

finish({
  next: "npx tsx walkthroughs/prelu.ts",
  tableOf: torch._C._dispatch_dump_table,
  python: `
import sys, torch
print([m for m in sys.modules if m.startswith("torch.")][:20])
print(len(torch._C._dispatch_get_all_op_names()), "operators")
print(torch.prelu is torch._C._VariableFunctions.prelu)
print(type(torch._C._VariableFunctions))
print(torch.Tensor.__mro__)`,
});
