/**
 * @file Matrix exponential of square matrices: the Taylor polynomial of the lowest degree that is exact enough, with
 * the smallest number of products.
 * @mirrors aten/src/ATen/native/LinearAlgebra.cpp
 * @see FunctionOfAMatrixUtils.ts (linear combinations of matrices)
 */
import { empty_cpu } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { _compute_linear_combination } from "#aten/native/FunctionOfAMatrixUtils";
import { checkFloatingOrComplex, squareCheckInputs } from "#aten/native/LinearAlgebraUtils";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { _matmul_impl } from "./Matmul.ts";

const kCPU = Device.of(DeviceType.CPU);

// Note [The exponential by few products]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A polynomial of degree d in A needs d - 1 products if powers are added one after the other. Bader, Blanes and Casas
// (Mathematics 2019, 7, 1174) write it as products of sums of few powers: degree 4 with 2 products, 8 with 3, 12 with
// 4, 18 with 5. THETAS holds the largest 1-norm for which each degree is exact to the last bit. For larger norms,
// exp(A) = exp(A / 2^s)^(2^s): the matrix is halved s times, and the result is squared s times.

/** The largest 1-norm for degrees 1, 2, 4, 8, 12, 18. */
const THETAS: Readonly<Record<"float" | "double", readonly number[]>> = {
  float: [
    1.192092800768788e-7, 0.0005978858893805233, 0.05116619363445086, 0.5800524627688768, 1.461661507209034,
    3.010066362817634,
  ].map(Math.fround),
  double: [
    2.220446049250313e-16, 2.580956802971767e-8, 0.0003397168839976962, 0.04991228871115323, 0.299615891381158,
    1.090863719290036,
  ],
};

/**
 * Rows of coefficients; each row gives one matrix of the result. PyTorch writes doubles and, if the matrix is half,
 * reads them as halves.
 */
function coefficients(rows: readonly (readonly number[])[], like: Tensor): Tensor {
  const dtype = like.scalar_type();
  const t = empty_cpu([rows.length, rows[0].length], dtype);
  const [view, offset] = [t.data_view(), t.data_offset()];
  const values = rows.flat();
  const is_half = dtype === ScalarType.Half || dtype === ScalarType.BFloat16;
  const written = is_half ? new Uint16Array(Float64Array.from(values).buffer) : values;
  for (let i = 0; i < values.length; i++) view[offset + i] = written[i];
  return t;
}

/** Linear combination of the matrices along the first dim. */
function linear_combination(t: Tensor, weights: readonly number[]): Tensor {
  return _compute_linear_combination(t, coefficients([weights], t)).squeeze_dim(0);
}

/** A tensor for `n_copies` batches; the first `powers` of them are I, A, A^2, A^3 and A^6. */
function matrix_powers(a: Tensor, n_copies: number, powers: number): Tensor {
  const buffer = at.empty_memory_format([n_copies, ...a.sizes()], a.options(), MemoryFormat.Contiguous);
  buffer.select_int(0, 0).copy_(at.diag_embed(at.ones([1], buffer.options()).expand(a.sizes().slice(0, -1))));
  buffer.select_int(0, 1).copy_(a);
  for (const [i, l, r] of [
    [2, 1, 1],
    [3, 1, 2],
    [4, 3, 3],
  ])
    if (i < powers) _matmul_impl(buffer.select_int(0, i), buffer.select_int(0, l), buffer.select_int(0, r));
  return buffer;
}

/** I + A */
function compute_T1(A: Tensor): Tensor {
  return matrix_powers(A, 2, 2).sum_dim_IntList([0]);
}

/** I + A + A^2 / 2 */
function compute_T2(A: Tensor): Tensor {
  const As = matrix_powers(A, 3, 3);
  As.select_int(0, 2).div__Scalar(Scalar.fromDouble(2));
  return As.sum_dim_IntList([0]);
}

/** I + A + A^2 (I / 2 + A / 6 + A^2 / 24) */
function compute_T4(A: Tensor): Tensor {
  const As = matrix_powers(A, 4, 3);
  _matmul_impl(
    As.select_int(0, 3),
    As.select_int(0, 2),
    linear_combination(As.narrow(0, 0, 3), [1 / 2, 1 / 6, 1 / 24]),
  );
  return linear_combination(As, [1, 1, 0, 1]);
}

