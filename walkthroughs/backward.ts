/**
 * @file Backward: the graph that forward left behind, the order in which the engine runs it, and how gradients are added.
 */
import torch from "glasstorch";
import type { Trace } from "glasstorch/trace";
import { check, checkThrows, finish, recorded } from "./support/walkthrough.ts";

const names = (fn: { name(): string; next_functions: [{ name(): string } | null, number][] }) =>
  fn.next_functions.map(([node]) => node?.name() ?? null);

/** The operators that functions of this name called, in order. */
const under = (trace: Trace, name: string) =>
  trace
    .ops()
    .filter((e) => e.how === "call" && trace.parent(e)?.name === name)
    .map((e) => e.op);

// ## Step 1. The graph
// Each differentiable call made one node. Its edges point at the nodes that made its inputs; a leaf has an AccumulateGrad.
// Ours: src/torch/csrc-equivalent/autograd/node.ts     PyTorch: torch/csrc/autograd/node.h
const a = torch.tensor([2.5, 3.5], { requires_grad: true });
const b = torch.tensor([6.5, 4.5], { requires_grad: true });
const build = () => a.mul(2.5).add(a.mul(b));
const y = build();
check(y.grad_fn.name(), "AddBackward0");
check(names(y.grad_fn), ["MulBackward0", "MulBackward0"]);
const [[scaled], [product]] = y.grad_fn.next_functions;
const leaf = "torch::autograd::AccumulateGrad";
check(
  [names(scaled), names(product)],
  [
    [leaf, null], // a * 2.5: the number needs no gradient
    [leaf, leaf], // a * b
  ],
);
check(scaled.next_functions[0][0] === product.next_functions[0][0], true); // one accumulator for a

// ## Step 2. The ready queue
// A node runs when all gradients it waits for have arrived. Among the ready nodes, the newest runs first (greatest sequence number).
// AccumulateGrad has the greatest number of all, so it runs as soon as it is ready.
const g = torch.ones_like(y);
const back = recorded("backward", "y.backward(g)", (made) => made.backward(g), {
  note: "y = a * 2.5 + a * b",
  setup: () => {
    a.grad = null;
    b.grad = null;
    return build();
  },
});
check(back.nodes(), [
  "AddBackward0::apply",
  "MulBackward0::apply", // a * b, made last
  "AccumulateGrad::apply", // b
  "MulBackward0::apply", // a * 2.5
  "AccumulateGrad::apply", // a: both parts have arrived in its buffer
]);

// ## Step 3. Two gradients for one leaf
// `a` got one gradient from each product. They meet in the input buffer of a's AccumulateGrad, which adds them.
for (const leaf of [a, b]) leaf.grad = null;
build().backward(g);
check(a.grad?.tolist(), [9, 7]);
check(b.grad?.tolist(), [2.5, 3.5]);

// The engine computes this sum itself, between two nodes, and in place, because nobody else holds the first gradient.
const sums = back.ops("aten::add_.Tensor").filter((e) => e.how === "call" && back.parent(e)?.kind === "engine");
check(
  sums.map((e) => back.parent(e)?.name),
  ["torch::autograd::Engine::execute"],
);

// ## Step 4. A second backward adds to .grad in place
const before = a.grad;
build().backward(g);
check(a.grad === before, true);
check(a.grad?.tolist(), [18, 14]);
const again = recorded("again", "y.backward(g) a second time", (made) => made.backward(g), { setup: build });
check(under(again, "torch::autograd::AccumulateGrad::apply"), ["aten::add_.Tensor", "aten::add_.Tensor"]);

// ## Step 5. Whose memory is .grad?
// If nobody else holds a gradient, the engine keeps it without a copy; otherwise it clones it. In Step 2 each product made a new
// tensor for each leaf, so both were kept: `detach` gives `.grad` an object of its own over the same bytes.
check(under(back, "torch::autograd::AccumulateGrad::apply"), ["aten::detach", "aten::detach"]);
// Here the gradient of c and of d is the tensor that the caller passed in, so each leaf gets a copy.
const c = torch.tensor([1.5, 2.5], { requires_grad: true });
const d = torch.tensor([1.5, 2.5], { requires_grad: true });
const held = torch.ones([2]);
const shared = recorded("clone", "backward of c + d with a gradient the caller holds", () => c.add(d).backward(held), {
  cold: true,
});
check(under(shared, "torch::autograd::AccumulateGrad::apply"), [
  "aten::new_empty_strided",
  "aten::copy_",
  "aten::new_empty_strided",
  "aten::copy_",
]);
check(c.grad?.data_ptr() === held.data_ptr(), false);
check(c.grad?.data_ptr() === d.grad?.data_ptr(), false);

// ## Step 6. The graph is used up
// Each node releases its saved tensors when it has run; a second run needs retain_graph.
const once = a.mul(b).sum();
once.backward();
checkThrows(() => once.backward(), "Trying to backward through the graph a second time");
const twice = a.mul(b).sum();
twice.backward({ retain_graph: true });
twice.backward();

// ## Step 7. Only what is asked for
// autograd.grad runs only the nodes that lead to its inputs, and does not change any .grad.
const [gradient] = torch.autograd.grad(a.mul(b).sum(), [a]);
check(gradient.tolist(), [6.5, 4.5]);

finish({
  next: "npx tsx walkthroughs/add.ts",
  tableOf: torch._C._dispatch_dump_table,
  python: `
import torch
a = torch.tensor([2.5, 3.5], requires_grad=True); b = torch.tensor([6.5, 4.5], requires_grad=True)
y = a * 2.5 + a * b
print(y.grad_fn, y.grad_fn.next_functions)
with torch.profiler.profile() as prof: y.backward(torch.ones_like(y))
print([e.name for e in prof.events() if "evaluate_function" in e.name])`,
});
