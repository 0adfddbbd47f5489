/**
 * @file The meta kernels written in Python, which compute shape, strides and dtype of a result. This file has some of them, and registers
 * these, the references and the decompositions in the Meta cells of their operators.
 * @mirrors torch/_meta_registrations.py
 * @see torch/_refs/index.ts, torch/_decomp/decompositions.ts
 */
import { resize_output } from "#aten/native/Resize";
import { AssertionError, IndexError, NotImplementedError, RuntimeError } from "#c10/util/Exception";
import { DispatchKey, float_repr, registerWhenAskedFor } from "#torch/_C";
import { bind, global_decomposition_table, overload_of, register_decomposition } from "#torch/_decomp/index";
import "#torch/_refs/index";
import "./convolution.ts";
import "./pooling.ts";
import "./upsampling.ts";
import "./grid.ts";
import "./pooling_volumes.ts";
import "./vision.ts";
import "#torch/_refs/functional";
import "#torch/_refs/math";
import "#torch/_refs/special";
import "#torch/_refs/indexing";
import "#torch/_refs/random";
import "#torch/_refs/reductions";
import "#torch/_refs/shapes";
import "#torch/_refs/view_copies";
import "#torch/_decomp/activations";
import "#torch/_refs/padding";
import "#torch/_decomp/decompositions";
import "#torch/_decomp/losses";
import "#torch/_decomp/indexing";
import "#torch/_decomp/pooling";
import "#torch/_decomp/normalization";
import "#torch/_decomp/reductions";
import { Library } from "#torch/_library/Library";
import "./networks.ts";
import "./linalg.ts";
import "./ldl.ts";
import "./reflections.ts";
import "./distances.ts";
import "./reductions.ts";
import * as prims from "#torch/_prims";
import { _broadcast_shapes, _maybe_broadcast } from "#torch/_prims";
import {
  can_safe_cast_to,
  check,
  compute_elementwise_output_logical_to_physical_perm,
  compute_reduction_output_shape,
  default_dtype,
  elementwise_dtypes,
  get_computation_dtype,
  is_boolean_dtype,
  is_float_dtype,
  is_integer_dtype,
  is_tensor,
  ELEMENTWISE_TYPE_PROMOTION_KIND as KIND,
  canonicalize_dim as maybe_wrap_dim,
  type NumberType,
  number_type,
  permuted_strides,
  reduction_dims,
  type Shape,
  same_shape,
  size_at,
  size_repr,
  type TensorOrNumber,
  tuple_repr,
  type_to_dtype,
} from "#torch/_prims_common/index";
import {
  _maybe_convert_to_dtype,
  _maybe_resize_out,
  type Keywords,
  out_wrapper,
  type Reference,
} from "#torch/_prims_common/wrappers";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { device, dtype, layout, memory_format } from "#torch/types";

function register_meta<F extends Reference>(names: string, fn: F): F {
  return register_decomposition(names, fn, "meta");
}

function elementwise_meta(args: readonly TensorOrNumber[], kind: KIND): Tensor {
  const [, result_dtype] = elementwise_dtypes(args, kind);
  const converted = args.map((x) => _maybe_convert_to_dtype(x, result_dtype));
  return prims._prim_elementwise_meta(_maybe_broadcast(...converted));
}

function check_inplace_broadcast(self_shape: Shape, args_shape: Shape): void {
  const broadcasted_shape = _broadcast_shapes(self_shape, args_shape);
  check(
    same_shape(broadcasted_shape, self_shape),
    () =>
      `output with shape ${size_repr(self_shape)} doesn't match the broadcast shape ${tuple_repr(broadcasted_shape)}`,
  );
}

const unchanged = (self: Tensor): Tensor => self;

// checks of values and sizes, which a tensor without data passes ------------------------------------------------------------

register_meta(
  "_assert_async _assert_async.msg sym_constrain_range sym_constrain_range_for_size",
  (() => null) as unknown as Reference,
);
register_meta(
  "_functional_assert_async.msg",
  ((_val: Tensor, _msg: string, dep_token: Tensor) => dep_token) as Reference,
);
register_meta(
  "_functional_sym_constrain_range _functional_sym_constrain_range_for_size",
  ((_size: number, _min: number | null, _max: number | null, dep_token: Tensor) => dep_token) as Reference,
);

// in place ----------------------------------------------------------------------------------------------------------------

register_meta("zero_ relu_ logical_not_ bernoulli_.float index_put_", unchanged);

