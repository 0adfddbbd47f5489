/**
 * @file Products of Householder reflections, as `geqrf` returns them: alone (`orgqr`), and with a matrix (`ormqr`).
 * @mirrors aten/src/ATen/native/BatchLinearAlgebra.cpp
 * @see lapack/geqrf.ts (the arithmetic)
 */
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { checkLinalgCompatibleDtype } from "#aten/native/LinearAlgebraUtils";
import { lapackOrmqr } from "#aten/native/lapack/geqrf";
import { matrices, release, vectors } from "#aten/native/lapack/matrices";
import { transposed } from "#aten/native/lapack/matrix";
import { resize_output } from "#aten/native/Resize";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { orgqr_stub } from "./Decompositions.ts";

/**
 * Resizes the result: an empty one gets column-major matrices, one of another shape is resized. A result of the right
 * shape keeps its layout.
 */
function resize_in_columns(result: Tensor, sizes: readonly number[]): void {
  if (result.numel() !== 0) {
    resize_output(result, sizes);
    return;
  }
  result.resize_([...sizes.slice(0, -2), sizes[sizes.length - 1], sizes[sizes.length - 2]], MemoryFormat.Contiguous);
  result.transpose_(-2, -1);
}

// orgqr ---------------------------------------------------------------------------------------------------------------------

// linalg_householder_product.out                                                    CPU
export function linalg_householder_product_out(input: Tensor, tau: Tensor, result: Tensor): Tensor {
  const name = "torch.linalg.householder_product";
  TORCH_CHECK(input.dim() >= 2, name, ": input must have at least 2 dimensions.");
  const [m, n] = [input.size(-2), input.size(-1)];
  TORCH_CHECK(m >= n, name, ": input.shape[-2] must be greater than or equal to input.shape[-1]");
  TORCH_CHECK(n >= tau.size(-1), name, ": input.shape[-1] must be greater than or equal to tau.shape[-1]");
  TORCH_CHECK(
    input.dim() - tau.dim() === 1,
    name,
    ": Expected tau to have one dimension less than input, but got tau.ndim equal to ",
    tau.dim(),
    " and input.ndim is equal to ",
    input.dim(),
  );
  const batch = tau.sizes().slice(0, -1);
  TORCH_CHECK(
    sizes_equal(batch, input.sizes().slice(0, -2)),
    name,
    ": Expected batch dimensions of tau to be equal to input.shape[:-2], but got ",
    batch,
  );
  TORCH_CHECK(
    tau.scalar_type() === input.scalar_type(),
    name,
    ": tau dtype ",
    toString(tau.scalar_type()),
    " does not match input dtype ",
    toString(input.scalar_type()),
  );
  checkLinalgCompatibleDtype(name, result.scalar_type(), input.scalar_type());
  const in_place =
    result.scalar_type() === input.scalar_type() &&
    (result.numel() === 0 ||
      (sizes_equal(result.sizes(), input.sizes()) && result.transpose_int(-2, -1).is_contiguous()));
  if (in_place) return householder_product_out_helper(input, tau, result);
  const product = householder_product_out_helper(input, tau, at.empty_memory_format([0], input.options()));
  resize_output(result, product.sizes());
  return result.copy_(product);
}

/** Overwrites `result`, which is empty or has the input's shape in column-major order. */
function householder_product_out_helper(input: Tensor, tau: Tensor, result: Tensor): Tensor {
  resize_in_columns(result, input.sizes());
  result.copy_(input);
  return orgqr_stub.call(result.device().type(), result, tau.contiguous());
}

// linalg_householder_product(Tensor input, Tensor tau) -> Tensor                    CPU
export function linalg_householder_product(input: Tensor, tau: Tensor): Tensor {
  return at.linalg_householder_product_out(input, tau, at.empty_memory_format([0], input.options()));
}

/** Alias under the older name. */
export function orgqr(input: Tensor, tau: Tensor): Tensor {
  return at.linalg_householder_product(input, tau);
}

export function orgqr_out(input: Tensor, tau: Tensor, result: Tensor): Tensor {
  return at.linalg_householder_product_out(input, tau, result);
}

// ormqr ---------------------------------------------------------------------------------------------------------------------

function check_ormqr(input: Tensor, tau: Tensor, other: Tensor, left: boolean, result: Tensor): void {
  TORCH_CHECK(input.dim() >= 2, "torch.ormqr: input must have at least 2 dimensions.");
  TORCH_CHECK(other.dim() >= 2, "torch.ormqr: other must have at least 2 dimensions.");
  const side = left ? -2 : -1;
  TORCH_CHECK(
    other.size(side) === input.size(-2),
    `torch.ormqr: other.shape[${side}] must be equal to input.shape[-2]`,
  );
  TORCH_CHECK(
    tau.size(-1) === Math.min(other.size(side), input.size(-1)),
    `torch.ormqr: tau.shape[-1] must be equal to min(other.shape[${side}], input.shape[-1])`,
  );
  TORCH_CHECK(
    input.dim() - tau.dim() === 1,
    "torch.ormqr: Expected tau to have one dimension less than input, but got tau.ndim equal to ",
    tau.dim(),
    " and input.ndim is equal to ",
    input.dim(),
  );
  TORCH_CHECK(
    input.dim() === other.dim(),
    "torch.ormqr: Expected other to have the same number of dimensions as input, but got other.ndim equal to ",
    other.dim(),
    " and input.ndim is equal to ",
    input.dim(),
  );
  const expected = input.sizes().slice(0, -2);
  for (const [name, batch] of [
    ["tau", tau.sizes().slice(0, -1)],
    ["other", other.sizes().slice(0, -2)],
  ] as const)
    TORCH_CHECK(
      sizes_equal(batch, expected),
      `torch.ormqr: Expected batch dimensions of ${name} to be equal to input.shape[:-2], but got `,
      batch,
    );
  for (const [name, t] of [
    ["tau", tau],
    ["other", other],
    ["result", result],
  ] as const)
    TORCH_CHECK(
      t.scalar_type() === input.scalar_type(),
      `torch.ormqr: Expected input and ${name} to have the same dtype, but input has dtype`,
      toString(input.scalar_type()),
      ` and ${name} has dtype `,
      toString(t.scalar_type()),
    );
}

// ormqr.out                                                                         CPU
/** C Q is computed as (Q^T C^T)^T. */
export function ormqr_out(
  input: Tensor,
  tau: Tensor,
  other: Tensor,
  left: boolean,
  transpose: boolean,
  result: Tensor,
): Tensor {
  check_ormqr(input, tau, other, left, result);
  resize_in_columns(result, other.sizes());
  const label = "ormqr_cpu";
  const [vs, factors, cs, into] = [
    matrices(input, label),
    vectors(tau),
    matrices(other, label),
    matrices(result, label),
  ];
  const k = tau.size(-1);
  for (let b = 0; b < into.length; b++) {
    const c = left ? cs.read(b) : transposed(cs.read(b), cs.m, cs.n);
    if (k > 0) lapackOrmqr(vs.take(b), vs.m, factors.read(b), c, left === transpose);
    into.write(b, left ? c : transposed(c, cs.n, cs.m));
    release();
  }
  return result;
}

// ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor      CPU
export function ormqr(input: Tensor, tau: Tensor, other: Tensor, left: boolean, transpose: boolean): Tensor {
  return at.ormqr_out(input, tau, other, left, transpose, at.empty_memory_format([0], input.options()));
}
