/**
 * @file `add` and the two-dimensional table: a row for each operator, a column for each dispatch key, one kernel in each cell; and how to put
 * your own kernel into a cell through `torch.library`.
 */
import torch from "glasstorch";
import { check, checkThrows, finish, recorded } from "./support/walkthrough.ts";

const a = torch.tensor([1.5, 2.5, 3.5]);
const b = torch.tensor([10.5, 20.5, 30.5]);

// ## Step 1. One row of the table
// Each operator has a row of 137 cells, one for each runtime key. `_dispatch_dump_table` prints the row as it was computed.
// Ours: src/aten/core/dispatch/OperatorEntry.ts     PyTorch: aten/src/ATen/core/dispatch/OperatorEntry.h
const row = new Map<string, string>();
for (const line of torch._C._dispatch_dump_table("aten::add.Tensor").split("\n")) {
  const cell = /^(\w+): (.*) \[(.*)\]$/.exec(line);
  if (cell !== null) row.set(cell[1], cell[3]);
}

// ## Step 2. Where cells come from
// CPU was registered for exactly this key. AutogradCPU got its kernel from the alias key Autograd, which stands for all of them.
// CUDA has no kernel here; the cell holds the default backend kernel, which allocates a result and calls `add.out`.
check(row.get("CPU"), "kernel");
check(row.get("AutogradCPU"), "autograd kernel");
check(row.get("CUDA"), "default backend kernel");
// A key without a kernel for `add` shows the key's own fallback, the same for every operator. The fallback of BackendSelect is a fallthrough.
check(row.get("BackendSelect"), "backend fallback");
const text = torch._C._dispatch_dump_table("aten::add.Tensor");
check(/^BackendSelect: fallthrough /m.test(text), true);
// `prelu` was registered once, without a key; that one kernel fills the cells of every backend and of their autograd keys.
const prelu = torch._C._dispatch_dump_table("aten::prelu");
check(/^CPU: .*\[math kernel\]$/m.test(prelu) && /^AutogradCPU: .*\[math kernel\]$/m.test(prelu), true);

// ## Step 3. A call enters two cells of the row
// The key set of a call is the union of its arguments' keys and of the keys that modes include, minus those that modes exclude, minus fallthroughs.
// Its highest key is the column. VariableType does its part and calls again, without the autograd keys and the keys above them.
const plain = recorded("add", "The path of torch.add(a, b)", () => torch.add(a, b), { note: "a, b: float32 [3]" });
check(plain.keysOf("aten::add.Tensor"), ["AutogradCPU", "CPU"]);
check(plain.ops("aten::add.Tensor")[0]?.keyset, ["CPU", "AutogradCPU"]);
check(plain.ops("aten::add.Tensor")[1]?.keyset, ["CPU"]);

// ## Step 4. Under inference_mode the first stop is gone
// Tensors made in this mode carry no autograd key, and the mode excludes the autograd keys of other tensors.
const inference = recorded("inference", "torch.add(a, b) under torch.inference_mode", () =>
  torch.inference_mode(() => torch.add(a, b)),
);
check(inference.keysOf("aten::add.Tensor"), ["CPU"]);
// no_grad is not a key: the path stays the same, and VariableType sees that grad mode is off.
const noGrad = recorded("no_grad", "torch.add(a, b) under torch.no_grad", () => torch.no_grad(() => torch.add(a, b)));
check(noGrad.keysOf("aten::add.Tensor"), ["AutogradCPU", "CPU"]);

// ## Step 5. def, impl, fallback
// `define` makes a row: a name and a schema. `impl` puts a kernel into one of its cells. `fallback` puts a kernel into a column, that is,
// into every row where this cell would be empty otherwise. In C++ these are `m.def`, `m.impl` and `m.fallback`.
type Operator = (x: typeof a) => typeof a;
const ours = torch.ops["glass"] as unknown as { readonly twice: Operator; readonly thrice: Operator };
const library = new torch.library.Library("glass", "DEF");
library.define("twice(Tensor x) -> Tensor");
library.define("thrice(Tensor x) -> Tensor");
library.impl("twice", (x: typeof a) => x.add(x), "CPU");
check(ours.twice(a).tolist(), [3, 5, 7]);
checkThrows(() => ours.thrice(a), "Could not run 'glass::thrice' with arguments from the 'CPU' backend");
const everywhere = new torch.library.Library("_", "IMPL");
everywhere.fallback((_op: unknown, x: typeof a) => x.add(x).add(x), "CPU");
const fallback = recorded("fallback", "glass::thrice, which has no kernel", () => ours.thrice(a));
check(fallback.keysOf("glass::thrice"), ["AutogradCPU", "CPU"]);
check(
  fallback.ops("glass::thrice").map((e) => e.origin),
  ["backend fallback", "backend fallback"],
);
check(ours.thrice(a).tolist(), [4.5, 7.5, 10.5]);
everywhere._destroy();
library._destroy();

// ## Step 6. Overriding add
// Any library may put a kernel into a cell of any operator. Here `aten::add.Tensor` gets another CPU kernel. PyTorch warns once; the
// old kernel stays in the cell's list, inactive.
let calls = 0;
const mine = new torch.library.Library("aten", "IMPL");
mine.impl(
  "add.Tensor",
  (self: typeof a, other: typeof a) => {
    calls++;
    return torch.mul(self, other); // wrong on purpose: you will see it in the result
  },
  "CPU",
);
const overridden = recorded("overridden", "torch.add(a, b) with a CPU kernel of our own", () => torch.add(a, b));
check(calls > 0, true);
check(torch.add(a, b).tolist(), [15.75, 51.25, 106.75]);
check(overridden.keysOf("aten::add.Tensor"), ["AutogradCPU", "CPU"]);
check(overridden.keysOf("aten::mul.Tensor"), ["CPU"]); // called below autograd: its key is excluded there
check(overridden.ops("aten::add.Tensor")[1]?.kernel, "PythonKernelHolder");
const inactive = () => torch._C._dispatch_dump("aten::add.Tensor").includes("CPU (inactive)");
check(inactive(), true);

// ## Step 7. And back
// When the library is destroyed, its kernels are removed; the cell gets its former kernel back.
mine._destroy();
check(torch.add(a, b).tolist(), [12, 23, 34]);
check(inactive(), false);

finish({
  next: "npx tsx walkthroughs/dot.ts",
  tableOf: torch._C._dispatch_dump_table,
  python: `
import torch
print(torch._C._dispatch_dump_table("aten::add.Tensor"))
lib = torch.library.Library("aten", "IMPL")
lib.impl("add.Tensor", lambda a, b, *, alpha=1: a * b, "CPU")
print(torch.add(torch.tensor([1.5]), torch.tensor([10.5])))
lib._destroy()`,
});
