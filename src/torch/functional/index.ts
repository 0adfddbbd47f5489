/**
 * @file The functions of `torch` that PyTorch writes in Python.
 * @mirrors torch/functional.py
 */

import { AssertionError, RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import { tuple } from "#python/Objects/tupleobject";
import {
  _C,
  having,
  PyObject_RichCompareBool,
  PySequence_Tuple,
  py_format,
  py_str,
  python_type,
  refuse_sparse,
  repr,
  THPUtils_checkLong,
  THPVariable_Check,
} from "#torch/_C";
import { boolean_dispatch } from "#torch/_jit_internal";
import { def_overridable } from "#torch/_overridable";
import { type Def, def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_repr } from "#torch/_utils/index";
import { handle_torch_function, has_torch_function } from "#torch/overrides";
import type { _int, dtype } from "#torch/types";

/** Views of parts along `dim`: of one size, or of the sizes listed. */
export const split = def_overridable(
  "split(tensor: Tensor, split_size_or_sections, dim=0)",
  (tensor: Tensor, split_size_or_sections: _int | readonly _int[], dim: _int): Tensor[] =>
    having(tensor, "split").split(split_size_or_sections, dim),
);

/** The shape to which tensors of these shapes broadcast; None in place of a shape is ignored. */
export const broadcast_shapes = def("broadcast_shapes(*shapes)", (shapes: (number | readonly number[])[]): number[] => {
  for (const shape of shapes) if (Array.isArray(shape)) PySequence_Tuple(shape);
  const named = shapes.filter((shape) => shape !== null);
  const given = named.map(sizes_of);
  const common: number[] = new Array(Math.max(0, ...given.map((shape) => shape.length))).fill(1);
  given.forEach((shape, arg_idx) => {
    for (let idx = -1; idx >= -shape.length; idx--) {
      const size = shape.at(idx) as number;
      const at = common.length + idx;
      if (equals(common[at], size)) continue;
      if (equals(common[at], 1)) {
        if (PyObject_RichCompareBool(size, "<", 0, "int"))
          throw new ValueError("Attempting to broadcast a dimension with negative length!");
        common[at] = size;
      }
      if (equals(size, 1) || equals(common[at], size)) continue;
      throw new RuntimeError(
        `Attempting to broadcast a dimension of length ${py_str(size)} at ${idx}! Mismatching argument at index ${arg_idx} had ${mismatching(named[arg_idx])}; but expected shape should be broadcastable to ${repr(common)}`,
      );
    }
  });
  common.forEach((size, i) => {
    if (typeof size === "boolean") common[i] = Number(size);
    else if (!THPUtils_checkLong(size))
      throw new TypeError_(`torch.Size() takes an iterable of 'int' (item ${i} is '${python_type(size)}')`);
  });
  return torch.Size(common);
});

/**
 * The indices along each dim of a tensor of `shape`, for indices into the flattened tensor.
 * @throws {TypeError} "expected 'indices' to be integer dtype, but got torch.float32"
 */
export const unravel_index = def_overridable(
  "unravel_index(indices: Tensor, shape)",
  (indices: Tensor, shape: _int | readonly _int[]): Tensor[] => _unravel_index(indices, shape).unbind(-1),
  null,
  { kwargs: ["shape"] },
);

function _unravel_index(indices: Tensor, shape: unknown): Tensor {
  const integral = !having(indices, "is_complex").is_complex() && !indices.is_floating_point();
  if (!integral || indices.dtype === torch.bool)
    throw new TypeError_(`expected 'indices' to be integer dtype, but got ${indices.dtype}`);
  const sizes = is_int(shape) ? [shape] : typeof shape === "string" ? [...shape] : shape;
  if (!Array.isArray(sizes))
    throw new TypeError_(`expected 'shape' to be int or sequence of ints, but got <class '${python_type(shape)}'>`);
  for (const dim of sizes)
    if (!is_int(dim))
      throw new TypeError_(`expected 'shape' sequence to only contain ints, but got <class '${python_type(dim)}'>`);
  if (sizes.some((dim) => dim < 0))
    throw new ValueError(
      `'shape' cannot have negative values, but got (${sizes.map(Number).join(", ")}${sizes.length === 1 ? "," : ""})`,
    );
  // The number of elements that one step along each dim skips.
  const coefs: number[] = new Array(sizes.length).fill(1);
  for (let d = sizes.length - 2; d >= 0; d--) coefs[d] = coefs[d + 1] * Number(sizes[d + 1]);
  const whole = { device: indices.device, dtype: torch.int64 };
  return indices.unsqueeze(-1).floor_divide(torch.tensor(coefs, whole)).remainder(torch.tensor(sizes, whole));
}

function sizes_of(shape: unknown): readonly number[] {
  if (is_int(shape)) return [shape];
  if (Array.isArray(shape)) return shape;
  if (typeof shape === "string") return [...shape] as unknown as number[]; // characters, which are refused one by one
  throw new RuntimeError(
    `Input shapes should be of type ints, a tuple of ints, or a list of ints, got ${py_format(shape)}`,
  );
}

/** Whether `value` is an int in Python; a bool is one. */
function is_int(value: unknown): value is number {
  return THPUtils_checkLong(value) || typeof value === "boolean";
}

/** Python's `==`, for which True equals 1. */
function equals(a: unknown, b: unknown): boolean {
  const tensor = [a, b].find(THPVariable_Check); // its == would return a tensor
  if (tensor !== undefined) throw new AssertionError(`Expected bool, got ${type_repr(tensor, "class")}`);
  return a === b || (is_int(a) && is_int(b) && Number(a) === Number(b));
}

/** A shape as a message shows it; an int is shown as a tuple of one element. */
function mismatching(shape: unknown): string {
  return is_int(shape) ? `(${repr(shape)},)` : py_str(shape);
}

/** Views of the tensors, expanded to their common broadcast shape. */
export const broadcast_tensors = def_overridable("broadcast_tensors(*tensors: Tensor)", (tensors: Tensor[]): Tensor[] =>
  _C._VariableFunctions.broadcast_tensors(tensors),
);

type Dims = _int | readonly _int[] | null;

/**
 * The `p`-norm of all elements, or along `dim`: `sum(abs(x) ** p) ** (1 / p)`. For Infinity it is the largest absolute value, for 0 the
 * number of nonzero elements.
 * @param p a number, or "fro", the 2-norm.
 * @differs "nuc", and "fro" over more than two dims, are norms of matrices, which are not built.
 */
export const norm = def_overridable(
  "norm(input: Tensor, p='fro', dim=None, keepdim=False, out=None, dtype=None)",
  (
    input: Tensor,
    p: number | string | null,
    dim: Dims,
    keepdim: boolean,
    out: Tensor | null,
    dtype: dtype | null,
  ): Tensor => {
    having(input, "layout");
    const _dim = (is_int(dim) ? [dim] : dim) as readonly _int[] | null;
    const kwargs = out === null ? { dtype } : { dtype, out };
    if (input.device.type === "lazy" && out === null && dtype === null && (p === "fro" || typeof p === "number")) {
      const all = Array.from({ length: input.dim() }, (_, d) => d); // devices without `linalg_vector_norm`
      if (p === "fro") return _C._VariableFunctions.frobenius_norm(input, _dim ?? [], keepdim);
      return _C._VariableFunctions.norm(input, p, _dim ?? all, keepdim);
    }
    if (typeof p !== "string") return _C._linalg.linalg_vector_norm(input, p ?? 2.0, _dim, keepdim, kwargs);
    if (p === "fro" && (_dim === null || _dim.length <= 2))
      return _C._linalg.linalg_vector_norm(input, 2, _dim, keepdim, kwargs);
    const dims = _dim ?? Array.from({ length: input.dim() }, (_, d) => d);
    return _C._linalg.linalg_matrix_norm(input, p, dims, keepdim, kwargs);
  },
);

/** The value of a one-element tensor, which Python compares. */
function one_number(t: Tensor): unknown {
  if (t.numel() === 1) return t.item();
  throw new RuntimeError(
    `Boolean value of Tensor with ${t.numel() === 0 ? "no values" : "more than one value"} is ambiguous`,
  );
}

/** Labels in the list form of `einsum`: 0 to 25 are A to Z, 26 to 51 are a to z. */
function parse_subscript(n: unknown): string {
  if (n === "...") return "...";
  const given = THPVariable_Check(n) ? one_number(n as Tensor) : n;
  const within = !PyObject_RichCompareBool(given, "<", 0, "int") && PyObject_RichCompareBool(given, "<", 52, "int");
  if (within && THPVariable_Check(n) && (n as Tensor).is_floating_point())
    throw new TypeError_("only integer tensors of a single element can be converted to an index");
  const label = Number(given);
  if (within) return String.fromCharCode(label < 26 ? 65 + label : 97 + label - 26);
  throw new ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)");
}

