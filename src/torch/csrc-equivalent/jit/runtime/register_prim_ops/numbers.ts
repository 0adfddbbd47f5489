/**
 * @file Operators on numbers: arithmetic, comparisons, and the functions of Python's `math`.
 * @mirrors torch/csrc/jit/runtime/register_prim_ops.cpp
 */
import { type ComplexDouble, IValue } from "#aten/core/ivalue";
import { pop, type Stack } from "#aten/core/stack";
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { format_fixed } from "#c10/util/format_float";
import { copysign, nearbyint } from "#c10/util/math";
import * as m from "#python/Modules/_math";
import { gamma, lgamma } from "#python/Modules/math_gamma";
import * as c from "../complex.ts";
import * as int64 from "../int64.ts";
import { register_operations } from "../operator.ts";
import {
  type ComplexOp,
  DEFINE_BINARY_FLOAT_OP,
  DEFINE_GENERIC_OP,
  DEFINE_INT_FLOAT_OP,
  DEFINE_UNARY_FUNCTION,
  DEFINE_UNARY_OP,
  DEFINE_UNARY_OP_WITH_COMPLEX,
  type FloatOp,
  type IntOp,
  type Operations,
  of_complexes,
  of_floats,
  of_ints,
  of_scalars,
  pop_bool,
  pop_float,
  pop_int,
  push_bool,
  push_complex,
  push_float,
  push_int,
} from "../register_ops_utils.ts";

// ---- arithmetic

function DEFINE_BINARY_OP_WITH_COMPLEX(
  name: string,
  int_op: IntOp,
  float_op: FloatOp,
  complex_op: ComplexOp,
): Operations {
  const complexes = of_complexes(complex_op, "complex");
  return {
    ...DEFINE_GENERIC_OP(name, int_op, float_op, "int", "float"),
    ...DEFINE_INT_FLOAT_OP(name, float_op, "float"),
    [`${name}.complex`]: complexes,
    [`${name}.int_complex`]: complexes,
    [`${name}.complex_int`]: complexes,
    [`${name}.float_complex`]: complexes,
    [`${name}.complex_float`]: complexes,
    [name]: of_scalars(int_op, float_op, { int: "int", float: "float" }, complex_op),
  };
}

/** Python's `%` of floats; by 0 it is NaN. */
const float_remainder: FloatOp = (a, b) => (b + (a % b)) % b;
const float_floordiv: FloatOp = (a, b) => Math.floor(a / b);

function power(a: number, b: number): number {
  TORCH_CHECK(!(a === 0 && b < 0), "0.0 cannot be raised to a negative power");
  return m.pow(a, b);
}
const power_of_ints: IntOp = (a, b) => power(Number(a), Number(b));

register_operations({
  ...DEFINE_BINARY_OP_WITH_COMPLEX("aten::add", int64.add, (a, b) => a + b, c.add),
  ...DEFINE_BINARY_OP_WITH_COMPLEX("aten::sub", int64.sub, (a, b) => a - b, c.sub),
  ...DEFINE_BINARY_OP_WITH_COMPLEX("aten::mul", int64.mul, (a, b) => a * b, c.mul),

  // True division: two ints give a float.
  ...DEFINE_GENERIC_OP(
    "aten::div",
    (a, b) => Number(a) / Number(b),
    (a, b) => a / b,
    "float",
    "float",
  ),
  "aten::div.complex": of_complexes(c.div, "complex"),
  "aten::div": of_scalars(
    (a, b) => Number(a) / Number(b),
    (a, b) => a / b,
    { int: "float", float: "float" },
  ),

  ...DEFINE_GENERIC_OP("aten::floordiv", int64.floordiv, float_floordiv, "int", "float"),
  ...DEFINE_INT_FLOAT_OP("aten::floordiv", float_floordiv, "float"),
  "aten::floordiv": of_scalars(int64.floordiv, float_floordiv, { int: "int", float: "float" }),

  ...DEFINE_GENERIC_OP("aten::remainder", int64.remainder, float_remainder, "int", "float"),
  ...DEFINE_INT_FLOAT_OP("aten::remainder", float_remainder, "float"),
  "aten::remainder": of_scalars(int64.remainder, float_remainder, { int: "int", float: "float" }),

  // Loop unrolling divides so.
  "aten::__round_to_zero_floordiv.int": of_ints((a, b) => {
    if (b === 0) throw new RuntimeError("integer division by 0");
    return int64.quotient(a, b);
  }, "int"),

  // Two ints give a float, because a negative exponent does.
  ...DEFINE_GENERIC_OP("aten::pow", power_of_ints, power, "float", "float"),
  ...DEFINE_INT_FLOAT_OP("aten::pow", power, "float"),
  "aten::pow.complex": of_complexes(c.pow, "complex"),
  "aten::pow.float_complex": of_complexes((a, b) => c.pow_of_real(a.real, b), "complex"),
  "aten::pow.complex_float": of_complexes((a, b) => c.pow_by_real(a, b.real), "complex"),
  "aten::pow.Scalar_Scalar": of_scalars((a, b) => m.pow(Number(a), Number(b)), m.pow, { int: "float", float: "float" }),
  "aten::pow.int_to_int": of_ints((a, b) => int64.from_double(power(Number(a), Number(b))), "int"),

  ...DEFINE_UNARY_OP_WITH_COMPLEX(
    "aten::neg",
    DEFINE_UNARY_OP("aten::neg", int64.neg, (a) => -a, "int", "float"),
    c.neg,
    "complex",
  ),
});

