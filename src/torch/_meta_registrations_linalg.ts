/**
 * @file Shapes of linear algebra, distances and counts.
 * @mirrors torch/_meta_registrations.py
 */
import { register_decomposition, register_with_out } from "./_decomp/index.ts";
import { check, is_float_dtype, same_shape, size_repr } from "./_prims_common/index.ts";
import { type Keywords, out_wrapper } from "./_prims_common/wrappers.ts";
import type { Tensor } from "./_tensor.ts";
import { torch } from "./_torch.ts";
import { broadcast_shapes } from "./functional.ts";

// distances -----------------------------------------------------------------------------------------------------------------

register_decomposition(
  "_cdist_forward",
  (x1: Tensor, x2: Tensor, p: number, compute_mode: number | null) => {
    check(x1.dim() >= 2, () => `cdist only supports at least 2D tensors, X1 got: ${x1.dim()}D`);
    check(x2.dim() >= 2, () => `cdist only supports at least 2D tensors, X2 got: ${x2.dim()}D`);
    check(
      x1.size(-1) === x2.size(-1),
      () => `X1 and X2 must have the same number of columns. X1: ${x1.size(-1)} X2: ${x2.size(-1)}`,
    );
    check(is_float_dtype(x1.dtype), () => `cdist only supports floating-point dtypes, X1 got: ${x1.dtype}`);
    check(is_float_dtype(x2.dtype), () => `cdist only supports floating-point dtypes, X2 got: ${x2.dtype}`);
    check(p >= 0, () => "cdist only supports non-negative p values");
    check([null, 0, 1, 2].includes(compute_mode), () => `possible modes: None, 0, 1, 2, but was: ${compute_mode}`);
    const batch = broadcast_shapes(x1.shape.slice(0, -2), x2.shape.slice(0, -2));
    return x1.new_empty([...batch, x1.size(-2), x2.size(-2)]);
  },
  "meta",
);

register_decomposition(
  "_cdist_backward _cdist_backward.out",
  out_wrapper((_grad: Tensor, x1: Tensor, x2: Tensor) => {
    const batch = broadcast_shapes(x1.shape.slice(0, -2), x2.shape.slice(0, -2));
    const shape = [...batch, ...x1.shape.slice(-2)];
    const expanded = x1.numel() === 0 || same_shape(shape, x1.shape) ? x1 : x1.expand(shape);
    return torch.empty_like(expanded, { memory_format: torch.contiguous_format });
  }),
  "meta",
);

register_decomposition(
  "_pdist_forward _pdist_forward.out",
  out_wrapper((self: Tensor) => {
    check(self.is_contiguous(), () => "_pdist_forward requires contiguous input");
    const n = self.size(0);
    return self.new_empty([(n * (n - 1)) / 2]);
  }),
  "meta",
);

register_decomposition(
  "_pdist_backward _pdist_backward.out",
  out_wrapper((_grad: Tensor, self: Tensor, _p: number, pdist: Tensor) => {
    check(self.is_contiguous(), () => "_pdist_backward requires self to be contiguous");
    check(pdist.is_contiguous(), () => "_pdist_backward requires pdist to be contiguous");
    return torch.empty_like(self, { memory_format: torch.contiguous_format });
  }),
  "meta",
);

// counts and sums -------------------------------------------------------------------------------------------------------------

register_decomposition(
  "histc histc.out",
  out_wrapper((input: Tensor, bins: number, min: number, max: number) => {
    check(bins > 0, () => `histc(): bins must be > 0, but got ${bins}`);
    check(Number(max) >= Number(min), () => "histc(): max must be larger than min");
    return torch.empty([bins], { device: input.device, dtype: input.dtype });
  }),
  "meta",
);

register_decomposition(
  "trace trace.out",
  out_wrapper((self: Tensor) => {
    check(self.dim() === 2, () => `expected a matrix, but got tensor with dim ${self.dim()}`);
    return torch.sum(torch.diag(self, 0));
  }),
  "meta",
);

// matrices --------------------------------------------------------------------------------------------------------------------

function squareCheckInputs(self: Tensor, f_name: string): void {
  check(self.dim() >= 2, () => `${f_name}: The input tensor A must have at least 2 dimensions.`);
  check(
    self.size(-1) === self.size(-2),
    () => `${f_name}: A must be batches of square matrices, but they are ${self.size(-2)} by ${self.size(-1)} matrices`,
  );
}

/** Empty matrices that lie in columns. */
function column_major(like: Tensor, shape: readonly number[]): Tensor {
  const transposed = [...shape.slice(0, -2), ...shape.slice(-2).reverse()];
  return like.new_empty(transposed).transpose(-2, -1);
}

register_decomposition(
  "_cholesky_solve_helper _cholesky_solve_helper.out",
  out_wrapper((self: Tensor) => column_major(self, self.shape)),
  "meta",
);

register_with_out(
  "cholesky_solve",
  (self: Tensor, A: Tensor, upper: boolean) => {
    check(self.dim() >= 2, () => `b should have at least 2 dimensions, but has ${self.dim()} dimensions instead`);
    check(A.dim() >= 2, () => `u should have at least 2 dimensions, but has ${A.dim()} dimensions instead`);
    const [rows, columns] = [A.size(-2), A.size(-1)];
    check(rows === columns, () => `A must be batches of square matrices, but they are ${rows} by ${columns} matrices`);
    check(
      columns === self.size(-2),
      () =>
        `Incompatible matrix sizes for cholesky_solve: each A matrix is ${columns} by ${columns} but each b matrix is ${self.size(-2)} by ${self.size(-1)}`,
    );
    const batch = broadcast_shapes(self.shape.slice(0, -2), A.shape.slice(0, -2));
    const broadcast = (t: Tensor): Tensor => t.expand([...batch, ...t.shape.slice(-2)]);
    return torch.ops.aten._cholesky_solve_helper(broadcast(self), broadcast(A), upper);
  },
  "meta",
);

