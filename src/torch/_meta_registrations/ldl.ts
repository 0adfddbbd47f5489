/**
 * @file Meta kernels of the decomposition of a symmetric matrix into L D L^T, and of its solutions.
 * @mirrors torch/_meta_registrations.py#linalg_ldl_factor_ex_meta
 */
import { register_with_out } from "#torch/_decomp/index";
import { check, is_integer_dtype, same_shape, size_repr } from "#torch/_prims_common/index";
import type { Tensor } from "#torch/_tensor/index";
import {
  broadcast_batches,
  checkFloatingOrComplex,
  empty_matrices,
  ints,
  linearSolveCheckInputs,
  squareCheckInputs,
} from "./linalg.ts";

register_with_out(
  "linalg_ldl_factor_ex",
  (self: Tensor): Tensor[] => {
    squareCheckInputs(self, "torch.linalg.ldl_factor_ex");
    checkFloatingOrComplex(self, "torch.linalg.ldl_factor_ex");
    return [empty_matrices(self, self.shape), ints(self, self.shape.slice(0, -1)), ints(self, self.shape.slice(0, -2))];
  },
  "meta",
);

register_with_out(
  "linalg_ldl_solve",
  (LD: Tensor, pivots: Tensor, B: Tensor): Tensor => {
    const name = "torch.linalg.ldl_solve";
    squareCheckInputs(LD, name);
    checkFloatingOrComplex(LD, name);
    linearSolveCheckInputs(B, LD, name);
    check(
      B.dim() >= 2,
      () => `${name}: Expected B to have at least 2 dimensions, but it has ${B.dim()} dimensions instead`,
    );
    check(
      same_shape(LD.shape.slice(0, -1), pivots.shape),
      () =>
        `${name}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape ${size_repr(pivots.shape)} instead`,
    );
    check(is_integer_dtype(pivots.dtype), () => `${name}: Expected pivots to be integers. Got ${pivots.dtype}`);
    check(LD.dtype === B.dtype, () => `${name}: LD dtype ${LD.dtype} does not match b dtype ${B.dtype}`);
    return empty_matrices(B, broadcast_batches(B, LD)[0]);
  },
  "meta",
);
