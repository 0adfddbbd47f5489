/**
 * @file From one line of YAML to everything generated from it: `dot`.
 *
 * In PyTorch, a program writes most of the code between `torch.dot` and the loop. Here that program is tools/codegen, its
 * results are committed, and this walkthrough shows each of them.
 */
import { readFileSync } from "node:fs";
import torch from "glasstorch";
import { findSymbol } from "glasstorch/trace";
import { check, finish, recorded } from "./support/walkthrough.ts";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

// ## Step 1. The line
// Everything begins with this entry; `dispatch` names the kernel that a person wrote.
const yaml = read("src/aten/native/native_functions.yaml");
const entry = yaml.slice(yaml.indexOf("- func: dot("));
check(entry.startsWith("- func: dot(Tensor self, Tensor tensor) -> Tensor\n"), true);
check(/^ {4}CPU: dot$/m.test(entry.slice(0, entry.indexOf("\n\n"))), true);

// ## Step 2. The schema is registered from it
// Ours: src/aten/generated/RegisterSchema.ts     PyTorch: build/aten/src/ATen/RegisterSchema.cpp
check(read("src/aten/generated/RegisterSchema.ts").includes('"dot(Tensor self, Tensor tensor) -> Tensor"'), true);
check(String(torch._C._get_schema("aten::dot", "")), "aten::dot(Tensor self, Tensor tensor) -> Tensor");

// ## Step 3. The functions along the path
// `variants: function, method` makes two forms, `torch.dot(a, b)` and `a.dot(b)`: two bindings, two C++ functions, one operator.
// Generated text names its entry, so the symbol index knows for each function which entry it was made from.
for (const [symbol, file, entry] of [
  [
    "torch::autograd::THPVariable_dot",
    "src/torch/csrc-equivalent/autograd/generated/python_torch_functions",
    "native_functions",
  ],
  ["at::dot", "src/aten/generated/Functions", "native_functions"],
  ["at::Tensor::dot", "src/aten/generated/core/TensorBody", "native_functions"],
  ["at::_ops::dot::call", "src/aten/generated/Operators", "native_functions"],
  ["at::_ops::dot::redispatch", "src/aten/generated/Operators", "native_functions"],
  ["torch::autograd::VariableType::dot", "src/torch/csrc-equivalent/autograd/generated/VariableType", "derivatives"],
  ["torch::autograd::generated::DotBackward0", "src/torch/csrc-equivalent/autograd/generated/Functions", "derivatives"],
  ["at::wrapper_CPU__dot", "src/aten/generated/RegisterCPU", "native_functions"],
] as const) {
  const found = findSymbol(symbol);
  check(found?.file.startsWith(file), true, `${symbol} stands in ${file}`);
  check(found?.from, `${entry}.yaml#dot`, `${symbol} was made from ${entry}.yaml#dot`);
}
// Other generated lines name the entry too: the registration of a wrapper, the declaration of a type.
for (const [file, text] of [
  [
    findSymbol("at::wrapper_CPU__dot")?.file ?? "",
    'm.impl("dot", wrapper_CPU__dot, "wrapper_CPU__dot"); // native_functions.yaml#dot',
  ],
  [
    findSymbol("torch::autograd::VariableType::dot")?.file ?? "",
    'm.impl("dot", dot, "VariableType::dot"); // derivatives.yaml#dot',
  ],
  [
    "src/torch/_C/generated/_VariableFunctions.ts",
    "Tensor; // native_functions.yaml#dot, native_functions.yaml#dot.out",
  ],
] as const) {
  check(read(file).includes(text), true, `${file} has ${text}`);
}
check(
  String(torch.dot(torch.tensor([1.5]), torch.tensor([2.5]))),
  String(torch.tensor([1.5]).dot(torch.tensor([2.5]))),
);
// Only the last function was written by hand.
check(findSymbol("at::native::dot")?.file, "src/aten/native/Blas.ts");

// ## Step 4. The derivative
// derivatives.yaml has one more entry for `dot`. The node class and the autograd kernel in VariableType are made from it.
check(
  read("tools/codegen/autograd/derivatives.yaml").includes("- name: dot(Tensor self, Tensor tensor) -> Tensor"),
  true,
);
const a = torch.tensor([1.5, 2.5], { requires_grad: true });
const b = torch.tensor([4.5, 8.5], { requires_grad: true });
const y = torch.dot(a, b);
check(y.grad_fn.name(), "DotBackward0");
y.backward();
check(a.grad?.tolist(), [4.5, 8.5]);
check(b.grad?.tolist(), [1.5, 2.5]);

// ## Step 5. The call
const trace = recorded("dot", "The path of torch.dot(a, b)", () => torch.dot(a, b), {
  note: "a, b: float32 [2], requires_grad",
});
check(trace.keysOf("aten::dot"), ["AutogradCPU", "CPU"]);
check(
  trace.ops("aten::dot").map((e) => e.kernel),
  ["VariableType::dot", "wrapper_CPU__dot"],
);
check(trace.named("at::native::dot").length, 1);
// The kernel makes the result, then runs the loop, then fills the result, in PyTorch's order. In PyTorch, BLAS's `sdot_` replaces the loop.
check(
  trace.events
    .filter((e) =>
      ["aten::empty.memory_format", "at::native::dot_naive", "aten::fill_.Scalar"].includes(e.op ?? e.name),
    )
    .filter((e) => e.how !== "redispatch")
    .map((e) => e.op ?? e.name),
  ["aten::empty.memory_format", "at::native::dot_naive", "aten::fill_.Scalar"],
);

finish({
  next: "npx tsx walkthroughs/tensor.ts",
  tableOf: torch._C._dispatch_dump_table,
  python: `
import torch, torchgen, os
path = os.path.join(os.path.dirname(torchgen.__file__), "packaged/ATen/native/native_functions.yaml")
print([l for l in open(path) if l.startswith("- func: dot(")])
print(torch._C._dispatch_dump("aten::dot"))
a = torch.randn(2, requires_grad=True)
print(torch.dot(a, a).grad_fn)`,
});
