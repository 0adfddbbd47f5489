/**
 * @file Meta kernels of matrix factorizations and of solvers that use them.
 * @mirrors torch/_meta_registrations.py
 */
import { AssertionError } from "#c10/util/Exception";
import { register_decomposition } from "#torch/_decomp/index";
import { check, is_float_dtype, is_tensor, same_shape, size_repr } from "#torch/_prims_common/index";
import {
  _maybe_resize_out,
  _resize_output_check,
  _safe_copy_out,
  type Keywords,
  out_wrapper,
  type Reference,
} from "#torch/_prims_common/wrappers";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { broadcast_shapes } from "#torch/functional/index";

// Checks --------------------------------------------------------------------------------------------------------------------

function checkIsMatrix(A: Tensor, f_name: string): void {
  check(A.dim() >= 2, () => `${f_name}: The input tensor A must have at least 2 dimensions.`);
}

export function squareCheckInputs(self: Tensor, f_name: string): void {
  if (self.dim() < 2)
    throw new AssertionError(`${f_name}: The input tensor must have at least 2 dimensions, got ${self.dim()}`);
  check(
    self.size(-1) === self.size(-2),
    () => `${f_name}: A must be batches of square matrices, but they are ${self.size(-2)} by ${self.size(-1)} matrices`,
  );
}

function checkInputsSolver(A: Tensor, B: Tensor, left: boolean, f_name: string): void {
  squareCheckInputs(A, f_name);
  checkIsMatrix(B, f_name);
  check(
    left ? A.size(-2) === B.size(-2) : A.size(-1) === B.size(-1),
    () =>
      `${f_name}: Incompatible shapes of A and B for the equation ${left ? "AX = B" : "XA = B"}` +
      ` (${A.size(-2)}x${A.size(-1)} and ${B.size(-2)}x${B.size(-1)})`,
  );
}

export function checkFloatingOrComplex(t: Tensor, f_name: string, allow_low_precision_dtypes = true): void {
  check(
    is_float_dtype(t.dtype),
    () => `${f_name}: Expected a floating point or complex tensor as input. Got ${t.dtype}`,
  );
  check(
    allow_low_precision_dtypes || t.dtype === torch.float32 || t.dtype === torch.float64,
    () => `${f_name}: Low precision dtypes not supported. Got ${t.dtype}`,
  );
}

function checkUplo(uplo: string): void {
  check(/^[ulUL]$/.test(uplo), () => `Expected UPLO argument to be 'L' or 'U', but got ${uplo}`);
}

export function linearSolveCheckInputs(self: Tensor, A: Tensor, name: string): void {
  check(
    String(self.device) === String(A.device),
    () => `Expected b and A to be on the same device, but found b on ${self.device} and A on ${A.device} instead.`,
  );
  check(
    self.dtype === A.dtype,
    () =>
      `Expected b and A to have the same dtype, but found b of type ${self.dtype} and A of type ${A.dtype} instead.`,
  );
  check(
    A.size(-1) === A.size(-2),
    () => `A must be batches of square matrices, but they are ${A.size(-2)} by ${A.size(-1)} matrices`,
  );
  check(
    A.size(-1) === self.size(-2),
    () =>
      `Incompatible matrix sizes for ${name}: each A matrix is ${A.size(-1)} by ${A.size(-1)}` +
      ` but each b matrix is ${self.size(-2)} by ${self.size(-1)}`,
  );
}

export function broadcast_batches(arg1: Tensor, arg2: Tensor): [number[], number[]] {
  const batch = broadcast_shapes(arg1.shape.slice(0, -2), arg2.shape.slice(0, -2));
  return [
    [...batch, arg1.size(-2), arg1.size(-1)],
    [...batch, arg2.size(-2), arg2.size(-1)],
  ];
}

function is_vector_rhs(input: Tensor, other: Tensor): boolean {
  return other.dim() === 1 || (input.dim() - 1 === other.dim() && same_shape(other.shape, input.shape.slice(0, -1)));
}

/** Empty matrices stored by columns, or by rows. */
export function empty_matrices(like: Tensor, shape: readonly number[], in_columns = true): Tensor {
  const strides = shape.map((_, d) => shape.slice(d + 1).reduce((n, size) => n * Math.max(size, 1), 1));
  if (in_columns && shape.length >= 2) strides.splice(-2, 2, 1, Math.max(shape[shape.length - 2], 1));
  return torch.empty_strided([...shape], strides, { dtype: like.dtype, device: like.device });
}

