/**
 * @file Operators that are written in other operators: a batched tensor runs these.
 * @mirrors aten/src/ATen/functorch/BatchRulesDecompositions.cpp
 */
import { Dispatcher, type OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Stack } from "#aten/core/stack";
import { DispatchKey } from "#c10/core/DispatchKey";
import { batch_rules, names, rules_for } from "./BatchRulesHelper.ts";

/** Alias keys of kernels that are written in other operators. */
const COMPOSITE = [
  DispatchKey.CompositeImplicitAutograd,
  DispatchKey.CompositeExplicitAutogradNonFunctional,
  DispatchKey.CompositeExplicitAutograd,
] as const;

/** Runs the kernel of the composite operator, whose calls meet their own batching rules. */
function decompose(op: OperatorHandle, _ks: unknown, stack: Stack): void {
  const key = COMPOSITE.find((k) => op.hasKernelForDispatchKey(k)) ?? DispatchKey.CompositeImplicitAutograd;
  Dispatcher.singleton().callBoxedForDispatchKey(op, key, stack);
}

const OP_DECOMPOSE = CppFunction.makeFromBoxedFunction(decompose, "decompose_functional");

const composite_operators = names(`
  __and__.Scalar __and__.Tensor __iand__.Scalar __iand__.Tensor __ior__.Scalar __ior__.Tensor __ixor__.Scalar __ixor__.Tensor
  __or__.Scalar __or__.Tensor __xor__.Scalar __xor__.Tensor _batch_norm_impl_index _convolution_double_backward _convolution_mode
  _fused_rms_norm _has_compatible_shallow_copy_type _lu_with_info _pad_circular _scaled_dot_product_attention_math
  _upsample_bicubic2d_aa.vec _upsample_bilinear2d_aa.vec absolute absolute_ adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d
  adaptive_max_pool1d adjoint alias_copy arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan2_ arctan_
  arctanh arctanh_ argsort argsort.stable as_strided_copy atleast_1d atleast_1d.Sequence atleast_2d atleast_2d.Sequence atleast_3d
  atleast_3d.Sequence avg_pool1d batch_norm broadcast_tensors broadcast_to cartesian_prod cdist chunk clip clip.Tensor combinations
  concat concatenate conj_physical contiguous conv1d conv1d.padding conv2d conv2d.padding conv3d conv3d.padding conv_transpose1d
  conv_transpose2d.input conv_transpose3d.input corrcoef cosine_embedding_loss cosine_similarity cov cross cross_entropy_loss
  cumprod_backward cumulative_trapezoid.dx cumulative_trapezoid.x det diag diagonal_copy diff divide.Scalar divide.Scalar_mode
  divide.Tensor divide.Tensor_mode divide_.Scalar_mode divide_.Tensor divide_.Tensor_mode dropout dsplit.array dsplit.int dstack einsum
  embedding_backward expand_as fft_fftshift fft_ifftshift fix flatten.using_ints fliplr flipud float_power.Scalar
  float_power.Tensor_Scalar float_power.Tensor_Tensor frobenius_norm.dim gather_backward ger gradient.array gradient.scalararray
  gradient.scalarint gradient.scalarrayarray gradient.scalarrayint gradient.tensorarray gradient.tensorarrayint greater.Scalar
  greater.Tensor greater_equal.Scalar greater_equal.Tensor grid_sampler group_norm hinge_embedding_loss hsplit.array hsplit.int hstack
  index_select_backward inner instance_norm inverse is_complex is_same_size isfinite isreal kron l1_loss layer_norm less.Scalar
  less.Tensor less_equal.Scalar less_equal.Tensor linalg_cholesky linalg_cond linalg_det linalg_diagonal linalg_eigh linalg_eigvalsh
  linalg_inv linalg_ldl_factor linalg_lu_factor linalg_matmul linalg_matrix_norm linalg_matrix_norm.str_ord linalg_matrix_power
  linalg_matrix_rank.atol_rtol_float linalg_matrix_rank.atol_rtol_tensor linalg_multi_dot linalg_norm linalg_norm.ord_str linalg_pinv
  linalg_pinv.atol_rtol_float linalg_solve linalg_solve_ex linalg_svd linalg_svdvals linalg_tensorinv linalg_vander linalg_vecdot linear
  log_sigmoid log_softmax.int logdet mH mT matmul matrix_H matrix_exp matrix_power max.other max_pool1d max_pool1d_with_indices
  max_pool2d max_pool3d meshgrid meshgrid.indexing min.other moveaxis.intlist movedim.int movedim.intlist msort multiply.Scalar
  multiply.Tensor multiply_.Scalar multiply_.Tensor nanmean narrow negative nll_loss nll_loss2d nll_loss_nd not_equal.Scalar
  not_equal.Tensor nuclear_norm nuclear_norm.dim numpy_T orgqr outer pad pairwise_distance pinverse poisson_nll_loss positive prelu qr
  ravel real relu6 relu6_ repeat_interleave.self_Tensor repeat_interleave.self_int reshape reshape_as resolve_conj resolve_neg
  result_type.Scalar result_type.Scalar_Scalar result_type.Scalar_Tensor result_type.Tensor rms_norm row_stack rrelu rrelu_
  scaled_dot_product_attention selu selu_ size.int slogdet softmax.int special_digamma special_erf special_erfc special_erfinv
  special_exp2 special_expit special_expm1 special_gammainc special_gammaincc special_gammaln special_i0 special_log1p
  special_log_softmax special_logit special_logsumexp special_multigammaln special_ndtr special_polygamma special_psi special_round
  special_sinc special_softmax special_xlogy special_xlogy.other_scalar special_xlogy.self_scalar split.sizes square std std.dim
  std_mean std_mean.dim subtract.Tensor sum_to_size svd swapaxes swapaxes_ swapdims swapdims_ take_along_dim tensor_split.indices
  tensor_split.sections tensordot tile to.device to.dtype to.dtype_layout to.other trapezoid.dx trapezoid.x trapz.dx trapz.x
  true_divide.Scalar true_divide.Tensor true_divide_.Scalar true_divide_.Tensor type_as unflatten.int unfold_copy unsafe_chunk
  upsample_bicubic2d.vec upsample_bilinear2d.vec upsample_linear1d.vec upsample_nearest1d.vec upsample_nearest2d.vec
  upsample_nearest3d.vec upsample_trilinear3d.vec value_selecting_reduction_backward var var.dim var_mean var_mean.dim view_as
  vsplit.array vsplit.int vstack where.Scalar where.ScalarOther where.ScalarSelf
`);

TORCH_LIBRARY_IMPL("aten", "FuncTorchBatchedDecomposition", batch_rules(rules_for(composite_operators, OP_DECOMPOSE)));
