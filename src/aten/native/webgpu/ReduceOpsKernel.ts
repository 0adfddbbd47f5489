/**
 * @file Registration of reductions: the reduction for each stub.
 * @mirrors aten/src/ATen/native/cuda/ReduceOps.h
 * @differs Ours is one file; CUDA has several files for these kernels.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { type DispatchStub, REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { max_all_stub, min_all_stub } from "#aten/native/ReduceAllOps";
import { aminmax_allreduce_stub, aminmax_stub } from "#aten/native/ReduceOps/Aminmax";
import * as stubs from "#aten/native/ReduceOps/index";
import { nansum_stub } from "#aten/native/ReduceOps/Nan";
import { norm_stub } from "#aten/native/ReduceOps/Norm";
import { std_var_stub } from "#aten/native/ReduceOps/StdVar";
import { make_dim_mask, review_reduce_result } from "#aten/native/ReduceOpsUtils";
import { max_stub, min_stub } from "#aten/native/TensorCompare/Reduce";
import { TensorIterator } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { Reduction } from "./Reduce.ts";
import * as ops from "./ReduceOps.ts";

function register(stub: DispatchStub<(iter: TensorIterator) => void>, name: string, op: ops.Op): void {
  const reduction = new Reduction(op);
  REGISTER_PRIVATEUSE1_DISPATCH(stub, (iter) => reduction.run(iter), name);
}

register(stubs.sum_stub, "sum_kernel_webgpu", ops.sum);
register(stubs.prod_stub, "prod_kernel_webgpu", ops.prod);
register(nansum_stub, "nansum_kernel_webgpu", ops.nansum);
register(stubs.and_stub, "and_kernel_webgpu", ops.and);
register(stubs.or_stub, "or_kernel_webgpu", ops.or);
register(stubs.max_values_stub, "max_values_kernel_webgpu", ops.max_values);
register(stubs.min_values_stub, "min_values_kernel_webgpu", ops.min_values);
register(stubs.argmax_stub, "argmax_kernel_webgpu", ops.argmax);
register(stubs.argmin_stub, "argmin_kernel_webgpu", ops.argmin);

const mean = new Reduction(ops.mean);
REGISTER_PRIVATEUSE1_DISPATCH(
  stubs.mean_stub,
  (iter) => mean.run(iter, iter.numel() / iter.num_output_elements()),
  "mean_kernel_webgpu",
);

// ---- extremes of all elements; extremes along one dim, with their indices

function register_all(stub: DispatchStub<(result: Tensor, self: Tensor) => void>, name: string, op: ops.Op): void {
  const reduction = new Reduction(op);
  REGISTER_PRIVATEUSE1_DISPATCH(stub, (result, self) => reduction.run_rows(self, [result], 1, self.numel()), name);
}
register_all(max_all_stub, "max_all_kernel_webgpu", ops.max_values);
register_all(min_all_stub, "min_all_kernel_webgpu", ops.min_values);

/** Iterator over results that have the sizes of `self` without `dim`. */
function along(self: Tensor, dim: number, keepdim: boolean, results: readonly [Tensor, Tensor]): TensorIterator {
  const mask = make_dim_mask([dim], self.dim());
  const [first, second] = results.map((result) => review_reduce_result(result, self.dim(), mask, keepdim));
  return TensorIterator.reduce_op2(first, second, self);
}

function register_along(stub: typeof max_stub, name: string, op: ops.Op): void {
  const reduction = new Reduction(op);
  REGISTER_PRIVATEUSE1_DISPATCH(
    stub,
    (values, indices, self, dim, keepdim) => reduction.run(along(self, dim, keepdim, [values, indices])),
    name,
  );
}
register_along(max_stub, "max_kernel_webgpu", ops.max_with_index);
register_along(min_stub, "min_kernel_webgpu", ops.min_with_index);

const aminmax = new Reduction(ops.aminmax);
REGISTER_PRIVATEUSE1_DISPATCH(
  aminmax_stub,
  (self, dim, keepdim, min, max) => aminmax.run(along(self, dim, keepdim, [min, max])),
  "aminmax_kernel_webgpu",
);
REGISTER_PRIVATEUSE1_DISPATCH(
  aminmax_allreduce_stub,
  (self, min, max) => aminmax.run_rows(self, [min, max], 1, self.numel()),
  "aminmax_allreduce_kernel_webgpu",
);

// ---- norms and moments

const norm_zero = new Reduction(ops.norm_zero);
const norm_one = new Reduction(ops.norm_one);
const norm_two = new Reduction(ops.norm_two);
const norm_inf = new Reduction(ops.norm_inf);
const norm_minus_inf = new Reduction(ops.norm_minus_inf);
const norm_p = new Reduction(ops.norm_p);

function norm_kernel_webgpu(iter: TensorIterator, val: Scalar): void {
  const p = val.toDouble();
  if (p === 0) norm_zero.run(iter);
  else if (p === 1) norm_one.run(iter);
  else if (p === 2) norm_two.run(iter);
  else if (p === Number.POSITIVE_INFINITY) norm_inf.run(iter);
  else if (p === Number.NEGATIVE_INFINITY) norm_minus_inf.run(iter);
  else norm_p.run(iter, p, 1 / p);
}
REGISTER_PRIVATEUSE1_DISPATCH(norm_stub, norm_kernel_webgpu, "norm_kernel_webgpu");

const variance = new Reduction(ops.variance);
const standard_deviation = new Reduction(ops.standard_deviation);
const variance_and_mean = new Reduction(ops.variance_and_mean);
const deviation_and_mean = new Reduction(ops.deviation_and_mean);

function std_var_kernel_webgpu(iter: TensorIterator, correction: number, take_sqrt: boolean): void {
  const with_mean = iter.ntensors() === 3;
  if (take_sqrt) (with_mean ? deviation_and_mean : standard_deviation).run(iter, correction);
  else (with_mean ? variance_and_mean : variance).run(iter, correction);
}
REGISTER_PRIVATEUSE1_DISPATCH(std_var_stub, std_var_kernel_webgpu, "std_var_kernel_webgpu");
