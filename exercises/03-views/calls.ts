/**
 * @file The learner's functions on a small matrix.
 * @original
 */
import torch from "glasstorch";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";

export function open({ narrow, diagonal, unfold }: Yours): Session {
  const matrix = (): unknown => torch.arange(12, { dtype: torch.float32 }).view([3, 4]);
  const leaf = (shape: number[]): unknown => {
    const numbers = torch.arange(
      shape.reduce((a, b) => a * b),
      { dtype: torch.float64 },
    );
    return numbers.view(shape).clone().requires_grad_();
  };
  return {
    calls: {
      "narrow(x, dim, start, length)": { inputs: () => [matrix(), 1, 1, 2], run: narrow },
      "diagonal(x)": { inputs: () => [matrix()], run: diagonal },
      "unfold(x, size, step)": { inputs: () => [torch.arange(8), 4, 2], run: unfold },
      "narrow(x, dim, start, length), x requires grad": {
        inputs: () => [leaf([3, 4])],
        run: (x) => narrow(x, 1, 1, 2),
      },
      "diagonal(x), x requires grad": { inputs: () => [leaf([3, 4])], run: diagonal },
      "unfold(x, size, step), x requires grad": { inputs: () => [leaf([8])], run: (x) => unfold(x, 4, 2) },
      "torch.narrow(x, 1, 1, 2)": { inputs: () => [matrix()], run: (x) => torch.narrow(x, 1, 1, 2) },
    },
  };
}
