/**
 * @file Kernels of convolution as matrix products over columns that are written to memory.
 * @original In PyTorch each backend has its own version: ConvolutionMM2d.cpp, ConvolutionMM3d.cpp,
 * NaiveDilatedConvolution.cpp and others.
 */
import { empty_cpu } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import {
  type ConvSizes,
  conv_forward_stub,
  conv_input_backward_stub,
  conv_weight_backward_stub,
} from "#aten/native/ConvolutionMM";
import { gemm_stub, type Matrix, matrix_in_rows, transposed } from "#aten/native/CPUBlas";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { toOpMathType } from "#aten/OpMathType";
import { free_cpu } from "#c10/core/CPUAllocator";
import { DeviceType } from "#c10/core/DeviceType";
import { Scalar } from "#c10/core/Scalar";
import { multiply_integers } from "#c10/util/accumulate";
import { type Columns, col2vol_stub, vol2col_stub } from "./vol2col.ts";

/** Sizes of one group's matrices: weights are rows x terms, columns are terms x places. */
export function matrices_of(sizes: ConvSizes): { rows: number; terms: number; places: number; pixels: number } {
  const { groups, C, K } = sizes;
  return {
    rows: K / groups,
    terms: (C / groups) * multiply_integers(sizes.kernel),
    places: multiply_integers(sizes.small),
    pixels: multiply_integers(sizes.image),
  };
}

/** Geometry of the columns of one group. */
function columns_of({ C, groups, image, small, kernel, stride, padding, dilation }: ConvSizes): Columns {
  const [depth, height, width] = image;
  const [depth_col, height_col, width_col] = small;
  const [kT, kH, kW] = kernel;
  const [pT, pH, pW] = padding;
  const [dT, dH, dW] = stride;
  const [dilationT, dilationH, dilationW] = dilation;
  const channels = C / groups;
  // biome-ignore format: one line per kind
  return {
    channels, depth, height, width, depth_col, height_col, width_col,
    kT, kH, kW, pT, pH, pW, dT, dH, dW, dilationT, dilationH, dilationW,
  };
}

/**
 * Whether the image itself is the matrix of columns, channel by channel. (The image is larger if a transposed
 * convolution pads its output.)
 */
export function is_columns({ kernel, stride, padding, image, small }: ConvSizes): boolean {
  const one = multiply_integers(kernel) === 1 && multiply_integers(stride) === 1;
  return one && padding.every((p) => p === 0) && image.every((size, d) => size === small[d]);
}

/** C = A B, or C += A B if `add`. */
function multiply(m: number, n: number, k: number, a: Matrix, b: Matrix, add: boolean, c: Matrix): void {
  const dtype = c.tensor.dtype();
  const opmath = toOpMathType(dtype);
  const beta = (add ? Scalar.ONE : Scalar.ZERO).to(opmath);
  gemm_stub.call(DeviceType.CPU, dtype, m, n, k, Scalar.ONE.to(opmath), a, b, beta, c, 1);
}

/**
 * Calls `use` with scratch memory for a group's columns, and frees it afterwards. If the image itself is the columns,
 * calls it with null.
 */
function with_columns(sizes: ConvSizes, image: Tensor, use: (columns: Tensor | null) => void): void {
  if (is_columns(sizes)) {
    use(null);
    return;
  }
  const { terms, places } = matrices_of(sizes);
  const columns = empty_cpu([terms, places], image.scalar_type());
  use(columns);
  free_cpu(columns.storage().data_ptr(), columns.storage().nbytes());
}

/**
 * Calls the function for each instance and group, with the start of its part in the image, in the smaller image and in
 * the weight.
 */
function for_groups(
  sizes: ConvSizes,
  call: (image_at: number, small_at: number, weight_at: number, first: boolean) => void,
): void {
  const { batch, groups, C } = sizes;
  const { rows, terms, places, pixels } = matrices_of(sizes);
  for (let n = 0; n < batch; n++) {
    for (let g = 0; g < groups; g++) {
      const at_group = n * groups + g;
      call(at_group * (C / groups) * pixels, at_group * rows * places, g * rows * terms, n === 0);
    }
  }
}

export function conv_forward_kernel(
  small: Tensor,
  image: Tensor,
  weight: Tensor,
  bias: Tensor | null,
  sizes: ConvSizes,
  room: Tensor | null,
): void {
  const { rows, terms, places } = matrices_of(sizes);
  if (bias !== null) small.copy_(bias.reshape([-1, ...small.sizes().slice(2).fill(1)]));
  const columns = columns_of(sizes);
  const sum = (col: Tensor | null) =>
    for_groups(sizes, (image_at, small_at, weight_at) => {
      if (col !== null) vol2col_stub.call(DeviceType.CPU, col, image, image_at, columns);
      const b = col === null ? matrix_in_rows(image, image_at, places) : matrix_in_rows(col, 0, places);
      const [w, y] = [matrix_in_rows(weight, weight_at, terms), matrix_in_rows(small, small_at, places)];
      multiply(rows, places, terms, w, b, bias !== null, y);
    });
  if (room !== null && !is_columns(sizes)) sum(room);
  else with_columns(sizes, image, sum);
}

export function conv_input_backward_kernel(image: Tensor, small: Tensor, weight: Tensor, sizes: ConvSizes): void {
  const { rows, terms, places } = matrices_of(sizes);
  const columns = columns_of(sizes);
  with_columns(sizes, image, (col) => {
    if (col !== null) image.zero_();
    for_groups(sizes, (image_at, small_at, weight_at) => {
      const c = col === null ? matrix_in_rows(image, image_at, places) : matrix_in_rows(col, 0, places);
      const w = transposed(matrix_in_rows(weight, weight_at, terms));
      multiply(terms, places, rows, w, matrix_in_rows(small, small_at, places), false, c);
      if (col !== null) col2vol_stub.call(DeviceType.CPU, image, image_at, col, columns);
    });
  });
}

export function conv_weight_backward_kernel(weight: Tensor, small: Tensor, image: Tensor, sizes: ConvSizes): void {
  const { rows, terms, places } = matrices_of(sizes);
  const columns = columns_of(sizes);
  with_columns(sizes, image, (col) =>
    for_groups(sizes, (image_at, small_at, weight_at, first) => {
      if (col !== null) vol2col_stub.call(DeviceType.CPU, col, image, image_at, columns);
      const b = transposed(col === null ? matrix_in_rows(image, image_at, places) : matrix_in_rows(col, 0, places));
      const w = matrix_in_rows(weight, weight_at, terms);
      multiply(rows, terms, places, matrix_in_rows(small, small_at, places), b, !first, w);
    }),
  );
}

REGISTER_DEFAULT_DISPATCH(conv_forward_stub, conv_forward_kernel, "conv_forward_kernel");
REGISTER_DEFAULT_DISPATCH(conv_input_backward_stub, conv_input_backward_kernel, "conv_input_backward_kernel");
REGISTER_DEFAULT_DISPATCH(conv_weight_backward_stub, conv_weight_backward_kernel, "conv_weight_backward_kernel");
