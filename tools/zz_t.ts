import { jit } from "../src/jit.ts";
import torch from "../src/torch/index.ts";
const src = `def f(x, y):
    a = torch.sigmoid(x) * torch.tanh(y)
    b = a + x * y
    return torch.relu(b) - 0.5
`;
const f = (new jit.CompilationUnit(src) as any).f;
try {
for (let i = 0; i < 4; i++) {
  const x = torch.tensor([1, -2, 0.5, 4]).requires_grad_(true), y = torch.tensor([1, -2, 0.5, 4]).requires_grad_(true);
  const o = f(x, y);
  o.sum().backward();
  console.log(String(o), String(x.grad), o.grad_fn.constructor.name);
}
console.log(String((torch as any)._C._last_executed_optimized_graph()));
} catch (e) { console.log((e as Error).stack); }
