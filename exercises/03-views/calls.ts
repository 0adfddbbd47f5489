/**
 * @file The learner's functions on a small matrix.
 * @original
 */
import torch from "glasstorch";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";

export function open({ narrow, diagonal, unfold }: Yours): Session {
  const matrix = (): unknown => torch.arange(12, { dtype: torch.float32 }).view([3, 4]);
  return {
    calls: {
      "narrow(x, dim, start, length)": { inputs: () => [matrix(), 1, 1, 2], run: narrow },
      "diagonal(x)": { inputs: () => [matrix()], run: diagonal },
      "unfold(x, size, step)": { inputs: () => [torch.arange(8), 4, 2], run: unfold },
      "torch.narrow(x, 1, 1, 2)": { inputs: () => [matrix()], run: (x) => torch.narrow(x, 1, 1, 2) },
    },
  };
}
