/**
 * @file Types of the declarations: numbers, dtypes and devices in every form that a caller may use.
 * @mirrors torch/types.py
 */

import type {
  Float,
  IndexNumber,
  NestedIndex,
  PySlice,
  THPDevice,
  THPDtype,
  THPLayout,
  THPMemoryFormat,
  THPStream,
} from "./_C.ts";
import type { Tensor } from "./_tensor/index.ts";

export type { Generator } from "./_C.ts";

/** An int: a number without a fraction, a bigint, or a 0-dim integer tensor. */
export type _int = number | bigint | Tensor;
export type _float = number | Float;
export type _bool = boolean;
/** A value for a Scalar parameter; a 0-dim tensor counts as its value. */
export type Number = number | bigint | boolean | Float | Tensor;

export type dtype = THPDtype;
export type layout = THPLayout;
export type memory_format = THPMemoryFormat;
export type device = THPDevice;
export type Stream = THPStream;
export type DeviceLike = THPDevice | string | number;

/** An index inside the brackets of `x[...]`. */
export type Index = IndexNumber | boolean | null | "..." | PySlice | NestedIndex | ArrayBufferView;

/** Nested lists of numbers for `torch.tensor`. */
export type TensorData = number | bigint | boolean | Float | Tensor | ArrayBufferView | readonly TensorData[];
