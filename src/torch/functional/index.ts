/**
 * @file The functions of `torch` that are written in Python.
 * @mirrors torch/functional.py
 */

import { AssertionError, RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
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
import { type Def, def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_repr } from "#torch/_utils/index";
import { handle_torch_function, has_torch_function, has_torch_function_unary } from "#torch/overrides";
import type { _int, dtype } from "#torch/types";

/** `tensor.split`, as a function: parts of a size each, or of the sizes listed. */
export const split = def(
  "split(tensor, split_size_or_sections, dim=0)",
  (tensor: Tensor, split_size_or_sections: _int | readonly _int[], dim: _int): Tensor[] => {
    if (has_torch_function_unary(tensor))
      return handle_torch_function(split, [tensor], tensor, split_size_or_sections, { dim }) as Tensor[];
    return having(tensor, "split").split(split_size_or_sections, dim);
  },
);

/** The shape that tensors of these shapes broadcast to; None for no shape at all is passed over. */
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
  return common;
});

/**
 * Of indices into the flattened elements of a tensor of `shape`, the indices into each of its dims.
 * @throws {TypeError} "expected 'indices' to be integer dtype, but got torch.float32"
 */
export const unravel_index = def(
  "unravel_index(indices, shape)",
  (indices: Tensor, shape: _int | readonly _int[]): Tensor[] => {
    if (has_torch_function_unary(indices))
      return handle_torch_function(unravel_index, [indices], indices, { shape }) as Tensor[];
    return _unravel_index(indices, shape).unbind(-1);
  },
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
  // How many elements one step along each dim passes.
  const coefs: number[] = new Array(sizes.length).fill(1);
  for (let d = sizes.length - 2; d >= 0; d--) coefs[d] = coefs[d + 1] * Number(sizes[d + 1]);
  const whole = { device: indices.device, dtype: torch.int64 };
  return indices.unsqueeze(-1).floor_divide(torch.tensor(coefs, whole)).remainder(torch.tensor(sizes, whole));
}

function sizes_of(shape: unknown): readonly number[] {
  if (is_int(shape)) return [shape];
  if (Array.isArray(shape)) return shape;
  if (typeof shape === "string") return [...shape] as unknown as number[]; // letters, which are refused one by one
  throw new RuntimeError(
    `Input shapes should be of type ints, a tuple of ints, or a list of ints, got ${py_format(shape)}`,
  );
}

/** A bool is an int. */
function is_int(value: unknown): value is number {
  return THPUtils_checkLong(value) || typeof value === "boolean";
}

/** `==`, for which True is 1. */
function equals(a: unknown, b: unknown): boolean {
  const tensor = [a, b].find(THPVariable_Check); // whose == is a tensor again
  if (tensor !== undefined) throw new AssertionError(`Expected bool, got ${type_repr(tensor, "class")}`);
  return a === b || (is_int(a) && is_int(b) && Number(a) === Number(b));
}

/** An int stands for a tuple of one. */
function mismatching(shape: unknown): string {
  return is_int(shape) ? `(${repr(shape)},)` : py_str(shape);
}

/** Views of the tensors, all of one shape. */
export const broadcast_tensors = def("broadcast_tensors(*tensors)", (tensors: Tensor[]): Tensor[] => {
  if (has_torch_function(tensors)) return handle_torch_function(broadcast_tensors, tensors, ...tensors) as Tensor[];
  return _C._VariableFunctions.broadcast_tensors(tensors);
});

type Dims = _int | readonly _int[] | null;

/**
 * The `p`-norm of all elements or along `dim`: `sum(abs(x) ** p) ** (1 / p)`; for Infinity the greatest, for 0 how many are not zero.
 * @param p a number, or "fro", the 2-norm.
 * @differs "nuc", and "fro" over more than two dims, are norms of matrices, which are not built.
 */
