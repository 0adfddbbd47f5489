/**
 * @file Meta kernels of pooling.
 * @mirrors torch/_meta_registrations.py#meta_avg_pool2d
 */
import { register_decomposition, register_with_out } from "#torch/_decomp/index";
import { check, type Shape, size_at, size_repr, suggest_memory_format, tuple_repr } from "#torch/_prims_common/index";
import { out_wrapper, type Reference } from "#torch/_prims_common/wrappers";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { dtype } from "#torch/types";

function register_meta(names: string, fn: Reference): void {
  register_decomposition(names, fn, "meta");
}

function unpack(name: string, what: string, list: Shape): [number, number] {
  check(
    list.length === 1 || list.length === 2,
    () => `${name}: ${what} must either be a single int, or a tuple of two ints`,
  );
  return [list[0], list.length === 1 ? list[0] : list[1]];
}

export function pooling_output_shape(
  n: number,
  k: number,
  pad: number,
  s: number,
  d: number,
  ceil_mode: boolean,
): number {
  check(s !== 0, () => "stride should not be zero");
  check(pad >= 0, () => `pad must be non-negative, but got pad: ${pad}`);
  check(
    pad <= Math.floor(((k - 1) * d + 1) / 2),
    () => `pad should be at most half of effective kernel size, but got pad=${pad}, kernel_size=${k} and dilation=${d}`,
  );
  const size = Math.floor((n + 2 * pad - d * (k - 1) - 1 + (ceil_mode ? s - 1 : 0)) / s) + 1;
  return ceil_mode && (size - 1) * s >= n + pad ? size - 1 : size;
}

export function _adaptive_pool_empty_output_check(grad_output: Tensor, name: string): void {
  for (let i = 1; i < grad_output.dim(); i++)
    check(
      size_at(grad_output, i) > 0,
      () =>
        `${name}(): Expected grad_output to have non-zero size for non-batch dimensions, but grad_output has sizes ${size_repr(grad_output.shape)} with dimension ${i} being empty`,
    );
}

/** Checks the arguments of `adaptive_max_pool2d` and `adaptive_max_pool3d`; gives the shape of the results. */
export function adaptive_max_sizes(name: string, spatial: 2 | 3, input: Tensor, output_size: Shape): number[] {
  const [ndim, shape] = [input.dim(), [...input.shape]];
  check(
    ndim === spatial + 1 || ndim === spatial + 2,
    () => `${name}(): Expected ${spatial + 1}D or ${spatial + 2}D tensor, but got: ${size_repr(shape)}`,
  );
  for (let i = 1; i < ndim; i++)
    check(
      shape[i] > 0,
      () =>
        `${name}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes ${size_repr(shape)} with dimension ${i} being empty`,
    );
  check(output_size.length === spatial, () => `${name}(): internal error: output_size.size() must be ${spatial}`);
  return [...shape.slice(0, -spatial), ...output_size];
}

interface Window {
  readonly kernel_size: Shape;
  readonly stride: Shape;
  readonly padding: Shape;
  readonly dilation: Shape;
}

function check_format(input: Tensor): void {
  const [format, ndim] = [suggest_memory_format(input), input.dim()];
  check(
    format === torch.channels_last || format === torch.contiguous_format,
    () => "Unsupported memory format. Supports only ChannelsLast, Contiguous",
  );
  if (format === torch.channels_last)
    check(ndim === 4, () => "non-empty 4D (batch mode) tensor expected for input with channels_last layout");
  else check(ndim === 3 || ndim === 4, () => "non-empty 3D or 4D (batch mode) tensor expected for input");
}

