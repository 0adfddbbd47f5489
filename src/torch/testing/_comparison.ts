/**
 * @file `assert_close`: it splits the inputs into pairs of leaves; each kind of pair has its own comparison.
 * @mirrors torch/testing/_comparison.py
 * @differs Ours has no quantized, sparse and nested tensors, no DTensors and no NumPy scalars, and a typed array takes the place of an
 * ndarray; PyTorch has them.
 * @see _mismatch.ts (tolerances and messages)
 */
import { AssertionError, Exception, KeyError, RuntimeError, TypeError_, warn } from "#c10/util/Exception";
import { type Float, isDict, isFloat, py_format, py_str, python_type, repr, THPSize_repr } from "#torch/_C";
import { def } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_repr } from "#torch/_utils/index";
import { Parameter } from "#torch/nn/parameter/index";
import type { dtype, TensorData } from "#torch/types";
import {
  abs_difference,
  default_tolerances,
  ErrorMeta,
  get_tolerances,
  type Id,
  item,
  type Message,
  make_scalar_mismatch_msg,
  make_tensor_mismatch_msg,
  not_close,
  type PyNumber,
  show_id,
  type Tolerance,
  tuple_repr,
} from "./_mismatch.ts";

/** All options of the caller; each kind of pair reads those that concern it. */
interface Options {
  readonly allow_subclasses: boolean;
  readonly rtol: Tolerance;
  readonly atol: Tolerance;
  readonly equal_nan: boolean;
  readonly check_device: boolean;
  readonly check_dtype: boolean;
  readonly check_layout: boolean;
  readonly check_stride: boolean;
}

/** Raised by the constructor of a pair that does not support its inputs; then the next kind is tried. */
class UnsupportedInputs extends Exception {}

abstract class Pair {
  protected readonly options: Options;
  readonly id: Id;

  constructor(id: Id, options: Options) {
    this.id = id;
    this.options = options;
  }

  /** @throws {ErrorMeta} if the two do not match */
  abstract compare(): void;

  protected abstract fields(): readonly (readonly [name: string, value: unknown])[];

  /** The text for the message about an unexpected error during the comparison. */
  __repr__(): string {
    const fields = [["id", tuple_of(this.id)] as const, ...this.fields().map(([name, value]) => [name, py_str(value)])];
    return [`${this.constructor.name}(`, ...fields.map(([name, value]) => `    ${name}=${value},`), ")"].join("\n");
  }

  protected fail(msg: string): never {
    throw new ErrorMeta(AssertionError, msg, this.id);
  }
}

const tuple_of = (id: Id): string => (id.length === 1 ? `(${repr(id[0])},)` : `(${id.map(repr).join(", ")})`);

class NonePair extends Pair {
  private readonly actual: unknown;
  private readonly expected: unknown;

  constructor(actual: unknown, expected: unknown, id: Id, options: Options) {
    if (actual !== null && expected !== null) throw new UnsupportedInputs();
    super(id, options);
    this.actual = actual;
    this.expected = expected;
  }

  compare(): void {
    if (this.actual !== null || this.expected !== null)
      this.fail(`None mismatch: ${py_format(this.actual)} is not ${py_format(this.expected)}`);
  }

  protected override fields(): readonly (readonly [string, unknown])[] {
    return Object.entries({ actual: this.actual, expected: this.expected });
  }
}

class BooleanPair extends Pair {
  private readonly actual: boolean;
  private readonly expected: boolean;

  constructor(actual: unknown, expected: unknown, id: Id, options: Options) {
    if (typeof actual !== "boolean" || typeof expected !== "boolean") throw new UnsupportedInputs();
    super(id, options);
    this.actual = actual;
    this.expected = expected;
  }

  compare(): void {
    if (this.actual !== this.expected)
      this.fail(`Booleans mismatch: ${repr(this.actual)} is not ${repr(this.expected)}`);
  }

  protected override fields(): readonly (readonly [string, unknown])[] {
    return Object.entries({ actual: this.actual, expected: this.expected });
  }
}

function is_number(value: unknown): value is PyNumber {
  return typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" || isFloat(value);
}

/** The dtype whose tolerances apply to a number. In Python a bool is an int, but PyTorch's table has no entry for it. */
function dtype_of_number(value: PyNumber): dtype {
  if (typeof value === "boolean") throw new KeyError("<class 'bool'>");
  return python_type(value) === "int" ? torch.int64 : torch.float64;
}