const SQRT_177 = Math.sqrt(177);
const X3 = 2 / 3;
const X1 = X3 * ((1 + SQRT_177) / 88);
const X2 = X3 * ((1 + SQRT_177) / 352);
const X4 = (-271 + 29 * SQRT_177) / (315 * X3);
const X5 = (-11 + 11 * SQRT_177) / (1260 * X3);
const X6 = (-99 + 11 * SQRT_177) / (5040 * X3);
const X7 = (89 - SQRT_177) / (5040 * X3);
const Y2 = (857 - 58 * SQRT_177) / 630;

/** A4 = A^2 (x1 A + x2 A^2); A8 = (x3 A^2 + A4) (x4 I + x5 A + x6 A^2 + x7 A4); I + A + y2 A^2 + A8 */
function compute_T8(A: Tensor): Tensor {
  const As = matrix_powers(A, 5, 3);
  _matmul_impl(As.select_int(0, 3), As.select_int(0, 2), linear_combination(As.narrow(0, 1, 2), [X1, X2]));
  _matmul_impl(
    As.select_int(0, 4),
    linear_combination(As.narrow(0, 2, 2), [X3, 1]),
    linear_combination(As.narrow(0, 0, 4), [X4, X5, X6, X7]),
  );
  return linear_combination(As, [1, 1, Y2, 0, 1]);
}

// biome-ignore format: table
const B12 = [
  [9.0198e-16, 0.4693211759541824, -0.20099424927047285, -0.04623946134063072],
  [5.315978957598713, 1.1992679041713223, 0.01179296240992997, 0.01108844528519168],
  [0.18188869982170436, 0.05502798439925399, 0.09351590770535415, 0.006107005288980582],
  [-2.0861320e-13, -0.13181061013830184, -0.02027855540589259, -0.006759518468630863],
];

/** With B = B12 (I, A, A^2, A^3): A6 = B2 + B3 B3; B0 + (B1 + A6) A6 */
function compute_T12(A: Tensor): Tensor {
  const As = matrix_powers(A, 4, 4);
  const Bs = _compute_linear_combination(As, coefficients(B12, A));
  const [b, out] = [(i: number): Tensor => Bs.select_int(0, i), As.select_int(0, 0)];
  b(2).add__Tensor(_matmul_impl(out, b(3), b(3)));
  const last = b(2); // PyTorch's compiler evaluates arguments from right to left
  return b(0).add__Tensor(_matmul_impl(out, b(1).add__Tensor(b(2)), last));
}

// biome-ignore format: table
const B18 = [
  [0, -0.10036558103014462, -0.00802924648241157, -0.00089213849804573, 0],
  [0, 0.3978497494996451, 1.3678377846041172, 0.49828962252538267, -0.0006378981945947233],
  [-10.967639605296206, 1.680158138789062, 0.05717798464788655, -0.0069821012248805206, 3.349750170860705e-5],
  [-0.09043168323908106, -0.06764045190713819, 0.06759613017704597, 0.029555257042931552, -1.391802575160607e-5],
  [0, 0, -0.09233646193671186, -0.016936493900208172, -1.400867981820361e-5],
];

/** With B = B18 (I, A, A^2, A^3, A^6): A9 = B3 + B0 B4; B1 + (B2 + A9) A9 */
function compute_T18(A: Tensor): Tensor {
  const As = matrix_powers(A, 5, 5);
  const Bs = _compute_linear_combination(As, coefficients(B18, A));
  const [b, out] = [(i: number): Tensor => Bs.select_int(0, i), As.select_int(0, 0)];
  b(3).add__Tensor(_matmul_impl(out, b(0), b(4)));
  const last = b(3); // the last argument first, as in compute_T12
  return b(1).add__Tensor(_matmul_impl(out, b(2).add__Tensor(b(3)), last));
}

/**
 * Each matrix is squared as often as it was halved. Matrices with fewer halvings come first and are left out when they
 * are done.
 */
