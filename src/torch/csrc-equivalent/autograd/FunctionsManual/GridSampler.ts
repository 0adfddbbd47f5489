/**
 * @file Formulas of derivatives.yaml for `grid_sampler_2d_backward` and `grid_sampler_3d_backward`.
 *
 * One place `p` of the output reads neighbours, or taps, of `input`. The weight of a tap is a product with one factor for
 * each dim, and the factor depends on the place's coordinate `x_d` along that dim:
 *
 *     y[p] = sum over t of v[t] * W[t],   W[t] = product over d of w_d[t_d](x_d),   v[t] = input at tap t of p
 *
 * backward scatters `g * W` into the input (`grad_input`), and sums `g * v * dW/dx_d` for the grid (`grad_grid`). The gradients
 * of these two, `ggI` and `ggGrid`, therefore lead to
 *
 *     grad_output   sample(ggI) + sum of v * D              D[t] = sum over d of ggGrid_d * dW[t]/dx_d
 *     input         scatter of g * D
 *     grid          backward of sample(ggI) + sum of g * v * dD/dx_e
 *
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp
 * @differs one function serves images and volumes, and linear and cubic weights; PyTorch writes each out, so its operators have another order
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";

const Interpolation = { Bilinear: 0, Nearest: 1, Bicubic: 2 } as const;
const Padding = { Zeros: 0, Border: 1, Reflection: 2 } as const;

type Gradients = [grad_output: Tensor, input: Tensor, grid: Tensor];
type Mask = readonly boolean[];

/** The taps along one dim; each list has a tensor `(N, ...places)` for each tap. */
interface Along {
  /** Positions as whole numbers; of padding with zeros, some are outside. */
  readonly taps: readonly Tensor[];
  /** Weights, their first and their second derivatives with respect to the coordinate. */
  readonly weights: readonly [readonly Tensor[], readonly Tensor[], readonly Tensor[]];
  /** The coordinate's derivative with respect to the grid. */
  readonly scale: Tensor;
  readonly size: number;
}

const num = (value: number): Scalar => Scalar.fromDouble(value);
const minus_from = (from: number, x: Tensor): Tensor => x.neg().add_Scalar(num(from));

/** Limits coordinates to the edges; on an edge the slope is 0. */
function clip(x: Tensor, size: number): [at: Tensor, slope: Tensor] {
  const inner = x.gt_Scalar(num(0)).bitwise_and_Tensor(x.lt_Scalar(num(size - 1)));
  return [x.clamp(num(0), num(size - 1)), inner.to_dtype(x.scalar_type())];
}

/** Reflects coordinates back and forth between two places. */
function reflect(x: Tensor, low: number, high: number): [at: Tensor, slope: Tensor] {
  if (low === high) return [at.zeros_like(x), at.zeros_like(x)];
  const span = high - low;
  const from = x.sub_Scalar(num(low));
  const sign = minus_from(1, from.lt_Scalar(num(0)).to_dtype(x.scalar_type()).mul_Scalar(num(2)));
  const distance = from.abs();
  const extra = distance.fmod_Scalar(num(span));
  const is_even = distance.div_Scalar(num(span)).floor().fmod_Scalar(num(2)).eq_Scalar(num(0));
  return [
    at.where_self(is_even, extra, minus_from(span, extra)).add_Scalar(num(low)),
    at.where_self(is_even, sign, sign.neg()),
  ];
}

/** Moves coordinates beyond the edge inside. */
function inside(x: Tensor, size: number, padding_mode: number, align_corners: boolean): [at: Tensor, slope: Tensor] {
  if (padding_mode === Padding.Border) return clip(x, size);
  const [low, high] = align_corners ? [0, size - 1] : [-0.5, size - 0.5];
  const [reflected, turn] = reflect(x, low, high);
  const [place, slope] = clip(reflected, size);
  return [place, slope.mul_Tensor(turn)];
}

/** A cubic polynomial `a x^3 + b x^2 + c x + d` and its first two derivatives. */
function polynomial(x: Tensor, [a, b, c, d]: readonly number[]): [Tensor, Tensor, Tensor] {
  const at_x = (...factors: readonly number[]): Tensor =>
    factors.slice(1).reduce((sum, f) => sum.mul_Tensor(x).add_Scalar(num(f)), at.full_like(x, num(factors[0])));
  return [at_x(a, b, c, d), at_x(3 * a, 2 * b, c), at_x(6 * a, 2 * b)];
}

const A = -0.75;
const NEAR = [A + 2, -(A + 3), 0, 1];
const FAR = [A, -5 * A, 8 * A, -4 * A];