register_decomposition(
  "cholesky cholesky.out",
  out_wrapper((self: Tensor) => {
    if (self.numel() === 0) return torch.empty_like(self);
    squareCheckInputs(self, "cholesky");
    return column_major(self, self.shape);
  }),
  "meta",
);

register_decomposition(
  "cholesky_inverse cholesky_inverse.out",
  out_wrapper((self: Tensor) => {
    squareCheckInputs(self, "cholesky_inverse");
    return column_major(self, self.shape);
  }),
  "meta",
);

register_decomposition(
  "linalg_solve_triangular linalg_solve_triangular.out",
  out_wrapper((A: Tensor, B: Tensor, { left }: Keywords & { readonly left?: boolean }) => {
    const name = "linalg.solve_triangular";
    squareCheckInputs(A, name);
    check(B.dim() >= 2, () => `${name}: The input tensor A must have at least 2 dimensions.`);
    const from_left = left ?? true;
    check(
      from_left ? A.size(-2) === B.size(-2) : A.size(-1) === B.size(-1),
      () =>
        `${name}: Incompatible shapes of A and B for the equation ${from_left ? "AX = B" : "XA = B"}` +
        ` (${A.size(-2)}x${A.size(-1)} and ${B.size(-2)}x${B.size(-1)})`,
    );
    const batch = broadcast_shapes(A.shape.slice(0, -2), B.shape.slice(0, -2));
    return column_major(A, [...batch, ...B.shape.slice(-2)]);
  }),
  "meta",
);

register_decomposition(
  "linalg_matrix_exp linalg_matrix_exp.out",
  out_wrapper((self: Tensor) => {
    squareCheckInputs(self, "linalg.matrix_exp");
    check(
      is_float_dtype(self.dtype),
      () => `linalg.matrix_exp: Expected a floating point or complex tensor as input. Got ${self.dtype}`,
    );
    return torch.empty_like(self, { memory_format: torch.contiguous_format });
  }),
  "meta",
);

// reflections -----------------------------------------------------------------------------------------------------------------

/** `tau` and, of `ormqr`, `other` belong to `input`: by dims, batches and dtype. */
function check_reflections(f_name: string, input: Tensor, tau: Tensor, other: Tensor | null): void {
  const ndim = input.dim();
  check(
    ndim - tau.dim() === 1,
    () =>
      `${f_name}: Expected tau to have one dimension less than input, but got tau.ndim equal to ${tau.dim()} and input.ndim is equal to ${ndim}`,
  );
  check(
    other === null || other.dim() === ndim,
    () =>
      `${f_name}: Expected other to have the same number of dimensions as input, but got other.ndim equal to ${other?.dim()} and input.ndim is equal to ${ndim}`,
  );
  const batches: [string, readonly number[]][] = [["tau", tau.shape.slice(0, -1)]];
  if (other !== null) batches.push(["other", other.shape.slice(0, -2)]);
  for (const [name, batch] of batches)
    check(
      same_shape(batch, input.shape.slice(0, -2)),
      () =>
        `${f_name}: Expected batch dimensions of ${name} to be equal to input.shape[:-2], but got ${size_repr(batch)}`,
    );
}

register_decomposition(
  "linalg_householder_product linalg_householder_product.out",
  out_wrapper((input: Tensor, tau: Tensor) => {
    const f_name = "torch.linalg.householder_product";
    check(input.dim() >= 2, () => `${f_name}: input must have at least 2 dimensions.`);
    check(
      input.size(-2) >= input.size(-1),
      () => `${f_name}: input.shape[-2] must be greater than or equal to input.shape[-1]`,
    );
    check(
      input.size(-1) >= tau.size(-1),
      () => `${f_name}: input.shape[-1] must be greater than or equal to tau.shape[-1]`,
    );
    check_reflections(f_name, input, tau, null);
    check(
      tau.dtype === input.dtype,
      () => `${f_name}: tau dtype ${tau.dtype} does not match input dtype ${input.dtype}`,
    );
    return column_major(input, input.shape);
  }),
  "meta",
);

register_decomposition(
  "ormqr ormqr.out",
  out_wrapper((input: Tensor, tau: Tensor, other: Tensor, left: boolean) => {
    check(input.dim() >= 2, () => "torch.ormqr: input must have at least 2 dimensions.");
    check(other.dim() >= 2, () => "torch.ormqr: other must have at least 2 dimensions.");
    const side = left ? -2 : -1;
    check(
      other.size(side) >= tau.size(-1),
      () => `torch.ormqr: other.shape[${side}] must be greater than or equal to tau.shape[-1]`,
    );
    check(
      other.size(side) === input.size(-2),
      () => `torch.ormqr: other.shape[${side}] must be equal to input.shape[-2]`,
    );
    check(
      tau.size(-1) <= input.size(-1),
      () => "torch.ormqr: tau.shape[-1] must be less than or equal to input.shape[-1]",
    );
    check_reflections("torch.ormqr", input, tau, other);
    for (const [name, t] of Object.entries({ tau, other }))
      check(
        t.dtype === input.dtype,
        () =>
          `torch.ormqr: Expected input and ${name} to have the same dtype, but input has dtype ${input.dtype} and ${name} has dtype ${t.dtype}`,
      );
    return column_major(other, other.shape);
  }),
  "meta",
);
