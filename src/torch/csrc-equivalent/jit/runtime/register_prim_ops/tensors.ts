/**
 * @file Operators that ask a tensor about itself, and conversions between tensors and values of other types.
 * @mirrors torch/csrc/jit/runtime/register_prim_ops.cpp
 */
import { IValue } from "#aten/core/ivalue";
import { BoolType, ComplexType, FloatType, IntType, ListType, type Type } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { pop, type Stack } from "#aten/core/stack";
import { empty_cpu } from "#aten/EmptyTensor";
import { infer_size_dimvector } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { scalar_to_tensor } from "#aten/ScalarOps";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { Layout } from "#c10/core/Layout";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { isIntegralType, ScalarType, toString } from "#c10/core/ScalarType";
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { load_scalar } from "#torch/csrc-equivalent/utils/python_scalars";
import { type int64, wrap } from "../int64.ts";
import { register_operations } from "../operator.ts";
import { type Operations, pop_bool, pop_index, push_bool, push_float, push_int } from "../register_ops_utils.ts";

export const pop_tensor = (stack: Stack): Tensor => pop(stack).toTensor();
export const push_tensor = (stack: Stack, tensor: Tensor): void => void stack.push(IValue.fromTensor(tensor));
export function push_ints(stack: Stack, values: readonly number[]): void {
  stack.push(
    IValue.fromList(
      new List(
        IntType,
        values.map((value) => IValue.fromInt(value)),
      ),
    ),
  );
}

// ---- numbers in tensors

/** A tensor may stand for a number if it has no dimension and needs no gradient; for an int it must hold an integer. */
function checkImplicitTensorToNum(tensor: Tensor, to_int: boolean): void {
  if (tensor.requires_grad()) throw new RuntimeError("Cannot input a tensor that requires grad as a scalar argument");
  if (tensor.dim() !== 0)
    throw new RuntimeError("Cannot input a tensor of dimension other than 0 as a scalar argument");
  if (to_int && !isIntegralType(tensor.scalar_type(), false))
    throw new RuntimeError(`Cannot input a tensor of type ${toString(tensor.scalar_type())} as an integral argument`);
}

function implicit(stack: Stack, to_int: boolean): Scalar {
  const tensor = pop_tensor(stack);
  checkImplicitTensorToNum(tensor, to_int);
  return tensor.item();
}

const int_of_scalar = (value: Scalar): int64 => wrap(value.toBigInt());

register_operations({
  "aten::IntImplicit": (stack) => push_int(stack, int_of_scalar(implicit(stack, true))),
  "aten::FloatImplicit": (stack) => push_float(stack, implicit(stack, false).toDouble()),
  "aten::ScalarImplicit": (stack) => void stack.push(IValue.fromScalar(implicit(stack, false))),
  "aten::ComplexImplicit": (stack) => {
    const value = implicit(stack, false);
    stack.push(IValue.fromComplexDouble({ real: value.real(), imag: value.imag() }));
  },
  "aten::Int.Tensor": (stack) => push_int(stack, int_of_scalar(pop_tensor(stack).item())),
  "aten::Float.Tensor": (stack) => push_float(stack, pop_tensor(stack).item().toDouble()),
  "aten::Bool.Tensor": (stack) => push_bool(stack, pop_tensor(stack).is_nonzero()),
  "prim::NumToTensor.Scalar": (stack) => push_tensor(stack, scalar_to_tensor(pop(stack).toScalar())),
  "prim::NumToTensor.bool": (stack) => push_tensor(stack, scalar_to_tensor(Scalar.fromBool(pop_bool(stack)))),
});

// ---- what a tensor is

function DEFINE_PROPERTY(name: string, property: (tensor: Tensor) => boolean): Operations {
  return { [name]: (stack) => push_bool(stack, property(pop_tensor(stack))) };
}

/** Devices that this library does not have; no tensor is on one. */
for (const device of ["cuda", "ipu", "maia", "mps", "mtia", "vulkan", "xla", "xpu"])
  register_operations(DEFINE_PROPERTY(`prim::is_${device}`, () => false));

