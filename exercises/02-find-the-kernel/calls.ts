/**
 * @file The calls that are recorded.
 * @original
 */
import torch from "glasstorch";
import type { Session } from "../../tools/learn/checks/host.ts";

export function open(): Session {
  const x = (): unknown =>
    torch.tensor(
      [
        [1.5, -2.5],
        [0.5, 0.25],
      ],
      { requires_grad: true },
    );
  const y = torch.tensor([
    [0.5, 0.25],
    [1.5, 2.5],
  ]);
  const of = (run: (x: never) => unknown) => ({ inputs: () => [x()], run });
  return {
    calls: {
      "torch.sqrt(y)": { inputs: () => [y], run: (y: never) => torch.sqrt(y) },
      "torch.exp(x)": of((x) => torch.exp(x)),
      "torch.add(x, y)": of((x) => torch.add(x, y)),
      "torch.relu(x)": of((x) => torch.relu(x)),
      "torch.softmax(x, 1)": of((x) => torch.softmax(x, 1)),
      "torch.narrow(x, 1, 0, 1)": of((x) => torch.narrow(x, 1, 0, 1)),
    },
  };
}