/** Weights of the four taps; `t` is the distance from the second one. */
function cubic(t: Tensor): Along["weights"] {
  const taps = [
    polynomial(t.add_Scalar(num(1)), FAR),
    polynomial(t, NEAR),
    polynomial(minus_from(1, t), NEAR),
    polynomial(minus_from(2, t), FAR),
  ];
  // The last two distances shrink while the coordinate grows.
  return [taps.map(([w]) => w), taps.map(([, dw], k) => (k < 2 ? dw : dw.neg())), taps.map(([, , d2w]) => d2w)];
}

function linear(t: Tensor): Along["weights"] {
  const [zero, one] = [at.zeros_like(t), at.ones_like(t)];
  return [
    [minus_from(1, t), t],
    [one.neg(), one],
    [zero, zero],
  ];
}

/** The taps along a dim of `size` elements, for coordinates of the grid. */
function taps_along(coord: Tensor, size: number, { interpolation, padding, align_corners }: How): Along {
  const factor = num((align_corners ? size - 1 : size) / 2);
  const moved = coord.add_Scalar(num(1)).mul_Scalar(factor);
  const x = align_corners ? moved : moved.sub_Scalar(num(0.5));
  const scale = at.full_like(x, factor);
  if (interpolation === Interpolation.Bicubic) {
    const first = x.floor();
    const taps = [-1, 0, 1, 2].map((k) => {
      const place = first.add_Scalar(num(k));
      const [moved] = padding === Padding.Zeros ? [place] : inside(place, size, padding, align_corners);
      return moved.to_dtype(ScalarType.Long);
    });
    return { taps, weights: cubic(x.sub_Tensor(first)), scale, size };
  }
  const [place, slope] = padding === Padding.Zeros ? [x, null] : inside(x, size, padding, align_corners);
  const first = place.floor();
  const taps = [0, 1].map((k) => first.add_Scalar(num(k)).to_dtype(ScalarType.Long));
  const weights = linear(place.sub_Tensor(first));
  return { taps, weights, scale: slope === null ? scale : scale.mul_Tensor(slope), size };
}

interface How {
  readonly interpolation: number;
  readonly padding: number;
  readonly align_corners: boolean;
}

/** Every choice of one tap for each dim, the last dim's fastest. */
function choices(dims: readonly Along[]): number[][] {
  return dims.reduce<number[][]>(
    (made, { taps }) => made.flatMap((choice) => taps.map((_, k) => [...choice, k])),
    [[]],
  );
}

/** Places of all taps in a flat image `(N, places, taps)`, and 1 for those inside, 0 for others. */
function sites(dims: readonly Along[], dtype: ScalarType): [index: Tensor, valid: Tensor] {
  const all = choices(dims).map((choice) => {
    let index: Tensor | null = null;
    let valid: Tensor | null = null;
    dims.forEach(({ taps, size }, d) => {
      const tap = taps[choice[d]];
      const inner = tap.ge_Scalar(num(0)).bitwise_and_Tensor(tap.lt_Scalar(num(size)));
      const place = tap.clamp(Scalar.ZERO, Scalar.fromInt(size - 1));
      index = index === null ? place : index.mul_Scalar(Scalar.fromInt(size)).add_Tensor(place);
      valid = valid === null ? inner : valid.bitwise_and_Tensor(inner);
    });
    return [index as unknown as Tensor, valid as unknown as Tensor];
  });
  return [
    at.stack(
      all.map(([index]) => index),
      -1,
    ),
    at
      .stack(
        all.map(([, valid]) => valid),
        -1,
      )
      .to_dtype(dtype),
  ];
}

/** Weights of all taps `(N, ...places, taps)`, derived `orders[d]` times along each dim. */
function weights_of(dims: readonly Along[], orders: readonly number[]): Tensor {
  const products = choices(dims).map((choice) =>
    choice.map((tap, d) => dims[d].weights[orders[d]][tap]).reduce((product, w) => product.mul_Tensor(w)),
  );
  return at.stack(products, -1);
}

/** Weights derived along `d`, and along `e` too if it is given. */
function derived(dims: readonly Along[], d: number, e?: number): Tensor {
  const orders = dims.map((_, k) => (k === d ? 1 : 0) + (k === e ? 1 : 0));
  return weights_of(dims, orders);
}

const sum_of = (terms: readonly Tensor[]): Tensor => terms.reduce((sum, term) => sum.add_Tensor(term));

