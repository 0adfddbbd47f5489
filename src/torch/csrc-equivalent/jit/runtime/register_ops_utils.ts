/**
 * @file How an operator of TorchScript takes its arguments from the stack and leaves its result, and the families of operators that differ
 * only in the types of their numbers.
 * @mirrors torch/csrc/jit/runtime/register_ops_utils.h
 */
import { type ComplexDouble, IValue } from "#aten/core/ivalue";
import { pop, type Stack } from "#aten/core/stack";
import { RuntimeError } from "#c10/util/Exception";
import { type int64, to_int32 } from "./int64.ts";
import type { Operation } from "./operator.ts";

/** Implementations by operator name: `{ "aten::add.int": operation }`. */
export type Operations = Record<string, Operation>;

// ---- one value from the stack

/** @throws {RuntimeError} as C++'s internal assertion does, if a value has another type than its schema says */
function expected(type: string): never {
  throw new RuntimeError(`INTERNAL ASSERT FAILED, please report a bug to glasstorch. expected ${type}`);
}

export function int_of(value: IValue): int64 {
  return value.tag === "Int" ? (value.payload as int64) : expected("int");
}
export function float_of(value: IValue): number {
  return value.tag === "Double" ? (value.payload as number) : expected("double");
}
export const pop_int = (stack: Stack): int64 => int_of(pop(stack));
export const pop_float = (stack: Stack): number => float_of(pop(stack));
export const pop_bool = (stack: Stack): boolean => pop(stack).toBool();
/** An int that counts or indexes something, as a number. */
export const pop_index = (stack: Stack): number => Number(pop_int(stack));

export const push_int = (stack: Stack, value: int64): void => void stack.push(IValue.fromInt(value));
export const push_float = (stack: Stack, value: number): void => void stack.push(IValue.fromDouble(value));
export const push_bool = (stack: Stack, value: boolean): void => void stack.push(IValue.fromBool(value));
export const push_complex = (stack: Stack, value: ComplexDouble): void =>
  void stack.push(IValue.fromComplexDouble(value));

// ---- families

/** The C++ type of a result. */
export type ResultType = "int" | "float" | "bool" | "complex";

const boxes: { readonly [R in ResultType]: (value: never) => IValue } = {
  int: (value: int64) => IValue.fromInt(value),
  float: (value: int64) => IValue.fromDouble(Number(value)),
  bool: (value: boolean) => IValue.fromBool(value),
  complex: (value: ComplexDouble) => IValue.fromComplexDouble(value),
};

type Result = int64 | boolean | ComplexDouble;
export type IntOp = (a: int64, b: int64) => Result;
export type FloatOp = (a: number, b: number) => Result;
export type ComplexOp = (a: ComplexDouble, b: ComplexDouble) => Result;

/** `op` as an operation of two ints. */
export function of_ints(op: IntOp, result: ResultType): Operation {
  const box = boxes[result] as (value: Result) => IValue;
  return (stack) => {
    const b = pop_int(stack);
    const top = stack.length - 1; // the result takes the place of `a`
    stack[top] = box(op(int_of(stack[top]), b));
  };
}

/** `op` as an operation of two numbers, each an int or a float, that are taken as floats. */
export function of_floats(op: FloatOp, result: ResultType): Operation {
  const box = boxes[result] as (value: Result) => IValue;
  return (stack) => {
    const b = Number(pop(stack).payload);
    const a = Number(pop(stack).payload);
    stack.push(box(op(a, b)));
  };
}

/** A number of any kind as a complex one. */
export function complex_of(value: IValue): ComplexDouble {
  if (value.isComplexDouble()) return value.toComplexDouble();
  return { real: Number(value.payload), imag: 0 };
}

/** `op` as an operation of two numbers of any kind that are taken as complex ones. */
export function of_complexes(op: ComplexOp, result: ResultType): Operation {
  const box = boxes[result] as (value: Result) => IValue;
  return (stack) => {
    const b = complex_of(pop(stack));
    const a = complex_of(pop(stack));
    stack.push(box(op(a, b)));
  };
}

/** Overloads `.int` and `.float`. */
export function DEFINE_GENERIC_OP(
  name: string,
  int_op: IntOp,
  float_op: FloatOp,
  int_result: ResultType,
  float_result: ResultType,
): Operations {
  return { [`${name}.int`]: of_ints(int_op, int_result), [`${name}.float`]: of_floats(float_op, float_result) };
}

