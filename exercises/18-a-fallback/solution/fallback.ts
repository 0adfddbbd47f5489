/**
 * @file A fallback: one kernel for all operators without a kernel on the card. It copies to the CPU, runs the operator there, and copies back.
 * @mirrors aten/src/ATen/native/CPUFallback.cpp
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { IValue } from "#aten/core/ivalue";
import { List } from "#aten/core/List";
import { CppFunction, type Library } from "#aten/core/library";
import type { Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";

const card = new Device(DeviceType.PrivateUse1, 0);

const to_cpu = (t: Tensor): Tensor => at._to_cpu([t])[0];
const to_card = (t: Tensor): Tensor => t.to_dtype_layout(t.options().device(card));

/** The value with its tensors moved; a value without tensors as it is. */
function moved(value: IValue, move: (t: Tensor) => Tensor): IValue {
  if (value.isTensor()) return IValue.fromTensor(move(value.toTensor()));
  // ex:begin(18.lists)
  if (value.isList()) {
    const list = value.toList();
    const elements = list.vec().map((each) => moved(each, move));
    return IValue.fromList(new List(list.elementType(), elements));
  }
  // ex:stub
  // ex:end
  return value;
}

/**
 * Gives `m`, a block for all operators and PrivateUse1, its fallback.
 * @param refused operators that the fallback refuses, such as "aten::tanh.out"
 */
export function register(m: Library, refused: readonly string[]): void {
  /** The last values of `stack` are the arguments of `op`, in the order of its schema. Results take their place. */
  function fallback(op: OperatorHandle, _: DispatchKeySet, stack: Stack): void {
    const name = String(op.operator_name());
    const args = op.schema().arguments();
    const returns = op.schema().returns();
    // ex:begin(18.refused)
    TORCH_CHECK_NOT_IMPLEMENTED(!refused.includes(name), `${name} has no kernel for the card, and should not be slow`);
    // ex:stub
    // ex:end
    // ex:begin(18.views)
    const is_view = returns.some((result) => result.alias_info()?.isWrite() === false);
    TORCH_CHECK(!is_view, `${name} makes a view, and a view cannot be brought from another device`);
    // ex:stub
    // ex:end

    const begin = stack.length - args.length;
    const given = stack.slice(begin);
    // ex:begin(18.way)
    const there = given.map((value) => moved(value, to_cpu));
    for (let i = 0; i < there.length; i++) stack[begin + i] = there[i];
    op.redispatchBoxed(DispatchKeySet.of(DispatchKey.CPU), stack);
    // ex:stub
    // TORCH_CHECK(false, `${name} was called with ${given.map((value) => value.tagKind()).join(", ")}, and nothing was done`);
    // ex:end

    // Now the results are the last values: stack[begin], stack[begin + 1], ...
    // ex:begin(18.written)
    args.forEach((arg, i) => {
      if (arg.alias_info()?.isWrite() === true) at._copy_from_and_resize(there[i].toTensor(), given[i].toTensor());
    });
    // ex:stub
    // ex:end
    // ex:begin(18.results)
    returns.forEach((result, i) => {
      const alias = result.alias_info();
      const same = args.findIndex((arg) => alias !== null && arg.alias_info()?.equals(alias) === true);
      stack[begin + i] = same === -1 ? moved(stack[begin + i], to_card) : given[same];
    });
    // ex:stub
    // ex:end
  }

  m.fallback(CppFunction.makeFromBoxedFunction(fallback, "fallback_card"));
}