export function ints(like: Tensor, shape: readonly number[]): Tensor {
  return like.new_empty([...shape], { dtype: torch.int32 });
}

// Cholesky ------------------------------------------------------------------------------------------------------------------

function cloneBatchedColumnMajor(src: Tensor): Tensor {
  return src.mT.clone({ memory_format: torch.contiguous_format }).transpose(-2, -1);
}

register_decomposition(
  "_cholesky_solve_helper _cholesky_solve_helper.out",
  out_wrapper((self: Tensor) => cloneBatchedColumnMajor(self)),
  "meta",
);

register_decomposition(
  "cholesky_solve cholesky_solve.out",
  out_wrapper((self: Tensor, A: Tensor, upper: boolean) => {
    check(self.dim() >= 2, () => `b should have at least 2 dimensions, but has ${self.dim()} dimensions instead`);
    check(A.dim() >= 2, () => `u should have at least 2 dimensions, but has ${A.dim()} dimensions instead`);
    linearSolveCheckInputs(self, A, "cholesky_solve");
    const [b, u] = broadcast_batches(self, A);
    return torch.ops.aten._cholesky_solve_helper(self.expand(b), A.expand(u), upper);
  }),
  "meta",
);

register_decomposition(
  "cholesky cholesky.out",
  out_wrapper((self: Tensor) => {
    if (self.numel() === 0) return torch.empty_like(self);
    squareCheckInputs(self, "cholesky");
    return empty_matrices(self, self.shape);
  }),
  "meta",
);

register_decomposition(
  "cholesky_inverse cholesky_inverse.out",
  out_wrapper((self: Tensor) => {
    squareCheckInputs(self, "cholesky_inverse");
    return empty_matrices(self, self.shape);
  }),
  "meta",
);

register_decomposition(
  "linalg_cholesky_ex",
  (A: Tensor) => {
    squareCheckInputs(A, "linalg.cholesky");
    checkFloatingOrComplex(A, "linalg.cholesky");
    return [empty_matrices(A, A.shape), ints(A, A.shape.slice(0, -2))];
  },
  "meta",
);

// Elimination ---------------------------------------------------------------------------------------------------------------

register_decomposition(
  "linalg_inv_ex",
  (A: Tensor) => {
    squareCheckInputs(A, "linalg.inv_ex");
    checkFloatingOrComplex(A, "linalg.inv_ex", false);
    return [empty_matrices(A, A.shape), ints(A, A.shape.slice(0, -2))];
  },
  "meta",
);

/** Empty P, L and U; a factor that is not requested has no elements. */
function empty_PLU(LU: Tensor, data: boolean, pivots: boolean): [Tensor, Tensor, Tensor] {
  const batch = LU.shape.slice(0, -2);
  const [m, n] = [LU.size(-2), LU.size(-1)];
  const k = Math.min(m, n);
  const empty = (wanted: boolean, rows: number, columns: number): Tensor =>
    LU.new_empty(wanted ? [...batch, rows, columns] : [0]);
  return [empty(pivots, m, m), empty(data, m, k), empty(data, k, n)];
}

function check_dims(name: string, A: Tensor): void {
  check(
    A.dim() >= 2,
    () => `${name}: Expected tensor with 2 or more dimensions. Got size: ${size_repr(A.shape)} instead`,
  );
}

register_decomposition(
  "linalg_lu linalg_lu.out",
  out_wrapper((A: Tensor, { pivot }: Keywords & { readonly pivot: boolean }) => {
    check_dims("linalg.lu", A);
    return empty_PLU(A, true, pivot);
  }),
  "meta",
);

register_decomposition(
  "lu_unpack lu_unpack.out",
  out_wrapper((LU: Tensor, pivots: Tensor, unpack_data: boolean, unpack_pivots: boolean) => {
    check_dims("torch.lu_unpack", LU);
    check(
      !unpack_pivots || pivots.dtype === torch.int32,
      () =>
        "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\n" +
        "Note: this function is intended to be used with the output produced by torch.linalg.lu_factor",
    );
    return empty_PLU(LU, unpack_data, unpack_pivots);
  }),
  "meta",
);

