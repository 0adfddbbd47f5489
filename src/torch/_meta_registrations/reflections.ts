/**
 * @file Meta kernels of operators on Householder reflections, and of the matrix exponential.
 * @mirrors torch/_meta_registrations.py
 */
import { register_decomposition } from "#torch/_decomp/index";
import { check, same_shape, size_repr } from "#torch/_prims_common/index";
import { out_wrapper } from "#torch/_prims_common/wrappers";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { checkFloatingOrComplex, empty_matrices, squareCheckInputs } from "./linalg.ts";

register_decomposition(
  "linalg_matrix_exp linalg_matrix_exp.out",
  out_wrapper((self: Tensor) => {
    squareCheckInputs(self, "linalg.matrix_exp");
    checkFloatingOrComplex(self, "linalg.matrix_exp");
    return torch.empty_like(self, { memory_format: torch.contiguous_format });
  }),
  "meta",
);

// reflections -----------------------------------------------------------------------------------------------------------------

/** Checks that `tau` and, for `ormqr`, `other` match `input` in dims, batches and dtype. */
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
    return empty_matrices(input, input.shape);
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
    return empty_matrices(other, other.shape);
  }),
  "meta",
);