// ---- bits

register_operations({
  "aten::__and__.int": of_ints(int64.bitwise_and, "int"),
  "aten::__or__.int": of_ints(int64.bitwise_or, "int"),
  "aten::__xor__.int": of_ints(int64.bitwise_xor, "int"),
  "aten::__lshift__.int": of_ints(int64.shift_left, "int"),
  "aten::__rshift__.int": of_ints(int64.shift_right, "int"),
  "aten::gcd.int": of_ints(int64.gcd, "int"),
});

// ---- comparison

/** Ints are compared exactly; an int beside a float is taken as a float. */
function DEFINE_COMPARISON_OP(name: string, op: (a: number | string, b: number | string) => boolean): Operations {
  const ints = op as IntOp;
  return {
    ...DEFINE_GENERIC_OP(name, ints, op, "bool", "bool"),
    ...DEFINE_INT_FLOAT_OP(name, op, "bool"),
    [name]: of_scalars(ints, op, { int: "bool", float: "bool" }),
  };
}

function DEFINE_COMPARISON_OP_WITH_COMPLEX(
  name: string,
  op: (a: number, b: number) => boolean,
  complex_op: (a: ComplexDouble, b: ComplexDouble) => boolean,
): Operations {
  const complexes = of_complexes(complex_op, "bool");
  const ints = op as unknown as IntOp;
  return {
    ...DEFINE_GENERIC_OP(name, ints, op, "bool", "bool"),
    ...DEFINE_INT_FLOAT_OP(name, op, "bool"),
    [`${name}.complex`]: complexes,
    [`${name}.float_complex`]: complexes,
    [`${name}.complex_float`]: complexes,
    [name]: of_scalars(ints, op, { int: "bool", float: "bool", complex: "bool" }, complex_op),
  };
}

register_operations({
  ...DEFINE_COMPARISON_OP_WITH_COMPLEX("aten::eq", (a, b) => a === b, c.equal),
  ...DEFINE_COMPARISON_OP_WITH_COMPLEX(
    "aten::ne",
    (a, b) => a !== b,
    (a, b) => !c.equal(a, b),
  ),
  ...DEFINE_COMPARISON_OP("aten::lt", (a, b) => a < b),
  ...DEFINE_COMPARISON_OP("aten::gt", (a, b) => a > b),
  ...DEFINE_COMPARISON_OP("aten::le", (a, b) => a <= b),
  ...DEFINE_COMPARISON_OP("aten::ge", (a, b) => a >= b),
});

/** `min` and `max` of two numbers: the type is float if one is. If one is NaN, the second is taken. */
function DEFINE_BINARY_OP(name: string, op: (a: number, b: number) => number): Operations {
  const ints = op as unknown as IntOp;
  return {
    ...DEFINE_GENERIC_OP(name, ints, op, "int", "float"),
    ...DEFINE_INT_FLOAT_OP(name, op, "float"),
    [name]: of_scalars(ints, op, { int: "int", float: "float" }),
  };
}

register_operations({
  ...DEFINE_BINARY_OP("prim::min", (a, b) => (a < b ? a : b)),
  ...DEFINE_BINARY_OP("prim::max", (a, b) => (a > b ? a : b)),
});

// ---- bools

function bools_equal(stack: Stack): boolean {
  const b = pop_bool(stack);
  return pop_bool(stack) === b;
}