register_operations({
  ...DEFINE_PROPERTY("prim::is_cpu", (tensor) => tensor.is_cpu()),
  ...DEFINE_PROPERTY("prim::is_meta", (tensor) => tensor.is_meta()),
  ...DEFINE_PROPERTY("prim::is_sparse", (tensor) => tensor.is_sparse()),
  ...DEFINE_PROPERTY("prim::is_sparse_csr", (tensor) => tensor.layout() === Layout.SparseCsr),
  ...DEFINE_PROPERTY("prim::is_mkldnn", (tensor) => tensor.is_mkldnn()),
  ...DEFINE_PROPERTY("prim::is_quantized", (tensor) => tensor.is_quantized()),
  ...DEFINE_PROPERTY("prim::is_nested", () => false),
  ...DEFINE_PROPERTY("prim::requires_grad", (tensor) => tensor.requires_grad()),
  ...DEFINE_PROPERTY("aten::is_contiguous", (tensor) => tensor.is_contiguous()),
  ...DEFINE_PROPERTY("aten::is_non_overlapping_and_dense", (tensor) => tensor.is_non_overlapping_and_dense()),
  "aten::is_strides_like_format": (stack) => {
    const format = pop_index(stack);
    const impl = pop_tensor(stack).unsafeGetTensorImpl();
    const like =
      format === MemoryFormat.ChannelsLast
        ? impl.is_strides_like_channels_last()
        : format === MemoryFormat.ChannelsLast3d && impl.is_strides_like_channels_last_3d();
    push_bool(stack, like);
  },
  "prim::device": (stack) => void stack.push(IValue.opaque("Device", pop_tensor(stack).device())),
  "prim::dtype": (stack) => push_int(stack, pop_tensor(stack).scalar_type()),
  "prim::layout": (stack) => push_int(stack, pop_tensor(stack).layout()),
  "prim::itemsize": (stack) => push_int(stack, pop_tensor(stack).itemsize()),
  "prim::nbytes": (stack) => push_int(stack, pop_tensor(stack).nbytes()),
  "prim::name": (stack) => {
    const name = pop_tensor(stack).name();
    stack.push(name === "" ? IValue.None : IValue.fromString(name));
  },
  "prim::data": (stack) => push_tensor(stack, pop_tensor(stack).variable_data()),
  "prim::grad": (stack) => push_tensor(stack, pop_tensor(stack).grad()),
  "aten::size": (stack) => push_ints(stack, pop_tensor(stack).sizes()),
  "aten::stride": (stack) => push_ints(stack, pop_tensor(stack).strides()),
  "aten::sym_size": (stack) => push_ints(stack, pop_tensor(stack).sizes()),
  "aten::sym_stride": (stack) => push_ints(stack, pop_tensor(stack).strides()),
  "aten::Size": () => {},
  "aten::dim": (stack) => push_int(stack, pop_tensor(stack).dim()),
  "aten::numel": (stack) => push_int(stack, pop_tensor(stack).numel()),
  "aten::element_size": (stack) => push_int(stack, pop_tensor(stack).element_size()),
  "aten::get_device": (stack) => push_int(stack, pop_tensor(stack).get_device()),
  "aten::storage_offset": (stack) => push_int(stack, pop_tensor(stack).storage_offset()),
  "aten::len.Tensor": (stack) => {
    const tensor = pop_tensor(stack);
    TORCH_CHECK(tensor.dim() > 0, "len() of a 0-d tensor");
    push_int(stack, tensor.size(0));
  },
});

// ---- other views and copies

/** `to` as `Tensor.to` of the front end: without dtype, device and copy it is the tensor itself. */
function to_dispatch(
  self: Tensor,
  device: Device | null,
  scalarType: ScalarType | null,
  non_blocking: boolean,
  copy: boolean,
): Tensor {
  if (device === null && scalarType === null)
    return copy ? self.to_dtype(self.scalar_type(), non_blocking, copy) : self;
  if (device === null) return self.to_dtype(scalarType ?? self.scalar_type(), non_blocking, copy);
  return self.to_device(device, scalarType ?? self.scalar_type(), non_blocking, copy);
}

const optional = <T>(value: IValue): T | null => (value.isNone() ? null : (value.payload as T));
const CPU = Device.of(DeviceType.CPU);

