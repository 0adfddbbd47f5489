/**
 * @file The operator, registered by the learner's function, on the CPU and on no device at all.
 * @original
 */
import torch from "glasstorch";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";

export function open(yours: Yours): Session {
  const library = new torch.library.Library("ex08", "DEF");
  library.define("ldexp(Tensor self, Tensor other) -> Tensor");
  yours["register"](library);
  const run = (self: unknown, other: unknown) => torch.ops.ex08.ldexp(self, other);
  const doubles = (values: number[]) => torch.tensor(values, { dtype: torch.float64, requires_grad: true });
  const meta = (shape: number[]) => torch.empty(shape, { device: "meta", requires_grad: true });
  return {
    calls: {
      "torch.ops.ex08.ldexp(x, y)": { inputs: () => [doubles([1.5, -0.75, 2]), doubles([3, -1.5, 0.5])], run },
      "torch.ops.ex08.ldexp(x, y) on Meta": { inputs: () => [meta([2, 1]), meta([3])], run },
    },
    close: () => library._destroy(),
  };
}