register_meta(
  "mul_.Scalar mul_.Tensor logical_and_ logical_or_ logical_xor_",
  (self: Tensor, other: TensorOrNumber): Tensor => {
    if (is_tensor(other)) check_inplace_broadcast(self.shape, other.shape);
    return self;
  },
);
register_meta("div_.Scalar div_.Tensor", (self: Tensor, other: TensorOrNumber): Tensor => {
  const [, result_dtype] = elementwise_dtypes([self, other], KIND.INT_TO_FLOAT);
  check(
    can_safe_cast_to(self.dtype, result_dtype),
    () => `result type ${result_dtype} can't be cast to the desired output type ${self.dtype}`,
  );
  if (is_tensor(other)) check_inplace_broadcast(self.shape, other.shape);
  return self;
});

/** The kind of a number, or of the numbers in a tensor: "int", "float" or "bool". */
function kind_of(x: TensorOrNumber): string {
  if (!is_tensor(x)) return number_type(x);
  return is_float_dtype(x.dtype) ? "float" : is_boolean_dtype(x.dtype) ? "bool" : "int";
}
register_meta("add_.Scalar sub_.Scalar add_.Tensor sub_.Tensor", (self: Tensor, other: TensorOrNumber): Tensor => {
  const refuse = (what: string) =>
    new RuntimeError(`Promotion of ${what} in in-place ops are not possible due to element size change.`);
  if (kind_of(self) === "int" && kind_of(other) === "float") throw refuse("int.add/sub_(float)");
  if (kind_of(self) === "bool" && kind_of(other) !== "bool") throw refuse("bool.add/sub_(others)");
  if (is_tensor(other)) check_inplace_broadcast(self.shape, other.shape);
  return self;
});

function check_fill(val: TensorOrNumber): void {
  if (!is_tensor(val)) return;
  check(
    val.dim() === 0,
    () => `fill_ only supports 0-dimension value tensor but got tensor with ${val.dim()} dimensions.`,
  );
}
register_meta("fill_.Tensor fill_.Scalar", (self: Tensor, val: TensorOrNumber): Tensor => {
  check_fill(val);
  return self;
});
register_meta("fill.Tensor fill.Scalar", (self: Tensor, val: TensorOrNumber): Tensor => {
  check_fill(val);
  return torch.empty_like(self);
});
register_meta("zero", (self: Tensor) => torch.empty_like(self));
register_meta("masked_fill_.Scalar", (self: Tensor, mask: Tensor): Tensor => {
  check_inplace_broadcast(self.shape, mask.shape);
  return self;
});

// three operands ------------------------------------------------------------------------------------------------------------

/** Registers the in-place form: it checks the shape of the result and returns self. */
function _register_inplace_meta(names: string, fn: Reference): void {
  register_meta(names, (...args) => {
    const self = args[0] as Tensor;
    check_inplace_broadcast(self.shape, (fn(...args) as Tensor).shape);
    return self;
  });
}

const lerp = (start: Tensor, end: Tensor, weight: TensorOrNumber): Tensor => {
  check(start.dtype === end.dtype, () => `expected dtype ${start.dtype} for \`end\`, but got dtype ${end.dtype}`);
  if (!is_tensor(weight)) return elementwise_meta([start, end], KIND.DEFAULT);
  check(
    weight.dim() === 0 || start.dtype === weight.dtype,
    () => `expected dtype ${start.dtype} for \`weight\`, but got dtype ${weight.dtype}`,
  );
  return elementwise_meta([start, end, weight], KIND.DEFAULT);
};
const addcmul = (input: Tensor, tensor1: Tensor, tensor2: Tensor): Tensor =>
  elementwise_meta([input, tensor1, tensor2], KIND.DEFAULT);
const addcdiv = (input: Tensor, tensor1: Tensor, tensor2: Tensor): Tensor => {
  check(
    !is_integer_dtype(tensor1.dtype) || !is_integer_dtype(tensor2.dtype),
    // The message is a tuple of its lines, because PyTorch's source has a comma after each of them.
    () =>
      "('Integer division with addcdiv is no longer supported, and in a future ', " +
      "'release addcdiv will perform a true division of tensor1 and tensor2. ', " +
      "'The historic addcdiv behavior can be implemented as ', " +
      "'(input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) ', " +
      "'for integer inputs and as ', " +
      "'(input + value * tensor1 / tensor2) for float inputs. ', " +
      "'The future addcdiv behavior is just the latter implementation: ', " +
      "'(input + value * tensor1 / tensor2), for all dtypes.')",
  );
  return elementwise_meta([input, tensor1, tensor2], KIND.DEFAULT);
};
for (const [names, inplace, fn] of [
  ["lerp.Scalar lerp.Scalar_out lerp.Tensor lerp.Tensor_out", "lerp_.Scalar lerp_.Tensor", lerp],
  ["addcmul addcmul.out", "addcmul_", addcmul],
  ["addcdiv addcdiv.out", "addcdiv_", addcdiv],
] as const) {
  register_meta(names, out_wrapper(fn));
  _register_inplace_meta(inplace, fn as Reference);
}

