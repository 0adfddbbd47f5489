/**
 * @file The Euclidean norm, as Adafactor and Muon need it.
 * @original `Tensor.norm`, which is `torch.linalg.vector_norm` for a norm of vectors.
 * @differs Squares, their sum and its root; PyTorch has one operator, `linalg_vector_norm`, which is not built here.
 */
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";

/** Computed in float32 at least. @param dim one dim, which stays with size 1; null for all */
export function norm(x: Tensor, dim: number | null = null): Tensor {
  const wide = x.dtype === torch.float64 ? x : x.to(torch.float32);
  const squares = wide.mul(wide);
  const sum = dim === null ? squares.sum() : squares.sum([dim], true);
  return sum.sqrt_().to(x.dtype);
}
