/**
 * @file Sampling of images at the positions of a grid, and grids of affine maps.
 * @mirrors torch/nn/functional.py#grid_sample
 */
import { NotImplementedError, ValueError, warn } from "#c10/util/Exception";
import { _C, having, PySequence_Tuple, py_format } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import { size_repr } from "#torch/nn/_size";

const _VF = _C._VariableFunctions;

const GRID_SAMPLE_INTERPOLATION_MODES: Readonly<Record<string, number>> = { bilinear: 0, nearest: 1, bicubic: 2 };
const GRID_SAMPLE_PADDING_MODES: Readonly<Record<string, number>> = { zeros: 0, border: 1, reflection: 2 };

/** The default of `align_corners` (false), with a warning that the default was once true. */
function corners(align_corners: boolean | null): boolean {
  if (align_corners !== null) return align_corners;
  warn(
    "UserWarning",
    "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify align_corners=True if the old behavior is desired. See the documentation of grid_sample for details.",
  );
  return false;
}

/**
 * `input` sampled at the positions in `grid`, whose coordinates go from -1 to 1 along each dim, width first.   `(N, C, H, W), (N, H', W', 2) -> (N, C, H', W')`
 * @param mode `"bilinear"`, `"nearest"` or `"bicubic"` (4-D only).
 * @param padding_mode how positions outside are read: `"zeros"`, `"border"` or `"reflection"`.
 * @param align_corners true: -1 and 1 are the centers of the corner elements; false: they are the outer edges.
 */
export const grid_sample = def_overridable(
  "grid_sample(input: Tensor, grid: Tensor, mode='bilinear', padding_mode='zeros', align_corners=None)",
  (input: Tensor, grid: Tensor, mode: string, padding_mode: string, align_corners: boolean | null): Tensor => {
    if (!Object.hasOwn(GRID_SAMPLE_INTERPOLATION_MODES, mode))
      throw new ValueError(
        `nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '${py_format(mode)}'`,
      );
    if (!Object.hasOwn(GRID_SAMPLE_PADDING_MODES, padding_mode))
      throw new ValueError(
        `nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: '${py_format(padding_mode)}'`,
      );
    const [how, beyond] = [GRID_SAMPLE_INTERPOLATION_MODES[mode], GRID_SAMPLE_PADDING_MODES[padding_mode]];
    return _VF.grid_sampler(input, grid, how, beyond, corners(align_corners));
  },
  "torch.nn.functional.grid_sample",
);

/**
 * The sampling grid of the affine maps `theta` for an output of size `size`; `grid_sample` reads it.   `(N, 2, 3) -> (N, H, W, 2)`
 * @param size `(N, C, H, W)`, or `(N, C, D, H, W)` with `theta` `(N, 3, 4)`.
 */
export const affine_grid = def_overridable(
  "affine_grid(theta: Tensor, size, align_corners=None)",
  (theta: Tensor, size: readonly number[], align_corners: boolean | null): Tensor => {
    const aligned = corners(align_corners);
    if (!having(theta, "is_floating_point").is_floating_point())
      throw new ValueError(`Expected theta to have floating point type, but got ${theta.dtype}`);
    const told = `[${PySequence_Tuple(size).join(", ")}]`;
    if (size.length !== 4 && size.length !== 5)
      throw new NotImplementedError(
        `affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size ${told}.`,
      );
    const dims = size.length - 2;
    const [rows, columns] = [...theta.shape].slice(-2);
    if (theta.dim() !== 3 || rows !== dims || columns !== dims + 1)
      throw new ValueError(
        `Expected a batch of ${dims}D affine matrices of shape Nx${dims}x${dims + 1} for size ${told}. Got ${size_repr(theta)}.`,
      );
    if (aligned && Math.min(...size.slice(2)) === 1)
      warn(
        "UserWarning",
        "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This is not an intended use case of affine_grid. See the documentation of affine_grid for details.",
      );
    else if (Math.min(...size) <= 0) throw new ValueError(`Expected non-zero, positive output size. Got ${told}`);
    return _VF.affine_grid_generator(theta, size as number[], aligned);
  },
  "torch.nn.functional.affine_grid",
);