register_decomposition(
  "linalg_lu_factor_ex linalg_lu_factor_ex.out",
  out_wrapper((A: Tensor) => {
    check_dims("torch.lu_factor", A);
    const batch = A.shape.slice(0, -2);
    return [
      empty_matrices(A, A.shape),
      ints(A, [...batch, Math.min(A.shape[A.dim() - 2], A.shape[A.dim() - 1])]),
      ints(A, batch),
    ];
  }),
  "meta",
);

register_decomposition(
  "linalg_lu_solve linalg_lu_solve.out",
  out_wrapper((LU: Tensor, pivots: Tensor, B: Tensor, { left }: Keywords & { readonly left: boolean }) => {
    checkFloatingOrComplex(LU, "torch.linalg.lu_solve");
    check(
      LU.dtype === B.dtype,
      () =>
        `linalg.lu_solve: Expected LU and B to have the same dtype, but found LU of type ${LU.dtype} and B of type ${B.dtype} instead`,
    );
    check(pivots.dtype === torch.int32, () => "linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32");
    squareCheckInputs(LU, "torch.linalg.lu_solve");
    checkInputsSolver(LU, B, left, "linalg.lu_solve");
    check(
      LU.size(-1) === pivots.size(-1),
      () => "linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix",
    );
    check(
      same_shape(LU.shape.slice(0, -1), pivots.shape),
      () =>
        "linalg.lu_solve: Expected LU.shape[:-1] and pivots.shape to be the same, " +
        `but got pivots with shape ${size_repr(pivots.shape)} instead`,
    );
    return empty_matrices(B, broadcast_batches(B, LU)[0], left);
  }),
  "meta",
);

register_decomposition(
  "_linalg_det",
  (A: Tensor) => {
    squareCheckInputs(A, "linalg.det");
    checkFloatingOrComplex(A, "linalg.det");
    return [A.new_empty(A.shape.slice(0, -2)), empty_matrices(A, A.shape), ints(A, A.shape.slice(0, -1))];
  },
  "meta",
);

register_decomposition(
  "_linalg_slogdet _linalg_slogdet.sign",
  out_wrapper((A: Tensor) => {
    squareCheckInputs(A, "linalg.slogdet");
    checkFloatingOrComplex(A, "linalg.slogdet", false);
    const batch = A.shape.slice(0, -2);
    return [A.new_empty(batch), A.new_empty(batch), empty_matrices(A, A.shape), ints(A, A.shape.slice(0, -1))];
  }),
  "meta",
);

/** Copies a result into an output together with its strides, which `out_wrapper` does not keep. */
function into(out: Tensor, value: Tensor): void {
  _maybe_resize_out(out, value.shape);
  out.as_strided_(value.shape, value.stride() as number[]);
  _safe_copy_out(value, out);
}

type SolveOptions = Keywords & { readonly left: boolean; readonly out: readonly Tensor[] | null };

register_decomposition(
  "_linalg_solve_ex _linalg_solve_ex.result",
  ((A: Tensor, B: Tensor, { left, out }: SolveOptions) => {
    checkFloatingOrComplex(A, "linalg.solve");
    check(
      A.dtype === B.dtype,
      () =>
        `linalg.solve: Expected A and B to have the same dtype, but found A of type ${A.dtype} and B of type ${B.dtype} instead`,
    );
    const vector_case = is_vector_rhs(A, B);
    const B_ = vector_case ? B.unsqueeze(-1) : B;
    checkInputsSolver(A, B_, left, "linalg.solve");
    const [sizes] = broadcast_batches(B_, A);
    check(
      left || !vector_case,
      () =>
        "linalg.solve: Vector broadcasting of the left hand side is not supported for left=False. " +
        "In this case linalg.solve is equivalent to B / A.squeeze(-1)",
    );
    const results = [
      empty_matrices(B, vector_case ? sizes.slice(0, -1) : sizes, left),
      empty_matrices(A, A.shape),
      ints(A, A.shape.slice(0, -1)),
      ints(A, A.shape.slice(0, -2)),
    ];
    out?.forEach((each, i) => {
      into(each, results[i]);
    });
    return out === null ? results : out;
  }) as Reference,
  "meta",
);