// geometry in place -------------------------------------------------------------------------------------------------------

register_meta("unsqueeze_", (self: Tensor, given: number): Tensor => {
  const dim = maybe_wrap_dim(self.dim() + 1, given);
  const [sizes, strides] = [[...self.shape], [...self.stride()]];
  strides.splice(dim, 0, dim >= self.dim() ? 1 : sizes[dim] * strides[dim]);
  sizes.splice(dim, 0, 1);
  return self.as_strided_(sizes, strides);
});
function transpose_(self: Tensor, given0: number, given1: number): Tensor {
  const dim0 = maybe_wrap_dim(self.dim(), given0);
  const dim1 = maybe_wrap_dim(self.dim(), given1);
  if (dim0 === dim1) return self;
  const [sizes, strides] = [[...self.shape], [...self.stride()]];
  [sizes[dim0], sizes[dim1]] = [sizes[dim1], sizes[dim0]];
  [strides[dim0], strides[dim1]] = [strides[dim1], strides[dim0]];
  return self.as_strided_(sizes, strides);
}
register_meta("transpose_", transpose_);
register_meta("t_", (self: Tensor): Tensor => {
  const ndims = self.dim();
  if (ndims > 2) throw new AssertionError(`t_ expects a tensor with <= 2 dimensions, but self is ${ndims}D`);
  return transpose_(self, 0, ndims < 2 ? 0 : 1);
});

// elementwise -------------------------------------------------------------------------------------------------------------

register_meta("add.Scalar sub.Scalar", (self: Tensor, other: NumberType) =>
  elementwise_meta([self, other], KIND.DEFAULT),
);

function shift_dtype_check(fn_name: string, self: Tensor, val: TensorOrNumber): void {
  check(
    is_integer_dtype(self.dtype),
    () => `${fn_name}: Expected input tensor to have an integral dtype. Got ${self.dtype}`,
  );
  if (is_tensor(val))
    check(
      is_integer_dtype(val.dtype),
      () => `${fn_name}: Expected shift value to have an integral dtype. Got ${val.dtype}`,
    );
  else
    check(
      number_type(val) !== "float",
      () => `${fn_name}: Expected shift value to be an int. Got ${float_repr(Number(val))}`,
    );
}
for (const shift of ["lshift", "rshift"])
  register_meta(`__${shift}__.Tensor __${shift}__.Scalar`, (self: Tensor, other: TensorOrNumber) => {
    shift_dtype_check(shift, self, other);
    return elementwise_meta([self, other], KIND.DEFAULT);
  });

register_meta(
  "silu silu.out",
  out_wrapper((self: Tensor) => torch.empty_like(self), { exact_dtype: true }),
);
register_meta(
  "rrelu_with_noise rrelu_with_noise.out",
  out_wrapper((self: Tensor) => torch.empty_like(self)),
);
register_meta("rrelu_with_noise_functional", (self: Tensor, noise: Tensor) => [
  torch.empty_like(self),
  torch.empty_like(noise),
]);
register_meta("rrelu_with_noise_", unchanged);
register_meta(
  "sigmoid sigmoid.out",
  out_wrapper((self: Tensor) => {
    const [, dtype] = elementwise_dtypes([self], KIND.INT_TO_FLOAT);
    return torch.empty_like(self, { dtype });
  }),
);
const angle = register_meta("angle", (self: Tensor): Tensor => {
  const [, dtype] = elementwise_dtypes([self], KIND.INT_TO_FLOAT);
  return torch.empty_like(self, { dtype });
});
register_meta("angle.out", (self: Tensor, { out }: { out: Tensor }): Tensor => {
  resize_output(out.cdata, self.shape);
  return out.copy_(angle(self));
});
register_meta(
  "_softmax _softmax.out",
  out_wrapper((x: Tensor, _dim: number, half_to_float: boolean) => {
    if (half_to_float && x.dtype !== torch.float16 && x.dtype !== torch.bfloat16)
      throw new AssertionError(`half_to_float is True but x.dtype is ${x.dtype}, expected half or bfloat16`);
    const dtype = half_to_float ? get_computation_dtype(x.dtype) : x.dtype;
    return torch.empty_like(x, { dtype, memory_format: torch.contiguous_format });
  }),
);