/** The sizes (planes, height, width) of the result. */
function pooled(name: string, input: Tensor, window: Window, ceil_mode: boolean): [number, number, number] {
  const [kH, kW] = unpack(name, "kernel_size", window.kernel_size);
  check(
    window.stride.length <= 2,
    () => `${name}: stride must either be omitted, a single int, or a tuple of two ints`,
  );
  const [dH, dW] = window.stride.length === 0 ? [kH, kW] : unpack(name, "stride", window.stride);
  const [padH, padW] = unpack(name, "padding", window.padding);
  const [dilationH, dilationW] = unpack(name, "dilation", window.dilation);
  const ndim = input.dim();
  const [planes, H, W] = [input.size(-3), input.size(-2), input.size(-1)];
  if (name === "max_pool2d") check_format(input);
  const oH = pooling_output_shape(H, kH, padH, dH, dilationH, ceil_mode);
  const oW = pooling_output_shape(W, kW, padW, dW, dilationW, ceil_mode);
  check(kW > 0 && kH > 0, () => `kernel size should be greater than zero, but got kH: ${kH}, kW: ${kW}`);
  check(dW > 0 && dH > 0, () => `stride should be greater than zero, but got dH: ${dH}, dW: ${dW}`);
  check(
    dilationH > 0 && dilationW > 0,
    () => `dilation should be greater than zero, but got dilationH: ${dilationH}, dilationW: ${dilationW}`,
  );
  check(
    (ndim === 3 || ndim === 4) && [...input.shape].every((n, d) => n !== 0 || (ndim === 4 && d === 0)),
    () =>
      `Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got: ${size_repr(input.shape)}`,
  );
  check(
    Math.floor(kW / 2) >= padW && Math.floor(kH / 2) >= padH,
    () =>
      `pad should be smaller than or equal to half of kernel size, but got padW = ${padW}, padH = ${padH}, kW = ${kW}, kH = ${kH}`,
  );
  check(
    oW >= 1 && oH >= 1,
    () =>
      `Given input size: (${planes}x${H}x${W}). Calculated output size: (${planes}x${oH}x${oW}). Output size is too small`,
  );
  return [planes, oH, oW];
}

function made(input: Tensor, size: number[], of: dtype = input.dtype): Tensor {
  return torch.empty(size, { dtype: of, device: input.device, memory_format: suggest_memory_format(input) });
}

function result_size(input: Tensor, [, oH, oW]: readonly number[]): number[] {
  return [...[...input.shape].slice(0, -2), oH, oW];
}

function check_dim_size(t: Tensor, dim: number, at: number, size: number): void {
  check(
    t.dim() === dim && size_at(t, at) === size,
    () =>
      `Expected a tensor of dimension ${dim} and tensor.size[${at}] == ${size}, but got : dimension ${t.dim()} and tensor.size[${at}] = ${size_at(t, at)}`,
  );
}

function check_result(input: Tensor, t: Tensor, sizes: readonly number[]): void {
  const ndim = input.dim();
  for (const [i, size] of sizes.entries()) check_dim_size(t, ndim, ndim - 3 + i, size);
}

