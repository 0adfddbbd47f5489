/**
 * @file Operations on as many values as the calling node has: formats, and the making and taking apart of tuples, lists, dicts, objects.
 * @mirrors torch/csrc/jit/runtime/vararg_functions.cpp
 */
import { Dict } from "#aten/core/Dict";
import { IValue } from "#aten/core/ivalue";
import { print_ivalue, type_of } from "#aten/core/ivalue.impl";
import { Object_, type ObjectType } from "#aten/core/ivalue_inl";
import type { Type } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { drop, last, peek, pop, popn, type Stack } from "#aten/core/stack";
import * as at from "#aten/generated/Functions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { format_exponent, format_fixed } from "#c10/util/format_float";
import { from_bytes, to_bytes } from "./byte_string.ts";
import { type int64, to_int32 } from "./int64.ts";

// ---- formats

/** `str.format` with the fields `{}`, and no others. */
export function format(stack: Stack, num_inputs: number): void {
  const format_ = peek(stack, 0, num_inputs).toStringRef();
  const args = last(stack, num_inputs - 1);
  let text = "";
  let begin = 0;
  for (let used_args = 0; ; used_args++) {
    const at_ = format_.indexOf("{}", begin);
    if (at_ < 0) break;
    TORCH_CHECK(used_args < args.length, "Too few arguments for format string: ", format_);
    text += format_.slice(begin, at_) + print_ivalue(args[used_args]);
    begin = at_ + 2;
  }
  drop(stack, num_inputs);
  stack.push(IValue.fromString(text + format_.slice(begin)));
}

/** One argument of `%`, written as the specifier `key` says. Floats are first rounded to C's `float`. */
function formatted_arg(key: string, value: IValue): string {
  const number = (): number => {
    TORCH_CHECK(value.isScalar(), "%", key, " requires a number for formatting, but got ", value.tagKind());
    return Math.fround(Number(value.payload));
  };
  switch (key) {
    case "d":
    case "i":
      number();
      return value.isInt() ? String(value.payload) : String(to_int32(Math.trunc(Number(value.payload)) as int64));
    case "e":
      return format_exponent(number(), 6);
    case "E":
      return format_exponent(number(), 6).toUpperCase();
    case "f":
    case "F":
      return format_fixed(number(), 6);
    case "c":
      TORCH_CHECK(
        value.isInt() || (value.isString() && to_bytes(value.toStringRef()).length === 1),
        "%",
        key,
        " requires an int or char for formatting, but got ",
        value.tagKind(),
      );
      return value.isInt() ? from_bytes(String.fromCharCode(Number(value.payload) & 0xff)) : value.toStringRef();
    case "s":
      return print_ivalue(value);
    default:
      TORCH_CHECK(false, "The specifier %", key, " is not supported in TorchScript format strings");
  }
}

/** `text % args`; the arguments are a tuple or one value. */
export function percentFormat(stack: Stack, num_inputs: number): void {
  const format_str = peek(stack, 0, num_inputs).toStringRef();
  const given = peek(stack, 1, num_inputs);
  const args = given.isTuple() ? given.toTuple() : [given];
  let text = "";
  let begin = 0;
  let used_args = 0;
  for (let at_ = format_str.indexOf("%"); at_ >= 0; at_ = format_str.indexOf("%", begin)) {
    TORCH_CHECK(at_ < format_str.length - 1, "Incomplete format specifier");
    text += format_str.slice(begin, at_);
    begin = at_ + 2;
    const key = format_str[at_ + 1];
    if (key === "%") {
      text += "%";
      continue;
    }
    TORCH_CHECK(used_args < args.length, "Too few arguments for format string");
    text += formatted_arg(key, args[used_args++]);
  }
  TORCH_CHECK(used_args === args.length, "Too many arguments for format string");
  drop(stack, num_inputs);
  stack.push(IValue.fromString(text + format_str.slice(begin)));
}

