/**
 * @file Helpers of reflection and replication padding: checks, sizes, and tables of the positions that are read.
 * @mirrors aten/src/ATen/native/Padding.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

export type PaddingKind = "reflection" | "replication";

/** Positions to read for each output place, along depth, height and width. A missing leading dim has one place. */
export type PaddingTables = readonly [depth: Int32Array, height: Int32Array, width: Int32Array];

/** Pads `planes` volumes; `input` and `output` are contiguous. */
export const padding_stub =
  DEFINE_DISPATCH<(output: Tensor, input: Tensor, tables: PaddingTables, planes: number) => void>("padding_stub");
/** Adds to `grad_input`. */
export const padding_backward_stub =
  DEFINE_DISPATCH<(grad_input: Tensor, grad_output: Tensor, tables: PaddingTables, planes: number) => void>(
    "padding_backward_stub",
  );

/** Checks padding of the last `dim` dims of `input`. */
export function check_valid_input(dim: number, input: Tensor, padding: readonly number[]): void {
  TORCH_CHECK(padding.length === 2 * dim, `padding size is expected to be ${2 * dim}, but got: ${padding.length}`);
  const sizes = input.sizes();
  const is_batch = sizes.length === dim + 2;
  const valid = (is_batch || sizes.length === dim + 1) && sizes.every((size, d) => size !== 0 || (is_batch && d === 0));
  TORCH_CHECK(
    valid,
    `Expected ${dim + 1}D or ${dim + 2}D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: `,
    sizes,
  );
}

/** (before, after) for each of the last dims, in their order. */
export function sides_of(dim: number, padding: readonly number[]): [before: number, after: number][] {
  return Array.from({ length: dim }, (_, i) => {
    const at = 2 * (dim - 1 - i);
    return [padding[at] ?? 0, padding[at + 1] ?? 0]; // for a list that is too short, PyTorch reads zeros
  });
}

/** The padded dims in their order: they come after the planes, and the batch if there is one. */
function spatial_dims(dim: number, t: Tensor): number[] {
  const first = t.dim() === dim + 2 ? 2 : 1;
  return Array.from({ length: dim }, (_, i) => first + i);
}

/** In messages, "Argument #4" is the padding of the width, #6 of the height, #8 of the depth. */
export function check_reflection(dim: number, input: Tensor, padding: readonly number[]): void {
  const sides = sides_of(dim, padding);
  const dims = spatial_dims(dim, input);
  for (let i = dim - 1; i >= 0; i--) {
    const [before, after] = sides[i];
    TORCH_CHECK(
      before < input.size(dims[i]) && after < input.size(dims[i]),
      `Argument #${4 + 2 * (dim - 1 - i)}: Padding size should be less than the corresponding input dimension, `,
      `but got: padding (${before}, ${after}) at dimension ${dims[i]} of input `,
      input.sizes(),
    );
  }
}

export function padded_sizes(dim: number, input: Tensor, padding: readonly number[]): number[] {
  const sides = sides_of(dim, padding);
  const first = input.dim() - dim;
  return input.sizes().map((size, d) => (d < first ? size : size + sides[d - first][0] + sides[d - first][1]));
}

const NAMES = [["W: "], ["H: ", "W: "], ["D: ", "H: ", "W: "]];

export function check_output_sizes(kind: PaddingKind, dim: number, input: Tensor, sizes: readonly number[]): void {
  const told = (of: readonly number[]) => of.slice(-dim).map((size, i) => NAMES[dim - 1][i] + size);
  const [before, after] = [told(input.sizes()), told(sizes).join(" ")];
  // PyTorch's texts differ in a comma and a space.
  const listed = dim === 3 ? `${before[0]} ${before[1]}, ${before[2]}` : before.join(", ");
  const end = kind === "replication" && dim === 2 ? " )" : ")";
  TORCH_CHECK(
    sizes.slice(-dim).some((size) => size >= 1),
    `input (${listed}${end} is too small. Calculated output ${after}`,
  );
}

const AXES = ["width", "height", "depth"];

/** Checks the width first. PyTorch's texts differ in a comma and a name. */
export function check_grad_output(
  kind: PaddingKind,
  dim: number,
  grad_output: Tensor,
  input: Tensor,
  padding: readonly number[],
): void {
  const sides = sides_of(dim, padding);
  const dims = spatial_dims(dim, input);
  const expected = dims.map((d, i) => input.size(d) + sides[i][0] + sides[i][1]);
  const grad = kind === "reflection" && dim !== 2 ? "grad_output" : "gradOutput";
  const comma = kind === "replication" && dim === 1 ? "" : ",";
  for (let i = dim - 1; i >= 0; i--) {
    const got = grad_output.size(dims[i]);
    const axis = AXES[dim - 1 - i];
    TORCH_CHECK(expected[i] === got, `${grad} ${axis} unexpected. Expected: ${expected[i]}${comma} Got: ${got}`);
  }
}

/**
 * Positions to read along one dim:
 *
 *      reflection    c b | a b c | b a
 *      replication   a a | a b c | c c
 */
function table(kind: PaddingKind, size: number, [before, after]: readonly [number, number]): Int32Array {
  const last = size - 1;
  return Int32Array.from({ length: size + before + after }, (_, j) => {
    const i = j - before;
    if (kind === "replication") return Math.min(Math.max(i, 0), last);
    return i < 0 ? -i : i > last ? 2 * last - i : i;
  });
}

function tables_of(kind: PaddingKind, dim: number, input: Tensor, padding: readonly number[]): PaddingTables {
  const sizes = input.sizes().slice(-dim);
  const tables = sides_of(dim, padding).map((sides, i) => table(kind, sizes[i], sides));
  const one = () => new Int32Array(1);
  return [one(), one(), one(), ...tables].slice(-3) as [Int32Array, Int32Array, Int32Array];
}

function planes_of(dim: number, t: Tensor): number {
  return t
    .sizes()
    .slice(0, -dim)
    .reduce((n, size) => n * size, 1);
}

/** Precondition: `output` has the padded sizes. */
export function pad_into(
  kind: PaddingKind,
  dim: number,
  output: Tensor,
  input: Tensor,
  padding: readonly number[],
): void {
  if (output.numel() === 0) return;
  const tables = tables_of(kind, dim, input, padding);
  const to = output.is_contiguous() ? output : output.contiguous();
  padding_stub.call(output.device_type(), to, input.contiguous(), tables, planes_of(dim, input));
  if (!to.is_same(output)) output.copy_(to);
}

/** Precondition: `grad_input` has `input`'s sizes and is zero. */
export function pad_backward_into(
  kind: PaddingKind,
  dim: number,
  grad_input: Tensor,
  grad_output: Tensor,
  padding: readonly number[],
): void {
  const tables = tables_of(kind, dim, grad_input, padding);
  const to = grad_input.is_contiguous() ? grad_input : grad_input.contiguous();
  padding_backward_stub.call(
    grad_input.device_type(),
    to,
    grad_output.contiguous(),
    tables,
    planes_of(dim, grad_input),
  );
  if (!to.is_same(grad_input)) grad_input.copy_(to);
}