register_meta(
  "avg_pool2d",
  (
    input: Tensor,
    kernel_size: Shape,
    stride: Shape,
    padding: Shape,
    ceil_mode: boolean,
    _count_include_pad: boolean,
    divisor_override: number | null,
  ): Tensor => {
    check(divisor_override !== 0, () => "divisor must be not zero");
    const window = { kernel_size, stride, padding, dilation: [1] };
    return made(input, result_size(input, pooled("avg_pool2d", input, window, ceil_mode)));
  },
);
register_meta(
  "avg_pool2d_backward",
  (
    gradOutput: Tensor,
    input: Tensor,
    kernel_size: Shape,
    stride: Shape,
    padding: Shape,
    ceil_mode: boolean,
    _count_include_pad: boolean,
    divisor_override: number | null,
  ): Tensor => {
    check(divisor_override !== 0, () => "divisor must be not zero");
    const window = { kernel_size, stride, padding, dilation: [1] };
    check_result(input, gradOutput, pooled("avg_pool2d", input, window, ceil_mode));
    return made(input, [...input.shape]);
  },
);
register_meta(
  "max_pool2d_with_indices",
  (input: Tensor, kernel_size: Shape, stride: Shape, padding: Shape, dilation: Shape, ceil_mode: boolean): Tensor[] => {
    const size = result_size(input, pooled("max_pool2d", input, { kernel_size, stride, padding, dilation }, ceil_mode));
    return [made(input, size), made(input, size, torch.int64)];
  },
);
register_meta(
  "max_pool2d_with_indices_backward max_pool2d_with_indices_backward.grad_input",
  out_wrapper(
    (
      grad_output: Tensor,
      self: Tensor,
      kernel_size: Shape,
      stride: Shape,
      padding: Shape,
      dilation: Shape,
      ceil_mode: boolean,
      indices: Tensor,
    ): Tensor => {
      const sizes = pooled("max_pool2d", self, { kernel_size, stride, padding, dilation }, ceil_mode);
      check(
        self.dtype === grad_output.dtype,
        () => `Expected dtype ${self.dtype} for \`gradOutput\` but got dtype ${grad_output.dtype}`,
      );
      check_result(self, grad_output, sizes);
      check_result(self, indices, sizes);
      return made(self, [...self.shape]);
    },
  ),
);
register_meta("_adaptive_avg_pool2d", (self: Tensor, output_size: number[]): Tensor => {
  check(self.dim() === 3 || self.dim() === 4, () => `Expected 3D or 4D tensor, but got ${size_repr(self.shape)}`);
  return made(self, [...[...self.shape].slice(0, -2), ...output_size]);
});
/** The decomposition in torch/_decomp/decompositions.py, only its shape. */
const adaptive_avg_pool2d = (input: Tensor, output_size: number[]): Tensor => {
  const ndim = input.dim();
  check(ndim === 3 || ndim === 4, () => `adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got ${ndim}`);
  check(
    size_at(input, ndim - 1) !== 0 && size_at(input, ndim - 2) !== 0,
    () =>
      `adaptive_avg_pool2d(): Expected input to have non-zero size for non-batch dimensions, but input has shape ${tuple_repr(input.shape)}.`,
  );
  return made(input, [...[...input.shape].slice(0, -2), ...output_size]);
};
register_meta("_adaptive_avg_pool2d.out", out_wrapper(adaptive_avg_pool2d));

register_meta("_adaptive_avg_pool2d_backward", (grad_out: Tensor, self: Tensor): Tensor => {
  for (let i = 1; i < grad_out.dim(); i++)
    check(
      size_at(grad_out, i) > 0,
      () =>
        `adaptive_avg_pool2d_backward(): Expected grad_output to have non-zero                       size for non-batch dimensions, ${size_repr(grad_out.shape)} with dimension ${i} being empty`,
    );
  check(
    grad_out.dim() === 3 || grad_out.dim() === 4,
    () => `adaptive_avg_pool2d_backward(): Expected 3D or 4D tensor, but got ${size_repr(self.shape)}`,
  );
  check(
    self.dtype === grad_out.dtype,
    () => `expected dtype ${self.dtype} for \`grad_output\` but got dtype ${grad_out.dtype}`,
  );
  return made(self, [...self.shape]);
});
register_with_out(
  "adaptive_max_pool2d",
  (input: Tensor, output_size: Shape): Tensor[] => {
    const sizes = adaptive_max_sizes("adaptive_max_pool2d", 2, input, output_size);
    const memory_format = input.dim() === 4 ? suggest_memory_format(input) : torch.contiguous_format;
    const empty = (of: dtype) => torch.empty(sizes, { dtype: of, device: input.device, memory_format });
    return [empty(input.dtype), empty(torch.int64)];
  },
  "meta",
);
register_meta(
  "adaptive_max_pool2d_backward adaptive_max_pool2d_backward.grad_input",
  out_wrapper((grad_output: Tensor, input: Tensor, _indices: Tensor): Tensor => {
    const ndim = grad_output.dim();
    check(
      ndim === 3 || ndim === 4,
      () =>
        `adaptive_max_pooling2d_backward(): Expected 3D or 4D grad_output, but got: ${size_repr(grad_output.shape)}`,
    );
    _adaptive_pool_empty_output_check(grad_output, "adaptive_max_pool2d_backward");
    check(
      input.dtype === grad_output.dtype,
      () => `expected dtype ${input.dtype} for \`grad_output\` but got dtype ${grad_output.dtype}`,
    );
    return made(input, [...input.shape]);
  }),
);
