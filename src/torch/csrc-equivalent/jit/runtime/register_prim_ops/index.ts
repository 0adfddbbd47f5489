/**
 * @file The operators that every TorchScript program may use, in the light interpreter, too.
 * @mirrors torch/csrc/jit/runtime/register_prim_ops.cpp
 */
import { type ComplexDouble, IValue } from "#aten/core/ivalue";
import { equal_ivalues, hash_ivalue, is_same_ivalue, print_ivalue } from "#aten/core/ivalue.impl";
import { drop, last, pop, type Stack } from "#aten/core/stack";
import * as at from "#aten/generated/Functions";
import { Device } from "#c10/core/Device";
import { DeviceTypeName } from "#c10/core/DeviceType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { from_double, type int64 } from "../int64.ts";
import { register_operations } from "../operator.ts";
import { getPrintHandler } from "../print_handler.ts";
import { raiseException } from "../promoted_operations.ts";
import {
  int_of,
  pop_bool,
  pop_float,
  pop_index,
  pop_int,
  push_bool,
  push_float,
  push_int,
} from "../register_ops_utils.ts";
import { einsum, format, percentFormat, tupleIndex, tupleUnpack } from "../vararg_functions.ts";
import "./numbers.ts";
import "./strings.ts";
import "./lists.ts";
import "./dicts.ts";
import { push_tensor } from "./tensors.ts";

// ---- conversions

register_operations({
  "aten::str": (stack) => void stack.push(IValue.fromString(print_ivalue(pop(stack)))),
  "aten::Bool.int": (stack) => push_bool(stack, pop_int(stack) !== 0),
  "aten::Bool.float": (stack) => push_bool(stack, pop_float(stack) !== 0),
  "aten::Int.bool": (stack) => push_int(stack, pop_bool(stack) ? 1 : 0),
  "aten::Int.float": (stack) => push_int(stack, from_double(pop_float(stack))),
  "aten::Int.Scalar": (stack) => {
    const value = pop(stack);
    push_int(stack, value.isInt() ? (value.payload as int64) : value.toScalar().toInt());
  },
  "aten::Float.int": (stack) => push_float(stack, Number(pop_int(stack))),
  "aten::Float.bool": (stack) => push_float(stack, pop_bool(stack) ? 1 : 0),
  "aten::Float.Scalar": (stack) => {
    const value = pop(stack);
    if (value.isComplexDouble()) push_float(stack, (value.payload as ComplexDouble).real);
    else push_float(stack, value.isDouble() ? (value.payload as number) : Number(int_of(value)));
  },
  "aten::hash.generic": (stack) => push_int(stack, hash_ivalue(pop(stack))),
  "prim::unchecked_cast": () => {},
  "prim::unchecked_unwrap_optional": () => {},
  "aten::_unwrap_optional": (stack) => TORCH_CHECK(!stack[stack.length - 1].isNone(), "Unwrapping null optional"),
});

// ---- texts

register_operations({
  "aten::format": (stack) => format(stack, pop_index(stack)),
  "aten::percentFormat": (stack) => percentFormat(stack, pop_index(stack)),
  "aten::einsum.sublist": (stack) => einsum(stack, pop_index(stack)),
  "prim::Print": (stack) => {
    const num_inputs = pop_index(stack);
    const text = last(stack, num_inputs).map(print_ivalue).join(" ");
    drop(stack, num_inputs);
    getPrintHandler()(`${text}\n`);
  },
  "prim::RaiseException": raiseException,
});

// ---- identity

const is_same = (stack: Stack): boolean => is_same_ivalue(pop(stack), pop(stack));
const enums_equal = (stack: Stack): boolean => equal_ivalues(pop(stack), pop(stack));

register_operations({
  "aten::__is__": (stack) => push_bool(stack, is_same(stack)),
  "aten::__isnot__": (stack) => push_bool(stack, !is_same(stack)),
  "aten::eq.enum": (stack) => push_bool(stack, enums_equal(stack)),
  "aten::ne.enum": (stack) => push_bool(stack, !enums_equal(stack)),
  "prim::EnumName": (stack) => void stack.push(IValue.fromString(pop(stack).toEnumHolder().name())),
  "prim::EnumValue.int": (stack) => void stack.push(pop(stack).toEnumHolder().value()),
  "prim::EnumValue.float": (stack) => void stack.push(pop(stack).toEnumHolder().value()),
  "prim::EnumValue.str": (stack) => void stack.push(pop(stack).toEnumHolder().value()),
  "prim::id": (stack) => {
    const value = pop(stack);
    push_int(stack, value.isNone() ? 0 : identity_of(value.payload as object));
  },
});

const identities = new WeakMap<object, number>();
let objects_seen = 0;
/** A number for an object, the same at each call. Objects have no address here, so the numbers are made as they are asked for. */
function identity_of(object: object): number {
  let identity = identities.get(object);
  if (identity === undefined) {
    identity = ++objects_seen * 16;
    identities.set(object, identity);
  }
  return identity;
}

// ---- tuples and values without a type

register_operations({
  "prim::TupleUnpack": tupleUnpack,
  "prim::TupleIndex": tupleIndex,
  "prim::Uninitialized": (stack) => void stack.push(IValue.uninitialized),
  "prim::IfThenElse": (stack) => {
    const y = pop(stack);
    const x = pop(stack);
    stack.push(pop_bool(stack) ? x : y);
  },
});

// ---- any number of tensors

register_operations({
  "prim::VarConcat": (stack) => {
    const num_inputs = pop_index(stack);
    const dim = pop_index(stack);
    const tensors = stack.splice(stack.length - (num_inputs - 1)).map((value) => value.toTensor());
    push_tensor(stack, at.cat(tensors, dim));
  },
  "prim::VarStack": (stack) => {
    const num_inputs = pop_index(stack);
    const dim = pop_index(stack);
    const tensors = stack.splice(stack.length - (num_inputs - 1)).map((value) => value.toTensor());
    push_tensor(stack, at.stack(tensors, dim));
  },
});

// ---- devices

const device_of = (value: IValue): Device => value.payload as Device;
const devices_equal = (stack: Stack): boolean => device_of(pop(stack)).eq(device_of(pop(stack)));

register_operations({
  "aten::device": (stack) => void stack.push(IValue.opaque("Device", Device.parse(pop(stack).toStringRef()))),
  "aten::device.with_index": (stack) => {
    const index = pop_index(stack);
    const type = pop(stack).toStringRef();
    stack.push(IValue.opaque("Device", Device.parse(`${type}:${index}`)));
  },
  "aten::eq.device": (stack) => push_bool(stack, devices_equal(stack)),
  "aten::ne.device": (stack) => push_bool(stack, !devices_equal(stack)),
  "prim::type": (stack) => void stack.push(IValue.fromString(DeviceTypeName(device_of(pop(stack)).type(), true))),
  "prim::index": (stack) => {
    const index = device_of(pop(stack)).index();
    stack.push(index < 0 ? IValue.None : IValue.fromInt(index));
  },
});

// ---- modules in containers

register_operations({
  "prim::ModuleContainerIndex.list": (stack) => {
    const index = pop_int(stack);
    stack.push(pop(stack).toObject().getAttr(String(index)));
  },
  "prim::ModuleContainerIndex.dict": (stack) => {
    const name = pop(stack).toStringRef();
    stack.push(pop(stack).toObject().getAttr(name));
  },
});
