/**
 * @file The operator, as the library has it once codegen has run on the learner's entry.
 * @original
 */
import torch from "glasstorch";
import type { Session } from "../../tools/learn/checks/host.ts";

type Tensor = ReturnType<typeof torch.tensor>;

export function open(): Session {
  const doubles = (values: number[]) => torch.tensor(values, { dtype: torch.float64, requires_grad: true });
  const inputs = (): unknown[] => [doubles([1.5, 0, -0.75]), doubles([3, -1, 0.5])];
  const integers = (): unknown[] => [doubles([1.5, 0, -0.75]), torch.tensor([3, -1, 0])];
  // Unknown to the types of this tree.
  const { ldexp } = torch as unknown as { ldexp: (x: Tensor, y: Tensor) => Tensor };
  return {
    calls: { "torch.ldexp(x, y)": { inputs, run: ldexp }, "torch.ldexp(x, n)": { inputs: integers, run: ldexp } },
  };
}
