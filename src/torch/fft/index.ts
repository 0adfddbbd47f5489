/**
 * @file `torch.fft`: transforms between time and frequency, which wait for complex numbers, and the frequencies of what they give.
 * @mirrors torch/fft/__init__.py
 * @differs Not built: names that say so.
 */
import { _C } from "#torch/_C";
import { type NotBuilt, not_built } from "#torch/_not_built";

const REAL = "tensors of complex dtypes are not built, and its result, or its argument, would be one";

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

/** The frequencies of what `fft` gives for `n` samples, `d` apart: `0, 1, ..., -2, -1` over `n d`.   `-> (n)` */
export const fftfreq = _fft.fft_fftfreq;
/** The frequencies of what `rfft` gives for `n` samples, `d` apart: `0, 1, ..., n // 2` over `n d`.   `-> (n // 2 + 1)` */
export const rfftfreq = _fft.fft_rfftfreq;
/** Rolls each dim, or those of `dim`, by half, so that frequency 0 stands in the middle.   `(*) -> (*)` */
export const fftshift = _fft.fft_fftshift;
/** What undoes `fftshift`, for odd sizes too.   `(*) -> (*)` */
export const ifftshift = _fft.fft_ifftshift;
