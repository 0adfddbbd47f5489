/**
 * @file NumPy's operators for joining (`hstack`, `vstack`, ...), `block_diag`, and `meshgrid`.
 * @mirrors aten/src/ATen/native/TensorShape.cpp
 */
import { print } from "#aten/core/Formatting";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { result_type } from "#aten/native/TypeProperties";
import { TORCH_CHECK, TORCH_WARN_ONCE } from "#c10/util/Exception";

function check_not_empty(name: string, tensors: Tensor[]): void {
  TORCH_CHECK(tensors.length > 0, name, " expects a non-empty TensorList");
}

/** Vectors are joined end to end, matrices side by side. */
function hstacked(tensors: Tensor[]): [Tensor[], dim: number] {
  check_not_empty("hstack", tensors);
  const rep = at.atleast_1d_Sequence(tensors);
  return [rep, rep[0].dim() === 1 ? 0 : 1];
}

// hstack(Tensor[] tensors) -> Tensor                                             CompositeImplicitAutograd
export function hstack(tensors: Tensor[]): Tensor {
  return at.cat(...hstacked(tensors));
}
export function hstack_out(tensors: Tensor[], out: Tensor): Tensor {
  return at.cat_out(...hstacked(tensors), out);
}

// vstack(Tensor[] tensors) -> Tensor                                             CompositeImplicitAutograd
export function vstack(tensors: Tensor[]): Tensor {
  check_not_empty("vstack", tensors);
  return at.cat(at.atleast_2d_Sequence(tensors), 0);
}
export function vstack_out(tensors: Tensor[], out: Tensor): Tensor {
  check_not_empty("vstack", tensors);
  return at.cat_out(at.atleast_2d_Sequence(tensors), 0, out);
}

// dstack(Tensor[] tensors) -> Tensor                                             CompositeImplicitAutograd
export function dstack(tensors: Tensor[]): Tensor {
  check_not_empty("dstack", tensors);
  return at.cat(at.atleast_3d_Sequence(tensors), 2);
}
export function dstack_out(tensors: Tensor[], out: Tensor): Tensor {
  check_not_empty("dstack", tensors);
  return at.cat_out(at.atleast_3d_Sequence(tensors), 2, out);
}

// row_stack(Tensor[] tensors) -> Tensor                                          CompositeImplicitAutograd
export function row_stack(tensors: Tensor[]): Tensor {
  return at.vstack(tensors);
}
export function row_stack_out(tensors: Tensor[], out: Tensor): Tensor {
  return at.vstack_out(tensors, out);
}

/** Vectors as columns. */
function columns(tensors: Tensor[]): Tensor[] {
  check_not_empty("column_stack", tensors);
  return tensors.map((t) => (t.dim() <= 1 ? t.reshape([t.numel(), 1]) : t));
}

// column_stack(Tensor[] tensors) -> Tensor                                       CompositeImplicitAutograd
export function column_stack(tensors: Tensor[]): Tensor {
  return at.hstack(columns(tensors));
}
export function column_stack_out(tensors: Tensor[], out: Tensor): Tensor {
  return at.hstack_out(columns(tensors), out);
}

// block_diag -------------------------------------------------------------------------------------------------------------

function check_block(tensor: Tensor, i: number, first: Tensor): void {
  TORCH_CHECK(
    tensor.device().eq(first.device()),
    "torch.block_diag: input tensors must all be on the same device. Input 0 is on device ",
    first.device(),
    " and input ",
    i,
    " is on device ",
    tensor.device(),
  );
}

/** A tensor as a matrix; with fewer dims it is a row. */
function as_block(tensor: Tensor, i: number): Tensor {
  TORCH_CHECK(
    tensor.dim() <= 2,
    "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input ",
    i,
    " has ",
    tensor.dim(),
    " dimensions",
  );
  return tensor.dim() === 2 ? tensor : tensor.expand([1, tensor.dim() === 1 ? tensor.size(0) : 1]);
}

// block_diag(Tensor[] tensors) -> Tensor                                         CompositeExplicitAutograd
export function block_diag(tensors: Tensor[]): Tensor {
  if (tensors.length === 0) return at.empty_memory_format([1, 0]);
  for (const [i, tensor] of tensors.entries()) check_block(tensor, i, tensors[0]);
  const output_scalar_type = result_type(...tensors);
  const blocks = tensors.map(as_block);
  const height = blocks.reduce((n, t) => n + t.size(0), 0);
  const width = blocks.reduce((n, t) => n + t.size(1), 0);
  const result = at.zeros([height, width], tensors[0].options().dtype(output_scalar_type));
  let [row, column] = [0, 0];
  for (const block of blocks) {
    const [below, right] = [row + block.size(0), column + block.size(1)];
    result.slice_Tensor(0, row, below).slice_Tensor(1, column, right).copy_(block);
    [row, column] = [below, right];
  }
  return result;
}

// meshgrid ---------------------------------------------------------------------------------------------------------------

// meshgrid(Tensor[] tensors) -> Tensor[]                                         CompositeImplicitAutograd
export function meshgrid(tensors: Tensor[]): Tensor[] {
  TORCH_WARN_ONCE("torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.");
  return meshgrid_indexing(tensors, "ij");
}

function check_meshgrid(tensors: Tensor[]): void {
  TORCH_CHECK(tensors.length > 0, "meshgrid expects a non-empty TensorList");
  for (let i = 0; i + 1 < tensors.length; i++) {
    TORCH_CHECK(
      tensors[i].scalar_type() === tensors[i + 1].scalar_type(),
      "meshgrid expects all tensors to have the same dtype",
    );
    TORCH_CHECK(
      tensors[i].device().eq(tensors[i + 1].device()),
      "meshgrid expects all tensors to have the same device",
    );
  }
}

// meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]               CompositeImplicitAutograd
// Grid i holds the i-th coordinate of every position. With "xy", the first coordinate runs along the columns.
export function meshgrid_indexing(tensors: Tensor[], indexing: string): Tensor[] {
  check_meshgrid(tensors);
  TORCH_CHECK(
    indexing === "xy" || indexing === "ij",
    'torch.meshgrid: indexing must be one of "xy" or "ij", but received: ',
    indexing,
  );
  const swap = indexing === "xy" && tensors.length >= 2;
  const dim_of = (i: number) => (swap && i < 2 ? 1 - i : i);
  const shape = new Array<number>(tensors.length);
  for (const [i, tensor] of tensors.entries()) {
    if (tensor.dim() > 1)
      TORCH_CHECK(false, "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: ", print(tensor));
    shape[dim_of(i)] = tensor.numel();
  }
  const ones = new Array<number>(tensors.length).fill(1);
  const grids = tensors.map((_, dim) => {
    const tensor = tensors[dim_of(dim)]; // in the order of the dims
    return tensor.view(ones.with(dim, -1)).expand(shape);
  });
  return grids.map((_, i) => grids[dim_of(i)]);
}
