/**
 * @file The operator, as the library has it once codegen has run on the learner's files.
 * @original
 */
import torch from "glasstorch";
import type { Session } from "../../tools/learn/checks/host.ts";

type Tensor = ReturnType<typeof torch.tensor>;
type Heaviside = (self: Tensor, values: Tensor, kwargs?: { out: Tensor }) => Tensor;

export function open(): Session {
  // Unknown to the types of this tree.
  const { heaviside } = torch as unknown as { heaviside: Heaviside };
  const inputs = (): unknown[] => [torch.tensor([[-1.5], [0]]), torch.tensor([0.5, 2, 3]).__getitem__({ step: 2 })];
  const meta = (): unknown[] => [torch.empty([2, 1], { device: "meta" }), torch.empty([3], { device: "meta" })];
  return {
    calls: {
      "torch.heaviside(x, v)": { inputs, run: heaviside },
      "torch.heaviside(x, v) on Meta": { inputs: meta, run: heaviside },
      'torch.heaviside(x.to("meta"), v.to("meta"))': {
        inputs,
        run: (x: Tensor, v: Tensor) => {
          const there = heaviside(x.to("meta"), v.to("meta"));
          // zeros, so that there are elements to look at
          return torch.empty_strided(there.shape, there.stride(), { dtype: there.dtype }).zero_();
        },
      },
      "torch.heaviside(x, v, out=y)": { inputs, run: (x, v, out) => heaviside(x, v, { out }) },
      "torch.heaviside(x, v, out=y) is refused; y": {
        inputs,
        run: (x, v, out) => {
          try {
            heaviside(x, v, { out });
          } catch {
            // the result is y after the refusal
          }
          return out;
        },
      },
      "x.heaviside_(v)": { inputs, run: (x, v) => x.heaviside_(v) },
    },
  };
}
