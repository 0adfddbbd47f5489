/**
 * @file Primitives of the references: an elementwise operation, `where`, a reduction, `cat`. For meta tensors only shape, strides, dtype
 * and device of the result are computed, so one function serves many operations.
 * @mirrors torch/_prims/__init__.py
 * @differs In ours the primitives are functions; PyTorch's are operators (`prims::mul`), called through the dispatcher.
 */
import { IndexError } from "#c10/util/Exception";
import { float_repr } from "./_C.ts";
import {
  assert,
  check,
  check_same_device,
  check_same_shape,
  compute_elementwise_output_logical_to_physical_perm,
  compute_reduction_output_shape,
  is_cpu_scalar_tensor,
  is_float_dtype,
  is_tensor,
  permuted_strides,
  type Shape,
  same_shape,
  size_repr,
  type TensorOrNumber,
} from "./_prims_common/index.ts";
import type { Tensor } from "./_tensor/index.ts";
import { torch } from "./_torch.ts";
import type { device, dtype } from "./types.ts";

export function empty_permuted(shape: Shape, perm: readonly number[], like: Tensor, t: dtype): Tensor {
  const strides = perm.length === shape.length ? permuted_strides(shape, perm) : [];
  return torch.empty_strided([...shape], strides, { dtype: t, device: like.device });
}

function check_same_dtype(tensors: readonly Tensor[]): void {
  for (const x of tensors)
    check(
      x.dtype === tensors[0].dtype,
      () => `Tensor with dtype ${x.dtype} is not the expected dtype of ${tensors[0].dtype}!`,
    );
}

/**
 * The result of an elementwise operation. The operands must have equal dtype, device and shape; numbers on the CPU fit all others.
 * @param fixed operands that keep their dtype and come first in the choice of shape, strides and device
 */
export function _prim_elementwise_meta(
  args: readonly TensorOrNumber[],
  result_dtype: dtype | null = null,
  fixed: readonly Tensor[] = [],
): Tensor {
  const own = args.filter(is_tensor);
  const all = [...fixed, ...own];
  assert(all.length > 0, () => "elementwise operation requires at least one argument");
  check_same_dtype(own);
  check_same_device(all, true);
  check_same_shape(all, true);
  const first = all.find((x) => !is_cpu_scalar_tensor(x)) ?? all[0];
  const typed = own.find((x) => !is_cpu_scalar_tensor(x)) ?? own[0] ?? first;
  const perm = compute_elementwise_output_logical_to_physical_perm(all);
  return empty_permuted(first.shape, perm, first, result_dtype ?? typed.dtype);
}

export function where(pred: Tensor, a: TensorOrNumber, b: TensorOrNumber, number_dtype: dtype): Tensor {
  return _prim_elementwise_meta([a, b], is_tensor(a) || is_tensor(b) ? null : number_dtype, [pred]);
}

/** A tensor of `shape` with normally distributed numbers; on meta, without values. */
export function normal(shape: number[], std: number, options: { dtype: dtype; device: device | string }): Tensor {
  check(std >= 0, () => `normal expects std >= 0.0, but found std ${float_repr(std)}`);
  const { dtype } = options;
  check(is_float_dtype(dtype), () => `expected a floating-point or complex dtype, but got dtype=${dtype}`);
  const a = torch.empty(shape, options);
  return a.is_meta ? a : torch.no_grad(() => a.normal_(0, std));
}

export function device_put(a: Tensor, device: device): Tensor {
  return a.to(device);
}

/** @param dims canonical dims; see `reduction_dims` */
export function _reduction_meta(inp: Tensor, dims: readonly number[], keepdim: boolean): Tensor {
  const shape = compute_reduction_output_shape(inp.shape, dims, keepdim);
  return torch.empty(shape, { dtype: inp.dtype, device: inp.device });
}

/** @param dim a canonical dim */
export function cat(tensors: readonly Tensor[], dim: number): Tensor {
  const shape = [...tensors[0].shape];
  if (shape.length === 0) throw new IndexError("list assignment index out of range");
  let length = 0;
  for (const [k, tensor] of tensors.entries()) {
    assert(
      tensor.dim() === shape.length,
      () =>
        `All tensors must have the same number of dimensions. Expected ${shape.length} but tensor ${k} has ${tensor.dim()}`,
    );
    for (const [d, size] of tensor.shape.entries())
      check(
        d === dim || size === tensors[0].shape[d],
        () =>
          `Sizes of tensors must match except in dimension ${dim}. Expected ${tensors[0].shape[d]} in dimension ${d} ` +
          `but got ${size} for tensor number ${k} in the list`,
      );
    length += tensor.shape[dim];
  }
  shape[dim] = length;
  return torch.empty(shape, { dtype: tensors[0].dtype, device: tensors[0].device });
}

/** The operands as views of one common shape; numbers and 0-dim tensors on the CPU stay unchanged. */
export function _maybe_broadcast<T extends TensorOrNumber | null>(...args: T[]): T[] {
  const shapes: Shape[] = [];
  for (const x of args) if (is_tensor(x)) shapes.push(x.shape);
  const common = _broadcast_shapes(...shapes);
  const expanded = (x: TensorOrNumber | null): TensorOrNumber | null =>
    is_tensor(x) && !is_cpu_scalar_tensor(x) && !same_shape(x.shape, common) ? x.expand(common) : x;
  return args.map(expanded) as T[]; // a tensor stays a tensor
}

/** The common shape to which all shapes broadcast. */
export function _broadcast_shapes(...shapes: readonly Shape[]): number[] {
  const common = new Array<number>(Math.max(0, ...shapes.map((shape) => shape.length))).fill(1);
  for (const [k, shape] of shapes.entries()) {
    for (let back = 1; back <= shape.length; back++) {
      const d = common.length - back;
      const size = shape[shape.length - back];
      if (common[d] === 1) common[d] = size;
      check(
        size === 1 || size === common[d],
        () =>
          `Attempting to broadcast a dimension of length ${size} at ${-back}! Mismatching argument at index ${k} had ` +
          `${size_repr(shape)}; but expected shape should be broadcastable to [${common.join(", ")}]`,
      );
    }
  }
  return common;
}
