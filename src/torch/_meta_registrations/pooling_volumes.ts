/**
 * @file Meta kernels of pooling over volumes.
 * @mirrors torch/_meta_registrations.py#meta_adaptive_avg_pool3d
 */
import { register_decomposition, register_with_out } from "#torch/_decomp/index";
import { check, type Shape, size_at, size_repr, suggest_memory_format } from "#torch/_prims_common/index";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { dtype } from "#torch/types";
import { _adaptive_pool_empty_output_check, adaptive_max_sizes, pooling_output_shape } from "./pooling.ts";

function made(like: Tensor, sizes: Shape): Tensor {
  return torch.empty([...sizes], { dtype: like.dtype, device: like.device });
}

register_decomposition(
  "_adaptive_avg_pool3d",
  (self: Tensor, output_size: number[]): Tensor => {
    check(self.dim() === 4 || self.dim() === 5, () => `Expected 4D or 5D tensor, but got ${size_repr(self.shape)}`);
    return made(self, [...[...self.shape].slice(0, -3), ...output_size]);
  },
  "meta",
);

register_with_out(
  "_adaptive_avg_pool3d_backward",
  (grad_output: Tensor, self: Tensor): Tensor => {
    _adaptive_pool_empty_output_check(grad_output, "adaptive_avg_pool3d_backward");
    return made(self, self.shape);
  },
  "meta",
);

const THREE = "must either be a single int, or a tuple of three ints";

function triple(name: string, what: string, list: Shape, message = THREE): Shape {
  check(list.length === 1 || list.length === 3, () => `${name}: ${what} ${message}`);
  return list.length === 1 ? [list[0], list[0], list[0]] : list;
}

interface Window {
  readonly kernel: Shape;
  readonly stride: Shape;
  readonly padding: Shape;
  readonly dilation: Shape;
}

function max_pool3d_window(kernel_size: Shape, stride: Shape, padding: Shape, dilation: Shape): Window {
  const name = "max_pool3d";
  const kernel = triple(name, "kernel_size", kernel_size);
  const omitted = "must either be omitted, a single int, or a tuple of three ints";
  return {
    kernel,
    stride: stride.length === 0 ? kernel : triple(name, "stride", stride, omitted),
    padding: triple(name, "padding", padding),
    dilation: triple(name, "dilation", dilation, "must be either a single int, or a tuple of three ints"),
  };
}

/** Checks of the volumes. `sizes`: the spatial sizes of the result; `averages`: the kernel must not be larger than the input. */
function pool3d_shape_check(name: string, input: Tensor, window: Window, sizes: Shape, averages = false): void {
  const told = (what: string, list: Shape) =>
    `${what} should be greater than zero, but got ${["T", "H", "W"].map((axis, d) => `${what === "kernel size" ? "k" : what === "stride" ? "d" : what}${axis}: ${list[d]}`).join(", ")}`;
  for (const [what, list] of [
    ["kernel size", window.kernel],
    ["stride", window.stride],
    ["dilation", window.dilation],
  ] as const)
    check(
      list.every((n) => n > 0),
      () => told(what, list),
    );
  const shape = [...input.shape];
  for (const size of shape.slice(shape.length === 5 ? 1 : 0))
    check(
      size > 0,
      () =>
        `${name}: Expected input's non-batch dimensions to have positive length, but input has a shape of ${size_repr(shape)} and non-batch dimension ${size} has length zero!`,
    );
  const [planes, ...spatial] = shape.slice(-4);
  const named = (list: Shape, prefix = "") =>
    ["T", "H", "W"].map((axis, d) => `${prefix}${axis}: ${list[d]}`).join(" ");
  if (averages)
    check(
      spatial.every((n, d) => n >= window.kernel[d]),
      () => `input image (${named(spatial)}) smaller than kernel size (${named(window.kernel, "k")})`,
    );
  check(
    sizes.every((n) => n >= 1),
    () =>
      `Given input size: (${[planes, ...spatial].join("x")}). Calculated output size: (${[planes, ...sizes].join("x")}). Output size is too small`,
  );
}

/** Checks the sizes of planes, depth, height and width of a gradient. */
function check_dim_sizes(t: Tensor, ndim: number, sizes: Shape): void {
  for (const [i, size] of sizes.entries())
    check(
      t.dim() === ndim && size_at(t, ndim - 4 + i) === size,
      () =>
        `Expected a tensor of dimension ${ndim} and tensor.size[${ndim - 4 + i}] == ${size}, but got : dimension ${t.dim()} and tensor.size[${ndim - 4 + i}] = ${size_at(t, ndim - 4 + i)}`,
    );
}