// Triangles -----------------------------------------------------------------------------------------------------------------

register_decomposition(
  "linalg_solve_triangular linalg_solve_triangular.out",
  (A: Tensor, B: Tensor, { left, out }: Keywords & { readonly left: boolean; readonly out: Tensor | null }) => {
    const result = out ?? A.new_empty([0]);
    check(is_tensor(result), () => "out must be TensorLike");
    checkInputsSolver(A, B, left, "linalg.solve_triangular");
    const [shape] = broadcast_batches(B, A);
    if (_resize_output_check(result, shape)) {
      result.resize_([...shape.slice(0, -2), shape[shape.length - 1], shape[shape.length - 2]]);
      result.transpose_(-2, -1);
    }
    return result;
  },
  "meta",
);

register_decomposition(
  "triangular_solve triangular_solve.X",
  out_wrapper(
    (self: Tensor, A: Tensor) => {
      for (const [name, t] of [
        ["b", self],
        ["A", A],
      ] as const)
        check(
          t.dim() >= 2,
          () =>
            `torch.triangular_solve: Expected ${name} to have at least 2 dimensions, but it has ${t.dim()} dimensions instead`,
        );
      linearSolveCheckInputs(self, A, "triangular_solve");
      const [b, a] = broadcast_batches(self, A);
      return [empty_matrices(self, b), empty_matrices(A, a)];
    },
    { exact_dtype: true },
  ),
  "meta",
);

// Reflections and rotations -------------------------------------------------------------------------------------------------

register_decomposition(
  "linalg_qr linalg_qr.out",
  out_wrapper((A: Tensor, mode: string) => {
    checkIsMatrix(A, "linalg.qr");
    checkFloatingOrComplex(A, "linalg.qr");
    check(
      mode === "reduced" || mode === "complete" || mode === "r",
      () => `qr received unrecognized mode '${mode}' but expected one of 'reduced' (default), 'r', or 'complete'`,
    );
    const batch = A.shape.slice(0, -2);
    const [m, n] = [A.size(-2), A.size(-1)];
    const k = Math.min(m, n);
    const Q = mode === "r" ? A.new_empty([0]) : empty_matrices(A, [...batch, m, mode === "reduced" ? k : m]);
    return [Q, empty_matrices(A, [...batch, mode === "complete" ? m : k, n])];
  }),
  "meta",
);

register_decomposition(
  "_linalg_eigh _linalg_eigh.eigenvalues",
  out_wrapper((A: Tensor, uplo: string, compute_v: boolean) => {
    squareCheckInputs(A, "linalg.eigh");
    checkUplo(uplo);
    const vectors = compute_v ? empty_matrices(A, A.shape) : A.new_empty([0]);
    return [A.new_empty(A.shape.slice(0, -1)), vectors];
  }),
  "meta",
);

register_decomposition(
  "_linalg_svd",
  (A: Tensor, full_matrices: boolean, compute_uv: boolean) => {
    checkIsMatrix(A, "linalg.svd");
    checkFloatingOrComplex(A, "linalg.svd");
    const batch = A.shape.slice(0, -2);
    const [m, n] = [A.shape[A.dim() - 2], A.shape[A.dim() - 1]];
    const k = Math.min(m, n);
    const vectors = (rows: number, columns: number): Tensor =>
      compute_uv ? empty_matrices(A, [...batch, rows, columns]) : A.new_empty([0]);
    const U = vectors(m, full_matrices ? m : k);
    const Vh = vectors(full_matrices ? n : k, n);
    return [U, A.new_empty([...batch, k]), Vh];
  },
  "meta",
);

// Products ------------------------------------------------------------------------------------------------------------------

register_decomposition(
  "linalg_cross linalg_cross.out",
  out_wrapper((self: Tensor, other: Tensor, { dim }: Keywords & { readonly dim: number }) => {
    check(self.dim() === other.dim(), () => "linalg.cross: inputs must have the same number of dimensions.");
    check(
      self.size(dim) === 3 && other.size(dim) === 3,
      () => `linalg.cross: inputs dimension ${dim} must have length 3. Got ${self.size(dim)} and ${other.size(dim)}`,
    );
    return self.new_empty(broadcast_shapes(self.shape, other.shape));
  }),
  "meta",
);
