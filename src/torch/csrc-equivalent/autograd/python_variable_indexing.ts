/**
 * @file `x[index]` and `x[index] = value`, as the methods `__getitem__` and `__setitem__`.
 * @mirrors torch/csrc/autograd/python_variable_indexing.cpp
 * @differs `{start: 1, stop: 3, step: 1}` is `1:3:1`, `"..."` is `...`, and the outermost array is the tuple of
 * indices, so `x[[0, 2]]` is written `x.__getitem__([[0, 2]])`; Python has syntax for slices and tuples. The slices, tuples and `...` of a
 * Python program come as they are.
 */

import { AutoDispatchBelowADInplaceOrView } from "#aten/core/LegacyTypeDispatch";
import type { Tensor as AtTensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import {
  copy_to,
  dispatch_index,
  dispatch_index_put_,
  Ellipsis,
  get_item,
  handleDimInMultiDimIndexing,
  Slice,
  same_sizes,
  scalarToTensor,
  set_item,
  slicePrefix1sSize,
  type TensorIndex,
} from "#aten/TensorIndexing";
import { without_tracer_dispatch } from "#aten/TracerMode";
import { Scalar } from "#c10/core/Scalar";
import { isIntegralType, ScalarType } from "#c10/core/ScalarType";
import { is_symbolic, type SymNodeImpl } from "#c10/core/SymInt";
import { IndexError, TORCH_CHECK_INDEX, TORCH_WARN, TypeError_ } from "#c10/util/Exception";
import { Ellipsis as PythonEllipsis, PySlice as PythonSlice } from "#python/Objects/slice_values";
import { type Recorder, recorder } from "#torch/csrc-equivalent/jit/frontend/tracing";
import { type_string } from "#torch/csrc-equivalent/tensor/python_tensor";
import { check_has_torch_function } from "#torch/csrc-equivalent/utils/disable_torch_function";
import { refuse_sparse } from "#torch/csrc-equivalent/utils/python_abstract";
import { symbols_are_taken } from "#torch/csrc-equivalent/utils/python_arg_parser_args";
import {
  handle_torch_function_indexing,
  list_indices,
} from "#torch/csrc-equivalent/utils/python_arg_parser_torch_function";
import {
  isDict,
  isFloat,
  python_type,
  THPUtils_checkDouble,
  THPUtils_checkIndex,
  THPUtils_checkLong,
  THPUtils_unpackDouble,
  THPUtils_unpackInt64,
  THPUtils_unpackLong,
} from "#torch/csrc-equivalent/utils/python_numbers";
import { infer_scalar_type, internal_new_from_data } from "#torch/csrc-equivalent/utils/tensor_new";
import { is_typed_array } from "#torch/csrc-equivalent/utils/tensor_numpy";
import { is_symbolic_view, symbolic_view } from "./python_symbolic_indexing.ts";
import { TensorBase } from "./python_variable/type.ts";
import { THPVariable_Wrap } from "./python_variable/wrap.ts";

/** `1:3` as an object; any plain object with these members is accepted. */
export interface PySlice {
  readonly start?: IndexNumber | null;
  readonly stop?: IndexNumber | null;
  readonly step?: IndexNumber | null;
}

type SimpleIndex = Exclude<TensorIndex, AtTensor>;

export type IndexNumber = number | bigint | TensorBase;
export type NestedIndex = readonly (number | bigint | boolean | NestedIndex)[];
/** One index between the brackets. */
export type Index = IndexNumber | boolean | null | "..." | PySlice | NestedIndex | ArrayBufferView;

function unpackSlice(slice: PySlice): Slice {
  const bound = (value: IndexNumber | null | undefined): number | null => {
    if (value === null || value === undefined) return null;
    if (is_symbolic(value)) return symbols_are_taken() ? (value as never) : (value as SymNodeImpl).guard();
    if (typeof value !== "bigint" && typeof value !== "number" && !THPUtils_checkIndex(value)) {
      throw new TypeError_("slice indices must be integers or None or have an __index__ method");
    }
    if (typeof value === "bigint") return Number(value); // a value beyond every end means the end
    return THPUtils_unpackLong(value as unknown);
  };
  if (recorder !== null) recordSliceTrace(recorder, slice);
  return new Slice(bound(slice.start), bound(slice.stop), bound(slice.step));
}

function recordSliceTrace(recorder: Recorder, { start, stop, step }: PySlice): void {
  for (const [name, value] of [
    ["start", start],
    ["end", stop],
    ["step", step],
  ] as const) {
    if (value instanceof TensorBase) recorder.stashValue(name, value.cdata, "int");
  }
}

/** An index that is a tensor of one int selects a row; the trace keeps the tensor. */
function recordSelectTrace(recorder: Recorder, index: AtTensor): void {
  const dtype = index.scalar_type();
  if (index.dim() !== 0 || !isIntegralType(dtype, false) || dtype === ScalarType.Byte) return;
  recorder.stashValue("index", index, "int");
}

function invalid_index(obj: unknown): never {
  throw new IndexError(
    `only integers, slices (\`:\`), ellipsis (\`...\`), None and long or byte Variables are valid indices (got ${python_type(obj)})`,
  );
}

/** A list of indices, or of bools for a mask. */
function sequenceToVariable(self: AtTensor, seq: unknown): AtTensor {
  const inferred = infer_scalar_type(seq);
  const is_mask = inferred === ScalarType.Byte || inferred === ScalarType.Bool;
  return internal_new_from_data(self.options(), is_mask ? inferred : ScalarType.Long, null, seq, false, false, false);
}

/** An index. If no number is exact it stays a bigint: it is out of bounds, and the message must print it. */
function unpackIndex(obj: number | bigint): number | bigint {
  const index = THPUtils_unpackLong(obj);
  return Number.isSafeInteger(index) ? index : obj;
}

function index_of(self: AtTensor, obj: unknown): TensorIndex {
  if (obj === null || obj === undefined) return null;
  if (obj === "..." || obj === Ellipsis || obj === PythonEllipsis) return Ellipsis;
  if (typeof obj === "boolean") return obj;
  if (THPUtils_checkLong(obj)) return unpackIndex(obj);
  if (obj instanceof TensorBase) {
    if (recorder !== null) recordSelectTrace(recorder, obj.cdata);
    return obj.cdata;
  }
  if (Array.isArray(obj) || is_typed_array(obj) || typeof obj === "string") return sequenceToVariable(self, obj);
  if (obj instanceof PythonSlice) return unpackSlice(obj as PySlice);
  if (isDict(obj)) return isSlice(obj) ? unpackSlice(obj) : invalid_index(obj);
  return invalid_index(obj);
}

function isSlice(obj: Record<string, unknown>): obj is PySlice & Record<string, unknown> {
  const keys = Object.keys(obj);
  return keys.length > 0 && keys.every((key) => key === "start" || key === "stop" || key === "step");
}

/**
 * Number of dimensions that the indices consume: a mask consumes as many as it has; None, `...` and a bool none. -1 if
 * an index overrides functions.
 */
function count_specified_dimensions(items: readonly unknown[]): number {
  let count = 0;
  for (const item of items) {
    if (check_has_torch_function(item, true)) return -1;
    if (item instanceof TensorBase) {
      const dtype = item.cdata.scalar_type();
      count += dtype === ScalarType.Byte || dtype === ScalarType.Bool ? item.cdata.dim() : 1;
    } else if (!is_none_ellipsis_or_bool(item)) count++;
  }
  return count;
}

function is_none_ellipsis_or_bool(item: unknown): boolean {
  if (item === null || item === undefined || typeof item === "boolean") return true;
  return item === "..." || item === Ellipsis || item === PythonEllipsis;
}

/** Applies the indices one after the other to the remaining view; each is converted only when its turn comes. */
function applySlicing(
  self: AtTensor,
  items: readonly unknown[],
  outIndices: AtTensor[],
  specified_dims: number,
): AtTensor {
  TORCH_CHECK_INDEX(specified_dims <= self.dim(), "too many indices for tensor of dimension ", self.dim());
  const at_dim = { dim: 0, taken_by_masks: 0, specified_dims };
  let result = self;
  for (let i = 0; i < items.length; i++) {
    result = handleDimInMultiDimIndexing(result, self, index_of(result, items[i]), at_dim, i, outIndices);
  }
  return result;
}

/** Whether the index is neither a list nor a tensor. */
function is_simple(index: unknown): boolean {
  if (is_none_ellipsis_or_bool(index) || THPUtils_checkLong(index) || index instanceof PythonSlice) return true;
  return isDict(index) && isSlice(index);
}

const NON_TUPLE =
  "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, x[torch.tensor(seq)], which will result either in an error or a different result";

/** The tuple of indices. A short string is a sequence whose elements are sequences; PyTorch still treats it as a tuple. */
function wrapTuple(index: unknown): readonly unknown[] {
  if (Array.isArray(index)) {
    if (list_indices.has(index)) return [index];
    refuse_sparse(index);
    return index;
  }
  if (typeof index !== "string" || index === "" || index.length >= 32) return [index];
  TORCH_WARN(NON_TUPLE);
  return [...index];
}

export function THPVariable_getitem(self: TensorBase, index: unknown): TensorBase | null {
  if (check_has_torch_function(self)) return handle_torch_function_indexing(self, index) as TensorBase;
  const self_ = self.cdata;
  if (symbols_are_taken()) {
    const given = Array.isArray(index) ? index : [index];
    if (is_symbolic_view(given)) return THPVariable_Wrap(symbolic_view(self_, given));
  }
  if (is_simple(index)) return THPVariable_Wrap(get_item(self_, index_of(self_, index) as SimpleIndex));
  const items = wrapTuple(index);
  const variableIndices: AtTensor[] = [];
  const specified_dims = count_specified_dimensions(items);
  if (specified_dims === -1) return handle_torch_function_indexing(self, index) as TensorBase;
  const sliced = applySlicing(self_, items, variableIndices, specified_dims);
  // A new tensor even for `x[()]`, which selects every element of x.
  if (variableIndices.length === 0) return THPVariable_Wrap(sliced.is_same(self_) ? at.alias(sliced) : sliced);
  return THPVariable_Wrap(dispatch_index(sliced, variableIndices));
}

/** The value as a tensor; a number becomes a 0-dim one of the destination's dtype. */
function valueToTensor(self: AtTensor, value: unknown): AtTensor {
  if (value instanceof TensorBase) return value.cdata;
  const guard = new AutoDispatchBelowADInplaceOrView();
  try {
    if (!THPUtils_checkDouble(value)) {
      throw new TypeError_(
        `can't assign a ${python_type(value)} to a ${type_string(self.scalar_type(), self.device())}`,
      );
    }
    const is_int = !isFloat(value) && (typeof value === "boolean" || THPUtils_checkLong(value));
    const scalar = is_int
      ? Scalar.fromInt(typeof value === "bigint" ? THPUtils_unpackInt64(value) : THPUtils_unpackLong(value))
      : Scalar.fromDouble(THPUtils_unpackDouble(value));
    return without_tracer_dispatch(() => {
      const tensor = scalarToTensor(scalar, self.options(), self.device());
      return self.device().is_cpu() ? at.lift_fresh(tensor) : tensor;
    });
  } finally {
    guard.restore();
  }
}

export function THPVariable_setitem(self: TensorBase, index: unknown, py_value: unknown): void {
  if (py_value === undefined) throw new TypeError_("Tensor does not support deleting items");
  if (check_has_torch_function(self) || check_has_torch_function(py_value, true)) {
    handle_torch_function_indexing(self, index, py_value);
    return;
  }
  const self_ = self.cdata;
  const value = valueToTensor(self_, py_value);
  if (is_simple(index)) {
    set_item(self_, index_of(self_, index) as SimpleIndex, value);
    return;
  }
  const items = wrapTuple(index);
  const variableIndices: AtTensor[] = [];
  const specified_dims = count_specified_dimensions(items);
  if (specified_dims === -1) {
    handle_torch_function_indexing(self, index, py_value);
    return;
  }
  const sliced = applySlicing(self_, items, variableIndices, specified_dims);
  if (variableIndices.length === 0) {
    copy_to(sliced, value);
    return;
  }
  const slicedValueSizes = slicePrefix1sSize(value.sizes());
  const valuesSliced = same_sizes(value.sizes(), slicedValueSizes) ? value : value.view(slicedValueSizes);
  dispatch_index_put_(sliced, variableIndices, valuesSliced);
}
