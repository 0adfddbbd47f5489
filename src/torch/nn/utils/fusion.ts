/**
 * @file Fusion of a batch normalization into the layer before it, for evaluation.
 * @mirrors torch/nn/utils/fusion.py
 */
import { AssertionError } from "#c10/util/Exception";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { _BatchNorm } from "#torch/nn/modules/batchnorm/index";
import type { _ConvNd } from "#torch/nn/modules/conv/index";
import type { Linear } from "#torch/nn/modules/linear/index";
import type { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";

type Fused = [weight: Parameter, bias: Parameter];

function check_eval(module: Module, bn: _BatchNorm): void {
  if (module.training || bn.training) throw new AssertionError("Fusion only for eval!");
}

function statistics(bn: _BatchNorm): [running_mean: Tensor, running_var: Tensor] {
  const { running_mean, running_var } = bn;
  if (running_mean === null || running_var === null)
    throw new AssertionError("bn.running_mean and bn.running_var must not be None");
  return [running_mean, running_var];
}

/** A copy of `conv` that computes what `conv` followed by `bn` computes. */
export const fuse_conv_bn_eval = def(
  "fuse_conv_bn_eval(conv, bn, transpose=False)",
  // biome-ignore lint/suspicious/noExplicitAny: a convolution with any call signature
  <C extends _ConvNd<any>>(conv: C, bn: _BatchNorm, transpose: boolean): C => {
    check_eval(conv, bn);
    const fused_conv = conv.__deepcopy__(new Map());
    const [mean, variance] = statistics(bn);
    const { weight, bias } = fused_conv;
    [fused_conv.weight, fused_conv.bias] = fuse_conv_bn_weights(
      weight,
      bias,
      mean,
      variance,
      bn.eps,
      bn.weight,
      bn.bias,
      transpose,
    );
    return fused_conv;
  },
);

/** Weight and bias of the fused convolution. */
export const fuse_conv_bn_weights = def(
  "fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False)",
  (
    conv_w: Tensor,
    conv_b: Tensor | null,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: number,
    bn_w: Tensor | null,
    bn_b: Tensor | null,
    transpose: boolean,
  ): Fused => {
    const bias = conv_b ?? torch.zeros_like(bn_rm);
    const gamma = bn_w ?? torch.ones_like(bn_rm);
    const beta = bn_b ?? torch.zeros_like(bn_rm);
    const rsqrt = torch.rsqrt(bn_rv.add(bn_eps));
    const channel_dim = transpose ? 1 : 0;
    const shape = conv_w.shape.map((_, d) => (d === channel_dim ? -1 : 1));
    const fused_w = conv_w.mul(gamma.mul(rsqrt).reshape(shape)).to({ dtype: conv_w.dtype });
    const fused_b = bias
      .sub(bn_rm)
      .mul(rsqrt)
      .mul(gamma)
      .add(beta)
      .to({ dtype: (conv_b ?? conv_w).dtype });
    return [new Parameter(fused_w, conv_w.requires_grad), new Parameter(fused_b, bias.requires_grad)];
  },
);

/** A copy of `linear` that computes what `linear` followed by `bn` computes. */
export const fuse_linear_bn_eval = def(
  "fuse_linear_bn_eval(linear, bn)",
  <L extends Linear>(linear: L, bn: _BatchNorm): L => {
    check_eval(linear, bn);
    const fused_linear = linear.__deepcopy__(new Map());
    // bn's channels must be the outputs of linear, or one channel for all of them.
    if (linear.out_features !== bn.num_features && bn.num_features !== 1)
      throw new AssertionError(
        `To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got linear.out_features=${linear.out_features} and bn.num_features=${bn.num_features}`,
      );
    const [mean, variance] = statistics(bn);
    const { weight, bias } = fused_linear;
    // As in PyTorch, a bn without weight or bias is not handled.
    const [gamma, beta] = [bn.weight as Parameter, bn.bias as Parameter];
    [fused_linear.weight, fused_linear.bias] = fuse_linear_bn_weights(
      weight,
      bias,
      mean,
      variance,
      bn.eps,
      gamma,
      beta,
    );
    return fused_linear;
  },
);

/** Weight and bias of the fused linear layer. */
export const fuse_linear_bn_weights = def(
  "fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b)",
  (
    linear_w: Tensor,
    linear_b: Tensor | null,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: number,
    bn_w: Tensor,
    bn_b: Tensor,
  ): Fused => {
    const bias = linear_b ?? torch.zeros_like(bn_rm);
    const scale = bn_w.mul(torch.rsqrt(bn_rv.add(bn_eps)));
    const fused_w = linear_w.mul(scale.unsqueeze(-1).to({ dtype: linear_w.dtype }));
    const fused_b = bias
      .sub(bn_rm)
      .mul(scale)
      .add(bn_b)
      .to({ dtype: (linear_b ?? linear_w).dtype });
    return [new Parameter(fused_w, linear_w.requires_grad), new Parameter(fused_b, bias.requires_grad)];
  },
);