class NumberPair extends Pair {
  private readonly actual: PyNumber;
  private readonly expected: PyNumber;
  private readonly tolerances: readonly [rtol: number | Float, atol: number | Float];

  constructor(actual: unknown, expected: unknown, id: Id, options: Options) {
    if (!is_number(actual) || !is_number(expected)) throw new UnsupportedInputs();
    super(id, options);
    this.actual = actual;
    this.expected = expected;
    const dtypes = [actual, expected].map(dtype_of_number);
    this.tolerances = get_tolerances(dtypes, options.rtol, options.atol, id);
  }

  compare(): void {
    const { actual, expected, options } = this;
    if (options.check_dtype && python_type(actual) !== python_type(expected))
      this.fail(`The (d)types do not match: ${type_repr(actual, "class")} != ${type_repr(expected, "class")}.`);
    const diff = abs_difference(actual, expected);
    const [a, e] = [Number(actual), Number(expected)];
    if (diff === 0n || (isFloat(diff) && a === e)) return;
    if (options.equal_nan && Number.isNaN(a) && Number.isNaN(e)) return;
    const [rtol, atol] = this.tolerances.map(Number);
    if (Number.isFinite(Number(diff)) && Number(diff) <= atol + rtol * Math.abs(e)) return;
    this.fail(make_scalar_mismatch_msg(actual, expected, this.tolerances));
  }

  protected override fields(): readonly (readonly [string, unknown])[] {
    const [rtol, atol] = this.tolerances;
    const { equal_nan, check_dtype } = this.options;
    return Object.entries({ actual: this.actual, expected: this.expected, rtol, atol, equal_nan, check_dtype });
  }
}

/** Whether one value's class is the other's class or a subclass of it. */
function directly_related(a: unknown, b: unknown): boolean {
  if (Object(a) !== a || Object(b) !== b) return typeof a === typeof b;
  const [A, B] = [a, b].map((value) => (value as object).constructor);
  return a instanceof B || b instanceof A;
}

/** Unsigned ints cannot be promoted with other dtypes; here they count as int64. */
const promotable = (t: dtype): dtype =>
  t === torch.uint64 || t === torch.uint32 || t === torch.uint16 ? torch.int64 : t;

class TensorLikePair extends Pair {
  private readonly actual: Tensor;
  private readonly expected: Tensor;
  private readonly tolerances: readonly [rtol: number | Float, atol: number | Float];

  constructor(actual: unknown, expected: unknown, id: Id, options: Options) {
    if (!directly_related(actual, expected)) throw new UnsupportedInputs();
    if (!options.allow_subclasses && Object(actual).constructor !== Object(expected).constructor)
      throw new UnsupportedInputs();
    super(id, options);
    this.actual = TensorLikePair.to_tensor(actual);
    this.expected = TensorLikePair.to_tensor(expected);
    this.tolerances = get_tolerances([this.actual, this.expected], options.rtol, options.atol, id);
  }

  private static to_tensor(tensor_like: unknown): Tensor {
    if (tensor_like instanceof Tensor) return tensor_like;
    try {
      return torch.as_tensor(tensor_like as TensorData);
    } catch {
      throw new UnsupportedInputs();
    }
  }

  compare(): void {
    this.compare_attributes();
    if (this.actual.is_meta || this.expected.is_meta) return;
    this.compare_values(...this.equalized());
  }

  private compare_attributes(): void {
    const { actual, expected, options } = this;
    const same = (name: string, a: string, e: string): void => {
      if (a !== e) this.fail(`The values for attribute '${name}' do not match: ${a} != ${e}.`);
    };
    same("shape", THPSize_repr(actual.shape), THPSize_repr(expected.shape));
    if (options.check_layout) same("layout", String(actual.layout), String(expected.layout));
    if (options.check_stride) same("stride()", tuple_repr(actual.stride()), tuple_repr(expected.stride()));
    if (options.check_device) same("device", String(actual.device), String(expected.device));
    if (options.check_dtype) same("dtype", String(actual.dtype), String(expected.dtype));
  }

