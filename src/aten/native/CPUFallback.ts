/**
 * @file What a young backend does with all that it has no kernel for: to the CPU, there the operator, and back.
 * @mirrors aten/src/ATen/native/CPUFallback.cpp
 * @differs What is not contiguous on the device is not on the CPU either; in PyTorch it comes there contiguous.
 * @differs The warning about view operators begins with its first word; in PyTorch a 0 stands before it.
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
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";

/** An argument that holds tensors: the caller's, and what the CPU was given for it. */
interface Moved {
  readonly argument: Argument;
  readonly original: IValue;
  readonly on_cpu: IValue;
}

/** The tensors of an argument or a result, the undefined ones left out; none where it holds something else. */
function tensors_of(value: IValue): Tensor[] {
  if (value.isTensor()) return [value.toTensor()].filter((tensor) => tensor.defined());
  return value.isList() ? value.toList().vec().flatMap(tensors_of) : [];
}

/** The same value, with the next of `tensors` in the place of each of its own. */
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
// `_linalg_solve_ex` keeps the factors of A or, where A is contiguous, of its transpose; so does `_linalg_det`. The gradient asks A again, there on the
// device. Were the copy contiguous and the original not, it would be the gradient of another matrix.
function as_contiguous_as(original: Tensor, on_cpu: Tensor): Tensor {
  if (original.is_contiguous() || !on_cpu.is_contiguous()) return on_cpu;
  const strides = on_cpu.strides().map((stride) => 2 * stride);
  return at.empty_strided(on_cpu.sizes(), strides, on_cpu.options()).copy_(on_cpu);
}

function to_cpu(tensors: Tensor[]): Tensor[] {
  return at._to_cpu(tensors).map((on_cpu, i) => as_contiguous_as(tensors[i], on_cpu));
}

/** The tensors on the CPU, each list and all single ones together: a lazy backend computes what it is asked for at once. */
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

/** Where results go: to the device that was asked for, else that of the first tensor, or of the first one in a list. */
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

/** A result that is one of the arguments is the caller's tensor again, not the CPU's. */
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
// A view is a tensor over the memory of another. What comes back from the CPU has memory of its own, on the device as well, so a
// write into it would not be seen through the other. A backend brings its own `view` and `as_strided`; where it forgot, this says so.
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

const told = new Set<string>();

/**
 * What a backend says before it falls back, in the words of MPS, once for each operator.
 * @differs MPS says it once in all.
 */
export function warn_of_cpu_fallback(op: OperatorHandle): void {
  const name = String(op.operator_name());
  if (told.has(name)) return;
  told.add(name);
  TORCH_WARN(
    `The operator '${name}' is not currently supported on the ${get_privateuse1_backend()} backend and will fall back to run on the CPU. `,
    "This may have performance implications.",
  );
}

/** A boxed kernel for every operator; a backend may wrap it, to warn or to refuse. */
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
