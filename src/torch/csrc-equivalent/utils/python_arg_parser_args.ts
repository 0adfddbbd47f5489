/**
 * @file The parsed arguments of one call, and their conversion to the types of `at::`.
 * @mirrors torch/csrc/utils/python_arg_parser.h#PythonArgs
 * @differs There is one object per parser, reused by the next call, so every slot must be read before the same function
 * can be called again; PyTorch has one per call.
 */
import type { Generator } from "#aten/core/Generator";
import { AutoDispatchBelowADInplaceOrView } from "#aten/core/LegacyTypeDispatch";
import { Tensor } from "#aten/generated/core/TensorBody";
import { torch_function_mode_enabled } from "#aten/PythonTorchFunctionTLS";
import { scalar_to_tensor } from "#aten/ScalarOps";
import type { Device } from "#c10/core/Device";
import { TorchDispatchModeTLS } from "#c10/core/impl/TorchDispatchModeTLS";
import { Layout } from "#c10/core/Layout";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { isIntegralType, ScalarType } from "#c10/core/ScalarType";
import type { Storage } from "#c10/core/Storage";
import type { Stream } from "#c10/core/Stream";
import { guard_int, guarding_list, is_symbolic, SymInt, type SymNodeImpl } from "#c10/core/SymInt";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT, TypeError_, unmet } from "#c10/util/Exception";
import { TensorBase } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { toDevice } from "#torch/csrc-equivalent/Device";
import { python_types, type THPDtype } from "#torch/csrc-equivalent/Dtype";
import type { THPGenerator } from "#torch/csrc-equivalent/Generator";
import { recorder } from "#torch/csrc-equivalent/jit/frontend/tracing";
import type { THPLayout } from "#torch/csrc-equivalent/Layout";
import type { THPMemoryFormat } from "#torch/csrc-equivalent/MemoryFormat";
import { storage_dtype, storage_of } from "#torch/csrc-equivalent/Storage";
import type { THPStream } from "#torch/csrc-equivalent/Stream";
import { get_default_scalar_type } from "#torch/csrc-equivalent/tensor/python_tensor";
import type { FunctionSignature } from "./python_arg_parser.ts";
import { type FunctionParameter, ParameterType } from "./python_arg_parser_parameter.ts";
import {
  isFloat,
  isPythonInt,
  python_type,
  THPUtils_checkDouble,
  THPUtils_checkIndex,
  THPUtils_unpackDouble,
  THPUtils_unpackLong,
  THPUtils_unpackSymInt,
  THPUtils_unpackUInt64,
} from "./python_numbers.ts";

const undefined_tensor = new Tensor();

/** Whether a call may take symbols as ints: a mode is on, which sees them. Otherwise they are fixed. */
export const symbols_are_taken = (): boolean => TorchDispatchModeTLS.any_modes_set();

/** Symbols in the place of tensors. (`_wrapped_number` of the tensor in PyTorch) */
const symbols_in = new WeakMap<object, SymNodeImpl>();

/** The symbol for which a tensor of a number stands; undefined if it is a known number. */
export const symbol_in = (tensor: Tensor): SymNodeImpl | undefined => symbols_in.get(tensor.impl_);

/** A 0-dim tensor of the number, whose own dtype does not take part in type promotion. */
export function tensor_of_number(value: unknown): Tensor {
  const symbol = is_symbolic(value) && symbols_are_taken() ? value : null;
  const tensor = scalar_to_tensor(symbol === null ? scalar_of_number(value) : ONES[kind_of_symbol(symbol)]);
  tensor.unsafeGetTensorImpl().set_wrapped_number(true);
  if (symbol !== null) symbols_in.set(tensor.impl_, symbol);
  return tensor;
}

/** Converts a Python number to a Scalar. Precondition: `THPUtils_checkScalar(value)`. */
export function scalar_of_number(value: unknown): Scalar {
  if (typeof value === "number") return isPythonInt(value) ? Scalar.fromInt(value) : Scalar.fromDouble(value);
  if (typeof value === "bigint")
    return Scalar.fromInt(BigInt.asIntN(64, value) === value ? value : THPUtils_unpackUInt64(value));
  if (typeof value === "boolean") return Scalar.fromBool(value);
  if (isFloat(value)) return Scalar.fromDouble(value.value);
  if (is_symbolic(value)) return scalar_of_symbol(value);
  return Scalar.fromDouble(THPUtils_unpackDouble(value));
}