register_operations({
  "aten::__not__": (stack) => push_bool(stack, !pop_bool(stack)),
  "aten::__and__.bool": (stack) => {
    const b = pop_bool(stack);
    push_bool(stack, pop_bool(stack) && b);
  },
  "aten::__or__.bool": (stack) => {
    const b = pop_bool(stack);
    push_bool(stack, pop_bool(stack) || b);
  },
  "aten::__xor__.bool": (stack) => push_bool(stack, !bools_equal(stack)),
  "aten::eq.bool": (stack) => push_bool(stack, bools_equal(stack)),
  "aten::ne.bool": (stack) => push_bool(stack, !bools_equal(stack)),
});

// ---- rounding

/** @throws {RuntimeError} "Cannot convert float inf to integer" */
function checkDoubleInRange(a: number): void {
  TORCH_CHECK(Math.abs(a) <= 2 ** 63, "Cannot convert float ", format_fixed(a, 6), " to integer");
}

function rounded(a: number, round: (a: number) => number): int64.int64 {
  checkDoubleInRange(a);
  return int64.from_double(round(a));
}

register_operations({
  // The floor of an int goes through a float, its ceiling does not.
  ...DEFINE_UNARY_OP(
    "aten::floor",
    (a) => rounded(Number(a), Math.floor),
    (a) => rounded(a, Math.floor),
    "int",
    "int",
  ),
  ...DEFINE_UNARY_OP(
    "aten::ceil",
    (a) => a,
    (a) => rounded(a, Math.ceil),
    "int",
    "int",
  ),
  ...DEFINE_UNARY_FUNCTION("aten::round", nearbyint),
  "aten::modf": (stack) => {
    const a = pop_float(stack);
    const whole = Math.trunc(a);
    push_float(stack, Number.isFinite(a) ? copysign(a - whole, a) : Number.isNaN(a) ? a : copysign(0, a));
    push_float(stack, whole);
  },
  "aten::frexp": (stack) => {
    const [mantissa, exponent] = m.frexp(pop_float(stack));
    push_float(stack, mantissa);
    push_int(stack, exponent);
  },
  "aten::ldexp": (stack) => {
    const exponent = int64.to_int32(pop_int(stack));
    push_float(stack, m.ldexp(pop_float(stack), exponent));
  },
  "aten::divmod.int": (stack) => {
    const b = pop_int(stack);
    const a = pop_int(stack);
    if (b === 0) throw new RuntimeError("ZeroDivisionError: integer division or modulo by zero");
    push_int(stack, int64.floordiv(a, b));
    const rest = int64.modulo(a, b);
    push_int(stack, rest !== 0 && a < 0 !== b < 0 ? int64.add(rest, b) : rest);
  },
  "aten::divmod.float": (stack) => {
    const b = pop_float(stack);
    const a = pop_float(stack);
    if (b === 0) throw new RuntimeError("ZeroDivisionError: float divmod()");
    let rest = a % b;
    if (rest !== 0 && a < 0 !== b < 0) rest += b;
    push_float(stack, (a - rest) / b);
    push_float(stack, rest);
  },
});

/** A number as C++'s `int` or `float`, which have 32 bits. */
const narrow = (value: IValue): number =>
  value.isInt() ? int64.to_int32(value.payload as int64.int64) : Math.fround(Number(value.payload));

for (const overload of ["int_float", "float_int"])
  register_operations({
    [`aten::divmod.${overload}`]: (stack) => {
      const b = narrow(pop(stack));
      const a = narrow(pop(stack));
      if (b === 0) throw new RuntimeError("ZeroDivisionError: float divmod()");
      const exact = Math.fround(Math.fround(a) / Math.fround(b));
      checkDoubleInRange(exact);
      const quotient = Math.floor(exact);
      push_float(stack, quotient);
      push_float(stack, a - quotient * b);
    },
  });

// ---- functions

function elementary(
  name: string,
  op: (a: number) => number,
  complex_op: (a: ComplexDouble) => ComplexDouble,
): Operations {
  return DEFINE_UNARY_OP_WITH_COMPLEX(name, DEFINE_UNARY_FUNCTION(name, op), complex_op, "complex");
}

const log10 = (a: number): number => Math.log10(a);
const log_to_base: FloatOp = (a, b) => m.log(a) / m.log(b);
const complex_log_to_base: ComplexOp = (a, b) => c.div(c.log(a), c.log(b));

