/**
 * @file The learner's kernel on tensors as C++ sees them.
 * @original
 */
import torch from "glasstorch";
import { THPVariable_Unpack } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { THPVariable_Wrap } from "#torch/csrc-equivalent/autograd/python_variable/wrap";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";

type Tensor = ReturnType<typeof torch.tensor>;

export function open({ heaviside }: Yours): Session {
  const run = (x: Tensor, v: Tensor) => THPVariable_Wrap(heaviside(THPVariable_Unpack(x), THPVariable_Unpack(v)));
  return {
    calls: {
      "heaviside(x, v)": { inputs: () => [torch.tensor([[-1.5], [0]]), torch.tensor([0.5, 2, 3])], run },
    },
  };
}
