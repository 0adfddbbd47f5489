/**
 * @file `einsum`: an equation over labels says which dims of the operands are the same, and which dims the result has.
 *
 *   "ij,jk->ki"     every label becomes a dim: first those of the result (k, i), then those that are summed (j). Each operand
 *                   is permuted to that order, with a dim of size 1 for each label that it lacks; then pairs are contracted.
 *
 * @mirrors aten/src/ATen/native/Linear.cpp#einsum
 * @differs Ours takes the diagonal for a repeated label by `as_strided`; PyTorch calls `diagonal`.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK } from "#c10/util/Exception";
import { sumproduct_pair } from "./Contractions.ts";

/** Labels are numbered A to Z, then a to z; after them comes the ellipsis. */
const LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ELLIPSIS = LABELS.length;

/** Position of each label's dim in the aligned operands. */
interface Layout {
  readonly of_label: readonly number[];
  /** First dim of the ellipsis, and its number of dims. */
  readonly ell_index: number;
  readonly ell_num_dim: number;
  readonly out_num_dim: number;
  readonly num_dim: number;
}

/** Parses one side of the equation. `ellipsis` throws for an invalid or repeated ellipsis. */
function parse(
  text: string,
  offset: number,
  on: { label(s: number, c: string): void; ellipsis(valid: boolean): void; comma(): void },
): void {
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === " ") continue;
    if (c === ".") {
      on.ellipsis(text.startsWith("...", i));
      i += 2;
    } else if (c === "," && offset === 0) on.comma();
    else {
      TORCH_CHECK(
        LABELS.includes(c),
        "einsum(): invalid subscript given at index ",
        offset + i,
        " in the equation string, subscripts must be in [a-zA-Z]",
      );
      on.label(LABELS.indexOf(c), c);
    }
  }
}

/** The labels of each operand. */
function parse_operands(lhs: string, operands: readonly Tensor[]): number[][] {
  const op_labels: number[][] = [[]];
  parse(lhs, 0, {
    label: (s) => op_labels[op_labels.length - 1].push(s),
    ellipsis(valid) {
      const curr_op = op_labels.length - 1;
      TORCH_CHECK(
        !op_labels[curr_op].includes(ELLIPSIS),
        "einsum(): found '.' for operand ",
        curr_op,
        " for which an ellipsis was already found",
      );
      TORCH_CHECK(valid, "einsum(): found '.' for operand ", curr_op, " that is not part of any ellipsis");
      op_labels[curr_op].push(ELLIPSIS);
    },
    comma() {
      op_labels.push([]);
      TORCH_CHECK(
        op_labels.length <= operands.length,
        "einsum(): fewer operands were provided than specified in the equation",
      );
    },
  });
  TORCH_CHECK(
    op_labels.length === operands.length,
    "einsum(): more operands were provided than specified in the equation",
  );
  return op_labels;
}

/** Number of dims of the longest ellipsis. Every dim of an operand must be named or covered. */
function check_dims(op_labels: readonly number[][], operands: readonly Tensor[]): number {
  let ell_num_dim = 0;
  for (const [i, labels] of op_labels.entries()) {
    const ndims = operands[i].dim();
    const has_ellipsis = labels.includes(ELLIPSIS);
    const nlabels = labels.length - (has_ellipsis ? 1 : 0);
    TORCH_CHECK(
      has_ellipsis ? nlabels <= ndims : nlabels === ndims,
      "einsum(): the number of subscripts in the equation (",
      nlabels,
      has_ellipsis ? ") is more than the number of dimensions (" : ") does not match the number of dimensions (",
      ndims,
      ") for operand ",
      i,
      has_ellipsis ? "" : " and no ellipsis was given",
    );
    if (has_ellipsis) ell_num_dim = Math.max(ell_num_dim, ndims - nlabels);
  }
  return ell_num_dim;
}

