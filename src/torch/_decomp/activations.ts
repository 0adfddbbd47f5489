/**
 * @file Decompositions of activations and of their backward operators.
 * @mirrors torch/_decomp/decompositions.py
 * @differs Ours serves Meta tensors only, where no value is computed: a formula that changes neither shape nor dtype is omitted; PyTorch's
 * decompositions compute values.
 */

import type { Tensor } from "#torch/_tensor/index";
import { ops } from "../_ops.ts";
import { assert, canonicalize_dim, type NumberType, size_at } from "../_prims_common/index.ts";
import { type Keywords, out_wrapper, type Reference } from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";
import { pw_cast_for_opmath } from "./decompositions.ts";
import { register_decomposition } from "./index.ts";

/** The product of gradient and input (or result); it has the shape and dtype of every formula over these two. */
const product = (grad: Tensor, self: Tensor): Tensor => torch.mul(grad, self);

for (const name of ["softplus_backward", "hardsigmoid_backward"])
  register_decomposition(`${name} ${name}.grad_input`, out_wrapper(pw_cast_for_opmath(product)));
register_decomposition(
  "elu_backward elu_backward.grad_input",
  out_wrapper(
    pw_cast_for_opmath(
      (
        grad: Tensor,
        _alpha: NumberType,
        _scale: NumberType,
        _input_scale: NumberType,
        _is_result: boolean,
        x: Tensor,
      ) => torch.where(torch.le(x, 0), torch.mul(grad, x), grad),
    ),
  ),
);
register_decomposition(
  "hardtanh_backward hardtanh_backward.grad_input",
  out_wrapper(
    pw_cast_for_opmath((grad_output: Tensor, self: Tensor) =>
      torch.where(torch.le(self, 0), new torch.Float(0), grad_output),
    ),
  ),
);
register_decomposition(
  "hardswish_backward hardswish_backward.out",
  out_wrapper(
    pw_cast_for_opmath((grad_output: Tensor, self: Tensor) =>
      torch.where(torch.lt(self, 3), product(grad_output, self), grad_output),
    ),
  ),
);

/** `relu6(x + 3) / 6`, also for integers. */
const sixth: Reference = pw_cast_for_opmath((self: Tensor) => torch.div(torch.clamp(torch.add(self, 3), 0), 6));
for (const name of ["hardsigmoid", "hardswish"]) {
  const fn = out_wrapper(sixth);
  register_decomposition(`${name} ${name}.out`, fn);
  register_decomposition(`${name}_`, (self: Tensor, kw: Keywords) => self.copy_(fn(self, kw) as Tensor));
}

register_decomposition(
  "log_sigmoid_forward log_sigmoid_forward.output",
  out_wrapper(
    pw_cast_for_opmath((self: Tensor) => {
      const z = torch.exp(torch.neg(torch.abs(self)));
      return [torch.sub(self, torch.log1p(z)), z];
    }),
  ),
);
register_decomposition(
  "log_sigmoid_backward log_sigmoid_backward.grad_input",
  out_wrapper(
    pw_cast_for_opmath((grad_output: Tensor, self: Tensor, buffer: Tensor) => {
      const in_negative = torch.lt(self, 0);
      const [max_deriv, sign] = [torch.where(in_negative, 1, 0), torch.where(in_negative, 1, -1)];
      const z = buffer.numel() > 0 ? buffer : torch.exp(torch.neg(torch.abs(self)));
      return torch.mul(grad_output, torch.sub(max_deriv, torch.mul(sign, torch.div(z, torch.add(z, 1)))));
    }),
  ),
);

register_decomposition(
  "glu_backward glu_backward.grad_input",
  out_wrapper(
    pw_cast_for_opmath((grad_output: Tensor, self: Tensor, given: number) => {
      assert(self.dim() > 0, () => "glu does not support 0-dimensional tensors");
      const dim = canonicalize_dim(self.dim(), given);
      const n = size_at(self, dim);
      assert(n % 2 === 0, () => `Halving dimension must be even, but dimension ${dim} is size ${n}`);
      const sigmoid = torch.sigmoid(self.narrow(dim, n / 2, n / 2));
      const second = torch.mul(torch.mul(sigmoid, self.narrow(dim, 0, n / 2)), grad_output);
      return torch.cat([torch.mul(sigmoid, grad_output), second], dim);
    }),
  ),
);

register_decomposition(
  "rrelu_with_noise_backward rrelu_with_noise_backward.out",
  out_wrapper(
    pw_cast_for_opmath(
      (
        grad_output: Tensor,
        self: Tensor,
        noise: Tensor,
        lower: number,
        upper: number,
        training: boolean,
        self_is_result: boolean,
      ) => {
        if (training) return torch.mul(grad_output, noise);
        const leaky_relu_backward = ops.aten["leaky_relu_backward"] as unknown as Reference;
        return leaky_relu_backward(grad_output, self, (Number(lower) + Number(upper)) / 2, self_is_result);
      },
    ),
  ),
);