function parse_subscripts(list: unknown): string {
  return PySequence_Tuple(list as unknown[])
    .map(parse_subscript)
    .join("");
}

/**
 * The sum of products in Einstein notation, for example `einsum("ij,jk->ik", a, b)`; products are computed from left to right, since
 * `opt_einsum` is never available. In another form, operands and lists of labels alternate, with the list of the result at the end:
 * `einsum(a, [0, 1], b, [1, 2], [0, 2])`.
 */
export const einsum = def("einsum(*args)", (args: unknown[]): Tensor => {
  if (args.length < 2)
    throw new ValueError(
      "einsum(): must specify the equation string and at least one operand, " +
        "or at least one operand and its subscripts list",
    );
  let equation = args[0] as string;
  let operands = args.slice(1) as Tensor[];
  if (THPVariable_Check(args[0])) {
    const lists = args.filter((_, i) => i % 2 === 1);
    equation = lists.map(parse_subscripts).join(",");
    operands = args.filter((_, i) => i % 2 === 0) as Tensor[];
    if (args.length % 2 === 1) equation += `->${parse_subscripts(operands.pop())}`;
  }
  if (has_torch_function(operands)) return handle_torch_function(einsum, operands, equation, ...operands) as Tensor;
  const [only] = operands;
  if (Array.isArray(only)) refuse_sparse(only);
  if (operands.length === 1 && Array.isArray(only)) return einsum(equation, ...(only as Tensor[])) as Tensor;
  return operands.length <= 2
    ? _C._VariableFunctions.einsum(equation, operands)
    : _C._VariableFunctions.einsum(equation, operands, { path: null });
}) as {
  (equation: string, ...operands: Tensor[]): Tensor;
  (equation: string, operands: readonly Tensor[]): Tensor;
  (operand: Tensor, ...operands_and_labels: (Tensor | readonly (_int | "...")[])[]): Tensor;
};

