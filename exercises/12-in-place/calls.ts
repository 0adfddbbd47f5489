/**
 * @file The programs of the questions, and the learner's two functions.
 * @original
 */
import torch from "glasstorch";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";

type Tensor = ReturnType<typeof torch.tensor>;

const doubles = (values: number[]) => torch.tensor(values, { dtype: torch.float64, requires_grad: true });
const message = (run: () => unknown): string => {
  try {
    run();
    return "none";
  } catch (error) {
    return (error as Error).message;
  }
};

/** Which of these refuse backward if `change` happens after the call. */
function refusing(change: (x: Tensor, y: Tensor) => void): string[] {
  const operators: Record<string, (x: Tensor) => Tensor> = {
    exp: (x) => x.exp(),
    log: (x) => x.log(),
    add: (x) => x.add(1),
    sigmoid: (x) => x.sigmoid(),
    square: (x) => x.mul(x),
  };
  return Object.keys(operators).filter((name) => {
    const x = doubles([0.5, 1.5]);
    const y = operators[name](x);
    torch.no_grad(() => change(x, y));
    return message(() => y.sum().backward()) !== "none";
  });
}

export function open({ soften, decay }: Yours): Session {
  const none = (): unknown[] => [];
  return {
    calls: {
      "x.add_(1); x.view([4]).mul_(2)": {
        inputs: none,
        run: () => {
          const x = torch.ones([2, 2]);
          x.add_(1);
          x.view([4]).mul_(2);
          return [x._version];
        },
      },
      "x.detach().zero_(); x.clone().zero_()": {
        inputs: none,
        run: () => {
          const x = doubles([1, 2]);
          x.detach().zero_();
          x.clone().zero_();
          return [x._version];
        },
      },
      "x.mul_(y)": { inputs: () => [torch.ones([2]), torch.ones([2])], run: (x, y) => x.mul_(y) },
      "y is changed": { inputs: none, run: () => refusing((_, y) => y.add_(1)) },
      "x is changed": { inputs: none, run: () => refusing((x) => x.add_(1)) },
      "soften(x)": { inputs: () => [doubles([0.5, -1, 1.5])], run: soften },
      "decay(x, buffer)": {
        inputs: () => [doubles([0.5, -1, 1.5])],
        run: (x) => decay(x, torch.tensor([1, 2, 3], { dtype: torch.float64 })),
      },
      "torch.stack([decay(x, buffer), buffer])": {
        inputs: none,
        run: (x, buffer) => {
          return torch.stack([decay(x, buffer), buffer]);
        },
      },
    },
  };
}
