/**
 * @file The learner's functions, each with the operator that follows it in a model.
 * @original
 */
import torch from "glasstorch";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";

type Tensor = ReturnType<typeof torch.tensor>;

export function open({ Exp, Dropout, Scale }: Yours): Session {
  const x = (): Tensor => torch.tensor([0.5, -1.5, 0.25, 2], { dtype: torch.float64, requires_grad: true });
  const mask = torch.tensor([true, false, true, true]);
  const weight = torch.tensor([3, -1, 0.5, 2], { dtype: torch.float64 });
  return {
    calls: {
      "Exp.apply(x).square()": { inputs: () => [x()], run: (x) => Exp.apply(x).pow(2) },
      "Dropout.apply(x, mask, 0.25)": { inputs: () => [x()], run: (x) => Dropout.apply(x, mask, 0.25) },
      "Scale.apply(x, weight)": { inputs: () => [x()], run: (x) => Scale.apply(x, weight) },
      "Scale.apply(x, w), w requires grad": { inputs: () => [x(), x()], run: (x, w) => Scale.apply(x, w) },
      "torch.stack([Exp(x), Dropout(x, mask, p), Scale(x, w), x.grad])": {
        inputs: () => [x(), mask, 0.25, weight],
        run: (x: Tensor, mask: Tensor, p: number, w: Tensor) => {
          const leaf = x.detach().clone().requires_grad_();
          const results = [Exp.apply(leaf), Dropout.apply(leaf, mask, p), Scale.apply(leaf, w)] as Tensor[];
          torch.stack(results).sum().backward();
          return torch.stack([...results.map((result) => result.detach()), leaf.grad as Tensor]);
        },
      },
    },
  };
}
