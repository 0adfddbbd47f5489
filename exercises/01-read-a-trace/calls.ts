/**
 * @file The calls that are recorded.
 * @original
 */
import torch from "glasstorch";
import type { Session } from "../../tools/learn/checks/host.ts";

export function open(): Session {
  const x = (): unknown => torch.tensor([[1.5, -2.5]], { requires_grad: true });
  const y = torch.tensor([[0.5, 0.25]]);
  const w = torch.tensor([0.25]);
  const prelu = (x: never) => torch.prelu(x, w);
  return {
    calls: {
      "torch.mul(x, y)": { inputs: () => [x()], run: (x) => torch.mul(x, y) },
      "torch.prelu(x, w)": { inputs: () => [x()], run: prelu },
      "torch.prelu(x, w) in no_grad": { inputs: () => [x()], run: (x: never) => torch.no_grad(() => prelu(x)) },
    },
  };
}
