/**
 * @file The words of the typed declarations: numbers, dtypes, devices, as a caller may write them.
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

/** An int: a number without fraction, a bigint, or a 0-dim integer tensor. */
export type _int = number | bigint | Tensor;
export type _float = number | Float;
export type _bool = boolean;
/** What a Scalar parameter takes; a 0-dim tensor counts as its value. */
export type Number = number | bigint | boolean | Float | Tensor;

export type dtype = THPDtype;
export type layout = THPLayout;
export type memory_format = THPMemoryFormat;
export type device = THPDevice;
export type Stream = THPStream;
export type DeviceLike = THPDevice | string | number;

/** What stands between the brackets of `x[...]`. */
export type Index = IndexNumber | boolean | null | "..." | PySlice | NestedIndex | ArrayBufferView;

/** Nested lists of numbers, as `torch.tensor` takes them. */
export type TensorData = number | bigint | boolean | Float | Tensor | ArrayBufferView | readonly TensorData[];