register_meta("round round.decimals", (self: Tensor) => elementwise_meta([self], KIND.DEFAULT));
register_meta(
  "polygamma polygamma.out",
  out_wrapper((n: number, self: Tensor) => {
    check(n >= 0, () => "polygamma(n, x) does not support negative n.");
    const [, dtype] = elementwise_dtypes([self], KIND.INT_TO_FLOAT);
    return torch.empty_like(self, { dtype });
  }),
);
register_meta(
  "nan_to_num nan_to_num.out",
  out_wrapper((self: Tensor) => torch.empty_like(self)),
);

// reductions --------------------------------------------------------------------------------------------------------------

for (const name of ["max", "min"]) {
  register_meta(
    `${name} ${name}.unary_out`,
    out_wrapper((self: Tensor) => self.new_empty([])),
  );
  register_meta(`${name}.dim`, (self: Tensor, dim: number, keepdim: boolean) => {
    const shape = compute_reduction_output_shape(self.shape, reduction_dims(self.shape, [dim]), keepdim);
    return [self.new_empty(shape), self.new_empty(shape, { dtype: torch.int64 })];
  });
}

function check_argmax_argmin(name: string, self: Tensor, dim: number | null): void {
  if (dim === null) {
    check(self.numel() !== 0, () => `${name}: Expected reduction dim to be specified for input.numel() == 0.`);
    return;
  }
  const wrapped = maybe_wrap_dim(self.dim(), dim);
  if (self.dim() > 0 && self.size(wrapped) === 0)
    throw new IndexError(`${name}: Expected reduction dim ${wrapped} to have non-zero size.`);
}
register_meta("argmax argmin", (self: Tensor, dim: number | null, keepdim: boolean) => {
  check_argmax_argmin("argmax", self, dim); // argmin passes this name, too
  const dims = reduction_dims(self.shape, dim === null ? null : [dim]);
  return self.new_empty(compute_reduction_output_shape(self.shape, dims, keepdim), { dtype: torch.int64 });
});

// products ----------------------------------------------------------------------------------------------------------------

register_meta(
  "mm mm.out mm.dtype mm.dtype_out",
  out_wrapper(
    (a: Tensor, b: Tensor, ...rest: [dtype, Keywords] | [Keywords]) => {
      const out_dtype = rest.length === 2 ? rest[0] : null;
      check(a.dim() === 2, () => "a must be 2D");
      check(b.dim() === 2, () => "b must be 2D");
      const [N, M1] = a.shape;
      const [M2, P] = b.shape;
      check(M1 === M2, () => `a and b must have same reduction dim, but got [${N}, ${M1}] X [${M2}, ${P}].`);
      check(
        out_dtype === null || out_dtype === a.dtype || (out_dtype === torch.float32 && is_half(a.dtype)),
        () => "out_dtype must be the same as input dtype or fp32 for fp16/bf16 inputs",
      );
      return a.new_empty([N, P], { dtype: out_dtype ?? a.dtype });
    },
    { exact_dtype: true },
  ),
);
function is_half(t: dtype): boolean {
  return t === torch.float16 || t === torch.bfloat16;
}