/** Whether a symbol stands for an int, a float or a bool. */
const kind_of_symbol = (symbol: SymNodeImpl): "int" | "float" | "bool" =>
  "__index__" in symbol ? "int" : "__sym_not__" in symbol ? "bool" : "float";
/** Numbers of the same kinds. */
const ONES = { int: Scalar.ONE, float: Scalar.fromDouble(1), bool: Scalar.TRUE };

function scalar_of_symbol(symbol: SymNodeImpl): Scalar {
  return symbols_are_taken() ? Scalar.fromSymbol(symbol, kind_of_symbol(symbol)) : scalar_of_number(symbol.guard());
}

export class PythonArgs {
  idx = 0;
  signature: FunctionSignature;
  /** Whether every argument is a plain tensor. */
  only_tensors = false;
  /** One slot per parameter; null means "not given" or None. */
  readonly args: unknown[];
  /** Arguments that override the function; nearly always empty. */
  readonly overloaded_args: unknown[] = [];

  constructor(signature: FunctionSignature, max_args: number) {
    this.signature = signature;
    this.args = new Array<unknown>(max_args).fill(null);
  }

  /** Marks the slots as arguments of `signature` that are all plain tensors: none overrides anything. */
  of_tensors(signature: FunctionSignature): this {
    if (this.overloaded_args.length > 0) this.overloaded_args.length = 0;
    this.signature = signature;
    this.idx = signature.index;
    this.only_tensors = true;
    return this;
  }

  has_torch_function(): boolean {
    return this.overloaded_args.length > 0 || torch_function_mode_enabled();
  }

  get_func_name(): string {
    return this.signature.name;
  }

  isNone(i: number): boolean {
    return this.args[i] === null;
  }

  tensor(i: number): Tensor {
    const arg = this.args[i];
    if (this.only_tensors && arg !== null) return (arg as TensorBase).cdata;
    return arg instanceof TensorBase ? arg.cdata : this.tensor_slow(i);
  }

  /** The tensor for a number: a 0-dim tensor whose own dtype does not take part in type promotion. */
  private tensor_slow(i: number): Tensor {
    const obj = this.args[i];
    if (obj === null) return undefined_tensor;
    if (
      typeof obj !== "number" &&
      typeof obj !== "bigint" &&
      typeof obj !== "boolean" &&
      !isFloat(obj) &&
      !is_symbolic(obj)
    ) {
      throw new TypeError_(`expected Tensor as argument ${i}, but got ${python_type(obj)}`);
    }
    const guard = new AutoDispatchBelowADInplaceOrView();
    try {
      return tensor_of_number(obj);
    } finally {
      guard.restore();
    }
  }

  optionalTensor(i: number): Tensor | null {
    return this.args[i] === null ? null : this.tensor(i);
  }

  scalar(i: number): Scalar {
    const arg = this.args[i];
    if (arg === null) return this.param(i).default_scalar;
    if (arg instanceof TensorBase) recorder?.stashValue(this.param(i).name, arg.cdata, "number");
    return this.scalar_slow(arg);
  }

  private scalar_slow(arg: unknown): Scalar {
    return arg instanceof TensorBase ? arg.cdata.item() : scalar_of_number(arg);
  }

  scalarOptional(i: number): Scalar | null {
    return this.args[i] === null ? null : this.scalar(i);
  }

  scalarlist(i: number): Scalar[] {
    return this.args[i] === null ? [] : (this.args[i] as unknown[]).map((item) => this.scalar_slow(item));
  }

  tensorlist(i: number): Tensor[] {
    return this.args[i] === null ? [] : (this.args[i] as TensorBase[]).map((item) => item.cdata);
  }

  tensorlist_n(i: number, n: number): Tensor[] | null {
    const arg = this.args[i] as TensorBase[] | null;
    if (arg === null) return null;
    if (arg.length !== n) throw new TypeError_(`expected tuple of ${n} elements but got ${arg.length}`);
    return this.tensorlist(i);
  }

