/**
 * @file Cast policies of operators inside autocast on the CPU. Casts come before autograd records: an operator saves
 * tensors of the lower precision for backward, and the gradient goes back through the cast. A backend outside the
 * library registers policies for its own device with KERNEL_PRIVATEUSEONE.
 * @mirrors aten/src/ATen/autocast_mode.h
 * @differs The policies fp32_set_opt_dtype and fp32_append_dtype, which no CPU operator has, and the lists of other
 * devices are not built; PyTorch has them.
 */

import { CppFunction, for_each_operator, type Library, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as _ops from "#aten/generated/Operators";
import { DeviceType } from "#c10/core/DeviceType";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { ExcludeDispatchKeyGuard } from "#c10/core/impl/LocalDispatchKeySet";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { cached_cast, get_autocast_dispatch_key_from_device_type, get_autocast_dtype, is_eligible } from "./index.ts";

/** The target dtype of a policy on a device, given the arguments. */
export interface CastPolicy {
  readonly policy_name: string;
  to_type(device_type: DeviceType, args: readonly unknown[]): ScalarType;
}

export const lower_precision_fp: CastPolicy = { policy_name: "lower_precision_fp", to_type: get_autocast_dtype };
export const fp32: CastPolicy = { policy_name: "fp32", to_type: () => ScalarType.Float };
/** Casts to the widest dtype among the tensors. */
export const promote: CastPolicy = {
  policy_name: "promote",
  to_type: (device_type, args) =>
    args
      .flat()
      .reduce<ScalarType>((current, arg) => prioritize(current, arg, device_type), get_autocast_dtype(device_type)),
};

function prioritize(current: ScalarType, arg: unknown, device_type: DeviceType): ScalarType {
  TORCH_CHECK(current !== ScalarType.Double, "promote type is double in at::autocast::prioritize");
  if (!(arg instanceof Tensor) || !is_eligible(arg, device_type)) return current;
  const next = arg.scalar_type();
  if (current === ScalarType.Float || next === ScalarType.Float) return ScalarType.Float;
  const lower = get_autocast_dtype(device_type);
  TORCH_CHECK(current === lower && next === lower, "Unexpected floating ScalarType in at::autocast::prioritize");
  return lower;
}

/** Casts tensors and lists of tensors; returns anything else unchanged. */
function cast_argument(to_type: ScalarType, arg: unknown, device_type: DeviceType): unknown {
  if (arg instanceof Tensor) return cached_cast(to_type, arg, device_type);
  if (!Array.isArray(arg) || !(arg[0] instanceof Tensor)) return arg;
  return arg.map((t: Tensor) => cached_cast(to_type, t, device_type));
}

interface Operator {
  readonly call: (...args: unknown[]) => unknown;
}
const operators = _ops as unknown as Readonly<Record<string, Operator | undefined>>;

/** `aten::conv1d.padding` in `at::_ops`; undefined if it is not built. */
const operator_of = (name: string): Operator | undefined => operators[name.replace(".", "_")];

/** `WrapFunction`: casts the arguments, then calls the operator again with autocast off. */
function wrap(policy: CastPolicy, device_type: DeviceType, op: Operator) {
  const key = get_autocast_dispatch_key_from_device_type(device_type);
  return (_ks: DispatchKeySet, ...args: unknown[]): unknown => {
    const no_autocast = new ExcludeDispatchKeyGuard(key);
    try {
      const to_type = policy.to_type(device_type, args);
      return op.call(...args.map((arg) => cast_argument(to_type, arg, device_type)));
    } finally {
      no_autocast.restore();
    }
  };
}

/** Registers `policy` for operator `name` on the device; does nothing if the operator is not built. */
function KERNEL(m: Library, device_type: DeviceType, name: string, policy: CastPolicy): void {
  const op = operator_of(name);
  if (op === undefined) return;
  const wrapped = wrap(policy, device_type, op) as never;
  m.impl(name, CppFunction.makeFromUnboxedFunction(wrapped, `WrapFunction_<CastPolicy::${policy.policy_name}>`));
}

/**
 * Registers a backend's policy: `TORCH_LIBRARY_IMPL("aten", "AutocastPrivateUse1", (m) => KERNEL_PRIVATEUSEONE(m, "mm",
 * lower_precision_fp))`.
 */
export function KERNEL_PRIVATEUSEONE(m: Library, name: string, policy: CastPolicy): void {
  KERNEL(m, DeviceType.PrivateUse1, name, policy);
}

// biome-ignore format: lists, in PyTorch's order
const policies: readonly (readonly [policy: CastPolicy, operators: readonly string[]])[] = [
  [lower_precision_fp, [
    "conv1d", "conv1d.padding", "conv2d", "conv2d.padding", "conv3d", "conv3d.padding", "bmm", "mm", "linalg_vecdot", "baddbmm",
    "addmm", "_addmm_activation", "addbmm", "linear", "_convolution.deprecated", "matmul", "conv_tbc", "mkldnn_rnn_layer",
    "conv_transpose1d", "conv_transpose2d.input", "conv_transpose3d.input", "prelu", "scaled_dot_product_attention",
    "_native_multi_head_attention",
  ]],
  [fp32, [
    "avg_pool3d", "binary_cross_entropy", "grid_sampler", "polar", "prod", "prod.dim_int", "quantile", "quantile.scalar",
    "nanquantile", "nanquantile.scalar", "stft", "stft.center", "cdist", "grid_sampler_2d", "_grid_sampler_2d_cpu_fallback",
    "grid_sampler_3d", "trace", "view_as_complex", "cholesky", "cholesky_inverse", "cholesky_solve", "inverse", "lu_solve", "orgqr",
    "ormqr", "pinverse", "max_pool3d", "max_unpool2d", "max_unpool3d", "adaptive_avg_pool3d", "reflection_pad1d",
    "reflection_pad2d", "replication_pad1d", "replication_pad2d", "replication_pad3d", "mse_loss", "cosine_embedding_loss",
    "nll_loss", "nll_loss2d", "hinge_embedding_loss", "poisson_nll_loss", "smooth_l1_loss", "cross_entropy_loss", "l1_loss",
    "huber_loss", "margin_ranking_loss", "soft_margin_loss", "triplet_margin_loss", "multi_margin_loss", "ctc_loss.IntList",
    "ctc_loss.Tensor", "kl_div", "multilabel_margin_loss", "binary_cross_entropy_with_logits", "fft_fft", "fft_ifft", "fft_fft2",
    "fft_ifft2", "fft_fftn", "fft_ifftn", "fft_rfft", "fft_irfft", "fft_rfft2", "fft_irfft2", "fft_rfftn", "fft_irfftn",
    "fft_hfft", "fft_ihfft", "linalg_cond", "linalg_cond.p_str", "linalg_matrix_rank", "linalg_matrix_rank.tol_tensor",
    "linalg_matrix_rank.atol_rtol_tensor", "linalg_matrix_rank.atol_rtol_float", "linalg_solve", "linalg_cholesky",
    "linalg_svdvals", "linalg_eigvals", "linalg_eigvalsh", "linalg_inv", "linalg_householder_product", "linalg_tensorinv",
    "linalg_tensorsolve", "fake_quantize_per_tensor_affine", "geqrf", "_lu_with_info", "qr", "svd", "triangular_solve",
    "fractional_max_pool2d", "fractional_max_pool3d", "adaptive_max_pool3d", "multilabel_margin_loss_forward", "linalg_qr",
    "linalg_cholesky_ex", "linalg_svd", "linalg_eig", "linalg_eigh", "linalg_lstsq", "linalg_inv_ex",
  ]],
  [promote, ["stack", "cat", "index_copy"]],
];

const policy_of = new Map(policies.flatMap(([policy, names]) => names.map((name) => [name, policy] as const)));

function register(m: Library, name: string): void {
  KERNEL(m, DeviceType.CPU, name, policy_of.get(name) as CastPolicy);
}

TORCH_LIBRARY_IMPL("aten", "AutocastCPU", for_each_operator(policy_of.keys(), register));