function check_batches(batch1: Tensor, batch2: Tensor): void {
  check(batch1.dim() === 3, () => "batch1 must be a 3D tensor");
  check(batch2.dim() === 3, () => "batch2 must be a 3D tensor");
}
function check_batch_sizes(batch1: Tensor, batch2: Tensor): void {
  const [bs, , contraction_size] = batch1.shape;
  check(
    batch2.shape[0] === bs && batch2.shape[1] === contraction_size,
    () =>
      `Expected size for first two dimensions of batch2 tensor to be: [${bs}, ${contraction_size}]` +
      ` but got: [${batch2.shape[0]}, ${batch2.shape[1]}].`,
  );
}
register_meta(
  "bmm bmm.out bmm.dtype bmm.dtype_out",
  out_wrapper(
    (batch1: Tensor, batch2: Tensor, ...rest: [dtype, Keywords] | [Keywords]) => {
      const out_dtype = rest.length === 2 ? rest[0] : null;
      check_batches(batch1, batch2);
      check(batch1.dtype === batch2.dtype, () => `expected scalar type ${batch1.dtype} but found ${batch2.dtype}`);
      check_batch_sizes(batch1, batch2);
      const output = batch2.new_empty([batch1.shape[0], batch1.shape[1], batch2.shape[2]]);
      if (out_dtype === null) return output;
      check(
        out_dtype === batch1.dtype || (out_dtype === torch.float32 && is_half(batch1.dtype)),
        () => "out_dtype only supported for torch.float32 output with float16/bfloat16 inputs or same as input dtypes",
      );
      return output.to(out_dtype);
    },
    { exact_dtype: true },
  ),
);
function check_for_unsupported_isin_dtype(dtype: dtype): void {
  check(dtype !== torch.bool && !dtype.is_complex, () => `Unsupported input type encountered for isin(): ${dtype}`);
}
register_meta(
  "isin.Tensor_Tensor isin.Tensor_Tensor_out isin.Tensor_Scalar isin.Tensor_Scalar_out isin.Scalar_Tensor isin.Scalar_Tensor_out",
  out_wrapper((given: TensorOrNumber, test: TensorOrNumber) => {
    const device = (is_tensor(given) ? given : (test as Tensor)).device; // at least one of them is a tensor
    const elements = is_tensor(given) ? given : torch.tensor(given, { device });
    const test_elements = is_tensor(test) ? test : torch.tensor(test, { device });
    check_for_unsupported_isin_dtype(elements.dtype);
    check_for_unsupported_isin_dtype(test_elements.dtype);
    return torch.empty_like(elements, { dtype: torch.bool });
  }),
);
register_meta(
  "addbmm addbmm.out",
  out_wrapper(
    (given: Tensor, batch1: Tensor, batch2: Tensor) => {
      const [dim1, dim2] = [batch1.size(1), batch2.size(2)];
      const self = given.expand([dim1, dim2]);
      check_batches(batch1, batch2);
      check(
        batch1.size(0) === batch2.size(0),
        () => `batch1 and batch2 must have same number of batches, got ${batch1.size(0)} and ${batch2.size(0)}`,
      );
      check(
        batch1.size(2) === batch2.size(1),
        () =>
          `Incompatible matrix sizes for bmm (${batch1.size(1)}x${batch1.size(2)} and ${batch2.size(1)}x${batch2.size(2)})`,
      );
      return self.new_empty([...self.shape]);
    },
    { exact_dtype: true },
  ),
);
register_meta(
  "baddbmm baddbmm.out",
  out_wrapper(
    (given: Tensor, batch1: Tensor, batch2: Tensor) => {
      const size = [batch1.size(0), batch1.size(1), batch2.size(2)];
      const self = same_shape(given.shape, size) ? given : given.expand(size);
      check_batches(batch1, batch2);
      check(
        self.dtype === batch1.dtype && batch1.dtype === batch2.dtype,
        () =>
          `Input dtypes must be the same, got: input: ${self.dtype}, batch1: ${batch1.dtype}, batch2: ${batch2.dtype}`,
      );
      check_batch_sizes(batch1, batch2);
      return self.new_empty([...self.shape]);
    },
    { exact_dtype: true },
  ),
);

register_meta("linear_backward", (input: Tensor, grad_output: Tensor, _weight: Tensor, output_mask: boolean[]) => {
  const [wants_input, wants_weight, wants_bias] = output_mask;
  const grad_input = wants_input ? grad_output.new_empty([...input.shape]) : null;
  if (!wants_weight && !wants_bias) return [grad_input, null, null];
  const out_features = grad_output.size(-1);
  return [grad_input, grad_output.new_empty([out_features, input.size(-1)]), grad_output.new_empty([out_features])];
});

// indexing ----------------------------------------------------------------------------------------------------------------

register_meta("index_put _unsafe_index_put", (self: Tensor) => torch.empty_like(self));

/** Converts masks to indices: one index tensor for each dim of a mask. */
function expand_masks(self: Tensor, indices: readonly (Tensor | null)[]): (Tensor | null)[] {
  const result: (Tensor | null)[] = [];
  for (const [i, index] of indices.entries()) {
    if (index === null) {
      result.push(null);
      continue;
    }
    const t = index.dtype;
    check(
      t === torch.int64 || t === torch.int32 || t === torch.int8 || t === torch.bool,
      () => "tensors used as indices must be long, int, byte or bool tensors",
    );
    if (t !== torch.int8 && t !== torch.bool) {
      result.push(index);
      continue;
    }
    const nonzero = index.nonzero();
    const k = result.length;
    if (k + index.dim() > self.dim()) throw new IndexError(`too many indices for tensor of dimension ${self.dim()}`);
    for (let j = 0; j < index.dim(); j++) {
      if (index.shape[j] !== self.shape[k + j])
        throw new IndexError(
          `The shape of the mask ${size_repr(index.shape)} at index ${i} ` +
            `does not match the shape of the indexed tensor ${size_repr(self.shape)} at index ${k + j}`,
        );
      result.push(nonzero.select(1, j));
    }
  }
  return result;
}

/** Whether the index tensors are adjacent, with no null between them. */
function has_contiguous_subspace(indices: readonly (Tensor | null)[]): boolean {
  const first = indices.findIndex((index) => index !== null);
  const last = indices.findLastIndex((index) => index !== null);
  return first < 0 || !indices.slice(first, last + 1).includes(null);
}