export const norm = def(
  "norm(input, p='fro', dim=None, keepdim=False, out=None, dtype=None)",
  (
    input: Tensor,
    p: number | string | null,
    dim: Dims,
    keepdim: boolean,
    out: Tensor | null,
    dtype: dtype | null,
  ): Tensor => {
    if (has_torch_function_unary(input))
      return handle_torch_function(norm, [input], input, { p, dim, keepdim, out, dtype }) as Tensor;
    having(input, "layout");
    const _dim = (is_int(dim) ? [dim] : dim) as readonly _int[] | null;
    const kwargs = out === null ? { dtype } : { dtype, out };
    if (typeof p !== "string") return _C._linalg.linalg_vector_norm(input, p ?? 2.0, _dim, keepdim, kwargs);
    if (p === "fro" && (_dim === null || _dim.length <= 2))
      return _C._linalg.linalg_vector_norm(input, 2, _dim, keepdim, kwargs);
    const dims = _dim ?? Array.from({ length: input.dim() }, (_, d) => d);
    return _C._linalg.linalg_matrix_norm(input, p, dims, keepdim, kwargs);
  },
);

/** What Python compares of a tensor. */
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
 * The sum of products that an equation names, as in `einsum("ij,jk->ik", a, b)`; from left to right, for `opt_einsum` is never there.
 * Operands and lists of labels may take turns instead, with the result's list at the end: `einsum(a, [0, 1], b, [1, 2], [0, 2])`.
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