/** Without a right side, the result has the ellipsis, then all labels that occur once, in order. */
function layout_of(equation: string, arrow: number, op_labels: readonly number[][], ell_num_dim: number): Layout {
  const label_count = new Array<number>(LABELS.length).fill(0);
  for (const s of op_labels.flat()) if (s !== ELLIPSIS) label_count[s]++;
  const of_label = new Array<number>(LABELS.length).fill(-1);
  let ell_index = -1;
  let index = 0;
  const place_ellipsis = (): void => {
    ell_index = index;
    index += ell_num_dim;
  };
  const place = (wanted: (count: number) => boolean): void => {
    for (const [s, count] of label_count.entries()) if (of_label[s] === -1 && wanted(count)) of_label[s] = index++;
  };
  if (arrow === -1) {
    place_ellipsis();
    place((count) => count === 1);
  } else {
    parse(equation.slice(arrow + 2), arrow + 2, {
      label(s, c) {
        TORCH_CHECK(
          label_count[s] > 0 && of_label[s] === -1,
          "einsum(): output subscript ",
          c,
          of_label[s] > -1
            ? " appears more than once in the output"
            : " does not appear in the equation for any input operand",
        );
        of_label[s] = index++;
      },
      ellipsis(valid) {
        TORCH_CHECK(ell_index === -1, "einsum(): found '.' for output but an ellipsis (...) was already found");
        TORCH_CHECK(valid, "einsum(): found '.' for output that is not part of any ellipsis (...)");
        place_ellipsis();
      },
      comma() {},
    });
  }
  const out_num_dim = index;
  if (ell_index === -1) place_ellipsis();
  place((count) => count > 0);
  return { of_label, ell_index, ell_num_dim, out_num_dim, num_dim: index };
}

/** The elements at which two dims have the same index, at the position of the first dim. */
function diagonal(op: Tensor, dim1: number, dim2: number): Tensor {
  const without = (list: readonly number[], last: number): number[] => {
    const rest = list.filter((_, dim) => dim !== dim1 && dim !== dim2);
    rest.splice(dim1, 0, last);
    return rest;
  };
  const strides = op.strides();
  return op.as_strided(
    without(op.sizes(), op.size(dim1)),
    without(strides, strides[dim1] + strides[dim2]),
    op.storage_offset(),
  );
}

/**
 * Sizes found so far, for labels and for ellipsis dims, and the number of operands with more than one element along
 * each dim.
 */
interface Seen {
  readonly label_size: number[];
  readonly ell_sizes: number[];
  readonly dim_counts: number[];
}

function aligned(operand: Tensor, i: number, labels: readonly number[], layout: Layout, seen: Seen): Tensor {
  const { of_label, ell_index, ell_num_dim } = layout;
  const { label_size, ell_sizes, dim_counts } = seen;
  const permutation = new Array<number>(layout.num_dim).fill(-1);
  let op = operand;
  let dim = 0;
  for (const s of labels) {
    if (s === ELLIPSIS) {
      for (let j = ell_num_dim - (operand.dim() - (labels.length - 1)); j < ell_num_dim; j++) {
        const size = op.size(dim);
        if (size !== 1) {
          TORCH_CHECK(
            ell_sizes[j] === 1 || ell_sizes[j] === size,
            "einsum(): dimension ",
            dim,
            " covered by ellipsis in operand ",
            i,
            "has size ", // PyTorch has no space before it
            size,
            " which does not broadcast with previously seen ellipsis with size ",
            ell_sizes[j],
            " for the respective dimension",
          );
          ell_sizes[j] = size;
          dim_counts[ell_index + j]++;
        }
        permutation[ell_index + j] = dim++;
      }
      continue;
    }
    const size = op.size(dim);
    const prev_dim = permutation[of_label[s]];
    if (prev_dim !== -1) {
      TORCH_CHECK(
        size === op.size(prev_dim),
        "einsum(): subscript ",
        LABELS[s],
        " is repeated for operand ",
        i,
        " but the sizes don't match, ",
        size,
        " != ",
        op.size(prev_dim),
      );
      op = diagonal(op, prev_dim, dim);
      continue;
    }
    if (size !== 1) {
      TORCH_CHECK(
        label_size[s] === 1 || label_size[s] === size,
        "einsum(): subscript ",
        LABELS[s],
        " has size ",
        size,
        " for operand ",
        i,
        " which does not broadcast with previously seen size ",
        label_size[s],
      );
      label_size[s] = size;
      dim_counts[of_label[s]]++;
    }
    permutation[of_label[s]] = dim++;
  }
  for (const [index, place] of permutation.entries()) {
    if (place !== -1) continue;
    op = op.unsqueeze(dim);
    permutation[index] = dim++;
  }
  return op.permute(permutation);
}

