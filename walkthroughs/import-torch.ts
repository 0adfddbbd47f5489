/**
 * @file What `import torch` does, in order: libraries register schemas and kernels, the extension module is built, its functions are
 * pulled into `torch`.
 *
 * The recorder knows only the hook, not the library; so the import itself can be recorded.
 */
import { check, finish, recordedAsync } from "./support/walkthrough.ts";

// ## Step 1. Record the import
// biome-ignore lint/suspicious/noExplicitAny: the module's type is not needed to watch it load
let torch: any;
const trace = await recordedAsync("import", 'The way of import torch from "glasstorch"', async () => {
  torch = (await import("glasstorch")).default;
});
const names = trace.events.map((e) => e.name);
const first = (name: string): number => names.findIndex((n) => n.endsWith(name));

// ## Step 2. Registration comes before the module
// In PyTorch, static objects register operators while the shared libraries load; here, modules imported for effect do.
check(
  trace.events.some((e) => e.kind === "init"),
  true,
);
const lastRegistration = trace.events.findLastIndex(
  (e) => e.kind === "init" && /register(Def|Impl|Fallback)|Library/.test(e.name),
);
check(lastRegistration < first("PyInit__C"), true, "registrations precede PyInit__C");

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
  order.every((at, i) => i === 0 || at > (order[i - 1] as number)),
  true,
  "in PyTorch's order",
);
check(first("THPFunction_initModule") > first("initTorchFunctions"), true);
check(first("THPEngine_initModule") > first("THPFunction_initModule"), true);

// ## Step 4. What is there afterwards
// Every function of `torch._C._VariableFunctions` is pulled into `torch`.
check(torch.prelu === torch._C._VariableFunctions.prelu, true);
check(torch._C._dispatch_get_all_op_names().length > 400, true);

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
