/**
 * @file `torch.nn.functional.interpolate`, which chooses among the resampling operators, and its older names.
 * @mirrors torch/nn/functional.py#interpolate
 */
import { NotImplementedError, TypeError_, ValueError, warn } from "#c10/util/Exception";
import { _C, having, PyObject_IsTrue, python_type } from "#torch/_C";
import { _upsample_linear_vec } from "#torch/_decomp/upsampling";
import { def_overridable } from "#torch/_overridable";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { type_repr } from "#torch/_utils/index";
import { type Sizes, sizes_repr } from "#torch/nn/modules/utils";
import { adaptive_avg_pool2d, adaptive_avg_pool3d } from "./pooling.ts";

const _nn = _C._nn;

type Size = Sizes | null;

function is_list<T>(x: Sizes<T>): x is readonly T[] {
  return Array.isArray(x);
}

/** Python's list of the spatial sizes, the dims after batch and channels. */
function spatial_repr(input: Tensor): string {
  return `[${[...input.shape].slice(2).join(", ")}]`;
}

function _is_integer(x: unknown): boolean {
  const given = python_type(x);
  return given === "int" || given === "bool";
}

function checked_size(input: Tensor, size: Sizes, dim: number): number[] {
  if (!is_list(size)) return new Array<number>(dim).fill(size);
  if (size.length !== dim)
    throw new ValueError(
      `Input and output must have the same number of spatial dimensions, but got input with spatial dimensions of ${spatial_repr(input)} and output size of ${sizes_repr(size)}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and output size in (o1, o2, ...,oK) format.`,
    );
  if (!size.every(_is_integer))
    throw new TypeError_(
      `expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but got size with types [${size.map((x) => type_repr(x, "class")).join(", ")}]`,
    );
  return [...size];
}

function checked_factors(input: Tensor, scale_factor: Sizes, dim: number): number[] {
  if (!is_list(scale_factor)) return new Array<number>(dim).fill(scale_factor);
  if (scale_factor.length !== dim)
    throw new ValueError(
      `Input and scale_factor must have the same number of spatial dimensions, but got input with spatial dimensions of ${spatial_repr(input)} and scale_factor of shape ${sizes_repr(scale_factor)}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and scale_factor in (s1, s2, ...,sK) format.`,
    );
  return [...scale_factor];
}

/** `[sizes, factors]`, one of which is null. */
function sizes_or_factors(
  input: Tensor,
  size: Size,
  scale_factor: Size,
  dim: number,
): [number[] | null, number[] | null] {
  if (size !== null && scale_factor !== null)
    throw new ValueError("only one of size or scale_factor should be defined");
  if (size !== null) return [checked_size(input, size, dim), null];
  if (scale_factor !== null) return [null, checked_factors(input, scale_factor, dim)];
  throw new ValueError("either size or scale_factor should be defined");
}

type Nearest = (input: Tensor, size: number[] | null, factors: number[] | null) => Tensor;
type Smooth = (input: Tensor, size: number[] | null, align_corners: boolean, factors: number[] | null) => Tensor;

/** Operators by mode and by number of dims (batch and channels included). */
const NEAREST: Readonly<Record<string, Readonly<Record<number, Nearest>>>> = {
  nearest: { 3: _nn.upsample_nearest1d, 4: _nn.upsample_nearest2d, 5: _nn.upsample_nearest3d },
  "nearest-exact": {
    3: _nn._upsample_nearest_exact1d,
    4: _nn._upsample_nearest_exact2d,
    5: _nn._upsample_nearest_exact3d,
  },
};
const AREA: Readonly<Record<number, (input: Tensor, output_size: number[]) => Tensor>> = {
  3: _C._VariableFunctions.adaptive_avg_pool1d,
  4: adaptive_avg_pool2d,
  5: adaptive_avg_pool3d,
};
const SMOOTH: Readonly<Record<string, Readonly<Record<number, Smooth>>>> = {
  linear: { 3: _nn.upsample_linear1d },
  bilinear: { 4: _nn.upsample_bilinear2d },
  trilinear: { 5: _nn.upsample_trilinear3d },
  bicubic: { 4: _nn.upsample_bicubic2d },
};
const ANTIALIAS: Readonly<Record<string, Smooth>> = {
  bilinear: _nn._upsample_bilinear2d_aa,
  bicubic: _nn._upsample_bicubic2d_aa,
  lanczos: _nn._upsample_lanczos2d_aa,
};
const NEEDED: Readonly<Record<string, number>> = { linear: 3, bilinear: 4, trilinear: 5 };

