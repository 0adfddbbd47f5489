/**
 * @file Python's operators for values that are numbers or one-element tensors: learning rates, coefficients, losses of a line search.
 * @original In Python, `lr * gamma` works for both; the method of the operand decides.
 */
import { TypeError_, ZeroDivisionError } from "#c10/util/Exception";
import { PyNumber_Float, python_type, THPUtils_checkDouble, THPUtils_unpackDouble } from "#torch/_C";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";

export type NumberOrTensor = number | Tensor;

function refuse(sign: string, a: unknown, b: unknown): TypeError_ {
  const float = (x: unknown): string => (THPUtils_checkDouble(x) ? "float" : python_type(x));
  return new TypeError_(`unsupported operand type(s) for ${sign}: '${float(a)}' and '${float(b)}'`);
}

/** The result for two numbers. What is no number is refused: JavaScript's operators would make one of a list, too. */
function compute(sign: string, a: unknown, b: unknown, of_numbers: (a: number, b: number) => number): number {
  if (!THPUtils_checkDouble(a) || !THPUtils_checkDouble(b)) throw refuse(sign, a, b);
  return of_numbers(THPUtils_unpackDouble(a), THPUtils_unpackDouble(b));
}

export function add(a: NumberOrTensor, b: NumberOrTensor): NumberOrTensor {
  if (a instanceof Tensor) return a.add(b);
  return b instanceof Tensor ? b.add(a) : compute("+", a, b, (x, y) => x + y);
}

export function sub(a: NumberOrTensor, b: NumberOrTensor): NumberOrTensor {
  if (a instanceof Tensor) return a.sub(b);
  return b instanceof Tensor ? torch.rsub(b, a) : compute("-", a, b, (x, y) => x - y);
}

export function mul(a: NumberOrTensor, b: NumberOrTensor): NumberOrTensor {
  if (a instanceof Tensor) return a.mul(b);
  return b instanceof Tensor ? b.mul(a) : compute("*", a, b, (x, y) => x * y);
}

export function div(a: number, b: number): number;
export function div(a: NumberOrTensor, b: NumberOrTensor): NumberOrTensor;
export function div(a: NumberOrTensor, b: NumberOrTensor): NumberOrTensor {
  if (a instanceof Tensor) return a.div(b);
  if (b === 0) throw new ZeroDivisionError("float division by zero");
  return b instanceof Tensor ? b.reciprocal().mul(a) : compute("/", a, b, (x, y) => x / y);
}

export function pow(a: NumberOrTensor, b: NumberOrTensor): NumberOrTensor {
  if (a instanceof Tensor) return a.pow(b);
  return b instanceof Tensor ? torch.pow(a, b) : compute("** or pow()", a, b, (x, y) => x ** y);
}

/** `a % b` for ints. */
export function mod(a: number, b: number): number {
  if (b === 0) throw new ZeroDivisionError("integer modulo by zero");
  return a - b * Math.floor(a / b);
}

export function neg(a: NumberOrTensor): NumberOrTensor {
  if (a instanceof Tensor) return a.neg();
  if (!THPUtils_checkDouble(a)) throw new TypeError_(`bad operand type for unary -: '${python_type(a)}'`);
  return -THPUtils_unpackDouble(a);
}

export function abs(a: NumberOrTensor): NumberOrTensor {
  return a instanceof Tensor ? a.abs() : Math.abs(a);
}

/** `a ** 0.5`. */
export function sqrt(a: NumberOrTensor): NumberOrTensor {
  return a instanceof Tensor ? a.pow(0.5) : a ** 0.5;
}

export function lt(a: NumberOrTensor, b: NumberOrTensor): boolean {
  if (a instanceof Tensor) return truth(a.lt(b));
  return b instanceof Tensor ? truth(b.gt(a)) : a < b;
}

export function le(a: NumberOrTensor, b: NumberOrTensor): boolean {
  if (a instanceof Tensor) return truth(a.le(b));
  return b instanceof Tensor ? truth(b.ge(a)) : a <= b;
}

/** The first of the smallest values, as Python's `min`. */
export function min(...values: NumberOrTensor[]): NumberOrTensor {
  return values.reduce((least, value) => (lt(value, least) ? value : least));
}

/** The first of the largest values, as Python's `max`; NaN never counts as larger. */
export function max(...values: number[]): number;
export function max(...values: NumberOrTensor[]): NumberOrTensor;
export function max(...values: NumberOrTensor[]): NumberOrTensor {
  return values.reduce((most, value) => (lt(most, value) ? value : most));
}

/** `float(a)`. */
export function float(a: unknown): number {
  return a instanceof Tensor ? Number(a.item()) : PyNumber_Float(a);
}

function truth(a: Tensor): boolean {
  return Boolean(a.item());
}

/** `low <= value` for any value: it raises Python's TypeError if `value` is no number; it is false for NaN. */
export function at_least(low: number, value: unknown): boolean {
  return le(low, comparable("<=", value));
}

/** `value < high` for any value. */
export function below(value: unknown, high: number): boolean {
  return lt(comparable("<", value), high);
}

function comparable(sign: string, value: unknown): NumberOrTensor {
  if (value instanceof Tensor) return value;
  if (THPUtils_checkDouble(value)) return THPUtils_unpackDouble(value);
  const [left, right] = sign === "<=" ? ["float", python_type(value)] : [python_type(value), "float"];
  throw new TypeError_(`'${sign}' not supported between instances of '${left}' and '${right}'`);
}
