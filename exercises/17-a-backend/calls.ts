/**
 * @file The learner's backend on a card, and calls of a user; they also check that the card did the work.
 * @original
 */
import torch from "glasstorch";
import { Library } from "#aten/core/library";
import { DispatchKey } from "#c10/core/DispatchKey";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";
import { Card, type Memory } from "./card.ts";

type Tensor = ReturnType<typeof torch.tensor>;

export function open({ register }: Yours): Session {
  const m = new Library("IMPL", "aten", DispatchKey.PrivateUse1, "backend.ts");
  const card = new Card();
  register(m, card);
  /** Refuses a tensor whose elements the card knows nothing of. */
  const on_card = (t: Tensor): Tensor => {
    card.download(t.cdata.storage().data_ptr().get_context() as Memory);
    return t;
  };
  const none = (): unknown[] => [];
  const x = (): Tensor => torch.arange(1, 7, { dtype: torch.float32 }).view([2, 3]);
  return {
    calls: {
      'torch.device("card")': { inputs: none, run: () => torch.device("card") },
      'torch.empty(2, 3, device="card")': { inputs: none, run: () => torch.empty([2, 3], { device: "card" }) },
      'x.to("card", torch.float64).cpu()': {
        inputs: () => [x()],
        run: (x: Tensor) => on_card(x.to("card", torch.float64)).cpu(),
      },
      'c = x.to("card"); c.t()[1].copy_(v); c.view(-1)[4:].copy_(v)': {
        inputs: () => [x(), torch.tensor(7)],
        run: (x: Tensor, v: Tensor) => {
          const c = x.to("card");
          c.t().at(1).copy_(v);
          c.view([-1]).at(torch.slice(4, null)).copy_(v);
          return c.cpu();
        },
      },
      "c.view(-1)[i].item()": {
        inputs: () => [x(), 0],
        run: (x: Tensor, i: number) => torch.tensor(torch.Float(x.to("card").view([-1]).at(i).item())),
      },
      "torch.add(c[-1:], d, alpha)": {
        inputs: () => [x(), x(), 1],
        run: (x: Tensor, y: Tensor | number, alpha: number) => {
          const c = x.to("card").at(torch.slice(-1, null));
          const there = torch.is_tensor(y) ? y.to("card") : y;
          const before = card.added;
          const sum = on_card(c.add(there as Tensor, { alpha }));
          if (card.added === before) throw new Error("the card was not asked to add");
          return sum.cpu();
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