/** C's `remainder`: the rest from the nearest multiple of `b`; half way between two, the even one counts. */
function ieee_remainder(a: number, b: number): number {
  if (!Number.isFinite(a) || Number.isNaN(b) || b === 0) return Number.NaN;
  if (!Number.isFinite(b)) return a;
  const [size, by] = [Math.abs(a), Math.abs(b)];
  const rest = size % by;
  const other = by - rest;
  const nearest = rest < other ? rest : rest > other ? -other : rest - 2 * ((0.5 * (size - rest)) % by);
  return a < 0 || Object.is(a, -0) ? -nearest : nearest;
}

const DEGREES = 180 / Math.acos(-1);
const RADIANS = Math.acos(-1) / 180;

register_operations({
  ...elementary("aten::log", m.log, c.log),
  "aten::log.int_int": of_floats(log_to_base, "float"),
  "aten::log.float_float": of_floats(log_to_base, "float"),
  ...DEFINE_INT_FLOAT_OP("aten::log", log_to_base, "float"),
  "aten::log.complex_complex": of_complexes(complex_log_to_base, "complex"),
  "aten::log.int_complex": of_complexes(complex_log_to_base, "complex"),
  "aten::log.complex_int": of_complexes(complex_log_to_base, "complex"),
  "aten::log.float_complex": of_complexes(complex_log_to_base, "complex"),
  "aten::log.complex_float": of_complexes(complex_log_to_base, "complex"),
  "aten::log.Scalar_Scalar": of_scalars((a, b) => log_to_base(Number(a), Number(b)), log_to_base, {
    int: "float",
    float: "float",
  }),
  ...DEFINE_UNARY_FUNCTION("aten::log1p", Math.log1p),
  ...elementary("aten::log10", log10, c.log10),
  ...elementary("aten::exp", m.exp, c.cexp),
  ...DEFINE_UNARY_FUNCTION("aten::expm1", Math.expm1),
  ...elementary("aten::sqrt", Math.sqrt, c.sqrt),
  ...elementary("aten::acos", m.acos, c.cacos),
  ...elementary("aten::asin", m.asin, c.casin),
  ...elementary("aten::atan", m.atan, c.catan),
  ...elementary("aten::cos", m.cos, c.ccos),
  ...elementary("aten::sin", m.sin, c.csin),
  ...elementary("aten::tan", m.tan, c.ctan),
  ...elementary("aten::asinh", m.asinh, c.casinh),
  ...elementary("aten::atanh", Math.atanh, c.catanh),
  ...elementary("aten::acosh", m.acosh, c.cacosh),
  ...elementary("aten::sinh", m.sinh, c.csinh),
  ...elementary("aten::cosh", m.cosh, c.ccosh),
  ...elementary("aten::tanh", Math.tanh, c.ctanh),
  ...DEFINE_UNARY_OP_WITH_COMPLEX(
    "aten::angle",
    DEFINE_UNARY_FUNCTION("aten::angle", (a) => (a < 0 || Object.is(a, -0) ? Math.PI : 0)),
    c.arg,
    "float",
  ),
  ...DEFINE_UNARY_OP_WITH_COMPLEX(
    "prim::abs",
    DEFINE_UNARY_OP("prim::abs", int64.abs, Math.abs, "int", "float"),
    c.abs,
    "float",
  ),
  ...DEFINE_UNARY_FUNCTION("aten::degrees", (a) => a * DEGREES),
  ...DEFINE_UNARY_FUNCTION("aten::radians", (a) => a * RADIANS),
  ...DEFINE_UNARY_FUNCTION("aten::gamma", gamma),
  ...DEFINE_UNARY_FUNCTION("aten::lgamma", lgamma),
  ...DEFINE_UNARY_FUNCTION("aten::erf", m.erf),
  ...DEFINE_UNARY_FUNCTION("aten::erfc", m.erfc),
  ...DEFINE_UNARY_FUNCTION("aten::fabs", Math.abs),
  ...DEFINE_BINARY_FLOAT_OP("aten::atan2", m.atan2, ".Scalar_Scalar"),
  ...DEFINE_BINARY_FLOAT_OP("aten::fmod", (a, b) => a % b),
  ...DEFINE_BINARY_FLOAT_OP("aten::mathremainder", ieee_remainder),
  ...DEFINE_BINARY_FLOAT_OP("aten::copysign", copysign),
  "aten::factorial.int": (stack) => push_int(stack, int64.factorial(int64.to_int32(pop_int(stack)))),
  "aten::isnan.float": (stack) => push_bool(stack, Number.isNaN(pop_float(stack))),
  "aten::isfinite.float": (stack) => push_bool(stack, Number.isFinite(pop_float(stack))),
  "aten::isinf.float": (stack) => push_bool(stack, Math.abs(pop_float(stack)) === Number.POSITIVE_INFINITY),
  "aten::isnan.complex": (stack) => push_bool(stack, c.is_nan(pop(stack).toComplexDouble())),
  "aten::isfinite.complex": (stack) => push_bool(stack, c.is_finite(pop(stack).toComplexDouble())),
  "aten::isinf.complex": (stack) => push_bool(stack, c.is_inf(pop(stack).toComplexDouble())),
});