/**
 * Tensor contraction. `dims`: lists of the dims of both tensors to sum over, or their number (the last dims of `a` and the first of `b`).
 */
export const tensordot = def_overridable(
  "tensordot(a: Tensor, b: Tensor, dims=2, out=None)",
  (a: Tensor, b: Tensor, dims: _int | readonly (readonly _int[])[] | Tensor, out: Tensor | null): Tensor => {
    let [dims_a, dims_b]: [readonly _int[], readonly _int[]] = [[], []];
    const last_and_first = (n: number): void => {
      if (n < 0) throw new RuntimeError(`tensordot expects dims >= 0, but got dims=${py_str(dims)}`);
      dims_a = Array.from({ length: n }, (_, i) => i - n);
      dims_b = Array.from({ length: n }, (_, i) => i);
    };
    if (Array.isArray(dims)) {
      if (dims.length < 2) throw new ValueError(`not enough values to unpack (expected 2, got ${dims.length})`);
      if (dims.length > 2) throw new ValueError("too many values to unpack (expected 2)");
      [dims_a, dims_b] = dims as [_int[], _int[]];
    } else if (THPVariable_Check(dims)) {
      const t = dims as Tensor;
      if (t.numel() > 1) {
        if (t.size(0) !== 2)
          throw new AssertionError(`dims tensor must have size 2 in first dimension, got ${t.size(0)}`);
        [dims_a, dims_b] = t.tolist() as [number[], number[]];
      } else last_and_first(Number(t.item()));
    } else if (is_int(dims)) {
      const n = Number(dims);
      if (n > Math.min(having(a, "dim").dim(), having(b, "dim").dim()))
        throw new RuntimeError(`tensordot expects dims < ndim_a or ndim_b, but got dims=${py_str(dims)}`);
      last_and_first(n);
    } else
      throw new RuntimeError(
        "tensordot expects dims to be int or tuple[list[int], list[int]] or " +
          `list[list[int]] containing two lists, but got dims=${py_str(dims)}`,
      );
    return _C._VariableFunctions.tensordot(a, b, dims_a, dims_b, { out });
  },
) as {
  (a: Tensor, b: Tensor, dims?: _int | readonly (readonly _int[])[] | Tensor, out?: Tensor | null): Tensor;
  (a: Tensor, b: Tensor, kwargs: { dims?: _int | readonly (readonly _int[])[] | Tensor; out?: Tensor | null }): Tensor;
};

