/**
 * @file The path of `torch.nn.PReLU`: one call from the front end to the loop, forward and backward.
 *
 * Run it: `npx tsx walkthroughs/prelu.ts`. Read it beside its output: after each claim there is a line that fails if the claim is false.
 */
import torch from "glasstorch";
import { check, checkThrows, finish, recorded } from "./support/walkthrough.ts";

// ## Step 1. What is called
// `nn.PReLU` is a module with one parameter, a single slope of 0.25 by default.
// Ours: src/torch/nn/modules/activation/index.ts#PReLU     PyTorch: torch/nn/modules/activation.py
torch.manual_seed(0);
const net = new torch.nn.PReLU();
const x = torch.randn([3, 4], { requires_grad: true });
check(net.weight.tolist(), [0.25]);
check(net.weight.requires_grad, true);
check(new torch.nn.PReLU()(torch.tensor([2.5, -2.5])).tolist(), [2.5, -0.625]); // x > 0 ? x : w * x

const forward = recorded("forward", "The path of torch.nn.PReLU()(x)", () => net(x), {
  note: "x: float32 [3, 4], requires_grad",
});

// ## Step 2. Front end and binding
// `net(x)` is `Module.__call__`, which finds no hooks and calls `forward`. `forward` calls `F.prelu`, which *is* `torch.prelu`:
// it is not a Python function, but the generated binding `THPVariable_prelu`. So the second file that you need is generated.
const fn = torch.nn.functional;
check(fn.prelu === torch.prelu, true);
check(
  forward.events.slice(0, 4).map((e) => e.name),
  [
    "torch.nn.modules.module.Module._call_impl",
    "PReLU.forward",
    "torch::autograd::THPVariable_prelu",
    "at::_ops::prelu::call",
  ],
);

// ## Step 3. `prelu` is no kernel
// In native_functions.yaml `prelu` has no dispatch, so it is CompositeImplicitAutograd: one function for every backend, made of other
// operators; its gradient follows from theirs. The dispatcher enters it for the highest key, AutogradCPU, but autograd records nothing.
check(forward.keysOf("aten::prelu"), ["AutogradCPU"]);
check(forward.ops("aten::prelu")[0]?.origin, "math kernel");
check(forward.ops("aten::prelu")[0]?.kernel, "wrapper_CompositeImplicitAutograd__prelu");
// `prelu` makes its checks here, before any kernel runs.
checkThrows(() => torch.prelu(x, torch.ones([3])), "Mismatch of parameter numbers and input channel size");

// ## Step 4. The weight is reshaped to broadcast along dim 1
// With a weight of shape [1] and an input of two dims, `prelu` calls `reshape`, which is itself a composite and calls `view`.
// A view makes three stops: autograd (a node), ADInplaceOrView (the view relation), CPU (the new sizes and strides).
check(forward.keysOf("aten::view"), ["AutogradCPU", "ADInplaceOrView", "CPU"]);
check(
  forward.events.filter((e) => e.kind === "memory").map((e) => e["nbytes"]),
  [48], // only the result needed memory: 12 floats
);

// ## Step 5. One call, two keys
// Every ordinary tensor carries an autograd key, `requires_grad` or not, and it outranks CPU. So there are two stops.
// Ours: src/c10/core/DispatchKeySet.ts#highestPriorityTypeId     PyTorch: c10/core/DispatchKeySet.h
const keys = "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)";
check(String(torch._C._dispatch_keys(x)), keys);
check(String(torch._C._dispatch_keys(torch.ones([2]))), keys);
check(forward.keysOf("aten::_prelu_kernel"), ["AutogradCPU", "CPU"]);
check(forward.ops("aten::_prelu_kernel")[0]?.keyset, ["CPU", "AutogradCPU"]);
check(forward.ops("aten::_prelu_kernel")[0]?.tls?.excluded.includes("AutocastCPU"), true);
check(
  forward.ops("aten::_prelu_kernel").map((e) => e.kernel),
  ["VariableType::_prelu_kernel", "wrapper_CPU___prelu_kernel"],
);

