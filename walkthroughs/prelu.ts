/**
 * @file The way of `torch.nn.PReLU`: one call from the front end to the loop, forward and backward.
 *
 * Run it: `npx tsx walkthroughs/prelu.ts`. Read it beside what it prints: each claim below is followed by a line that fails if it is false.
 */
import torch from "glasstorch";
import { check, finish, recorded } from "./support/walkthrough.ts";

// ## Step 1. What is called
// `nn.PReLU` is a module with one parameter, a single slope of 0.25 unless told otherwise.
// Ours: src/torch/nn/modules/activation.ts#PReLU     PyTorch: torch/nn/modules/activation.py
torch.manual_seed(0);
const net = new torch.nn.PReLU();
const x = torch.randn([3, 4], { requires_grad: true });
check(net.weight.tolist(), [0.25]);

const forward = recorded("forward", "The way of torch.nn.PReLU()(x)", () => net(x), {
  note: "x: float32 [3, 4], requires_grad",
});

// ## Step 2. Front end and binding
// `net(x)` is `Module.__call__`, which finds no hooks and calls `forward`. That calls `F.prelu`, which *is* `torch.prelu`:
// no Python function of its own, but the generated binding `THPVariable_prelu`. So the second file you look for is generated.
const fn = torch.nn.functional;
check(fn.prelu === torch.prelu, true);
check(
  forward.events.some((e) => e.kind === "binding" && e.name.endsWith("THPVariable_prelu")),
  true,
);

// ## Step 3. `prelu` is no kernel
// native_functions.yaml gives `prelu` no dispatch, so it is CompositeImplicitAutograd: one function for every backend, made of other
// operators, and its gradient follows from theirs. The dispatcher enters it for the highest key, AutogradCPU, but nothing is recorded.
check(forward.keysOf("aten::prelu"), ["AutogradCPU"]);
check(forward.ops("aten::prelu")[0]?.origin, "math kernel");
check(forward.ops("aten::prelu")[0]?.kernel, "wrapper_CompositeImplicitAutograd__prelu");

// ## Step 4. The weight is reshaped to broadcast along dim 1
// With a weight of shape [1] and an input of two dims, `prelu` calls `reshape`, itself composite, which ends in `view`.
// A view passes three stops: autograd (a node), ADInplaceOrView (the view relation), CPU (the new sizes and strides).
check(forward.keysOf("aten::view"), ["AutogradCPU", "ADInplaceOrView", "CPU"]);

// ## Step 5. One call, two keys
// Every ordinary tensor carries an autograd key, `requires_grad` or not, and it outranks CPU. So there are two stops.
// Ours: src/c10/core/DispatchKeySet.ts#highestPriorityTypeId     PyTorch: c10/core/DispatchKeySet.h
check(forward.keysOf("aten::_prelu_kernel"), ["AutogradCPU", "CPU"]);
check(
  forward.ops("aten::_prelu_kernel").map((e) => e.kernel),
  ["VariableType::_prelu_kernel", "wrapper_CPU___prelu_kernel"],
);

// ## Step 6. The loop
// `at::native::_prelu_kernel` allocates the result, builds a TensorIterator (two operands of 12 elements each, one of 1 element
// repeated with stride 0) and hands it to `prelu_stub`, which runs the loop made from one scalar function: x > 0 ? x : w * x.
check(forward.events.filter((e) => e.kind === "loop").length >= 1, true);

// ## Step 7. What was left behind for backward
// VariableType made two nodes: one for `_prelu_kernel`, one for the view of the weight.
const y = net(x);
check(y.grad_fn.name(), "PreluKernelBackward0");
check(
  y.grad_fn.next_functions.map(([node]: [{ name(): string } | null, number]) => node?.name()),
  ["torch::autograd::AccumulateGrad", "ViewBackward0"],
);

// ## Step 8. Backward
// The engine runs the nodes in descending order of creation; leaves as soon as they are ready. The gradient of the weight has the
// full shape of x when it leaves `_prelu_kernel_backward`; the engine sums it to [1, 1] in `validate_outputs`, on the edge.
const gradient = torch.ones_like(y);
const backward = recorded("backward", "The way back: y.backward(gradient)", (made) => made.backward(gradient), {
  note: "y = net(x)",
  setup: () => net(x),
});
check(backward.nodes(), [
  "PreluKernelBackward0::apply",
  "AccumulateGrad::apply",
  "ViewBackward0::apply",
  "AccumulateGrad::apply",
]);
check(backward.ops("aten::_prelu_kernel_backward").length > 0, true);
check(backward.ops("aten::sum.dim_IntList").length > 0, true);

finish({
  next: "npx tsx walkthroughs/backward.ts",
  tableOf: torch._C._dispatch_dump_table,
  python: `
import torch
net, x = torch.nn.PReLU(), torch.randn(3, 4, requires_grad=True)
with torch.profiler.profile(with_stack=True) as prof:
    net(x).sum().backward()
print(torch._C._dispatch_dump_table("aten::_prelu_kernel"))
print(prof.key_averages().table(sort_by="cpu_time_total"))`,
});
