/**
 * @file `torch.fft`: Fourier transforms, which are not built because they need complex tensors, and functions for the frequencies of their
 * results.
 * @mirrors torch/fft/__init__.py
 * @differs Ours raises at each call of a transform; PyTorch computes it.
 */
import { _C } from "#torch/_C";
import { type NotBuilt, not_built } from "#torch/_not_built";

const REAL = "its argument or its result is complex, and complex tensors are not built";

function transform(name: string): NotBuilt {
  return not_built(`torch.fft.${name}`, `${name}(input, n=None, dim=-1, norm=None, *, out=None)`, REAL);
}

function transform_of_dims(name: string, dim: string): NotBuilt {
  return not_built(`torch.fft.${name}`, `${name}(input, s=None, dim=${dim}, norm=None, *, out=None)`, REAL);
}

/** @throws {NotImplementedError} always */
export const fft: NotBuilt = transform("fft");
export const ifft: NotBuilt = transform("ifft");
export const rfft: NotBuilt = transform("rfft");
export const irfft: NotBuilt = transform("irfft");
export const fft2: NotBuilt = transform_of_dims("fft2", "(-2, -1)");
export const ifft2: NotBuilt = transform_of_dims("ifft2", "(-2, -1)");
export const rfft2: NotBuilt = transform_of_dims("rfft2", "(-2, -1)");
export const irfft2: NotBuilt = transform_of_dims("irfft2", "(-2, -1)");
export const fftn: NotBuilt = transform_of_dims("fftn", "None");
export const ifftn: NotBuilt = transform_of_dims("ifftn", "None");

const { _fft } = _C;

/** The frequencies of the result of `fft` for `n` samples at distance `d`: `0, 1, ..., -2, -1`, divided by `n d`.   `-> (n)` */
export const fftfreq = _fft.fft_fftfreq;
/** The frequencies of the result of `rfft` for `n` samples at distance `d`: `0, 1, ..., n // 2`, divided by `n d`.   `-> (n // 2 + 1)` */
export const rfftfreq = _fft.fft_rfftfreq;
/** Rolls each dim, or those in `dim`, by half of its size, so that frequency 0 is in the middle.   `(*) -> (*)` */
export const fftshift = _fft.fft_fftshift;
/** The inverse of `fftshift`, also for odd sizes.   `(*) -> (*)` */
export const ifftshift = _fft.fft_ifftshift;