register_meta("index.Tensor _unsafe_index.Tensor", (given: Tensor, given_indices: (Tensor | null)[]) => {
  let self = given;
  check(given_indices.length > 0, () => "at least one index must be provided");
  let indices = expand_masks(self, given_indices);
  const ndim = self.dim();
  check(indices.length <= ndim, () => `too many indices for tensor of dimension ${ndim} (got ${indices.length})`);
  indices = _maybe_broadcast(...indices);
  while (indices.length < ndim) indices.push(null);
  if (!has_contiguous_subspace(indices)) {
    const order = [...indices.keys()].sort((a, b) => Number(indices[a] === null) - Number(indices[b] === null));
    self = self.permute(order);
    indices = order.map((d) => indices[d]);
  }
  const before: number[] = [];
  const after: number[] = [];
  let replacement: Shape = [];
  for (const [d, index] of indices.entries()) {
    if (index !== null) replacement = index.shape;
    else (replacement.length > 0 ? after : before).push(self.shape[d]);
  }
  const shape = [...before, ...replacement, ...after];
  const out = self.new_empty(shape);
  if (self.numel() === 0) return out;
  // In the dims that are not indexed, the result has the memory order of `self`.
  const strides = [...self.stride()];
  strides.splice(before.length, ndim - after.length - before.length, ...new Array<number>(replacement.length).fill(0));
  const restrided = self.as_strided(shape, strides);
  const perm = compute_elementwise_output_logical_to_physical_perm([restrided]);
  if (perm.every((d, place) => d === place)) return out;
  return out.as_strided(shape, permuted_strides(shape, perm));
});

register_meta(
  "nonzero nonzero.out",
  out_wrapper((_self: Tensor) => {
    throw new NotImplementedError(
      "The register_meta function for torch.nonzero() raises unimplemented by default, " +
        "as a correct data-independent implementation does not exist. This implementation " +
        "returns a fake value, assuming all elements of the tensor are non-zero. " +
        "To enable this registration, please set " +
        "'torch.fx.experimental._config.meta_nonzero_assume_all_nonzero' to True.",
    );
  }),
);
register_meta("_local_scalar_dense", () => {
  throw new RuntimeError("Tensor.item() cannot be called on meta tensors");
});

function masked_scatter_(self: Tensor, mask: Tensor, source: Tensor): Tensor {
  check(mask.dtype === torch.bool || mask.dtype === torch.uint8, () => "Mask must be bool or uint8");
  check(
    self.dtype === source.dtype,
    () => `masked_scatter: expected self and source to have same dtypes but got ${self.dtype} and ${source.dtype}`,
  );
  return self;
}
register_meta("masked_scatter_", masked_scatter_);
register_meta(
  "masked_scatter masked_scatter.out",
  out_wrapper((self: Tensor, mask: Tensor, source: Tensor) => {
    const [expanded, expanded_mask] = _maybe_broadcast(self, mask);
    const output = torch.empty_like(expanded, { memory_format: torch.contiguous_format });
    return masked_scatter_(output, expanded_mask, source);
  }),
);
register_meta("masked_scatter_backward", (self: Tensor, _mask: Tensor, sizes: number[]) => self.new_empty(sizes));

function ensure_nonempty_size(t: Tensor, d: number): number {
  return t.dim() === 0 ? 1 : size_at(t, d);
}
function ensure_nonempty_dim(t: Tensor): number {
  return Math.max(t.dim(), 1);
}
function is_index_dtype(index: Tensor): boolean {
  return index.dtype === torch.int64 || index.dtype === torch.int32;
}

register_meta("gather", (self: Tensor, given: number, index: Tensor) => {
  const dim = maybe_wrap_dim(self.dim(), given);
  if (index.numel() !== 0) {
    check(is_index_dtype(index), () => `gather(): Expected dtype int32/int64 for index, but got ${index.dtype}`);
    check(
      ensure_nonempty_dim(self) === ensure_nonempty_dim(index),
      () => "Index tensor must have the same number of dimensions as input tensor",
    );
    for (let i = 0; i < ensure_nonempty_dim(self); i++)
      check(
        i === dim || ensure_nonempty_size(index, i) <= ensure_nonempty_size(self, i),
        () =>
          `Size does not match at dimension ${i} expected index ${size_repr(index.shape)}` +
          ` to be no larger than self ${size_repr(self.shape)} apart from dimension ${dim}`,
      );
  }
  return self.new_empty([...index.shape]);
});