/** A tensor with at least one, two or three dimensions; several tensors give a list. */
function atleast(name: "atleast_1d" | "atleast_2d" | "atleast_3d") {
  const fn = def_overridable(`${name}(*tensors: Tensor)`, (tensors: Tensor[]): Tensor | Tensor[] => {
    const call = _C._VariableFunctions[name] as (given: Tensor | Tensor[]) => Tensor | Tensor[];
    return call(tensors.length === 1 ? tensors[0] : tensors);
  });
  return fn as unknown as { (tensor: Tensor): Tensor; (...tensors: Tensor[] | [Tensor[]]): Tensor[] };
}
/** The tensor, or tensors, with at least one dimension. */
export const atleast_1d = atleast("atleast_1d");
/** The tensor, or tensors, with at least two dimensions. */
export const atleast_2d = atleast("atleast_2d");
/** The tensor, or tensors, with at least three dimensions. */
export const atleast_3d = atleast("atleast_3d");

/** All tuples with one element from each vector, as rows. */
export const cartesian_prod = def_overridable(
  "cartesian_prod(*tensors: Tensor)",
  (tensors: Tensor[]): Tensor => _C._VariableFunctions.cartesian_prod(tensors),
);

/** A larger matrix with the given matrices on its diagonal. */
export const block_diag = def_overridable(
  "block_diag(*tensors: Tensor)",
  (tensors: Tensor[]): Tensor => _C._VariableFunctions.block_diag(tensors),
);

/** Coordinate grids, one for each vector; `indexing` is "ij" or "xy". */
export const meshgrid = def_overridable(
  "meshgrid(*tensors: Tensor, indexing=None)",
  (given: Tensor[] | [Tensor[]], indexing: string | null): Tensor[] => {
    const tensors = given.length === 1 && Array.isArray(given[0]) ? given[0] : (given as Tensor[]);
    if (indexing === null) return _C._VariableFunctions.meshgrid(tensors);
    return _C._VariableFunctions.meshgrid(tensors, { indexing });
  },
);

/** Distances from each row of one matrix to each row of the other; `compute_mode` says whether p = 2 may use a matrix product. */
export const cdist = def_overridable(
  "cdist(x1: Tensor, x2: Tensor, p=2.0, compute_mode='use_mm_for_euclid_dist_if_necessary')",
  (x1: Tensor, x2: Tensor, p: number, compute_mode: string): Tensor => {
    const modes: Record<string, number | null> = {
      use_mm_for_euclid_dist_if_necessary: null,
      use_mm_for_euclid_dist: 1,
      donot_use_mm_for_euclid_dist: 2,
    };
    const mode = modes[compute_mode];
    if (mode === undefined) throw new ValueError(`${compute_mode ?? "None"} is not a valid value for compute_mode`);
    return _C._VariableFunctions.cdist(x1, x2, p, mode);
  },
);

