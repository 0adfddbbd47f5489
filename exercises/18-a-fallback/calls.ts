/**
 * @file The card of exercise 17, with the learner's fallback for all that its backend lacks.
 * @original
 */
import torch from "glasstorch";
import { Library } from "#aten/core/library";
import type { Tensor as TensorImplementation } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DispatchKey } from "#c10/core/DispatchKey";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";
import { Card } from "../17-a-backend/card.ts";
import { register as register_backend } from "../17-a-backend/solution/backend.ts";

type Tensor = ReturnType<typeof torch.tensor>;

/** Nobody wants it slow. */
const REFUSED = ["aten::tanh.out"];

/** `_copy_from_and_resize`: as `_copy_from`, into new memory if the shape is another. */
function copy_from_and_resize(_: unknown, self: TensorImplementation, dst: TensorImplementation): TensorImplementation {
  if (String(self.sizes()) !== String(dst.sizes())) {
    dst.impl_.set_storage_keep_dtype(at.empty_memory_format(self.sizes(), dst.options()).storage());
    dst.impl_.set_sizes_contiguous(self.sizes());
  }
  return dst.copy_(self);
}

/** A result, which should be on the card. */
function home(result: Tensor): Tensor {
  if (result.device.type !== "card") throw new Error(`the result is on ${result.device}, and x was on card:0`);
  return result.cpu();
}

/** Runs what should be refused; other errors are errors. */
function refused(name: string, run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error as Error).message.includes(name)) throw error;
  }
}

export function open({ register }: Yours): Session {
  const aten = new Library("IMPL", "aten", DispatchKey.PrivateUse1, "backend.ts");
  register_backend(aten, new Card());
  aten.impl("_copy_from_and_resize", copy_from_and_resize, "_copy_from_and_resize_card");
  const all = new Library("IMPL", "_", DispatchKey.PrivateUse1, "fallback.ts");
  register(all, REFUSED);
  const x = (): Tensor => torch.arange(1, 7, { dtype: torch.float32 }).view([2, 3]);
  const c = (): unknown[] => [x().to("card")];
  return {
    calls: {
      "c.exp()": { inputs: c, run: (c: Tensor) => c.exp() },
      "c.exp_()": { inputs: () => [x()], run: (x: Tensor) => home(x.to("card").exp_()) },
      "torch.ops.aten.exp.out(c, out=d).add_(1)": {
        inputs: () => [x(), x()],
        run: (x: Tensor, d: Tensor) =>
          // autograd kernels would return d themselves
          torch.inference_mode(() => {
            const out = d.to("card");
            torch.ops["aten"]["exp"]["out"](x.to("card"), { out }).add_(1);
            return home(out);
          }),
      },
      "torch.cat([c, d], 1)": {
        inputs: () => [x(), x()],
        run: (x: Tensor, y: Tensor) => home(torch.cat([x.to("card"), y.to("card")], 1)),
      },
      "c.nonzero()": { inputs: () => [x()], run: (x: Tensor) => home(x.to("card").nonzero() as Tensor) },
      "c.tanh() is refused": { inputs: c, run: (c: Tensor) => refused("aten::tanh.out", () => c.tanh()) },
      "torch.ops.aten._reshape_alias(c, [6], [1]) is refused": {
        inputs: c,
        run: (c: Tensor) => refused("aten::_reshape_alias", () => torch.ops["aten"]["_reshape_alias"](c, [6], [1])),
      },
      "(c.exp() * d).sum().backward()": {
        inputs: () => [x(), x()],
        run: (x: Tensor, y: Tensor) => {
          const c = x.to("card").requires_grad_();
          c.exp().mul(y.to("card")).sum().backward();
          return home(c.grad as Tensor);
        },
      },
    },
    close: () => {
      all.reset();
      aten.reset();
    },
  };
}