  /** Both tensors on one device and with one dtype. */
  private equalized(): [Tensor, Tensor] {
    let { actual, expected } = this;
    if (String(actual.device) !== String(expected.device)) [actual, expected] = [actual.cpu(), expected.cpu()];
    if (actual.dtype === expected.dtype) return [actual, expected];
    const common = torch.promote_types(promotable(actual.dtype), promotable(expected.dtype));
    return [actual.to(common), expected.to(common)];
  }

  private compare_values(actual: Tensor, expected: Tensor): void {
    const [rtol, atol] = this.tolerances.map(Number);
    const matches = torch.isclose(actual, expected, { rtol, atol, equal_nan: this.options.equal_nan });
    if (torch.all(matches).item()) return;
    const msg =
      actual.dim() === 0
        ? make_scalar_mismatch_msg(item(actual), item(expected), this.tolerances)
        : make_tensor_mismatch_msg(actual, expected, matches, this.tolerances);
    throw not_close(msg, this.id);
  }

  protected override fields(): readonly (readonly [string, unknown])[] {
    const [rtol, atol] = this.tolerances;
    const { equal_nan, check_device, check_dtype, check_layout, check_stride } = this.options;
    const { actual, expected } = this;
    return Object.entries({
      ...{ actual, expected, rtol, atol, equal_nan },
      ...{ check_device, check_dtype, check_layout, check_stride },
    });
  }
}

const PAIR_TYPES = [NonePair, BooleanPair, NumberPair, TensorLikePair] as const;

// Splitting inputs -------------------------------------------------------------------------------------------------------

type Mapping = ReadonlyMap<unknown, unknown>;

/** A Map, or a plain object as a dict; null if `value` is not a mapping. */
function as_mapping(value: unknown): Mapping | null {
  if (value instanceof Map) return value;
  return isDict(value) ? new Map(Object.entries(value)) : null;
}

/** Python's `sorted`, for keys that are all strings or all numbers. */
function sorted(keys: Iterable<unknown>): unknown[] {
  return [...keys].sort((a, b) => ((a as string) < (b as string) ? -1 : 1));
}

function originate_pairs(actual: unknown, expected: unknown, id: Id, options: Options): Pair[] {
  if (Array.isArray(actual) && Array.isArray(expected)) {
    if (actual.length !== expected.length) {
      const lengths = `${actual.length} != ${expected.length}`;
      throw new ErrorMeta(AssertionError, `The length of the sequences mismatch: ${lengths}`, id);
    }
    return actual.flatMap((element, idx) => originate_pairs(element, expected[idx], [...id, idx], options));
  }
  const [actual_mapping, expected_mapping] = [as_mapping(actual), as_mapping(expected)];
  if (actual_mapping !== null && expected_mapping !== null)
    return pairs_of_mappings(actual_mapping, expected_mapping, id, options);
  return [originate_pair(actual, expected, id, options)];
}

function pairs_of_mappings(actual: Mapping, expected: Mapping, id: Id, options: Options): Pair[] {
  const missing = [...expected.keys()].filter((key) => !actual.has(key));
  const additional = [...actual.keys()].filter((key) => !expected.has(key));
  if (missing.length + additional.length > 0) {
    throw new ErrorMeta(
      AssertionError,
      "The keys of the mappings do not match:\n" +
        `Missing keys in the actual mapping: ${repr(sorted(missing))}\n` +
        `Additional keys in the actual mapping: ${repr(sorted(additional))}`,
      id,
    );
  }
  return sorted(actual.keys()).flatMap((key) =>
    originate_pairs(actual.get(key), expected.get(key), [...id, key], options),
  );
}

const PLEASE_REPORT =
  "resulted in the unexpected exception above. " +
  "If you are a user and see this message during normal operation " +
  "please file an issue at https://github.com/pytorch/pytorch/issues. " +
  "If you are a developer and working on the comparison functions, " +
  "please except the previous error and raise an expressive `ErrorMeta` instead.";

/** `str(type(value))`. */
function class_repr(value: unknown): string {
  if (!(value instanceof Tensor)) return type_repr(value, "class");
  const module =
    value.constructor === Tensor ? "torch" : value instanceof Parameter ? "torch.nn.parameter" : "__main__";
  return `<class '${module}.${value.constructor.name}'>`;
}

