/**
 * @file `slice`, what stands between the brackets of `a[1:2]`, and `Ellipsis`, the value of `...`.
 * @mirrors Objects/sliceobject.c (CPython 3.11)
 */
import { as_index, slice_indices } from "./abstract/indices.ts";
import { define_attributes } from "./descrobject.ts";
import { TypeError_, ValueError } from "./exceptions.ts";
import { define_methods, define_static_methods } from "./methodobject.ts";
import { type Comparison, comparison_methods, NotImplemented, repr, richcompare } from "./object.ts";
import { PyEllipsis_Type, PySlice } from "./slice_values.ts";
import { type PyTuple, tuple } from "./tupleobject.ts";
import { builtin_type } from "./typeobject.ts";

export { Ellipsis, PySlice } from "./slice_values.ts";

export const ellipsis_type = builtin_type("ellipsis", { prototype: PyEllipsis_Type.prototype });

/** `range` of the places that a slice takes: `for (const i of places(slice, length))`. */
export function* places(slice: PySlice, length: number): Generator<number> {
  const { start, step, count } = slice_indices(slice, length);
  for (let i = 0; i < count; i++) yield start + i * step;
}

const fields = (slice: PySlice): PyTuple => tuple([slice.start, slice.stop, slice.step]);

const compared =
  (how: Comparison) =>
  (self: PySlice, value: unknown): unknown =>
    value instanceof PySlice ? richcompare(fields(self), fields(value), how) : NotImplemented;

export const slice_type = builtin_type("slice", { cls: PySlice });
define_static_methods(slice_type, {
  "__new__(cls, /, *args)": (_cls, args: unknown[]) => {
    if (args.length === 0) throw new TypeError_("slice expected at least 1 argument, got 0");
    if (args.length > 3) throw new TypeError_(`slice expected at most 3 arguments, got ${args.length}`);
    return args.length === 1 ? new PySlice(null, args[0]) : new PySlice(args[0], args[1], args[2] ?? null);
  },
});
define_methods(slice_type, {
  "__repr__(self, /)": (self: PySlice) => `slice(${repr(self.start)}, ${repr(self.stop)}, ${repr(self.step)})`,
  ...comparison_methods(compared),
  "indices(self, length, /)": (self: PySlice, length) => {
    const size = as_index(length);
    if (size < 0) throw new ValueError("length should not be negative");
    const { start, stop, step } = slice_indices(self, Number(size));
    return tuple([start, stop, self.step === null ? step : as_index(self.step)]);
  },
});
slice_type.dict.set("__hash__", null);
define_attributes(slice_type, {
  start: (self: PySlice) => self.start,
  stop: (self: PySlice) => self.stop,
  step: (self: PySlice) => self.step,
});
