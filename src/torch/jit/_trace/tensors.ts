/**
 * @file Tensors of a Python program while it is traced: their sizes are tensors that the trace computes.
 * @mirrors torch/_tensor.py#Tensor.__len__
 * @differs Only Python programs see such sizes. For TypeScript, and inside the library, sizes stay numbers, because JavaScript's operators
 * do not reach a tensor; the trace keeps these numbers as constants.
 */
import { TypeError_ } from "#c10/util/Exception";
import { foreign_type } from "#python/bridge/foreign_types";
import { call } from "#python/Objects/call";
import { define_attributes } from "#python/Objects/descrobject";
import { define_methods } from "#python/Objects/methodobject";
import { getattr } from "#python/Objects/object";
import { THPVariable_Wrap } from "../../_C.ts";
import { Tensor } from "../../_tensor/index.ts";
import { getNumelOf, getSizeOf, isTracing, without_recording } from "../_C.ts";
import { traced_text, warn_of_format } from "./printing.ts";
import { WARN_ITERATION, warn } from "./warnings.ts";

const tensor_type = foreign_type(Tensor as never);

/** A tuple of sizes that are tensors. */
function traced_shape(self: Tensor): unknown {
  const sizes = self.shape;
  const traced = sizes.map((_, dim) => THPVariable_Wrap(getSizeOf(self.cdata, dim)));
  return Object.setPrototypeOf(traced, Object.getPrototypeOf(sizes) as object);
}

function traced_numel(self: Tensor): unknown {
  return isTracing() ? THPVariable_Wrap(getNumelOf(self.cdata)) : self.numel();
}

const methods = {
  "size(self, dim=None)": (self: Tensor, dim: unknown) => {
    if (!isTracing()) return dim === null ? self.shape : self.size(Number(dim));
    return dim === null ? traced_shape(self) : THPVariable_Wrap(getSizeOf(self.cdata, Number(dim)));
  },
  "numel(self)": traced_numel,
  "nelement(self)": traced_numel,
  "__len__(self, /)": (self: Tensor) => {
    if (self.dim() === 0) throw new TypeError_("len() of a 0-d tensor");
    if (!isTracing()) return self.size(0);
    warn(
      "Using len to get tensor shape might cause the trace to be incorrect. Recommended usage would be tensor.shape[0]. Passing a tensor of different shape might lead to errors or silently give incorrect results.",
    );
    traced_shape(self);
    return self.size(0);
  },
  "__iter__(self, /)": (self: Tensor) => {
    if (self.dim() === 0) throw new TypeError_("iteration over a 0-d tensor");
    if (isTracing()) {
      warn(WARN_ITERATION);
    }
    return call(getattr(self.unbind(0), "__iter__"));
  },
};
const printing = {
  "__repr__(self, /)": (self: Tensor) => traced_text(self, () => String(self)),
  "__str__(self, /)": (self: Tensor) => traced_text(self, () => String(self)),
  "__format__(self, format_spec, /)": (self: Tensor, spec: unknown) => {
    if (isTracing() && self.dim() === 0 && !self.is_meta) warn_of_format();
    else if (isTracing() && spec === "") return traced_text(self, () => String(self));
    return without_recording(() => call(before_tracing.get("__format__"), self, spec));
  },
};
/** The methods that are replaced during a trace. */
const before_tracing = new Map<string, unknown>();
const names = ["shape", ...Object.keys({ ...methods, ...printing }).map((text) => text.slice(0, text.indexOf("(")))];

/** Runs a traced function; until it returns, Python's tensors have traced sizes. */
export function with_traced_tensors<T>(run: () => T): T {
  const before = names.map((name) => [name, tensor_type.dict.get(name)] as const);
  define_attributes(tensor_type, { shape: (self: Tensor) => (isTracing() ? traced_shape(self) : self.shape) });
  for (const [name, value] of before) if (!before_tracing.has(name)) before_tracing.set(name, value);
  define_methods(tensor_type, { ...methods, ...printing });
  try {
    return run();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) tensor_type.dict.delete(name);
      else tensor_type.dict.set(name, value);
    }
    tensor_type.modified();
  }
}
