/**
 * @file Weight normalization: a tensor is a direction `v` times a length `g` for each of its slices.
 * @mirrors aten/src/ATen/native/WeightNorm.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { empty_like } from "./TensorFactories/index.ts";

export const weight_norm_stub =
  DEFINE_DISPATCH<(w: Tensor, norm: Tensor, v: Tensor, g: Tensor, dim: number) => void>("weight_norm_stub");
export const weight_norm_backward_stub =
  DEFINE_DISPATCH<
    (
      grads: readonly [grad_v: Tensor, grad_g: Tensor],
      grad_w: Tensor,
      saved: readonly [v: Tensor, g: Tensor, norm: Tensor],
      dim: number,
    ) => void
  >("weight_norm_backward_stub");

/** Size 1 in every dim except `dim`. */
function broadcast_size(v: Tensor, dim: number): number[] {
  return v.sizes().map((size, d) => (d === dim ? size : 1));
}

// norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor                                          CompositeImplicitAutograd
export function norm_except_dim(v: Tensor, pow: number, dim: number): Tensor {
  const p = Scalar.fromInt(pow);
  if (dim === -1) return v.norm_Scalar(p);
  if (dim === 0)
    return v
      .contiguous()
      .view([v.size(0), -1])
      .norm_ScalarOpt_dim(p, [1])
      .view(broadcast_size(v, 0));
  const last = v.dim() - 1;
  if (dim === last)
    return v
      .contiguous()
      .view([-1, v.size(last)])
      .norm_ScalarOpt_dim(p, [0])
      .view(broadcast_size(v, last));
  return at.norm_except_dim(v.transpose_int(0, dim), pow, 0).transpose_int(0, dim);
}

function contiguous_like(t: Tensor): Tensor {
  return empty_like(t, null, null, null, null, MemoryFormat.Contiguous);
}

// _weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)                          CPU
export function weight_norm_cpu(v: Tensor, g: Tensor, dim: number): [Tensor, Tensor] {
  const w = contiguous_like(v);
  const half = g.scalar_type() === ScalarType.BFloat16 || g.scalar_type() === ScalarType.Half;
  const options = g.options().dtype(half ? ScalarType.Float : g.scalar_type());
  const norm = at.empty_strided(g.sizes(), g.strides(), options);
  weight_norm_stub.call(v.device_type(), w, norm, v, g, dim);
  return [w, norm];
}

// _weight_norm_interface_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim) -> (Tensor, Tensor)   CPU
export function weight_norm_backward_cpu(
  grad_w: Tensor,
  saved_v: Tensor,
  saved_g: Tensor,
  saved_norm: Tensor,
  dim: number,
): [Tensor, Tensor] {
  TORCH_CHECK(saved_v.is_contiguous(), "saved_v must be contiguous");
  TORCH_CHECK(saved_g.is_contiguous(), "saved_g must be contiguous");
  TORCH_CHECK(saved_norm.is_contiguous(), "saved_norm must be contiguous");
  const grad_v = contiguous_like(saved_v);
  const grad_g = contiguous_like(saved_g);
  weight_norm_backward_stub.call(saved_v.device_type(), [grad_v, grad_g], grad_w, [saved_v, saved_g, saved_norm], dim);
  return [grad_v, grad_g];
}

// _weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor                                              CompositeImplicitAutograd
export function _weight_norm(v_in: Tensor, g_in: Tensor, dim: number): Tensor {
  TORCH_CHECK(
    v_in.device().eq(g_in.device()),
    "weight_norm: expected v_in and g_in to be on the same device, but v_in is on ",
    v_in.device(),
    " and g_in is on ",
    g_in.device(),
  );
  const v = v_in.contiguous();
  const g = g_in.contiguous();
  // The fused loops only handle the first and the last dim. For another dim, or without one, the formula itself is
  // differentiated.
  if (dim === 0 || dim === v.dim() - 1) return at._weight_norm_interface(v, g, dim)[0];
  return at.mul_Tensor(v, at.div_Tensor(g, at.norm_except_dim(v, 2, dim)));
}

// _weight_norm_differentiable_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim) -> (Tensor, Tensor)   CompositeImplicitAutograd
// Backward of `_weight_norm_interface` if its own gradient is needed.
export function _weight_norm_differentiable_backward(
  grad_w: Tensor,
  saved_v: Tensor,
  saved_g: Tensor,
  saved_norms: Tensor,
  dim: number,
): [Tensor, Tensor] {
  TORCH_CHECK(grad_w.is_contiguous(), "grad_w must be contiguous");
  TORCH_CHECK(saved_v.is_contiguous(), "saved_v must be contiguous");
  TORCH_CHECK(saved_g.is_contiguous(), "saved_g must be contiguous");
  TORCH_CHECK(saved_norms.is_contiguous(), "saved_norms must be contiguous");
  const last_dim = saved_v.dim() - 1;
  const last_size = saved_v.size(last_dim);
  TORCH_CHECK(dim === 0 || dim === last_dim, "Expected dim to be the first or last dimension");
  const norms = saved_norms.to_dtype(saved_g.scalar_type()); // float, if the others are halves
  const product = at.mul_Tensor(grad_w, saved_v);
  const per_dim_sums = (
    dim === 0
      ? product.view([saved_v.size(0), -1]).sum_dim_IntList([1])
      : product.view([-1, last_size]).sum_dim_IntList([0])
  ).view(broadcast_size(saved_v, dim));
  const along_v = at.mul_Tensor(saved_v, at.div_Tensor(per_dim_sums, at.mul_Tensor(norms, norms)));
  const grad_v = at.mul_Tensor(at.div_Tensor(saved_g, norms), at.sub_Tensor(grad_w, along_v, Scalar.fromInt(1)));
  return [grad_v, at.div_Tensor(per_dim_sums, norms)];
}