function compute_T18_scale_square(a: Tensor, norm: Tensor, theta: number): Tensor {
  const s = at.ceil(at.log2(norm.div_Scalar(Scalar.fromDouble(theta)))).clamp(Scalar.ZERO);
  const pow2s = at.pow_Scalar(Scalar.fromInt(2), s.neg());
  const scaled = compute_T18(a.mul_Tensor(pow2s.view([-1, 1, 1])));

  const [sorted, order] = at.sort(s, 0);
  const sorted_s = sorted.to_dtype(ScalarType.Long);
  const [, , split_counts] = at.unique_consecutive(sorted_s, true, true);
  const split_edges = at.cumsum(split_counts, 0).sub_Scalar(Scalar.ONE);
  const unique_s = sorted_s.index_select(0, split_edges).clamp(Scalar.ZERO);
  const mul_times = at.diff(unique_s, 1, -1, unique_s.new_zeros([1]));
  const section_values = at.cat([split_counts, mul_times], 0).to_dtype_layout(TensorOptions.EMPTY.device(kCPU));

  const [view, offset] = [section_values.data_view() as BigInt64Array, section_values.data_offset()];
  const sections = section_values.numel() / 2;
  const pieces: Tensor[] = [];
  let acc = scaled.index_select(0, order);
  for (let i = 0; i < sections; i++) {
    for (let times = Number(view[offset + sections + i]); times > 0; times--)
      acc = at.matmul_out(acc, acc, at.empty_like(acc));
    const count = Number(view[offset + i]);
    pieces.push(acc.slice_Tensor(0, 0, count));
    acc = acc.slice_Tensor(0, count);
  }
  return at.cat(pieces, 0).index_select(0, at.argsort(order));
}

const COMPUTE = [compute_T1, compute_T2, compute_T4, compute_T8, compute_T12];

/** @param a `(N, n, n)`; a batch always uses the highest degree */
function mexp_impl(a: Tensor, thetas: readonly number[]): Tensor {
  const norm = at.max_dim(a.abs().sum_dim_IntList([-2]), -1)[0];
  const highest = thetas[COMPUTE.length];
  if (a.size(0) > 1) return compute_T18_scale_square(a, norm, highest);

  // A norm of NaN is in no interval, so its matrix stays NaN.
  const res = at.full_like(a, Scalar.fromDouble(Number.NaN), TensorOptions.EMPTY, MemoryFormat.Contiguous);
  const bound = (i: number): Scalar => Scalar.fromDouble(i < 0 ? -1 : thetas[i]);
  for (const [i, compute_T] of COMPUTE.entries()) {
    const not_above = norm.le_Scalar(bound(i));
    const here = norm.gt_Scalar(bound(i - 1)).mul_Tensor(not_above);
    const index = here.nonzero().squeeze_dim(-1);
    if (index.numel() !== 0) res.index_put_([index], compute_T(a.index_select(0, index)));
  }
  const large = norm
    .ge_Scalar(bound(COMPUTE.length - 1))
    .nonzero()
    .squeeze_dim(-1);
  if (large.numel() !== 0) {
    const large_a = a.index_select(0, large);
    const powers = compute_T18_scale_square(large_a, norm.index_select(0, large), highest);
    res.index_put_([large], powers.view(large_a.sizes()));
  }
  return res;
}

function mexp(a: Tensor): Tensor {
  const thetas = a.scalar_type() === ScalarType.Float ? THETAS.float : THETAS.double;
  return mexp_impl(a.view([-1, a.size(-2), a.size(-1)]), thetas).view(a.sizes());
}

// linalg_matrix_exp(Tensor self) -> Tensor                                          CPU
export function linalg_matrix_exp(a: Tensor): Tensor {
  squareCheckInputs(a, "linalg.matrix_exp");
  checkFloatingOrComplex(a, "linalg.matrix_exp");
  if (a.size(-1) === 0) return a.clone();
  return a.size(-1) === 1 ? a.exp() : mexp(a);
}

// matrix_exp(Tensor self) -> Tensor                                                 CompositeImplicitAutograd
export function matrix_exp(a: Tensor): Tensor {
  return at.linalg_matrix_exp(a);
}

// matrix_exp_backward(Tensor self, Tensor grad) -> Tensor                           CompositeImplicitAutograd
/** The gradient is the upper right block of exp of ((A^T, G), (0, A^T)). */
export function matrix_exp_backward(self: Tensor, grad: Tensor): Tensor {
  squareCheckInputs(self, "matrix_exp_backward");
  const [A, n] = [self.mH(), self.size(-1)];
  const meta_grad = at.zeros([...A.sizes().slice(0, -2), 2 * n, 2 * n], grad.options());
  meta_grad.narrow(-2, 0, n).narrow(-1, 0, n).copy_(A);
  meta_grad.narrow(-2, n, n).narrow(-1, n, n).copy_(A);
  meta_grad.narrow(-2, 0, n).narrow(-1, n, n).copy_(grad);
  return meta_grad.matrix_exp().narrow(-2, 0, n).narrow(-1, n, n);
}