/** The product of matrices; an older form of `torch.linalg.multi_dot`. */
export const chain_matmul = def_overridable(
  "chain_matmul(*matrices: Tensor, out=None)",
  (matrices: Tensor[], out: Tensor | null): Tensor => {
    const { chain_matmul: product } = _C._VariableFunctions;
    return out === null ? product(matrices) : product(matrices, { out });
  },
  null,
  { kwargs: [] }, // PyTorch drops `out`
);

// unique: one function for each combination of results, and two flags that select it

type Results = Tensor | Tensor[];
type Pick = (parts: Tensor[]) => Results;

const and_all: Pick = (parts) => parts;
const and_counts: Pick = ([output, , counts]) => tuple([output, counts]);
const and_inverse: Pick = ([output, inverse_indices]) => tuple([output, inverse_indices]);
const alone: Pick = ([output]) => output;

const UNIQUE = "(input: Tensor, sorted=True, return_inverse=False, return_counts=False, dim=None)";
type Unique = [input: Tensor, sorted: boolean, return_inverse: boolean, return_counts: boolean, dim: _int | null];

function unique_of(name: string, pick: Pick): Def<typeof UNIQUE, (...args: Unique) => Results> {
  const fn = (...[input, sorted, return_inverse, return_counts, dim]: Unique): Results => {
    const kwargs = { sorted, return_inverse, return_counts };
    const parts =
      dim === null
        ? _C._VariableFunctions._unique2(input, kwargs)
        : _C._VariableFunctions.unique_dim(input, dim, kwargs);
    return pick(parts);
  };
  const handed = { public_api: (): unknown => unique };
  return def_overridable(`${name}${UNIQUE}`, fn, null, handed) as Def<string, typeof fn> as Def<
    typeof UNIQUE,
    typeof fn
  >;
}

const CONSECUTIVE = "(input: Tensor, return_inverse=False, return_counts=False, dim=None)";
type Consecutive = [input: Tensor, return_inverse: boolean, return_counts: boolean, dim: _int | null];

function consecutive_of(name: string, pick: Pick): Def<typeof CONSECUTIVE, (...args: Consecutive) => Results> {
  const fn = (...[input, return_inverse, return_counts, dim]: Consecutive): Results =>
    pick(_C._VariableFunctions.unique_consecutive(input, { return_inverse, return_counts, dim }));
  const handed = { public_api: (): unknown => unique_consecutive };
  return def_overridable(`${name}${CONSECUTIVE}`, fn, null, handed) as Def<string, typeof fn> as Def<
    typeof CONSECUTIVE,
    typeof fn
  >;
}

/** Selects between two functions by `return_counts`; the result has the type of either. */
function by_counts<D extends Def<string, (...args: never[]) => Results>>(
  arg_index: number,
  if_true: D,
  if_false: D,
  func_name: string,
): D {
  return boolean_dispatch({ arg_name: "return_counts", arg_index }, if_true, if_false, func_name) as unknown as D;
}

/**
 * The distinct elements, or slices along `dim`, in order; with `return_inverse` also the index of each element's value, with
 * `return_counts` also the counts.
 */
export const unique = boolean_dispatch(
  { arg_name: "return_inverse", arg_index: 2 },
  by_counts(3, unique_of("_return_inverse_and_counts", and_all), unique_of("_return_inverse", and_inverse), "unique"),
  by_counts(3, unique_of("_return_counts", and_counts), unique_of("_return_output", alone), "unique"),
  "unique",
);

/**
 * The elements, or slices along `dim`, without those that equal their predecessor. As in PyTorch, the positions of the flags differ from
 * those of the parameters: a positional `return_counts` also requests the inverse.
 */
export const unique_consecutive = boolean_dispatch(
  { arg_name: "return_inverse", arg_index: 2 },
  by_counts(
    1,
    consecutive_of("_consecutive_return_inverse_and_counts", and_all),
    consecutive_of("_consecutive_return_inverse", and_inverse),
    "unique_consecutive",
  ),
  by_counts(
    1,
    consecutive_of("_consecutive_return_counts", and_counts),
    consecutive_of("_consecutive_return_output", alone),
    "unique_consecutive",
  ),
  "unique_consecutive",
);