// ## Step 6. The loop
// `at::native::_prelu_kernel` allocates the result, builds a TensorIterator (two operands of 12 elements each, one of 1 element
// repeated with stride 0) and passes it to `prelu_stub`, which runs the loop made from one scalar function: x > 0 ? x : w * x.
const iterator = forward.named("at::TensorIteratorBase::build")[0];
check([iterator?.["shape"], iterator?.["strides"]], [[12], [[1], [1], [0]]]);
check(
  forward.events.filter((e) => e.kind === "loop").map((e) => e.source?.file),
  ["src/aten/native/cpu/Activation/index.ts"],
);
check(forward.events.at(-1)?.name, "at::native::prelu");
// With a weight for each channel, the weight varies along dim 1: the iteration has two dimensions, the inner one over the rows.
const perChannel = recorded("channels", "PReLU with a weight for each of 4 channels", (made) => made(x), {
  setup: () => new torch.nn.PReLU(4),
});
check(perChannel.named("at::TensorIteratorBase::build")[0]?.["shape"], [4, 3]);

// ## Step 7. Without a gradient
// Under no_grad the same kernels are entered; only the two nodes are missing.
const made = (trace: typeof forward) => trace.events.filter((e) => e.kind === "autograd").length;
const without = recorded("no_grad", "torch.nn.PReLU()(x) under torch.no_grad", () => torch.no_grad(() => net(x)));
check([made(forward), made(without)], [2, 0]);
check(without.events.length, forward.events.length - 2);
check(without.keysOf("aten::_prelu_kernel"), ["AutogradCPU", "CPU"]);

// ## Step 8. What was left behind for backward
// VariableType made two nodes: one for `_prelu_kernel`, one for the view of the weight.
const y = net(x);
check(y.grad_fn.name(), "PreluKernelBackward0");
check(
  y.grad_fn.next_functions.map(([node]: [{ name(): string } | null, number]) => node?.name()),
  ["torch::autograd::AccumulateGrad", "ViewBackward0"],
);

// ## Step 9. Backward
// The engine runs the nodes in descending order of creation, and accumulators as soon as they are ready. The gradient of the weight has
// the full shape of x when it leaves `_prelu_kernel_backward`; the engine sums it to [1, 1] in `validate_outputs`, between two nodes.
const gradient = torch.ones_like(y);
const backward = recorded("backward", "Backward: y.backward(gradient)", (made) => made.backward(gradient), {
  note: "y = net(x)",
  setup: () => {
    x.grad = null;
    net.weight.grad = null;
    return net(x);
  },
});
check(backward.nodes(), [
  "PreluKernelBackward0::apply",
  "AccumulateGrad::apply",
  "ViewBackward0::apply",
  "AccumulateGrad::apply",
]);

// ## Step 10. Between the nodes, and at the leaves
// The first part is short: two functions of the front end, one of the binding, then the engine.
check(
  backward.events.slice(0, 4).map((e) => e.name),
  [
    "torch._tensor.Tensor.backward",
    "torch.autograd.backward",
    "THPEngine_run_backward",
    "torch::autograd::Engine::execute",
  ],
);
check(backward.keysOf("aten::_prelu_kernel_backward"), ["AutogradCPU", "CPU"]);
// Called by the engine itself, not by a node:
const sum = backward.ops("aten::sum.dim_IntList")[0];
check(sum === undefined ? null : backward.parent(sum)?.name, "torch::autograd::Engine::execute");
check((sum?.inputs as { shape: number[] }[] | undefined)?.[0]?.shape, [3, 4]);
check((sum?.outputs as { shape: number[] } | undefined)?.shape, [1, 1]);
// During backward no node is made: the engine has switched grad mode off.
check(
  backward.events.some((e) => e.kind === "autograd"),
  false,
);
// Both leaves had no `.grad`, and nobody else held the gradients: they are kept, not copied.
check(
  backward.ops("aten::detach").filter((e) => backward.parent(e)?.name === "torch::autograd::AccumulateGrad::apply")
    .length,
  2,
);
check(backward.ops("aten::clone").length + backward.ops("aten::new_empty_strided").length, 0);
check(x.grad?.shape.toString(), x.shape.toString());
check(net.weight.grad?.shape[0], 1);

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
