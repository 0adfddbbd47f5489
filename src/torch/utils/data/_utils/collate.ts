/**
 * @file Collation of samples to a batch: tensors are stacked, numbers become a tensor, lists and mappings are collated entry by entry.
 * @mirrors torch/utils/data/_utils/collate.py
 * @differs Ours treats arrays as lists, typed arrays as NumPy arrays, Maps and plain objects as mappings. The first number of a column
 * decides between int and float, as in PyTorch, but 1.0 is an int here; a column that may begin with a whole number must contain
 * `torch.Float`s.
 */
import { RuntimeError, TypeError_ } from "#c10/util/Exception";
import { tuple } from "#python/Objects/tupleobject";
import { Float, isDict, python_type, refuse_sparse } from "#torch/_C";
import { def } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_repr } from "#torch/_utils/index";
import { get_item, len } from "./protocol.ts";

// biome-ignore-start lint/suspicious/noExplicitAny: samples and batches have any type

/** The class of an element, or a stand-in: `Number` for an int, `torch.Float` for a float, `String`, `Boolean`. */
type ElementType = abstract new (...args: any[]) => unknown;
/** A function that collates samples whose first element has a certain class. */
export type CollateFn = (batch: any[], kwargs: { collate_fn_map: CollateFnMap | null }) => any;
export type CollateFnMap = Map<ElementType, CollateFn>;

/** `type(elem)`, or a stand-in. */
function type_of(elem: unknown): ElementType | null {
  switch (python_type(elem)) {
    case "int":
      return Number as never;
    case "float":
      return Float as never;
    case "NoneType":
      return null;
  }
  return (elem as { constructor?: ElementType }).constructor ?? null;
}

/** A mapping like `elem` in which the value of each key is `value_of(key)`. */
function map_values(elem: unknown, value_of: (key: unknown) => unknown): unknown {
  if (elem instanceof Map) return new Map([...elem.keys()].map((key) => [key, value_of(key)]));
  return Object.fromEntries(Object.keys(elem as object).map((key) => [key, value_of(key)]));
}

function is_mapping(elem: unknown): boolean {
  return elem instanceof Map || isDict(elem);
}

/** Converts typed arrays to tensors, also inside lists and mappings; other values stay unchanged. A loader without batches uses it. */
export const default_convert = def("default_convert(data: object)", (data: any): any => {
  if (data instanceof Tensor) return data;
  if (data instanceof TypedArray) return torch.as_tensor(data as ArrayBufferView);
  if (is_mapping(data)) return map_values(data, (key) => default_convert(get_item(data, key)));
  return Array.isArray(data) ? data.map((entry) => default_convert(entry)) : data;
});

/** The class that all typed arrays extend. */
const TypedArray = Object.getPrototypeOf(Uint8Array) as ElementType;

function cannot_collate(found: string): TypeError_ {
  return new TypeError_(
    `default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found ${found}`,
  );
}

/** The function for elements like `elem`: that of its own class, else of the first class in the map of which it is an instance. */
function collate_fn_for(elem: unknown, collate_fn_map: CollateFnMap): CollateFn | undefined {
  const elem_type = type_of(elem);
  const exact = elem_type === null ? undefined : collate_fn_map.get(elem_type);
  if (exact !== undefined) return exact;
  for (const [type, fn] of collate_fn_map) if (elem instanceof type) return fn;
  return undefined;
}

/** A batch made by the functions of `collate_fn_map`; lists and mappings are collated recursively. */
export const collate = def(
  "collate(batch, *, collate_fn_map=None)",
  (batch: readonly any[], collate_fn_map: CollateFnMap | null): any => {
    const elem = get_item(batch, 0);
    const kwargs = { collate_fn_map };
    const fn = collate_fn_map === null ? undefined : collate_fn_for(elem, collate_fn_map);
    if (fn !== undefined) return fn(batch as any[], kwargs);
    const samples = [...batch];
    if (is_mapping(elem)) {
      return map_values(elem, (key) =>
        collate(
          samples.map((sample) => get_item(sample, key)),
          kwargs,
        ),
      );
    }
    if (!Array.isArray(elem)) throw cannot_collate(type_repr(elem, "class"));
    refuse_sparse(elem);
    if (samples.some((sample) => len(sample) !== elem.length))
      throw new RuntimeError("each element in list of batch should be of equal size");
    return elem.map((_, i) => collate(tuple(samples.map((sample) => get_item(sample, i))), kwargs));
  },
);

function collate_tensor_fn(batch: readonly Tensor[]): Tensor {
  return torch.stack(batch as Tensor[], 0);
}

function collate_numpy_array_fn(batch: readonly any[], kwargs: { collate_fn_map: CollateFnMap | null }): any {
  return collate(
    batch.map((array) => torch.as_tensor(array)),
    kwargs,
  );
}

function collate_float_fn(batch: any[]): Tensor {
  return torch.tensor(batch, { dtype: torch.float64 });
}

function collate_int_fn(batch: any[]): Tensor {
  return torch.tensor(batch);
}

function collate_str_fn(batch: any[]): any {
  return batch;
}

/** Functions by the class of a batch's first element; a program may add its own. */
export const default_collate_fn_map: CollateFnMap = new Map<ElementType, CollateFn>([
  [Tensor, collate_tensor_fn],
  [TypedArray, collate_numpy_array_fn],
  [Float as never, collate_float_fn],
  [Number as never, collate_int_fn],
  [Boolean as never, collate_int_fn], // a bool is an int in Python
  [BigInt as never, collate_int_fn],
  [String as never, collate_str_fn],
  [ArrayBuffer as never, collate_str_fn], // bytes
]);

/**
 * Collates a batch of samples: `[[x0, y0], [x1, y1]]` becomes `[x, y]`, each stacked along a new dimension 0.
 * @throws {RuntimeError} "each element in list of batch should be of equal size"
 * @throws {TypeError} "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found ..."
 * @example torch.utils.data.default_collate([{ a: 1 }, { a: 2 }]); // { a: tensor([1, 2]) }
 */
export const default_collate = def("default_collate(batch)", (batch: readonly any[]): any =>
  collate(batch, { collate_fn_map: default_collate_fn_map }),
);
// biome-ignore-end lint/suspicious/noExplicitAny: samples and batches have any type