/** Contracts a pair of operands. A dim is summed now if no other operand has more than one element along it. */
function contract(left: Tensor, right: Tensor, { out_num_dim, num_dim }: Layout, dim_counts: number[]): Tensor {
  let a = left;
  let b = right;
  const sum_dims: number[] = [];
  for (let dim = out_num_dim; dim < num_dim; dim++) {
    if (a.size(dim) !== 1 && b.size(dim) !== 1) {
      if (--dim_counts[dim] === 1) {
        sum_dims.push(dim);
        dim_counts[dim] = 0;
      }
    } else if (dim_counts[dim] === 1) {
      if (a.size(dim) !== 1) a = a.sum_dim_IntList([dim], true, null);
      else if (b.size(dim) !== 1) b = b.sum_dim_IntList([dim], true, null);
      dim_counts[dim] = 0;
    }
  }
  return sumproduct_pair(a, b, sum_dims);
}

/** @param path pairs of operands in the order of contraction, results are appended; by default from left to right */
export function einsum(equation: string, operands: Tensor[], path: number[] | null): Tensor {
  TORCH_CHECK(operands.length > 0, "einsum(): must provide at least one operand");
  const path_size = operands.length === 1 ? 1 : (operands.length - 1) * 2;
  TORCH_CHECK(
    path === null || path.length === path_size,
    "einsum(): expected contraction path given in path parameter to have size ",
    path_size,
    " but got ",
    path?.length ?? 0,
  );
  const arrow = equation.indexOf("->");
  const op_labels = parse_operands(arrow === -1 ? equation : equation.slice(0, arrow), operands);
  const layout = layout_of(equation, arrow, op_labels, check_dims(op_labels, operands));
  const seen = {
    label_size: new Array<number>(LABELS.length).fill(1),
    ell_sizes: new Array<number>(layout.ell_num_dim).fill(1),
    dim_counts: new Array<number>(layout.num_dim).fill(0),
  };
  const ops = operands.map((operand, i) => aligned(operand, i, op_labels[i], layout, seen));
  for (let step = 0; ops.length > 1; step += 2) {
    let [i, j] = path === null ? [0, 1] : [path[step], path[step + 1]];
    if (j < i) [i, j] = [j, i];
    TORCH_CHECK(
      i !== j && i >= 0 && j < ops.length,
      "einsum(): invalid contraction path (",
      i,
      ", ",
      j,
      i === j ? ") cannot contract an operand with itself" : ") operand index is out of bounds",
    );
    const [b] = ops.splice(j, 1);
    const [a] = ops.splice(i, 1);
    const result = contract(a, b, layout, seen.dim_counts);
    if (path === null) ops.unshift(result);
    else ops.push(result);
  }
  const { out_num_dim, num_dim } = layout;
  const [result] = ops;
  if (num_dim === out_num_dim) return result;
  // With several operands, all of these dims have been summed, and their size is 1.
  if (operands.length > 1) return result.view(result.sizes().slice(0, out_num_dim));
  const contracted = Array.from({ length: num_dim - out_num_dim }, (_, k) => out_num_dim + k);
  return result.sum_dim_IntList(contracted, false, null);
}