  list_of_optional_tensors(i: number): (Tensor | null)[] {
    return this.args[i] === null
      ? []
      : (this.args[i] as (TensorBase | null)[]).map((item) => (item === null ? null : item.cdata));
  }

  /** Also for `SymInt[]`, in whose lists symbols stay. */
  intlist(i: number): number[] {
    const arg = this.args[i];
    const param = this.param(i);
    if (arg === null) return param.default_intlist.slice();
    const symbols = param.type_ === ParameterType.SYM_INT_LIST && symbols_are_taken();
    if (!Array.isArray(arg)) {
      const length = Math.max(param.size, 1);
      if (symbols && is_symbolic(arg)) return guarding_list(new Array<SymNodeImpl>(length).fill(arg));
      return new Array<number>(length).fill(this.unpack_element(arg, param));
    }
    if (symbols && arg.some(is_symbolic))
      return guarding_list(arg.map((item, idx) => (is_symbolic(item) ? item : this.unpack_int(item, i, idx))));
    const result = new Array<number>(arg.length);
    for (let idx = 0; idx < arg.length; idx++) {
      const item: unknown = arg[idx];
      result[idx] = typeof item === "number" && isPythonInt(item) ? item : this.unpack_int(item, i, idx);
    }
    return result;
  }

  doublelist(i: number): number[] {
    return this.args[i] === null ? [] : this.getDoublelist(i);
  }

  doublelistOptional(i: number): number[] | null {
    return this.args[i] === null ? null : this.getDoublelist(i);
  }

  private getDoublelist(i: number): number[] {
    return (this.args[i] as unknown[]).map((item, idx) => {
      if (THPUtils_checkDouble(item)) return THPUtils_unpackDouble(item);
      if (item instanceof TensorBase) return item.cdata.item().toDouble();
      throw new TypeError_(
        `${this.signature.name}(): argument '${this.param(i).name}' must be ${this.param(i).type_name()}, but found element of type ${python_type(item)} at pos ${idx + 1}`,
      );
    });
  }

  private unpack_int(item: unknown, i: number, idx: number): number {
    if (recorder !== null && item instanceof TensorBase) {
      recorder.stashIntArrayRefElem(this.param(i).name, (this.args[i] as unknown[]).length, idx, item.cdata);
      return item.cdata.item().toLong();
    }
    if (typeof item === "bigint" && BigInt.asIntN(64, item) !== item)
      throw this.not_unpacked(i, idx, "Overflow when unpacking long long"); // PyTorch prints its stack after this
    if (typeof item === "bigint" || typeof item === "boolean" || THPUtils_checkIndex(item))
      return this.unpack_element(item, this.param(i));
    throw this.not_unpacked(i, idx, `type must be ${this.param(i).type_name()},but got ${python_type(item)}`);
  }

  /** A tensor of a bool is accepted as an int in `int[]`, but not in `SymInt[]`. */
  private unpack_element(item: unknown, param: FunctionParameter): number {
    if (param.type_ === ParameterType.SYM_INT_LIST && item instanceof TensorBase) {
      TORCH_CHECK(isIntegralType(item.cdata.scalar_type(), false), unmet("scalar.isIntegral( false)"));
    }
    return THPUtils_unpackLong(item);
  }

  private not_unpacked(i: number, idx: number, why: string): TypeError_ {
    return new TypeError_(
      `${this.signature.name}(): argument '${this.param(i).name}' failed to unpack the object at pos ${idx + 1} with error "${why}"`,
    );
  }

  intlistOptional(i: number): number[] | null {
    return this.args[i] === null ? null : this.intlist(i);
  }

  symintlist(i: number): number[] {
    return this.intlist(i);
  }

  symintlistOptional(i: number): number[] | null {
    return this.args[i] === null ? null : this.intlist(i);
  }

  /** A full int64, for a kernel that accepts bigints: tools/codegen/api/int64_arguments.ts. */
  toInt64(i: number): number {
    const arg = this.args[i];
    if (arg === null) return this.param(i).default_int;
    if (typeof arg === "number") return arg;
    if (arg instanceof TensorBase) recorder?.stashValue(this.param(i).name, arg.cdata, "int");
    if (is_symbolic(arg)) return this.symbol(arg, i);
    return SymInt(THPUtils_unpackSymInt(arg));
  }