function pooled(input: Tensor, w: Window, ceil_mode: boolean): number[] {
  check(input.dim() === 4 || input.dim() === 5, () => "non-empty 4D or 5D (batch mode) tensor expected for input");
  return [...input.shape]
    .slice(-3)
    .map((n, d) => pooling_output_shape(n, w.kernel[d], w.padding[d], w.stride[d], w.dilation[d], ceil_mode));
}

function like_input(input: Tensor, sizes: Shape, of: dtype = input.dtype): Tensor {
  const memory_format = input.dim() === 5 ? suggest_memory_format(input) : torch.contiguous_format;
  return torch.empty([...sizes], { dtype: of, device: input.device, memory_format });
}

register_with_out(
  "max_pool3d_with_indices",
  (input: Tensor, kernel_size: Shape, stride: Shape, padding: Shape, dilation: Shape, ceil_mode: boolean): Tensor[] => {
    const window = max_pool3d_window(kernel_size, stride, padding, dilation);
    const sizes = pooled(input, window, ceil_mode);
    pool3d_shape_check("max_pool3d_with_indices()", input, window, sizes);
    const full = [...[...input.shape].slice(0, -3), ...sizes];
    return [like_input(input, full), like_input(input, full, torch.int64)];
  },
  "meta",
);

register_with_out(
  "max_pool3d_with_indices_backward",
  (
    grad_output: Tensor,
    input: Tensor,
    kernel_size: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    ceil_mode: boolean,
    indices: Tensor,
  ): Tensor => {
    const window = max_pool3d_window(kernel_size, stride, padding, dilation);
    pooled(input, window, ceil_mode);
    const sizes = [...grad_output.shape].slice(-3);
    pool3d_shape_check("max_pool3d_with_indices_backward()", input, window, sizes);
    const ndim = input.dim();
    for (const t of [grad_output, indices]) check_dim_sizes(t, ndim, [size_at(input, ndim - 4), ...sizes]);
    return like_input(input, input.shape);
  },
  "meta",
  "grad_input",
);

register_with_out(
  "adaptive_max_pool3d_backward",
  (grad_output: Tensor, input: Tensor, _indices: Tensor): Tensor => {
    _adaptive_pool_empty_output_check(grad_output, "adaptive_max_pool3d_backward");
    return input.new_empty([...input.shape]);
  },
  "meta",
  "grad_input",
);

register_with_out(
  "adaptive_max_pool3d",
  (input: Tensor, output_size: Shape): Tensor[] => {
    const sizes = adaptive_max_sizes("adaptive_max_pool3d", 3, input, output_size);
    return [made(input, sizes), input.new_empty(sizes, { dtype: torch.int64 })];
  },
  "meta",
);

type AvgPool3d = [
  kernel_size: Shape,
  stride: Shape,
  padding: Shape,
  ceil_mode: boolean,
  count_include_pad: boolean,
  divisor_override: number | null,
];

/** Window and spatial sizes of the result of `avg_pool3d`, whose arguments are checked. */
function averaged(input: Tensor, args: AvgPool3d, bytes_refused: boolean): [Window, sizes: number[]] {
  const [kernel_size, strides, paddings, ceil_mode, , divisor] = args;
  const name = "avg_pool3d";
  const kernel = triple(name, "kernel_size", kernel_size, "must be a single int, or a tuple of three ints");
  const omitted = "must be omitted, a single int, or a tuple of three ints";
  const stride = strides.length === 0 ? kernel : triple(name, "stride", strides, omitted);
  if (bytes_refused) check(input.dtype !== torch.uint8, () => `"avg_pool3d" not implemented for '${input.dtype}'`);
  const padding = triple(name, "padding", paddings, "must be a single int, or a tuple of three ints");
  check(input.dim() === 4 || input.dim() === 5, () => "non-empty 4D or 5D (batch mode) tensor expected for input");
  check(divisor !== 0, () => "divisor must be not zero");
  const window = { kernel, stride, padding, dilation: [1, 1, 1] };
  return [window, pooled(input, window, ceil_mode)];
}

register_with_out(
  "avg_pool3d",
  (input: Tensor, ...args: AvgPool3d): Tensor => {
    const [window, sizes] = averaged(input, args, true);
    pool3d_shape_check("avg_pool3d()", input, window, sizes, true);
    return made(input, [...[...input.shape].slice(0, -3), ...sizes]);
  },
  "meta",
);

register_with_out(
  "avg_pool3d_backward",
  (grad_output: Tensor, input: Tensor, ...args: AvgPool3d): Tensor => {
    const [window, sizes] = averaged(input, args, false);
    pool3d_shape_check("avg_pool3d_backward()", input, window, sizes, true);
    check_dim_sizes(grad_output, input.dim(), [size_at(input, input.dim() - 4), ...sizes]);
    return made(input, input.shape);
  },
  "meta",
  "grad_input",
);
