/**
 * @file The operator, as the library has it once codegen has run on the learner's entries.
 * @original
 */
import torch from "glasstorch";
import type { Session } from "../../tools/learn/checks/host.ts";

export function open(): Session {
  const doubles = (values: number[]) => torch.tensor(values, { dtype: torch.float64 });
  const inputs = (): unknown[] => [doubles([1.5, -0.75]), doubles([3, -1])];
  return {
    calls: {
      // Unknown to the types of this tree.
      "torch.ldexp(x, y)": { inputs, run: (x, y) => (torch as never as typeof x).ldexp(x, y) },
      "x.ldexp_(y)": { inputs, run: (x, y) => x.ldexp_(y) },
    },
  };
}