/** The part of the gradients that comes through `grad_grid`. */
function through_grid(
  ggGrid: Tensor,
  grad_output: Tensor,
  input: Tensor,
  grid: Tensor,
  how: How,
  mask: Mask,
): Gradients {
  const spatial = input.sizes().slice(2);
  const n = spatial.length;
  const [N, C] = input.sizes();
  const places = grid.sizes().slice(1, -1);
  // The grid names the last dim first.
  const dims = spatial.map((size, d) => taps_along(grid.select_int(-1, n - 1 - d), size, how));
  const towards = dims.map(({ scale }, d) => ggGrid.select_int(-1, n - 1 - d).mul_Tensor(scale));
  const [site, valid] = sites(dims, input.scalar_type());
  const taps = site.size(-1);
  const index = site.reshape([N, 1, -1]).expand([N, C, places.reduce((a, b) => a * b, taps)]);
  const inner = valid.unsqueeze(1);
  const slopes = sum_of(dims.map((_, d) => derived(dims, d).mul_Tensor(towards[d].unsqueeze(-1)))).unsqueeze(1);

  const made: Gradients = [new Tensor(), new Tensor(), new Tensor()];
  const read = (): Tensor =>
    input
      .reshape([N, C, -1])
      .gather(2, index)
      .reshape([N, C, ...places, taps])
      .mul_Tensor(inner);
  const values = mask[0] || mask[2] ? read() : new Tensor();
  if (mask[0]) made[0] = values.mul_Tensor(slopes).sum_dim_IntList([-1]);
  if (mask[1]) {
    const written = grad_output.unsqueeze(-1).mul_Tensor(slopes).mul_Tensor(inner).reshape([N, C, -1]);
    const flat = at.zeros([N, C, spatial.reduce((a, b) => a * b, 1)], input.options());
    made[1] = flat.scatter_add(2, index, written).view(input.sizes());
  }
  if (mask[2]) {
    const wanted = values.mul_Tensor(grad_output.unsqueeze(-1)).sum_dim_IntList([1]);
    const along = dims.map(({ scale }, e) =>
      sum_of(dims.map((_, d) => derived(dims, d, e).mul_Tensor(towards[d].unsqueeze(-1))))
        .mul_Tensor(wanted)
        .sum_dim_IntList([-1])
        .mul_Tensor(scale),
    );
    made[2] = at.stack(along.reverse(), -1);
  }
  return made;
}

type Sample = typeof at.grid_sampler_2d;
type SampleBackward = typeof at.grid_sampler_2d_backward;

const plus = (a: Tensor, b: Tensor): Tensor => (!a.defined() ? b : b.defined() ? a.add_Tensor(b) : a);

/** The second derivatives of either operator, given it and its backward. */
function double_backward(
  [sample, backward]: readonly [Sample, SampleBackward],
  [ggI, ggGrid, grad_output, input, grid]: readonly Tensor[],
  how: How,
  mask: Mask,
): Gradients {
  const { interpolation, padding, align_corners } = how;
  const made: Gradients = [new Tensor(), new Tensor(), new Tensor()];
  if (ggI.defined()) {
    if (mask[0]) made[0] = sample(ggI, grid, interpolation, padding, align_corners);
    if (mask[2]) made[2] = backward(grad_output, ggI, grid, interpolation, padding, align_corners, [false, true])[1];
  }
  // The nearest element stays the nearest: `grad_grid` is always zero.
  if (!ggGrid.defined() || interpolation === Interpolation.Nearest) return made;
  const more = through_grid(ggGrid, grad_output, input, grid, how, mask);
  return [plus(made[0], more[0]), plus(made[1], more[1]), plus(made[2], more[2])];
}

/** @returns gradients of `grad_output`, `input` and `grid` */
export function grid_sampler_2d_double_backward(
  ggI: Tensor,
  ggGrid: Tensor,
  grad_output: Tensor,
  input: Tensor,
  grid: Tensor,
  interpolation_mode: number,
  padding_mode: number,
  align_corners: boolean,
  output_mask: readonly boolean[],
): [Tensor, Tensor, Tensor] {
  const how = { interpolation: interpolation_mode, padding: padding_mode, align_corners };
  const operators = [at.grid_sampler_2d, at.grid_sampler_2d_backward] as const;
  return double_backward(operators, [ggI, ggGrid, grad_output, input, grid], how, output_mask);
}

/** @returns gradients of `grad_output`, `input` and `grid` */
export function grid_sampler_3d_double_backward(
  ggI: Tensor,
  ggGrid: Tensor,
  grad_output: Tensor,
  input: Tensor,
  grid: Tensor,
  interpolation_mode: number,
  padding_mode: number,
  align_corners: boolean,
  output_mask: readonly boolean[],
): [Tensor, Tensor, Tensor] {
  const how = { interpolation: interpolation_mode, padding: padding_mode, align_corners };
  const operators = [at.grid_sampler_3d, at.grid_sampler_3d_backward] as const;
  return double_backward(operators, [ggI, ggGrid, grad_output, input, grid], how, output_mask);
}