function scatter_shape_check(self: Tensor, dim: number, index: Tensor, src: Tensor | null): void {
  if (index.numel() === 0) return;
  const self_dims = ensure_nonempty_dim(self);
  check(
    self_dims === ensure_nonempty_dim(index),
    () => "Index tensor must have the same number of dimensions as self tensor",
  );
  for (let d = 0; d < self_dims; d++)
    check(
      d === dim || ensure_nonempty_size(index, d) <= ensure_nonempty_size(self, d),
      () =>
        `Expected index ${size_repr(index.shape)} to be no larger than self ${size_repr(self.shape)}` +
        ` apart from dimension ${dim}`,
    );
  if (src === null) return;
  check(
    self_dims === ensure_nonempty_dim(src),
    () => "Index tensor must have the same number of dimensions as src tensor",
  );
  for (let d = 0; d < self_dims; d++)
    check(
      ensure_nonempty_size(index, d) <= ensure_nonempty_size(src, d),
      () => `Expected index ${size_repr(index.shape)} to be no larger than src ${size_repr(src.shape)}`,
    );
}

function scatter_meta_impl(
  self: Tensor,
  dim: number,
  index: Tensor,
  src_or_value: TensorOrNumber,
  reduce: string | null,
): void {
  const src = is_tensor(src_or_value) ? src_or_value : null;
  const wrapped_dim = maybe_wrap_dim(self.dim(), dim);
  check(index.numel() === 0 || is_index_dtype(index), () => "scatter(): Expected dtype int32/int64 for index");
  check(src === null || self.dtype === src.dtype, () => "scatter(): Expected self.dtype to be equal to src.dtype");
  scatter_shape_check(self, wrapped_dim, index, src);
  check(
    reduce === null || reduce === "add" || reduce === "multiply",
    () => "reduce argument must be either add or multiply.",
  );
}
type Scatter = [self: Tensor, dim: number, index: Tensor, src_or_value: TensorOrNumber, kw: Keywords];
function scatter(...[self, dim, index, src_or_value, { reduce = null }]: Scatter): Tensor {
  scatter_meta_impl(self, dim, index, src_or_value, reduce as string | null);
  return self.new_empty([...self.shape]);
}
function scatter_(...[self, dim, index, src_or_value, { reduce = null }]: Scatter): Tensor {
  scatter_meta_impl(self, dim, index, src_or_value, reduce as string | null);
  return self;
}
register_meta("scatter.src scatter.value scatter.reduce scatter.value_reduce", out_wrapper(scatter));
register_meta("scatter_.src scatter_.value scatter_.reduce scatter_.value_reduce", scatter_);
register_meta("scatter_add", scatter);
register_meta("scatter_add_", scatter_);

type ScatterReduce = [self: Tensor, dim: number, index: Tensor, src: Tensor, reduce: string, kw: Keywords];
function scatter_reduce_meta_impl(...[self, dim, index, src, reduce]: ScatterReduce): void {
  scatter_meta_impl(self, dim, index, src, null);
  check(
    ["sum", "prod", "mean", "amax", "amin"].includes(reduce),
    () => "reduce argument must be either sum, prod, mean, amax or amin.",
  );
}
register_meta(
  "scatter_reduce.two scatter_reduce.two_out",
  out_wrapper((...args: ScatterReduce) => {
    scatter_reduce_meta_impl(...args);
    return args[0].new_empty([...args[0].shape]);
  }),
);
register_meta("scatter_reduce_.two", (...args: ScatterReduce) => {
  scatter_reduce_meta_impl(...args);
  return args[0];
});

register_meta("index_select", (self: Tensor, dim: number, index: Tensor) => {
  const result_size = [...self.shape];
  if (self.dim() > 0) result_size[maybe_wrap_dim(self.dim(), dim)] = index.numel();
  return self.new_empty(result_size);
});
register_meta("take", (self: Tensor, index: Tensor) => {
  check(index.dtype === torch.int64, () => `take(): Expected a long tensor for index, but got ${index.dtype}`);
  if (self.numel() === 0 && index.numel() !== 0) throw new IndexError("take(): tried to take from an empty tensor");
  return self.new_empty([...index.shape]);
});
register_meta(
  "repeat_interleave.Tensor",
  (repeats: Tensor, { output_size }: Keywords & { output_size: number | null }) => {
    if (output_size === null) throw new RuntimeError("cannot repeat_interleave a meta tensor without output_size");
    return repeats.new_empty([output_size]);
  },
);

register_meta(
  "embedding embedding.out",
  out_wrapper((weight: Tensor, indices: Tensor) => {
    if (weight.dim() !== 2) throw new AssertionError(`'weight' must be 2-D, got ${weight.dim()}-D`);
    check(
      is_index_dtype(indices),
      () =>
        "Expected tensor for argument #1 'indices' to have one of the following " +
        `scalar types: Long, Int; but got ${indices.dtype} instead`,
    );
    return weight.new_empty([...indices.shape, weight.size(1)], { dtype: weight.dtype });
  }),
);
register_meta("embedding_dense_backward", (grad_output: Tensor, _indices: Tensor, num_weights: number) =>
  grad_output.new_empty([num_weights, grad_output.size(-1)]),
);