// ---- complex numbers

const polar: FloatOp = (a, b) => c.polar(a, b);
register_operations({
  ...DEFINE_GENERIC_OP("aten::polar", (a, b) => c.polar(Number(a), Number(b)), polar, "complex", "complex"),
  ...DEFINE_INT_FLOAT_OP("aten::polar", polar, "complex"),
  "aten::polar.Scalar_Scalar": of_scalars((a, b) => c.polar(Number(a), Number(b)), polar, {
    int: "complex",
    float: "complex",
  }),
});

/** A part of a complex number. An int has 32 bits here, as C++'s `int`; a bool counts as 0 or 1; a tensor as its element. */
function part_of(value: IValue): number {
  if (value.isTensor()) return value.toTensor().item().toDouble();
  if (value.isInt()) return int64.to_int32(value.payload as int64.int64);
  return Number(value.payload);
}

const parts = ["int", "bool", "float", "Tensor"];
for (const real of parts)
  for (const imag of parts)
    register_operations({
      [`aten::Complex.${real}_${imag}`]: (stack) => {
        const imag = part_of(pop(stack));
        push_complex(stack, { real: part_of(pop(stack)), imag });
      },
    });
register_operations({
  "aten::Complex.Scalar": (stack) => {
    const value = pop(stack);
    push_complex(stack, value.isComplexDouble() ? value.toComplexDouble() : { real: Number(value.payload), imag: 0 });
  },
});

// ---- sums

register_operations({
  // The sum is a C++ `int`: it has 32 bits.
  "aten::sum.int": (stack) => {
    let sum = 0;
    for (const item of pop(stack).toList().vec()) sum = int64.to_int32(int64.add(sum, item.payload as int64.int64));
    push_int(stack, sum);
  },
  "aten::sum.float": (stack) => {
    let sum = 0;
    for (const item of pop(stack).toList().vec()) sum += item.payload as number;
    push_float(stack, sum);
  },
  "aten::sum.complex": (stack) => {
    let sum: ComplexDouble = { real: 0, imag: 0 };
    for (const item of pop(stack).toList().vec()) sum = c.add(sum, item.toComplexDouble());
    push_complex(stack, sum);
  },
  "aten::sum.bool": (stack) => {
    const list = pop(stack).toList().vec();
    push_int(stack, list.filter((item) => item.payload === true).length);
  },
});

// ---- ints that loops and digits need

register_operations({
  "aten::__range_length": (stack) => {
    const step = pop_int(stack);
    const hi = pop_int(stack);
    const lo = pop_int(stack);
    if (step === 0) throw new RuntimeError("range() arg 3 must not be zero");
    if (step > 0 && lo < hi) push_int(stack, int64.add(1, int64.quotient(int64.sub(int64.sub(hi, 1), lo), step)));
    else if (step < 0 && lo > hi)
      push_int(stack, int64.add(1, int64.quotient(int64.sub(int64.sub(lo, 1), hi), int64.neg(step))));
    else push_int(stack, 0);
  },
  "aten::__derive_index": (stack) => {
    const step = pop_int(stack);
    const start = pop_int(stack);
    push_int(stack, int64.add(start, int64.mul(pop_int(stack), step)));
  },
});

function DEFINE_CONVERT_BASE_OP(name: string, prefix: string, base: number): Operations {
  return {
    [name]: (stack) => {
      const value = pop_int(stack);
      // The least int64 has no positive counterpart; its bits are printed.
      const digits = BigInt.asUintN(64, BigInt(value < 0 ? int64.neg(value) : value)).toString(base);
      stack.push(IValue.fromString(`${value < 0 ? "-" : ""}0${prefix}${digits}`));
    },
  };
}
register_operations({
  ...DEFINE_CONVERT_BASE_OP("aten::hex", "x", 16),
  ...DEFINE_CONVERT_BASE_OP("aten::oct", "o", 8),
  ...DEFINE_CONVERT_BASE_OP("aten::bin", "b", 2),
});