register_operations({
  "aten::cpu": (stack) => {
    const self = pop_tensor(stack);
    push_tensor(stack, to_dispatch(self, CPU, null, false, false));
  },
  "aten::cuda": (stack) => {
    const self = pop_tensor(stack);
    push_tensor(stack, to_dispatch(self, Device.of(DeviceType.CUDA), null, false, false));
  },
  "aten::numpy_T.a": (stack) => push_tensor(stack, pop_tensor(stack).numpy_T()),
  "aten::matrix_H.a": (stack) => push_tensor(stack, pop_tensor(stack).matrix_H()),
  "aten::mT.a": (stack) => push_tensor(stack, pop_tensor(stack).mT()),
  "aten::mH.a": (stack) => push_tensor(stack, pop_tensor(stack).mH()),
  "prim::abs": (stack) => push_tensor(stack, pop_tensor(stack).abs()),
  "aten::to.prim_Device": (stack) => {
    const copy = pop_bool(stack);
    const non_blocking = pop_bool(stack);
    const scalarType = optional<ScalarType>(pop(stack));
    const device = optional<Device>(pop(stack));
    push_tensor(stack, to_dispatch(pop_tensor(stack), device, scalarType, non_blocking, copy));
  },
  "aten::to.prim_dtype": (stack) => {
    const copy = pop_bool(stack);
    const non_blocking = pop_bool(stack);
    const scalarType = optional<ScalarType>(pop(stack));
    push_tensor(stack, to_dispatch(pop_tensor(stack), null, scalarType, non_blocking, copy));
  },
  "aten::to.prim_other": (stack) => {
    const copy = pop_bool(stack);
    const non_blocking = pop_bool(stack);
    push_tensor(stack, to_dispatch(pop_tensor(stack), null, null, non_blocking, copy));
  },
  "aten::copy_.Tensor": (stack) => {
    const other = pop_tensor(stack);
    push_tensor(stack, pop_tensor(stack).copy_(other));
  },
});
for (const type of ["int", "float"])
  register_operations({
    [`aten::copy_.${type}`]: (stack) => {
      const other = pop(stack).toScalar();
      push_tensor(stack, pop_tensor(stack).fill__Scalar(other));
    },
  });

// ---- indices

/** `Tensor[]` where the dispatcher's operator has `Tensor?[]`: schema matching of old archives needs it. */
register_operations({
  "aten::index.Tensor_hacked_twin": (stack) => {
    const indices = pop(stack).toTensorList();
    push_tensor(stack, at.index_Tensor(pop_tensor(stack), indices));
  },
  "aten::_unsafe_index.Tensor_hacked_twin": (stack) => {
    const indices = pop(stack).toTensorList();
    push_tensor(stack, at._unsafe_index_Tensor(pop_tensor(stack), indices));
  },
  "aten::_index_put_impl_.hacked_twin": (stack) => {
    const unsafe = pop_bool(stack);
    const accumulate = pop_bool(stack);
    const values = pop_tensor(stack);
    const indices = pop(stack).toTensorList();
    push_tensor(stack, at._index_put_impl_(pop_tensor(stack), indices, values, accumulate, unsafe));
  },
  "aten::index_put_.hacked_twin": (stack) => {
    const accumulate = pop_bool(stack);
    const values = pop_tensor(stack);
    const indices = pop(stack).toTensorList();
    push_tensor(stack, at.index_put_(pop_tensor(stack), indices, values, accumulate));
  },
  "aten::index_put.hacked_twin": (stack) => {
    const accumulate = pop_bool(stack);
    const values = pop_tensor(stack);
    const indices = pop(stack).toTensorList();
    push_tensor(stack, at.index_put(pop_tensor(stack), indices, values, accumulate));
  },
  "aten::_unsafe_index_put.hacked_twin": (stack) => {
    const accumulate = pop_bool(stack);
    const values = pop_tensor(stack);
    const indices = pop(stack).toTensorList();
    push_tensor(stack, at._unsafe_index_put(pop_tensor(stack), indices, values, accumulate));
  },
});

// ---- sizes

