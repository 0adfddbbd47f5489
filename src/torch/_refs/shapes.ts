/**
 * @file References of operators that move elements: diagonals, blocks, writes through views, flips and shifts.
 * @mirrors torch/_refs/__init__.py
 * @differs Ours computes only shapes; PyTorch's references compute values.
 */
import { IndexError, RuntimeError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { register_decomposition } from "../_decomp/index.ts";
import { canonicalize_dim, check, reduction_dims, same_shape, size_repr } from "../_prims_common/index.ts";
import { type Keywords, out_wrapper } from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";
import type { device, dtype } from "../types.ts";

// diagonals ---------------------------------------------------------------------------------------------------------------

register_decomposition(
  "as_strided_scatter.out",
  out_wrapper((input: Tensor) => input.clone()),
);
register_decomposition(
  "diag_embed diag_embed.out",
  out_wrapper((t: Tensor, offset: number, given1: number, given2: number) => {
    const rank = t.dim() + 1;
    const [dim1, dim2] = [canonicalize_dim(rank, given1), canonicalize_dim(rank, given2)];
    check(dim1 !== dim2, () => `diagonal dimensions cannot be identical ${dim1}, ${dim2}`);
    const size = t.size(-1) + Math.abs(offset);
    const shape = t.shape.slice(0, -1);
    shape.splice(Math.min(dim1, dim2), 0, size);
    shape.splice(Math.max(dim1, dim2), 0, size);
    return t.new_empty(shape);
  }),
);
register_decomposition(
  "diagonal_backward diagonal_backward.out",
  out_wrapper((grad_output: Tensor, input_sizes: number[]) => grad_output.new_zeros(input_sizes)),
);

register_decomposition(
  "block_diag block_diag.out",
  out_wrapper((tensors: Tensor[]) => {
    const tensors_2d = tensors.map((t) => (t.dim() <= 1 ? t.view([1, -1]) : t));
    const [{ device }] = tensors;
    for (const [i, t] of tensors_2d.entries()) {
      check(t.dim() === 2, () => `Input tensors must have 2 or fewer dimensions. Input ${i} has ${t.dim()} dimensions`);
      check(
        String(t.device) === String(device),
        () =>
          `Input tensors must all be on the same device. Input 0 is on device ${device} and input ${i} is on device ${t.device}.`,
      );
    }
    const rows = tensors_2d.reduce((n, t) => n + t.size(0), 0);
    const columns = tensors_2d.reduce((n, t) => n + t.size(1), 0);
    const dtype = tensors.map((t) => t.dtype).reduce((a, b) => torch.promote_types(a, b));
    return tensors[0].new_empty([rows, columns], { dtype });
  }),
);

// writes through views ----------------------------------------------------------------------------------------------------

/** The number of elements of memory that a tensor needs, counted from the beginning of the storage. */
function compute_required_storage_length(shape: readonly number[], strides: readonly number[], offset: number): number {
  if (shape.includes(0)) return 0;
  return offset + shape.reduce((last, size, d) => last + (size - 1) * strides[d], 1);
}

/**
 * An empty tensor with strides and offset of `self`, unless `self` overlaps itself. `self` need not be a meta tensor; it is enough that
 * `src` is one.
 */
function _scatter_meta_output(self: Tensor): Tensor {
  const [shape, strides, offset] = [[...self.shape], [...self.stride()], self.storage_offset()];
  if (strides.some((stride, d) => stride === 0 && shape[d] > 1)) return self.clone();
  const buffer = self.as_strided([compute_required_storage_length(shape, strides, offset)], [1], 0).clone();
  return buffer.as_strided(shape, strides, offset);
}
register_decomposition(
  "slice_scatter slice_scatter.out select_scatter select_scatter.out",
  out_wrapper((self: Tensor) => _scatter_meta_output(self)),
);
register_decomposition("diagonal_scatter", (self: Tensor) => _scatter_meta_output(self), "meta");
register_decomposition(
  "diagonal_scatter.out",
  out_wrapper((self: Tensor, src: Tensor, offset: number, dim1: number, dim2: number) => {
    const out = _scatter_meta_output(self);
    const diag = out.diagonal(offset, dim1, dim2);
    check(
      same_shape(diag.shape, src.shape),
      () =>
        "expected src to have a size equal to the diagonal of the input." + // PyTorch's message lacks this space
        `Got ${size_repr(src.shape)} for a diagonal of shape ${size_repr(diag.shape)}`,
    );
    return out;
  }),
);

// flips, shifts, rotations ------------------------------------------------------------------------------------------------

register_decomposition(
  "flip flip.out",
  out_wrapper((a: Tensor, dims: number[]) => {
    if (dims.length > 0) reduction_dims(a.shape, dims); // wraps them, and refuses repeated dims
    return torch.empty_like(a);
  }),
);

function roll(a: Tensor, shifts: number[], given: number[]): Tensor {
  const dims = given.map((d) => canonicalize_dim(a.dim(), d));
  if (a.numel() === 0) return a.clone();
  if (a.dim() === 0 && dims.length > 0)
    throw new IndexError(`Dimension specified as ${dims[0]} but tensor has no dimensions`);
  if (shifts.length === 0) throw new RuntimeError("`shifts` required");
  if (shifts.length !== dims.length && !(dims.length === 0 && shifts.length === 1))
    throw new RuntimeError(`shifts and dimensions must align. shifts: ${shifts.length}, dims: ${dims.length}`);
  return a.new_empty([...a.shape]);
}
register_decomposition("roll roll.out", out_wrapper(roll));

register_decomposition(
  "rot90.out",
  out_wrapper((a: Tensor, k: number, given: number[]) => {
    if (given.length !== 2) throw new RuntimeError(`expected total rotation dims == 2, but got dims = ${given.length}`);
    if (a.dim() < 2) throw new RuntimeError(`expected total dims >= 2, but got total dims = ${a.dim()}`);
    const [dim0, dim1] = given.map((d) => canonicalize_dim(a.dim(), d));
    if (dim0 === dim1)
      throw new RuntimeError(`expected rotation dims to be different, but got dim0 = ${dim0} and dim1 = ${dim1}`);
    return k % 2 === 0 ? torch.empty_like(a) : torch.empty_like(a.transpose(dim0, dim1));
  }),
);

// triangles ---------------------------------------------------------------------------------------------------------------

interface Options extends Keywords {
  readonly dtype: dtype | null;
  readonly device: device | null;
}

for (const name of ["tril", "triu"] as const)
  register_decomposition(
    `${name}_indices ${name}_indices.out`,
    out_wrapper(
      (row: number, col: number, offset: number, { dtype: given, device }: Options) => {
        const dtype = given ?? torch.int64;
        check(row >= 0, () => `row must be non-negative, got ${row}`);
        check(col >= 0, () => `col must be non-negative, got ${col}`);
        check(dtype === torch.int32 || dtype === torch.int64, () => `"${name}_indices" not implemented for '${dtype}'`);
        let count = 0;
        for (let i = 0; i < row; i++) {
          const below = Math.min(Math.max(i + offset + (name === "tril" ? 1 : 0), 0), col);
          count += name === "tril" ? below : col - below;
        }
        return torch.empty([2, count], { dtype, device: device ?? "cpu" });
      },
      { factory: true },
    ),
  );
