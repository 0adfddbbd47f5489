/**
 * @file The learner's backend on a card, and what users do with such a device.
 * @original
 */
import torch from "glasstorch";
import { Library } from "#aten/core/library";
import { DispatchKey } from "#c10/core/DispatchKey";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";
import { Card } from "./card.ts";

type Tensor = ReturnType<typeof torch.tensor>;

export function open({ register }: Yours): Session {
  const m = new Library("IMPL", "aten", DispatchKey.PrivateUse1, "backend.ts");
  register(m, new Card());
  const none = (): unknown[] => [];
  const x = (): Tensor => torch.arange(1, 7, { dtype: torch.float32 }).view([2, 3]);
  return {
    calls: {
      'torch.device("card")': { inputs: none, run: () => torch.device("card") },
      'torch.empty(2, 3, device="card")': { inputs: none, run: () => torch.empty([2, 3], { device: "card" }) },
      'x.to("card", torch.float64).cpu()': {
        inputs: () => [x()],
        run: (x: Tensor) => x.to("card", torch.float64).cpu(),
      },
      'c.t()[1].copy_(v), where c = x.to("card")': {
        inputs: () => [x(), torch.tensor(7)],
        run: (x: Tensor, v: Tensor) => {
          const c = x.to("card");
          c.t().at(1).copy_(v);
          return c.view([-1]).cpu();
        },
      },
      "c.view(-1)[i].item()": {
        inputs: () => [x(), 0],
        run: (x: Tensor, i: number) => torch.tensor(torch.Float(x.to("card").view([-1]).at(i).item())),
      },
      "torch.add(c[-1:], d, alpha)": {
        inputs: () => [x(), x(), 1],
        run: (x: Tensor, y: Tensor | number, alpha: number) => {
          const there = torch.is_tensor(y) ? y.to("card") : y;
          return x
            .to("card")
            .at(torch.slice(-1))
            .add(there as Tensor, { alpha })
            .cpu();
        },
      },
      "c.add_(c)": { inputs: () => [x().to("card")], run: (c: Tensor) => c.add_(c) },
      "((c + c) + 1).backward(g)": {
        inputs: () => [x(), x()],
        run: (x: Tensor, g: Tensor) => {
          const c = x.to("card").requires_grad_();
          c.add(c).add(1).backward(g.to("card"));
          return c.grad?.cpu();
        },
      },
    },
    close: () => m.reset(),
  };
}