register_operations({
  "aten::_infer_size": (stack) => {
    const b = pop(stack).toIntList();
    push_ints(stack, infer_size_dimvector(b, pop(stack).toIntList())); // a message names the second list first
  },
  "aten::broadcast_shapes": (stack) => {
    const b = pop(stack).toIntList();
    push_ints(stack, infer_size_dimvector(b, pop(stack).toIntList()));
  },
  // None says that the sizes are equal, so that nothing has to be summed.
  "aten::_size_if_not_equal": (stack) => {
    const other = pop(stack).toIntList();
    const self = pop(stack);
    const sizes = self.toIntList();
    const equal = sizes.length === other.length && sizes.every((size, i) => size === other[i]);
    stack.push(equal ? IValue.None : self);
  },
  "prim::ReductionSizes": (stack) => {
    const keepdim = pop_bool(stack);
    const axes = pop(stack).toIntList();
    const size = pop(stack).toIntList();
    push_ints(
      stack,
      keepdim ? size.map((s, d) => (axes.includes(d) ? 1 : s)) : size.filter((_, d) => !axes.includes(d)),
    );
  },
  "prim::BroadcastSizes": (stack) => {
    const num_inputs = pop_index(stack);
    let size: number[] = [];
    for (const value of stack.splice(stack.length - num_inputs)) size = infer_size_dimvector(size, value.toIntList());
    push_ints(stack, size);
  },
  "aten::_tensor_to_list": (stack) => {
    const tensor = pop_tensor(stack).to_dtype(ScalarType.Int).contiguous();
    const view = tensor.data_view();
    push_ints(
      stack,
      Array.from({ length: tensor.size(0) }, (_, i) => Number(view[tensor.data_offset() + i])),
    );
  },
  "aten::_list_to_tensor": (stack) => {
    const values = pop(stack)
      .toIntList()
      .map((value) => Scalar.fromInt(value).toInt());
    const tensor = empty_cpu([values.length], ScalarType.Int);
    for (const [i, value] of values.entries()) tensor.data_view()[tensor.data_offset() + i] = value as never;
    push_tensor(stack, tensor);
  },
});

// ---- tolist

const element_types: readonly (readonly [Type, ScalarType])[] = [
  [IntType, ScalarType.Long],
  [FloatType, ScalarType.Float],
  [BoolType, ScalarType.Bool],
  [ComplexType, ScalarType.ComplexFloat],
];

/** The elements of dimension `dim` and all behind it as nested lists, or one element. */
function tensorToListRecursive(tensor: Tensor, dim: number, offset: number, type: Type): IValue {
  if (dim === tensor.dim()) {
    const value = load_scalar(tensor.data_view(), offset, tensor.scalar_type());
    if (type === IntType) return IValue.fromInt(wrap(BigInt(value)));
    return type === BoolType ? IValue.fromBool(Boolean(value)) : IValue.fromDouble(Number(value));
  }
  const element = type.containedType();
  const items = Array.from({ length: tensor.size(dim) }, (_, i) =>
    tensorToListRecursive(tensor, dim + 1, offset + i * tensor.stride(dim), element),
  );
  return IValue.fromList(new List(element, items));
}

/** `tensor.tolist()`: the annotation of the result says its type, as a number of dimensions and a number for the element's type. */
export function toList(stack: Stack): void {
  const elem_ty_val = pop_index(stack);
  const dim_val = pop_index(stack);
  let tensor = pop_tensor(stack);
  if (!tensor.is_cpu()) tensor = tensor.to_device(CPU, tensor.scalar_type());
  TORCH_CHECK(
    elem_ty_val >= 0 && elem_ty_val < element_types.length,
    "Unsupported element type for tolist; only int, float, complex and bool are supported",
  );
  const [element, dtype] = element_types[elem_ty_val];
  TORCH_CHECK(
    (element === FloatType && tensor.is_floating_point()) ||
      (element === ComplexType && tensor.is_complex()) ||
      dtype === tensor.scalar_type(),
    "Output annotation element type and runtime tensor element type must match for tolist(): ",
    toString(dtype),
    " vs ",
    toString(tensor.scalar_type()),
  );
  TORCH_CHECK(
    dim_val === tensor.dim(),
    "Output annotation list dimension and runtime tensor dimension must match for tolist()",
  );
  let type = element;
  for (let i = 0; i < dim_val; i++) type = ListType.create(type);
  stack.push(tensorToListRecursive(tensor, 0, tensor.data_offset(), type));
}
register_operations({ "prim::tolist": toList });
