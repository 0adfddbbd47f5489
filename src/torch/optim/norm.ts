/**
 * @file The Euclidean norm for Adafactor and Muon.
 * @original PyTorch uses `Tensor.norm`, which is `torch.linalg.vector_norm` for norms of vectors.
 * @differs Ours computes squares, their sum and its root; PyTorch calls one operator, `linalg_vector_norm`.
 */
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";

/** The 2-norm, computed at least in float32. @param dim one dim, which is kept with size 1; null for all dims */
export function norm(x: Tensor, dim: number | null = null): Tensor {
  const wide = x.dtype === torch.float64 ? x : x.to(torch.float32);
  const squares = wide.mul(wide);
  const sum = dim === null ? squares.sum() : squares.sum([dim], true);
  return sum.sqrt_().to(x.dtype);
}