/** Overloads `.int_float` and `.float_int`. */
export function DEFINE_INT_FLOAT_OP(name: string, op: FloatOp, result: ResultType): Operations {
  const operation = of_floats(op, result);
  return { [`${name}.int_float`]: operation, [`${name}.float_int`]: operation };
}

/**
 * The overload for Scalars: it looks at the kinds that the numbers have at run time.
 * @param complex_op without it a complex number is refused
 */
export function of_scalars(
  int_op: IntOp,
  float_op: FloatOp,
  result: { int: ResultType; float: ResultType; complex?: ResultType },
  complex_op: ComplexOp | null = null,
): Operation {
  const ints = of_ints(int_op, result.int);
  const floats = of_floats(float_op, result.float);
  const complexes = complex_op === null ? null : of_complexes(complex_op, result.complex ?? "complex");
  return (stack) => {
    const b = stack[stack.length - 1];
    const a = stack[stack.length - 2];
    if (complexes !== null && (a.isComplexDouble() || b.isComplexDouble())) complexes(stack);
    else if (a.isDouble() || b.isDouble()) {
      if (!a.isDouble()) int_of(a);
      if (!b.isDouble()) int_of(b);
      floats(stack);
    } else ints(stack);
  };
}

/** All overloads of an operation that gives a float, also for ints. */
export function DEFINE_BINARY_FLOAT_OP(name: string, op: (a: number, b: number) => number, scalar = ""): Operations {
  const of_numbers: IntOp = (a, b) => op(Number(a), Number(b));
  return {
    ...DEFINE_GENERIC_OP(name, of_numbers, op, "float", "float"),
    ...DEFINE_INT_FLOAT_OP(name, op, "float"),
    [`${name}${scalar}`]: of_scalars(of_numbers, op, { int: "float", float: "float" }),
  };
}

/** The result for a Scalar goes through C++'s `float` or `int`, which have 32 bits. */
function push_narrowed(stack: Stack, value: int64, type: ResultType): void {
  if (type === "int") push_int(stack, to_int32(value));
  else push_float(stack, Math.fround(Number(value)));
}

/** Overloads `.int`, `.float` and `.Scalar` of an operation with one argument. The int one gives an int if `int_op` does. */
export function DEFINE_UNARY_OP(
  name: string,
  int_op: (a: int64) => int64,
  float_op: (a: number) => int64,
  int_result: ResultType,
  float_result: ResultType,
): Operations {
  const int_box = boxes[int_result] as (value: Result) => IValue;
  const float_box = boxes[float_result] as (value: Result) => IValue;
  const of_int: Operation = (stack) => void stack.push(int_box(int_op(pop_int(stack))));
  const of_float: Operation = (stack) => void stack.push(float_box(float_op(pop_float(stack))));
  return {
    [`${name}.int`]: of_int,
    [`${name}.float`]: of_float,
    [`${name}.Scalar`]: (stack) => {
      if (stack[stack.length - 1].isDouble()) push_narrowed(stack, float_op(pop_float(stack)), float_result);
      else push_narrowed(stack, int_op(pop_int(stack)), int_result);
    },
  };
}

/** The three overloads of a function of floats. */
export function DEFINE_UNARY_FUNCTION(name: string, op: (a: number) => number): Operations {
  return DEFINE_UNARY_OP(name, (a) => op(Number(a)), op, "float", "float");
}

/** The overloads of `real`, and `.complex`, which also takes complex Scalars. */
export function DEFINE_UNARY_OP_WITH_COMPLEX(
  name: string,
  real: Operations,
  complex_op: (a: ComplexDouble) => Result,
  complex_result: ResultType,
): Operations {
  const box = boxes[complex_result] as (value: Result) => IValue;
  const of_complex: Operation = (stack) => void stack.push(box(complex_op(pop(stack).toComplexDouble())));
  const of_real = real[`${name}.Scalar`];
  return {
    ...real,
    [`${name}.complex`]: of_complex,
    [`${name}.Scalar`]: (stack) => {
      if (!stack[stack.length - 1].isComplexDouble()) of_real(stack);
      else if (complex_result === "float")
        push_narrowed(stack, complex_op(pop(stack).toComplexDouble()) as number, "float");
      else of_complex(stack);
    },
  };
}

/** A Python index, which may be negative, as an index from the front. */
export function normalizeIndex(idx: number, list_size: number): number {
  return idx < 0 ? list_size + idx : idx;
}
