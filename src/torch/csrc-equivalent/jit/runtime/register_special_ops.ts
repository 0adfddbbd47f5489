/**
 * @file Operators that make tensors from numbers and lists, set the grad mode, and initialize parameters without recording gradients.
 * @mirrors torch/csrc/jit/runtime/register_special_ops.cpp
 */
import { createCPUGenerator, getDefaultCPUGenerator } from "#aten/CPUGeneratorImpl";
import type { Generator } from "#aten/core/Generator";
import { IValue } from "#aten/core/ivalue";
import { type_of } from "#aten/core/ivalue.impl";
import { TensorType, type Type } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { pop, type Stack } from "#aten/core/stack";
import { empty_cpu } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { get_cpu_capability_name } from "#aten/native/DispatchStub";
import { scalar_tensor_static } from "#aten/ScalarOps";
import { get_default_dtype_as_scalartype } from "#c10/core/DefaultDtype";
import type { Device } from "#c10/core/Device";
import { GradMode, NoGradGuard } from "#c10/core/GradMode";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { RuntimeError, TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { store_scalar } from "#torch/csrc-equivalent/utils/python_scalars";
import { wrap } from "./int64.ts";
import { type Operation, register_operations } from "./operator.ts";
import { pop_bool, pop_float, pop_index, pop_int, push_bool, push_int } from "./register_ops_utils.ts";
import { pop_tensor, push_tensor } from "./register_prim_ops/tensors.ts";

// ---- torch.tensor

function castTensorTo(self: Tensor, dtype: IValue, device: IValue): Tensor {
  const scalar_type = dtype.isNone() ? self.scalar_type() : (dtype.payload as ScalarType);
  const dev = device.isNone() ? self.device() : (device.payload as Device);
  if (scalar_type === self.scalar_type() && dev.eq(self.device())) return self;
  return self.to_device(dev, scalar_type);
}

/** The sizes of nested lists, read from the first element of each. */
function compute_sizes(seq: IValue): number[] {
  const sizes: number[] = [];
  for (let value = seq; value.isList(); value = value.toList().get(0)) {
    sizes.push(value.toList().size());
    if (value.toList().size() === 0) break;
  }
  return sizes;
}

/** Writes the numbers of nested lists, which must have the sizes that were computed. */
function recursiveStore(tensor: Tensor, sizes: readonly number[], dim: number, offset: number, seq: IValue): void {
  const items = seq.toList().vec();
  TORCH_CHECK(
    items.length === sizes[dim],
    `Expected sequence of length ${sizes[dim]} at dim ${dim} (got ${items.length})`,
  );
  for (const [i, item] of items.entries()) {
    const at_ = offset + i * tensor.stride(dim);
    if (dim + 1 < sizes.length) recursiveStore(tensor, sizes, dim + 1, at_, item);
    else store_scalar(tensor.data_view(), at_, tensor.scalar_type(), item.payload);
  }
}

/** The dtype of a tensor of such elements. A float gets the default dtype. */
function dtype_of(element: Type): ScalarType {
  switch (element.kind()) {
    case "IntType":
      return ScalarType.Long;
    case "BoolType":
      return ScalarType.Bool;
    default:
      return get_default_dtype_as_scalartype();
  }
}

function checkListInputType(element: Type, empty_list: boolean): void {
  const kind = element.kind();
  if (kind === "IntType" || kind === "FloatType" || kind === "BoolType" || kind === "ComplexType") return;
  let message = `Input must be of ints, floats, or bools, got ${element.annotation_str()}`;
  if (kind === "TensorType" && empty_list)
    message +=
      "\nEmpty lists default to List[Tensor]. Add a variable annotation to the assignment to create an empty list " +
      "of another type (torch.jit.annotate(List[T, []]) where T is the type of elements in the list for Python 2)";
  throw new RuntimeError(message);
}

function tensorFromList(data: IValue, dtype: IValue, device: IValue): Tensor {
  let element = type_of(data);
  while (element.kind() === "ListType") element = element.containedType();
  const sizes = compute_sizes(data);
  checkListInputType(element, sizes.length === 1 && sizes[0] === 0);
  let tensor = empty_cpu(sizes, dtype_of(element));
  if (tensor.numel() !== 0) recursiveStore(tensor, sizes, 0, tensor.data_offset(), data);
  tensor = castTensorTo(tensor, dtype, device);
  const default_type = get_default_dtype_as_scalartype();
  if (dtype.isNone() && tensor.scalar_type() !== default_type && tensor.numel() === 0)
    TORCH_WARN(
      `Creating a tensor from an empty ${element.annotation_str()}list will create a tensor of default floating point type  (currently ${toString(default_type)}) in python but a tensor of type ${element.annotation_str()} in torchscript.\n`,
      "Pass in a dtype argument to ensure consistent behavior",
    );
  return tensor;
}

/** A 0-dim tensor of one number. */
function tensorFromNumber(value: IValue): Tensor {
  const scalar = value.toScalar();
  const dtype = scalar.isFloatingPoint() ? get_default_dtype_as_scalartype() : scalar.type();
  return scalar_tensor_static(scalar, dtype, null);
}

/** `tensor` has an argument `requires_grad`, `as_tensor` has not. */
function DEFINE_TORCH_TENSOR_OP(make: (value: IValue, dtype: IValue, device: IValue) => Tensor): {
  tensor: Operation;
  as_tensor: Operation;
} {
  return {
    tensor: (stack) => {
      const requires_grad = pop_bool(stack);
      const device = pop(stack);
      const dtype = pop(stack);
      push_tensor(stack, make(pop(stack), dtype, device).set_requires_grad(requires_grad));
    },
    as_tensor: (stack) => {
      const device = pop(stack);
      const dtype = pop(stack);
      push_tensor(stack, make(pop(stack), dtype, device));
    },
  };
}

const of_number = DEFINE_TORCH_TENSOR_OP((value, dtype, device) =>
  castTensorTo(tensorFromNumber(value), dtype, device),
);
const of_list = DEFINE_TORCH_TENSOR_OP(tensorFromList);

for (const type of ["bool", "float", "int", "complex"])
  register_operations({ [`aten::tensor.${type}`]: of_number.tensor, [`aten::as_tensor.${type}`]: of_number.as_tensor });

register_operations({
  "aten::tensor": of_list.tensor,
  "aten::as_tensor.list": of_list.as_tensor,
  "aten::as_tensor": (stack) => {
    const device = pop(stack);
    const dtype = pop(stack);
    push_tensor(stack, castTensorTo(pop_tensor(stack), dtype, device));
  },
});

// ---- split

register_operations({
  "aten::split": (stack) => {
    const dim = pop_index(stack);
    const split_sizes = pop(stack).toIntList();
    const parts = at.split_with_sizes(pop_tensor(stack), split_sizes, dim);
    stack.push(
      IValue.fromList(
        new List(
          TensorType,
          parts.map((part) => IValue.fromTensor(part)),
        ),
      ),
    );
  },
});

// ---- modes

register_operations({
  "aten::_get_tracing_state": (stack) => push_bool(stack, false),
  "aten::is_scripting": (stack) => push_bool(stack, true),
  "aten::has_torch_function": (stack) => {
    stack.splice(stack.length - 1 - Number(stack[stack.length - 1].payload));
    push_bool(stack, false);
  },
  "aten::is_grad_enabled": (stack) => push_bool(stack, GradMode.is_enabled()),
  "aten::set_grad_enabled": (stack) => GradMode.set_enabled(pop_bool(stack)),
  "aten::_get_cpu_capability": (stack) => void stack.push(IValue.fromString(get_cpu_capability_name())),
});

// ---- parameters

/** Without gradients, as `torch.nn.init` does it; the language has no statement for that here. */
function without_gradients(write: () => Tensor): Tensor {
  const guard = new NoGradGuard();
  try {
    return write();
  } finally {
    guard.restore();
  }
}

const pop_generator = (stack: Stack): Generator | null => pop(stack).payload as Generator | null;

register_operations({
  "aten::_no_grad_uniform_": (stack) => {
    const generator = pop_generator(stack);
    const to = pop_float(stack);
    const from = pop_float(stack);
    const tensor = pop_tensor(stack);
    push_tensor(
      stack,
      without_gradients(() => tensor.uniform_(from, to, generator)),
    );
  },
  "aten::_no_grad_normal_": (stack) => {
    const generator = pop_generator(stack);
    const std = pop_float(stack);
    const mean = pop_float(stack);
    const tensor = pop_tensor(stack);
    push_tensor(
      stack,
      without_gradients(() => tensor.normal_(mean, std, generator)),
    );
  },
  "aten::_no_grad_fill_": (stack) => {
    const value = Scalar.fromDouble(pop_float(stack));
    const tensor = pop_tensor(stack);
    push_tensor(
      stack,
      without_gradients(() => tensor.fill__Scalar(value)),
    );
  },
  "aten::_no_grad_zero_": (stack) => {
    const tensor = pop_tensor(stack);
    push_tensor(
      stack,
      without_gradients(() => tensor.zero_()),
    );
  },
  "aten::_no_grad_embedding_renorm_": (stack) => {
    const norm_type = pop_float(stack);
    const max_norm = pop_float(stack);
    const input = pop_tensor(stack);
    const weight = pop_tensor(stack);
    push_tensor(
      stack,
      without_gradients(() => at.embedding_renorm_(weight, input, max_norm, norm_type)),
    );
  },
});

// ---- random numbers

register_operations({
  "aten::manual_seed": (stack) => getDefaultCPUGenerator().set_current_seed(BigInt(pop_int(stack))),
  "aten::manual_seed.generator": (stack) => {
    const seed = BigInt(pop_int(stack));
    (stack[stack.length - 1].payload as Generator).set_current_seed(seed);
  },
  "aten::Generator": (stack) => {
    const seed = pop(stack);
    pop(stack); // the device: there is only the CPU
    const generator = createCPUGenerator();
    if (!seed.isNone()) generator.set_current_seed(BigInt(seed.payload as number | bigint));
    stack.push(IValue.opaque("Generator", generator));
  },
  "aten::initial_seed": (stack) => push_int(stack, wrap((pop(stack).payload as Generator).current_seed())),
  "aten::seed": (stack) => push_int(stack, wrap((pop(stack).payload as Generator).seed())),
});

// ---- packed sequences and normalization

register_operations({
  // The four arguments are the four results.
  "aten::_pack_sequence": () => {},
});
