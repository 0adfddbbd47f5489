/**
 * @file Fallback to the CPU for operators that a new backend has no kernel for: arguments are copied to the CPU, the
 * operator runs there, and results are copied back.
 * @mirrors aten/src/ATen/native/CPUFallback.cpp
 * @differs Ours keeps a tensor that is not contiguous on the device not contiguous on the CPU; in PyTorch it becomes
 * contiguous.
 * @differs Our warning about view operators starts with its first word; PyTorch's starts with a 0.
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { Argument } from "#aten/core/function_schema";
import { IValue } from "#aten/core/ivalue";
import { List } from "#aten/core/List";
import type { Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Device } from "#c10/core/Device";
import { DeviceType, get_privateuse1_backend } from "#c10/core/DeviceType";
import { BackendComponent, DispatchKey, toString as keyToString, toBackendComponent } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { TORCH_CHECK, TORCH_WARN, TORCH_WARN_ONCE } from "#c10/util/Exception";

/** An argument that holds tensors: the caller's tensors, and their copies on the CPU. */
interface Moved {
  readonly argument: Argument;
  readonly original: IValue;
  readonly on_cpu: IValue;
}

/** Defined tensors of an argument or a result; empty if it holds other values. */
function tensors_of(value: IValue): Tensor[] {
  if (value.isTensor()) return [value.toTensor()].filter((tensor) => tensor.defined());
  return value.isList() ? value.toList().vec().flatMap(tensors_of) : [];
}

/** A copy of `value` in which each tensor is replaced by the next one of `tensors`. */
function with_tensors(value: IValue, tensors: Tensor[]): IValue {
  if (value.isTensor()) return value.toTensor().defined() ? IValue.fromTensor(tensors.shift() as Tensor) : value;
  if (!value.isList()) return value;
  const list = value.toList();
  return IValue.fromList(
    new List(
      list.elementType(),
      list.vec().map((element) => with_tensors(element, tensors)),
    ),
  );
}

// Note [Whether it is contiguous]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// `_linalg_solve_ex` returns the factors of A, or of its transpose if A is contiguous; so does `_linalg_det`. The
// gradient tests again, on the device, whether A is contiguous. If the copy were contiguous and the original were not,
// it would be the gradient of another matrix.
function as_contiguous_as(original: Tensor, on_cpu: Tensor): Tensor {
  if (original.is_contiguous() || !on_cpu.is_contiguous()) return on_cpu;
  const strides = on_cpu.strides().map((stride) => 2 * stride);
  return at.empty_strided(on_cpu.sizes(), strides, on_cpu.options()).copy_(on_cpu);
}

function to_cpu(tensors: Tensor[]): Tensor[] {
  return at._to_cpu(tensors).map((on_cpu, i) => as_contiguous_as(tensors[i], on_cpu));
}

/**
 * Copies the tensors to the CPU: each list, and all single tensors together, because a lazy backend computes requested
 * tensors at once.
 */
function arguments_to_cpu(op: OperatorHandle, stack: Stack): Moved[] {
  const schema_args = op.schema().arguments();
  const begin = stack.length - schema_args.length;
  const single = to_cpu(stack.slice(begin).flatMap((value) => (value.isTensor() ? tensors_of(value) : [])));
  return schema_args.flatMap((argument, i) => {
    const original = stack[begin + i];
    if (original.isDevice()) stack[begin + i] = IValue.opaque("Device", Device.of(DeviceType.CPU));
    if (!original.isTensor() && !original.isTensorList() && !original.isOptionalTensorList()) return [];
    const tensors = original.isTensor() ? single : to_cpu(tensors_of(original));
    const on_cpu = with_tensors(original, tensors);
    stack[begin + i] = on_cpu;
    return [{ argument, original, on_cpu }];
  });
}