function unsupported(mode: string, ndim: number): never {
  if (mode in NEEDED && ndim >= 3 && ndim <= 5)
    throw new NotImplementedError(`Got ${ndim}D input, but ${mode} mode needs ${NEEDED[mode]}D input`);
  throw new NotImplementedError(
    `Input Error: Only 3D, 4D and 5D input Tensors supported (got ${ndim}D) for the modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got ${mode})`,
  );
}

/**
 * `input` resampled to other spatial sizes.   `(N, C, *) -> (N, C, *)`
 * @param size the size of the result; or give `scale_factor`, the factor for each spatial size.
 * @param mode `"nearest"`, `"nearest-exact"`, `"area"`, `"linear"` (3-D), `"bilinear"`, `"bicubic"`, `"lanczos"` (4-D), `"trilinear"` (5-D).
 * @param align_corners true: the corner elements keep their values; false: the outer edges are aligned.
 * @param recompute_scale_factor whether the factors are recomputed from the sizes after rounding.
 * @param antialias whether each element of a smaller result averages over all input elements that it covers.
 */
export const interpolate = def_overridable(
  "interpolate(input: Tensor, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None, antialias=False)",
  (
    input: Tensor,
    size: Size,
    scale_factor: Size,
    mode: string,
    align_corners: boolean | null,
    recompute_scale_factor: boolean | null,
    antialias: boolean,
  ): Tensor => {
    if ((mode in NEAREST || mode === "area") && align_corners !== null)
      throw new ValueError(
        "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear",
      );
    const ndim = having(input, "dim").dim();
    let [sizes, factors] = sizes_or_factors(input, size, scale_factor, ndim - 2);
    const recompute = recompute_scale_factor !== null && PyObject_IsTrue(recompute_scale_factor);
    if (recompute && size !== null)
      throw new ValueError("recompute_scale_factor is not meaningful with an explicit size.");
    if (factors !== null && (recompute || mode === "area")) {
      const of = factors;
      sizes = [...input.shape].slice(2).map((n, i) => Math.trunc(n * of[i]));
      factors = null;
    }
    const smoothed = PyObject_IsTrue(antialias);
    if (smoothed && !(mode in ANTIALIAS && ndim === 4))
      throw new ValueError(
        "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input",
      );
    const nearest = NEAREST[mode]?.[ndim];
    if (nearest !== undefined) return nearest(input, sizes, factors);
    if (mode === "area" && ndim in AREA) return AREA[ndim](input, sizes as number[]);
    if (mode === "lanczos" && ndim === 4) {
      if (align_corners !== null && PyObject_IsTrue(align_corners))
        throw new ValueError("Lanczos mode does not support align_corners=True");
      if (!smoothed) throw new ValueError("Lanczos mode requires antialias=True");
    }
    // PyTorch makes this choice in Python, before the operator: `linear` and `bicubic` keep their gradient.
    if (!smoothed && (mode === "bilinear" ? ndim === 4 : mode === "trilinear" && ndim === 5))
      if (!input.is_cpu && _C._get_deterministic_algorithms())
        return _upsample_linear_vec(input, sizes, align_corners ?? false, factors);
    const smooth = smoothed ? ANTIALIAS[mode] : SMOOTH[mode]?.[ndim];
    if (smooth === undefined) unsupported(mode, ndim);
    return smooth(input, sizes, align_corners ?? false, factors);
  },
  "torch.nn.functional.interpolate",
);

function deprecated(name: string): void {
  warn("UserWarning", `\`nn.functional.${name}\` is deprecated. Use \`nn.functional.interpolate\` instead.`);
}

/** The older name of `interpolate`, which is deprecated. */
export const upsample = def(
  "upsample(input, size=None, scale_factor=None, mode='nearest', align_corners=None)",
  (input: Tensor, size: Size, scale_factor: Size, mode: string, align_corners: boolean | null): Tensor => {
    deprecated("upsample");
    return interpolate(input, size, scale_factor, mode, align_corners);
  },
);

/** `interpolate` with mode `"nearest"`. */
export const upsample_nearest = def(
  "upsample_nearest(input, size=None, scale_factor=None)",
  (input: Tensor, size: Size, scale_factor: Size): Tensor => {
    deprecated("upsample_nearest");
    return interpolate(input, size, scale_factor, { mode: "nearest" });
  },
);

/** `interpolate` with mode `"bilinear"` and aligned corners. */
export const upsample_bilinear = def(
  "upsample_bilinear(input, size=None, scale_factor=None)",
  (input: Tensor, size: Size, scale_factor: Size): Tensor => {
    deprecated("upsample_bilinear");
    return interpolate(input, size, scale_factor, { mode: "bilinear", align_corners: true });
  },
);