/** A pair of the first kind that supports the inputs. */
function originate_pair(actual: unknown, expected: unknown, id: Id, options: Options): Pair {
  for (const PairType of PAIR_TYPES) {
    try {
      return new PairType(actual, expected, id, options);
    } catch (error) {
      if (error instanceof UnsupportedInputs) continue;
      if (error instanceof ErrorMeta) throw error;
      const [a, e] = [actual, expected].map((value) => `${python_type(value)}(): ${py_format(value)}`);
      throw new RuntimeError(
        `Originating a ${PairType.name}() at item ${show_id(id)} with\n\n${a}\n\nand\n\n${e}\n\n${PLEASE_REPORT}`,
      );
    }
  }
  const [a, e] = [actual, expected].map(class_repr);
  throw new ErrorMeta(TypeError_, `No comparison pair was able to handle inputs of type ${a} and ${e}.`, id);
}

/** The errors of all pairs; empty if all are close. */
function not_close_error_metas(actual: unknown, expected: unknown, options: Options): ErrorMeta[] {
  const error_metas: ErrorMeta[] = [];
  for (const pair of originated(actual, expected, options)) {
    try {
      pair.compare();
    } catch (error) {
      if (!(error instanceof ErrorMeta)) throw new RuntimeError(`Comparing\n\n${pair.__repr__()}\n\n${PLEASE_REPORT}`);
      error_metas.push(error);
    }
  }
  return error_metas;
}

function originated(actual: unknown, expected: unknown, options: Options): Pair[] {
  try {
    return originate_pairs(actual, expected, [], options);
  } catch (error) {
    throw error instanceof ErrorMeta ? error.to_error() : error;
  }
}

/**
 * Raises unless `|actual - expected| <= atol + rtol * |expected|` for all elements. Inputs are tensors, typed arrays, numbers, bools, null,
 * and arrays and dicts of these; numbers are compared with numbers, tensors with tensors.
 * @param rtol together with `atol`, replaces the tolerances of the dtypes (float64 1e-7 and 1e-7, float32 1.3e-6 and 1e-5, float16 1e-3 and
 * 1e-5, bfloat16 1.6e-2 and 1e-5, ints 0)
 * @param msg a message, or a function that receives the default message and returns another
 */
export const assert_close = def(
  "assert_close(actual: object, expected: object, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True, check_dtype=True, check_layout=True, check_stride=False, msg=None)",
  (
    actual: unknown,
    expected: unknown,
    allow_subclasses: boolean,
    rtol: Tolerance,
    atol: Tolerance,
    equal_nan: boolean,
    check_device: boolean,
    check_dtype: boolean,
    check_layout: boolean,
    check_stride: boolean,
    msg: Message,
  ): void => {
    const [first] = not_close_error_metas(actual, expected, {
      ...{ allow_subclasses, rtol, atol, equal_nan },
      ...{ check_device, check_dtype, check_layout, check_stride },
    });
    if (first !== undefined) throw first.to_error(msg);
  },
);

const OLD_PRECISIONS = {
  "torch.float16": [1e-3, 1e-3],
  "torch.float32": [1e-4, 1e-5],
  "torch.float64": [1e-5, 1e-8],
} as const;

/** `assert_close` with looser defaults: dtypes and devices may differ, NaN equals NaN. */
export const assert_allclose = def(
  "assert_allclose(actual: object, expected: object, rtol=None, atol=None, equal_nan=True, msg='')",
  (actual: unknown, expected: unknown, rtol: Tolerance, atol: Tolerance, equal_nan: boolean, msg: string): void => {
    warn(
      "FutureWarning",
      "`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a future release. " +
        "Please use `torch.testing.assert_close()` instead. " +
        "You can find detailed upgrade instructions in https://github.com/pytorch/pytorch/issues/61844.",
    );
    const a = actual instanceof Tensor ? actual : torch.tensor(actual as TensorData);
    const e = expected instanceof Tensor ? expected : torch.tensor(expected as TensorData, { dtype: a.dtype });
    if (rtol === null && atol === null) [rtol, atol] = default_tolerances([a, e], OLD_PRECISIONS);
    assert_close(a, e, {
      ...{ rtol, atol, equal_nan, msg: msg === "" ? null : msg },
      ...{ check_device: true, check_dtype: false, check_stride: false },
    });
  },
);
