/**
 * @file Bodies of composite operators that compute with sizes, written with symbols.
 * @mirrors aten/src/ATen/native/TensorShape.cpp
 * @differs These run for tensors with symbols only; other tensors take the kernels in src/aten/native.
 */
import { ops } from "#torch/_ops";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { SymInt } from "#torch/fx/experimental/sym_node";
import { sym_sizes } from "./symbolic_sizes.ts";

/** A size: a number or a symbol. */
export type Size = number | SymInt;
// biome-ignore lint/suspicious/noExplicitAny: each body takes its operator's arguments
type Body = (...args: any[]) => unknown;

const sizes = (t: Tensor): Size[] => [...sym_sizes(t)] as Size[];
const at = (dim: number, rank: number): number => (dim < 0 ? dim + rank : dim);

export function times(a: Size, b: Size): Size {
  if (a === 1) return b;
  if (b === 1) return a;
  if (a instanceof SymInt) return a.__mul__(b) as SymInt;
  return b instanceof SymInt ? (b.__rmul__(a) as SymInt) : a * b;
}
export const product = (list: readonly Size[]): Size => list.reduce<Size>(times, 1);

/** A view where the strides allow one, else a copy. */
function reshape(self: Tensor, shape: readonly Size[]): Tensor {
  const is_same = String(sizes(self)) === String(shape);
  if (is_same || self.is_contiguous()) return ops.aten.view.default(self, shape) as Tensor;
  const elements = product(sizes(self));
  const known = product(shape.filter((size) => size !== -1));
  const left = elements instanceof SymInt ? (elements.__floordiv__(known) as SymInt) : elements;
  const whole = shape.map((size) => (size === -1 ? left : size));
  const copy = self.clone({ memory_format: torch.contiguous_format });
  return ops.aten._unsafe_view.default(copy, whole) as Tensor;
}

function flatten(self: Tensor, start = 0, end = -1): Tensor {
  const shape = sizes(self);
  const [first, last] = [at(start, shape.length), at(end, shape.length)];
  if (shape.length === 0) return reshape(self, [1]);
  if (first === last) return self;
  const joined = product(shape.slice(first, last + 1));
  return reshape(self, [...shape.slice(0, first), joined, ...shape.slice(last + 1)]);
}

function unflatten(self: Tensor, dim: number, parts: readonly Size[]): Tensor {
  const shape = sizes(self);
  const place = at(dim, shape.length);
  return ops.aten.view.default(self, [...shape.slice(0, place), ...parts, ...shape.slice(place + 1)]) as Tensor;
}

function narrow(self: Tensor, dim: number, start: Size, length: Size): Tensor {
  const end =
    start instanceof SymInt
      ? start.__add__(length)
      : length instanceof SymInt
        ? length.__radd__(start)
        : start + length;
  return ops.aten.slice.Tensor(self, dim, start, end, 1) as Tensor;
}

const first = (results: unknown): Tensor => (results as Tensor[])[0] as Tensor;

/** By the name of the operator. */
export const bodies: Readonly<Record<string, Body>> = {
  "aten::reshape": reshape,
  "aten::flatten.using_ints": flatten,
  "aten::unflatten.int": unflatten,
  "aten::narrow": narrow,
  "aten::expand_as": (self: Tensor, other: Tensor) => ops.aten.expand.default(self, sizes(other)),
  "aten::view_as": (self: Tensor, other: Tensor) => ops.aten.view.default(self, sizes(other)),
  "aten::reshape_as": (self: Tensor, other: Tensor) => reshape(self, sizes(other)),
  "aten::broadcast_to": (self: Tensor, size: readonly Size[]) => ops.aten.expand.default(self, size),
  "aten::layer_norm": (input: Tensor, normalized_shape: readonly Size[], weight = null, bias = null, eps = 1e-5) =>
    first(ops.aten.native_layer_norm.default(input, normalized_shape, weight, bias, eps)),
  "aten::max_pool1d": (self: Tensor, ...options: unknown[]) =>
    first(ops.aten.max_pool1d_with_indices.default(self, ...options)),
  "aten::max_pool2d": (self: Tensor, ...options: unknown[]) =>
    first(ops.aten.max_pool2d_with_indices.default(self, ...options)),
  "aten::max_pool3d": (self: Tensor, ...options: unknown[]) =>
    first(ops.aten.max_pool3d_with_indices.default(self, ...options)),
  "aten::adaptive_avg_pool2d": (self: Tensor, size: readonly Size[]) =>
    size.every((each) => each === 1) ? self.mean([-1, -2], true) : ops.aten._adaptive_avg_pool2d.default(self, size),
  "aten::chunk": (self: Tensor, chunks: number, dim = 0) => chunk(self, chunks, dim),
  "aten::conv1d": (...args) => convolution(1, args as never),
  "aten::conv2d": (...args) => convolution(2, args as never),
  "aten::conv3d": (...args) => convolution(3, args as never),
  "aten::linear": (input: Tensor, weight: Tensor, bias: Tensor | null = null) => linear(input, weight, bias),
};

/** One product of matrices: the leading dimensions of the input are its rows. */
function linear(input: Tensor, weight: Tensor, bias: Tensor | null): Tensor {
  const shape = sizes(input);
  if (shape.length === 2)
    return (bias === null ? input.mm(weight.t()) : torch.addmm(bias, input, weight.t())) as Tensor;
  if (shape.length === 1 || bias === null) {
    const out = input.matmul(weight.t());
    return bias === null ? out : out.add(bias);
  }
  const flat = ops.aten.view.default(input, [product(shape.slice(0, -1)), shape.at(-1)]) as Tensor;
  const out = torch.addmm(bias, flat, weight.t());
  return ops.aten.view.default(out, [...shape.slice(0, -1), sizes(weight)[0]]) as Tensor;
}

/** Equal parts; the last one may be shorter. */
function chunk(self: Tensor, chunks: number, dim: number): unknown {
  const size = sizes(self)[at(dim, self.dim())] as Size;
  if (!(size instanceof SymInt)) return ops.aten.split.Tensor(self, Math.ceil(size / chunks), dim);
  const length = (size.__add__(chunks - 1) as SymInt).__floordiv__(chunks);
  return ops.aten.split.Tensor(self, length, dim);
}

type ConvolutionArguments = readonly [
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null,
  stride?: number | readonly number[],
  padding?: number | readonly number[],
  dilation?: number | readonly number[],
  groups?: number,
];

/** A convolution of one sample is that of a batch of one. */
function convolution(dims: number, given: ConvolutionArguments): Tensor {
  const [input, weight, bias = null, stride = 1, padding = 0, dilation = 1, groups = 1] = given;
  const each = (value: number | readonly number[]): number[] => {
    const list = [value].flat();
    return list.length === 1 ? new Array<number>(dims).fill(list[0] as number) : list;
  };
  const is_batch = input.dim() === dims + 2;
  const batch = is_batch ? input : input.unsqueeze(0);
  const [s, p, d, none] = [each(stride), each(padding), each(dilation), new Array<number>(dims).fill(0)];
  const out = ops.aten.convolution.default(batch, weight, bias, s, p, d, false, none, groups) as Tensor;
  return is_batch ? out : out.squeeze(0);
}