  /** A symbol, in spite of the type, if the parameter may be one; else the number to which it is fixed. */
  private symbol(symbol: SymNodeImpl, i: number): number {
    const is_taken = this.param(i).type_ === ParameterType.SYM_INT && symbols_are_taken();
    return is_taken ? (symbol as unknown as number) : symbol.guard();
  }

  toInt64Optional(i: number): number | null {
    return this.args[i] === null ? null : this.toInt64(i);
  }

  toSymInt(i: number): number {
    const arg = this.args[i];
    if (arg instanceof TensorBase)
      TORCH_INTERNAL_ASSERT(isIntegralType(arg.cdata.scalar_type(), false), "scalar.isIntegral( false)");
    return this.toInt64(i);
  }

  toSymIntOptional(i: number): number | null {
    return this.args[i] === null ? null : this.toSymInt(i);
  }

  /** A size or a count as a double; throws if no double holds it. */
  guard_int(i: number): number {
    const arg = this.args[i];
    if (typeof arg === "number") return arg;
    if (is_symbolic(arg)) return this.symbol(arg, i);
    return guard_int(this.param(i).type_ === ParameterType.SYM_INT ? this.toSymInt(i) : this.toInt64(i));
  }

  guard_intOptional(i: number): number | null {
    return this.args[i] === null ? null : this.guard_int(i);
  }

  toDouble(i: number): number {
    const arg = this.args[i];
    if (arg === null) return this.param(i).default_double;
    return typeof arg === "number" ? arg : THPUtils_unpackDouble(arg);
  }

  toDoubleOptional(i: number): number | null {
    return this.args[i] === null ? null : this.toDouble(i);
  }

  toBool(i: number): boolean {
    const arg = this.args[i];
    return arg === null ? this.param(i).default_bool : (arg as boolean);
  }

  toBoolOptional(i: number): boolean | null {
    return this.args[i] as boolean | null;
  }

  scalartype(i: number): ScalarType {
    return this.scalartypeWithDefault(i, this.param(i).default_scalartype);
  }

  scalartypeWithDefault(i: number, default_scalartype: ScalarType): ScalarType {
    const arg = this.args[i] as THPDtype | null;
    if (arg !== null) return arg.scalar_type ?? (python_types.get(arg) as ScalarType);
    return default_scalartype === ScalarType.Undefined ? get_default_scalar_type() : default_scalartype;
  }

  scalartypeOptional(i: number): ScalarType | null {
    const arg = this.args[i] as THPDtype | null;
    return arg === null ? null : (arg.scalar_type ?? python_types.get(arg) ?? null);
  }

  layout(i: number): Layout {
    return this.layoutOptional(i) ?? Layout.Strided;
  }

  layoutOptional(i: number): Layout | null {
    return (this.args[i] as THPLayout | null)?.layout ?? null;
  }

  device(i: number): Device {
    return toDevice(this.args[i] ?? "cpu");
  }

  deviceWithDefault(i: number, default_device: Device): Device {
    return this.args[i] === null ? default_device : toDevice(this.args[i]);
  }

  deviceOptional(i: number): Device | null {
    return this.args[i] === null ? null : toDevice(this.args[i]);
  }

  memoryformat(i: number): MemoryFormat {
    return this.memoryformatOptional(i) ?? this.param(i).default_memory_format;
  }

  memoryformatOptional(i: number): MemoryFormat | null {
    return (this.args[i] as THPMemoryFormat | null)?.memory_format ?? null;
  }

  generator(i: number): Generator | null {
    return (this.args[i] as THPGenerator | null)?.cdata ?? null;
  }

  storage(i: number): Storage {
    return storage_of(this.args[i]);
  }

  /** The dtype of a storage that has one. */
  storage_dtype(i: number): THPDtype | null {
    return storage_dtype(this.args[i]);
  }

  stream(i: number): Stream {
    return (this.args[i] as THPStream).cdata;
  }

  stringView(i: number): string {
    return (this.args[i] as string | null) ?? this.param(i).default_string;
  }

  stringViewOptional(i: number): string | null {
    return this.args[i] as string | null;
  }

  pyobject(i: number): unknown {
    return this.args[i];
  }

  private param(i: number): FunctionSignature["params"][number] {
    return this.signature.params[i];
  }
}