/** Dims of both that are summed over: lists of them, or how many, the last of `a` and the first of `b`. */
export const tensordot = def(
  "tensordot(a, b, dims=2, out=None)",
  (a: Tensor, b: Tensor, dims: _int | readonly (readonly _int[])[] | Tensor, out: Tensor | null): Tensor => {
    if (has_torch_function([a, b])) return handle_torch_function(tensordot, [a, b], a, b, { dims, out }) as Tensor;
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

/** A tensor of at least one, two or three dimensions; of several tensors, a list. */
function atleast(name: "atleast_1d" | "atleast_2d" | "atleast_3d") {
  const fn = def(`${name}(*tensors)`, (tensors: Tensor[]): Tensor | Tensor[] => {
    if (has_torch_function(tensors)) return handle_torch_function(fn, tensors, ...tensors) as Tensor | Tensor[];
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

/** All tuples of elements, one of each vector, as rows. */
export const cartesian_prod = def("cartesian_prod(*tensors)", (tensors: Tensor[]): Tensor => {
  if (has_torch_function(tensors)) return handle_torch_function(cartesian_prod, tensors, ...tensors) as Tensor;
  return _C._VariableFunctions.cartesian_prod(tensors);
});

/** Matrices side by side on the diagonal of a larger one. */
export const block_diag = def("block_diag(*tensors)", (tensors: Tensor[]): Tensor => {
  if (has_torch_function(tensors)) return handle_torch_function(block_diag, tensors, ...tensors) as Tensor;
  return _C._VariableFunctions.block_diag(tensors);
});

/** For each vector the grid of its coordinates; `indexing` is "ij" or "xy". */
export const meshgrid = def(
  "meshgrid(*tensors, indexing=None)",
  (given: Tensor[] | [Tensor[]], indexing: string | null): Tensor[] => {
    if (has_torch_function(given)) return handle_torch_function(meshgrid, given, ...given, { indexing }) as Tensor[];
    const tensors = given.length === 1 && Array.isArray(given[0]) ? given[0] : (given as Tensor[]);
    if (indexing === null) return _C._VariableFunctions.meshgrid(tensors);
    return _C._VariableFunctions.meshgrid(tensors, { indexing });
  },
);

/** The distances of all rows of one matrix to all rows of another; `compute_mode` says whether p = 2 may go through a matrix product. */
export const cdist = def(
  "cdist(x1, x2, p=2.0, compute_mode='use_mm_for_euclid_dist_if_necessary')",
  (x1: Tensor, x2: Tensor, p: number, compute_mode: string): Tensor => {
    if (has_torch_function([x1, x2]))
      return handle_torch_function(cdist, [x1, x2], x1, x2, { p, compute_mode }) as Tensor;
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
export const chain_matmul = def(
  "chain_matmul(*matrices, out=None)",
  (matrices: Tensor[], out: Tensor | null): Tensor => {
    if (has_torch_function(matrices)) return handle_torch_function(chain_matmul, matrices, ...matrices) as Tensor;
    const { chain_matmul: product } = _C._VariableFunctions;
    return out === null ? product(matrices) : product(matrices, { out });
  },
);

// unique: a function for each choice of results, and two flags that choose among them

type Results = Tensor | Tensor[];
type Pick = (parts: Tensor[]) => Results;

const and_all: Pick = (parts) => parts;
const and_counts: Pick = ([output, , counts]) => [output, counts];
const and_inverse: Pick = ([output, inverse_indices]) => [output, inverse_indices];
const alone: Pick = ([output]) => output;

const UNIQUE = "(input, sorted=True, return_inverse=False, return_counts=False, dim=None)";
type Unique = [input: Tensor, sorted: boolean, return_inverse: boolean, return_counts: boolean, dim: _int | null];

function unique_of(name: string, pick: Pick): Def<typeof UNIQUE, (...args: Unique) => Results> {
  const fn = (...[input, sorted, return_inverse, return_counts, dim]: Unique): Results => {
    const kwargs = { sorted, return_inverse, return_counts };
    if (has_torch_function_unary(input))
      return handle_torch_function(unique, [input], input, { ...kwargs, dim }) as Results;
    const parts =
      dim === null
        ? _C._VariableFunctions._unique2(input, kwargs)
        : _C._VariableFunctions.unique_dim(input, dim, kwargs);
    return pick(parts);
  };
  return def(`${name}${UNIQUE}`, fn) as Def<string, typeof fn> as Def<typeof UNIQUE, typeof fn>;
}

const CONSECUTIVE = "(input, return_inverse=False, return_counts=False, dim=None)";
type Consecutive = [input: Tensor, return_inverse: boolean, return_counts: boolean, dim: _int | null];

function consecutive_of(name: string, pick: Pick): Def<typeof CONSECUTIVE, (...args: Consecutive) => Results> {
  const fn = (...[input, return_inverse, return_counts, dim]: Consecutive): Results => {
    const kwargs = { return_inverse, return_counts, dim };
    if (has_torch_function_unary(input))
      return handle_torch_function(unique_consecutive, [input], input, kwargs) as Results;
    return pick(_C._VariableFunctions.unique_consecutive(input, kwargs));
  };
  return def(`${name}${CONSECUTIVE}`, fn) as Def<string, typeof fn> as Def<typeof CONSECUTIVE, typeof fn>;
}

/** Two by `return_counts`; what it gives may be called as either. */
function by_counts<D extends Def<string, (...args: never[]) => Results>>(
  arg_index: number,
  if_true: D,
  if_false: D,
  func_name: string,
): D {
  return boolean_dispatch({ arg_name: "return_counts", arg_index }, if_true, if_false, func_name) as unknown as D;
}

/** The elements, or slices along `dim`, each once and in order; `return_inverse` also which of them each is, `return_counts` how many. */
export const unique = boolean_dispatch(
  { arg_name: "return_inverse", arg_index: 2 },
  by_counts(3, unique_of("_return_inverse_and_counts", and_all), unique_of("_return_inverse", and_inverse), "unique"),
  by_counts(3, unique_of("_return_counts", and_counts), unique_of("_return_output", alone), "unique"),
  "unique",
);

/**
 * The elements, or slices along `dim`, without those that equal the one in front. The places of its flags are PyTorch's, which are not
 * those of its parameters: by position `return_counts` asks for the inverse, too.
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