/** Device of the results: the requested one, else that of the first tensor, or of the first one in a list. */
function compute_target_device(args: readonly IValue[]): Device | null {
  const device = args.find((value) => value.isDevice());
  if (device !== undefined) return device.payload as Device;
  const single = args.filter((value) => value.isTensor());
  const holders = single.length > 0 ? single : args.filter((value) => value.isTensorList());
  return holders.flatMap(tensors_of)[0]?.device() ?? null;
}

function writes({ argument }: { readonly argument: Argument }): boolean {
  return argument.alias_info()?.isWrite() === true;
}

/** If a result is one of the arguments, returns the caller's tensor and not the CPU's copy. */
function argument_returned(op: OperatorHandle, result: Argument, moved: readonly Moved[]): IValue {
  const alias = result.alias_info();
  const found = moved.find(({ argument }) => alias !== null && argument.alias_info()?.equals(alias) === true);
  TORCH_CHECK(
    found !== undefined,
    "The operator ",
    op.operator_name(),
    " appears to have invalid alias information. ",
    "Found a return tensor argument with a mismatched mutable alias: ",
    result,
  );
  return found.original;
}

// Note [CPU Fallback Does Not Handle View Operators]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A view is a tensor over the memory of another one. A result from the CPU has memory of its own, on the device as
// well, so a write into it would not change the other tensor. A backend must have its own `view` and `as_strided`; this
// function warns if one is missing.
function complain_of_view(op: OperatorHandle, device: Device | null, error_on_views: boolean): void {
  const words = [
    "The operator ",
    op.operator_name(),
    " appears to be a view operator, ",
    `but it has no implementation for the backend "${device === null ? "<none>" : device.str()}". View operators don't support `,
  ];
  const reason = "since the tensor's storage cannot be shared across devices.";
  TORCH_CHECK(!error_on_views, ...words, reason);
  TORCH_WARN(...words, "falling back to run on the CPU, ", reason);
}

/**
 * Warning of a backend before it falls back, with MPS's text, once per operator.
 * @differs Ours warns once per operator; MPS warns once in total.
 */
export function warn_of_cpu_fallback(op: OperatorHandle): void {
  TORCH_WARN_ONCE(
    `The operator '${op.operator_name()}' is not currently supported on the ${get_privateuse1_backend()} backend and will fall back to run on the CPU. `,
    "This may have performance implications.",
  );
}

/** Boxed kernel for every operator. A backend may wrap it to warn or to refuse. */
export function cpu_fallback(
  op: OperatorHandle,
  stack: Stack,
  error_on_views = false,
  cpu_dispatch_key: DispatchKey = DispatchKey.CPU,
): void {
  TORCH_CHECK(
    toBackendComponent(cpu_dispatch_key) === BackendComponent.CPUBit,
    "Expected CPU backend DispatchKey but got ",
    keyToString(cpu_dispatch_key),
  );
  const device = compute_target_device(stack.slice(stack.length - op.schema().arguments().length));
  const moved = arguments_to_cpu(op, stack);
  op.redispatchBoxed(DispatchKeySet.of(cpu_dispatch_key), stack);

  for (const each of moved.filter(writes)) {
    const originals = tensors_of(each.original);
    tensors_of(each.on_cpu).forEach((changed, i) => void at._copy_from_and_resize(changed, originals[i]));
  }
  const schema_returns = op.schema().returns();
  const begin = stack.length - schema_returns.length;
  schema_returns.forEach((result, i) => {
    const alias = result.alias_info();
    const tensors = tensors_of(stack[begin + i]);
    if (alias?.isWrite() === true) {
      stack[begin + i] = argument_returned(op, result, moved);
      return;
    }
    if (alias !== null) complain_of_view(op, device, error_on_views);
    if (device === null || tensors.length === 0) return;
    const there = tensors.map((tensor) => tensor.to_dtype_layout(tensor.options().device(device)));
    stack[begin + i] = with_tensors(stack[begin + i], there);
  });
}
