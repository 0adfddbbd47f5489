/**
 * @file The card of exercise 17, with the learner's fallback for all missing operators; a stack with more values than the arguments, and
 * a view operator of our own that is in no list.
 * @original
 */
import torch from "glasstorch";
import { Dispatcher } from "#aten/core/dispatch/Dispatcher";
import { IValue } from "#aten/core/ivalue";
import { TensorType } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { Library } from "#aten/core/library";
import type { Tensor as TensorImplementation } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";
import { Card } from "../17-a-backend/card.ts";
import { register as register_backend } from "../17-a-backend/solution/backend.ts";

type Tensor = ReturnType<typeof torch.tensor>;

/** Nobody wants it slow. */
const REFUSED = ["aten::tanh.out", "aten::sigmoid.out"];

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

/** `torch.cat([x, y], 1)`, called with a stack on which a 7 of somebody else's lies below the arguments. */
function stacked(x: Tensor, y: Tensor): Tensor {
  const tensor = (t: Tensor): IValue => IValue.fromTensor(t.cdata);
  const list = new List(TensorType, [tensor(x), tensor(y)]);
  const out = torch.empty([2, 6], { device: "card" });
  const stack = [IValue.fromInt(7), IValue.fromList(list), IValue.fromInt(1), tensor(out)];
  Dispatcher.singleton()
    .findSchemaOrThrow("aten::cat", "out")
    .redispatchBoxed(DispatchKeySet.of(DispatchKey.PrivateUse1), stack);
  if (stack.length !== 2 || stack[0].toInt() !== 7) throw new Error("the value below the arguments is not there");
  if (list.vec().some((each) => each.toTensor().device().is_cpu())) throw new Error("the caller's list was written to");
  return out;
}

export function open({ register }: Yours): Session {
  const aten = new Library("IMPL", "aten", DispatchKey.PrivateUse1, "backend.ts");
  register_backend(aten, new Card());
  aten.impl("_copy_from_and_resize", copy_from_and_resize, "_copy_from_and_resize_card");
  const all = new Library("IMPL", "_", DispatchKey.PrivateUse1, "fallback.ts");
  register(all, REFUSED);
  const mine = new torch.library.Library("ex18", "DEF");
  mine.define("window(Tensor(a) x) -> Tensor(a)");
  mine.impl("window", (x: Tensor) => x.view([-1]), "CPU");
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
      "stack = [7, [c, d], 1, out]; cat_out.redispatchBoxed(keys, stack)": {
        inputs: () => [x(), x()],
        run: (x: Tensor, y: Tensor) => home(stacked(x.to("card"), y.to("card"))),
      },
      "c.tanh() and c.sigmoid() are refused": {
        inputs: c,
        run: (c: Tensor) => {
          refused("aten::tanh.out", () => c.tanh());
          refused("aten::sigmoid.out", () => c.sigmoid());
        },
      },
      "torch.ops.aten._reshape_alias(c, [6], [1]) and torch.ops.ex18.window(c) are refused": {
        inputs: c,
        run: (c: Tensor) => {
          refused("aten::_reshape_alias", () => torch.ops["aten"]["_reshape_alias"](c, [6], [1]));
          refused("ex18::window", () => torch.ops["ex18"]["window"](c));
        },
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
      mine._destroy();
      all.reset();
      aten.reset();
    },
  };
}