/** `torch.einsum(a, [0, 1], b, [1, 2], [0, 2])`: operands and their subscripts in turn. */
export function einsum(stack: Stack, num_inputs: number): void {
  TORCH_CHECK(
    num_inputs >= 2,
    "einsum(): must specify the equation string and at least one operand, ",
    "or at least one operand and its subscripts list",
  );
  const args = last(stack, num_inputs);
  const sublist = (i: number): string => {
    const value = args[i];
    TORCH_CHECK(
      value.isList() && value.toList().elementType().kind() === "IntType",
      "einsum(): expected List[int] in argument ",
      i,
      ", but got ",
      type_of(value),
    );
    return value
      .toIntList()
      .map((label, k) => {
        TORCH_CHECK(
          label >= 0 && label < 52,
          `einsum(): expected subscript ${k} in argument ${i} to be within the range [0, 52), but got ${label}`,
        );
        return label < 26 ? String.fromCharCode(65 + label) : String.fromCharCode(97 + label - 26);
      })
      .join("");
  };
  const operands = Math.floor(num_inputs / 2);
  const subscripts = Array.from({ length: operands }, (_, k) => sublist(2 * k + 1));
  const equation = subscripts.join(",") + (num_inputs % 2 === 1 ? `->${sublist(num_inputs - 1)}` : "");
  const tensors = Array.from({ length: operands }, (_, k) => {
    const value = args[2 * k];
    TORCH_CHECK(value.isTensor(), "einsum(): expected Tensor in argument ", 2 * k, ", but got ", type_of(value));
    return value.toTensor();
  });
  drop(stack, num_inputs);
  stack.push(IValue.fromTensor(at.einsum(equation, tensors)));
}

// ---- containers

export function tupleUnpack(stack: Stack): void {
  stack.push(...pop(stack).toTuple());
}

export function listUnpack(stack: Stack, num_outputs: number): void {
  const items = pop(stack).toList().vec();
  TORCH_CHECK(items.length === num_outputs, "Expected ", num_outputs, " elements in a list but found ", items.length);
  stack.push(...items);
}

export function tupleConstruct(stack: Stack, num_inputs: number): void {
  stack.push(IValue.fromTuple(popn(stack, num_inputs)));
}

export function namedTupleConstruct(stack: Stack, tuple_type: Type, num_inputs: number): void {
  stack.push(IValue.fromNamedTuple(popn(stack, num_inputs), tuple_type));
}

export function listConstruct(stack: Stack, list_type: Type, num_inputs: number): void {
  stack.push(IValue.fromList(new List(list_type.containedType(), popn(stack, num_inputs))));
}

/** The inputs are keys and values in turn; a key that comes again gets the later value. */
export function dictConstruct(stack: Stack, dict_type: Type, num_inputs: number): void {
  const dict = new Dict(dict_type.containedType(0), dict_type.containedType(1));
  const inputs = popn(stack, num_inputs);
  for (let i = 0; i < num_inputs; i += 2) dict.insert_or_assign(inputs[i], inputs[i + 1]);
  stack.push(IValue.fromDict(dict));
}

export function createObject(stack: Stack, type: ObjectType): void {
  stack.push(IValue.fromObject(new Object_(type, type.numAttributes())));
}

/** Whether the value's type is one of `types` or a subtype of one. */
export function isinstance(stack: Stack, types: readonly Type[]): void {
  const type = type_of(pop(stack));
  stack.push(IValue.fromBool(types.some((candidate) => type.isSubtypeOf(candidate))));
}

export function tupleSlice(stack: Stack, begin: number, end: number): void {
  stack.push(IValue.fromTuple(pop(stack).toTuple().slice(begin, end)));
}

/** Replaces a tuple and an index, which may be negative, by the element. */
export function tupleIndex(stack: Stack): void {
  const index = Number(pop(stack).toInt());
  const elements = pop(stack).toTuple();
  const norm_index = index < 0 ? elements.length + index : index;
  TORCH_CHECK(norm_index >= 0 && norm_index < elements.length, "Tuple list index out of range");
  stack.push(elements[norm_index]);
}