// creation ----------------------------------------------------------------------------------------------------------------

interface Options {
  readonly dtype: dtype | null;
  readonly layout: layout | null;
  readonly device: device | null;
  readonly pin_memory: boolean | null;
  readonly memory_format?: memory_format | null;
}
const factory = { factory: true } as const;

/** The options for `empty`, with a default dtype. */
function options(kw: Options, dtype: dtype | null = null): Options {
  return { dtype: kw.dtype ?? dtype, layout: kw.layout, device: kw.device, pin_memory: kw.pin_memory };
}

for (const name of ["ones", "zeros"])
  register_meta(
    `${name} ${name}.out`,
    out_wrapper((size: number[], kw: Options) => torch.empty(size, options(kw, default_dtype())), factory),
  );
register_meta(
  "rand rand.out",
  out_wrapper((size: number[], kw: Options) => torch.empty(size, options(kw)), factory),
);
register_meta("full", (size: number[], fill_value: NumberType, kw: Options) =>
  torch.empty(size, options(kw, type_to_dtype(number_type(fill_value)))),
);
register_meta("scalar_tensor", (_s: NumberType, kw: Options) => torch.empty([], options(kw)));
register_meta("zeros_like", (self: Tensor, kw: Options) =>
  torch.empty_like(self, { ...options(kw), memory_format: kw.memory_format ?? null }).fill_(0),
);

function check_range(low: NumberType, high: NumberType): void {
  check(high > low, () => `random_ expects 'from' to be less than 'to', but got from=${low} >= to=${high}`);
}
register_meta(
  "randint randint.out",
  out_wrapper((high: number, size: number[], kw: Options) => {
    check_range(0, high);
    return torch.empty(size, options(kw));
  }, factory),
);
register_meta(
  "randint.low randint.low_out",
  out_wrapper((low: number, high: number, size: number[], kw: Options) => {
    check_range(low, high);
    return torch.empty(size, options(kw));
  }, factory),
);
register_meta("randperm", (n: number, kw: Options) => torch.empty([n], options(kw)));
register_meta("randperm.generator_out", (n: number, { out }: { out: Tensor }) => _maybe_resize_out(out, [n]));
register_meta(
  "bernoulli bernoulli.out",
  out_wrapper((self: Tensor) => torch.empty_like(self, { memory_format: torch.contiguous_format })),
);
register_meta(
  "poisson poisson.out _standard_gamma _standard_gamma.out",
  out_wrapper((self: Tensor) => torch.empty_like(self)),
);
register_meta("index_reduce", (self: Tensor) => torch.empty_like(self, { memory_format: torch.contiguous_format }));
register_meta("index_reduce_", unchanged);
register_meta(
  "nonzero_static nonzero_static.out",
  out_wrapper((self: Tensor, { size }: Keywords & { readonly size: number }) =>
    torch.empty_strided([size, self.dim()], [1, size], { dtype: torch.int64, device: self.device }),
  ),
);
register_meta("bernoulli.p", (self: Tensor) => torch.empty_like(self, { memory_format: torch.contiguous_format }));

// -------------------------------------------------------------------------------------------------------------------------

/** C++ kernels that stay registered, although a function exists that could replace them. */
const KEPT = new Set(["aten::empty_strided", "aten::clone", "aten::_to_copy", "aten::copy_", "aten::constant_pad_nd"]);

/**
 * Registers each function in the Meta cell of its operator when the operator is first used, as for generated kernels (Note [Registered when
 * asked for] in aten/core/library.ts). A meta function is preferred to a decomposition; composites and views are left out. `torch` calls
 * this function when its members exist; in PyTorch it runs when this module is imported.
 */
export function activate_meta(): void {
  const library = new Library("aten", "IMPL", "Meta");
  const activate_meta_table = new Map<string, Reference>();
  for (const type of ["meta", "post_autograd"] as const)
    for (const [name, fn] of global_decomposition_table[type])
      if (!activate_meta_table.has(name)) activate_meta_table.set(name, fn);
  registerWhenAskedFor("aten", activate_meta_table.keys(), (name) => {
    const op = overload_of(name);
    const fn = bind(op, activate_meta_table.get(name) as Reference);
    op.py_impl(DispatchKey.Meta)(fn);
    if (!op._can_decompose() && !op.is_view && !KEPT.has(op.name())) library.impl(op, fn);
  });
}
