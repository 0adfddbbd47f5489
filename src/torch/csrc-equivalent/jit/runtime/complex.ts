/**
 * @file Arithmetic and functions of C++'s `std::complex<double>`. No error is raised: what Python refuses is infinite or NaN here.
 * @original C++ has these functions in its standard library.
 */
import type { ComplexDouble } from "#aten/core/ivalue";
import { copysign } from "#c10/util/math";
import { asinh, atan2, cos, cosh, exp, log as log_, norm, pow as real_pow, sin, sinh } from "#python/Modules/_math";

const complex = (real: number, imag: number): ComplexDouble => ({ real, imag });

export const add = (a: ComplexDouble, b: ComplexDouble): ComplexDouble => complex(a.real + b.real, a.imag + b.imag);
export const sub = (a: ComplexDouble, b: ComplexDouble): ComplexDouble => complex(a.real - b.real, a.imag - b.imag);
export const neg = (a: ComplexDouble): ComplexDouble => complex(-a.real, -a.imag);
export const equal = (a: ComplexDouble, b: ComplexDouble): boolean => a.real === b.real && a.imag === b.imag;

export const mul = (a: ComplexDouble, b: ComplexDouble): ComplexDouble =>
  complex(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real);

/** The larger part of `b` is divided out first, so that no square overflows. */
export function div(a: ComplexDouble, b: ComplexDouble): ComplexDouble {
  if (Math.abs(b.real) >= Math.abs(b.imag)) {
    if (b.real === 0 && b.imag === 0) return complex(a.real / Math.abs(b.real), a.imag / Math.abs(b.imag));
    const ratio = b.imag / b.real;
    const scale = 1 / (b.real + b.imag * ratio);
    return complex((a.real + a.imag * ratio) * scale, (a.imag - a.real * ratio) * scale);
  }
  const ratio = b.real / b.imag;
  const scale = 1 / (b.imag + b.real * ratio);
  return complex((a.real * ratio + a.imag) * scale, (a.imag * ratio - a.real) * scale);
}

export const abs = ({ real, imag }: ComplexDouble): number =>
  Math.abs(real) === Number.POSITIVE_INFINITY || Math.abs(imag) === Number.POSITIVE_INFINITY
    ? Number.POSITIVE_INFINITY
    : norm([real, imag]);
/** The angle. */
export const arg = ({ real, imag }: ComplexDouble): number => atan2(imag, real);
export const polar = (size: number, angle: number): ComplexDouble => complex(size * cos(angle), size * sin(angle));

export function cexp({ real, imag }: ComplexDouble): ComplexDouble {
  const size = exp(real);
  if (imag === 0) return complex(size, imag);
  return complex(size * cos(imag), size * sin(imag));
}

export const log = (a: ComplexDouble): ComplexDouble => complex(log_(abs(a)), arg(a));
export function log10(a: ComplexDouble): ComplexDouble {
  const natural = log(a);
  return complex(natural.real / Math.LN10, natural.imag / Math.LN10);
}

export function sqrt({ real, imag }: ComplexDouble): ComplexDouble {
  if (real === 0 && imag === 0) return complex(0, imag);
  if (Math.abs(imag) === Number.POSITIVE_INFINITY) return complex(Number.POSITIVE_INFINITY, imag);
  const t = Math.sqrt((Math.abs(real) + norm([real, imag])) / 2);
  return real >= 0 ? complex(t, imag / (2 * t)) : complex(Math.abs(imag) / (2 * t), copysign(t, imag));
}

export function pow(a: ComplexDouble, b: ComplexDouble): ComplexDouble {
  if (a.real === 0 && a.imag === 0) return b.real === 0 && b.imag === 0 ? complex(1, 0) : complex(0, 0);
  return cexp(mul(b, log(a)));
}

/** A real number to a complex power. */
export function pow_of_real(a: number, b: ComplexDouble): ComplexDouble {
  return a > 0 ? polar(real_pow(a, b.real), b.imag * log_(a)) : pow(complex(a, 0), b);
}

/** A complex number to a real power. */
export function pow_by_real(a: ComplexDouble, b: number): ComplexDouble {
  if (a.imag === 0 && a.real > 0) return complex(real_pow(a.real, b), 0);
  const natural = log(a);
  return polar(exp(b * natural.real), b * natural.imag);
}

export const csinh = ({ real, imag }: ComplexDouble): ComplexDouble =>
  complex(sinh(real) * cos(imag), cosh(real) * sin(imag));
export const ccosh = ({ real, imag }: ComplexDouble): ComplexDouble =>
  complex(cosh(real) * cos(imag), sinh(real) * sin(imag));

export function ctanh({ real, imag }: ComplexDouble): ComplexDouble {
  if (Math.abs(real) > 22) return complex(Math.sign(real), 4 * sin(imag) * cos(imag) * exp(-2 * Math.abs(real)));
  const t = Math.tan(imag);
  const beta = 1 + t * t;
  const s = sinh(real);
  const rho = Math.sqrt(1 + s * s);
  const denominator = 1 + beta * s * s;
  return complex((beta * rho * s) / denominator, t / denominator);
}

// The circular functions are the hyperbolic ones of i z, turned back.
const times_i = ({ real, imag }: ComplexDouble): ComplexDouble => complex(-imag, real);
const over_i = ({ real, imag }: ComplexDouble): ComplexDouble => complex(imag, -real);

export const csin = (a: ComplexDouble): ComplexDouble => over_i(csinh(times_i(a)));
export const ccos = (a: ComplexDouble): ComplexDouble => ccosh(times_i(a));
export const ctan = (a: ComplexDouble): ComplexDouble => over_i(ctanh(times_i(a)));

const ONE = complex(1, 0);

/** The two roots are of numbers on either side of the cuts, so that both zeros of a part give their own side (W. Kahan). */
export function casinh(a: ComplexDouble): ComplexDouble {
  const left = sqrt(complex(1 + a.imag, -a.real));
  const right = sqrt(complex(1 - a.imag, a.real));
  return complex(
    asinh(left.real * right.imag - right.real * left.imag),
    atan2(a.imag, left.real * right.real - left.imag * right.imag),
  );
}

export function cacosh(a: ComplexDouble): ComplexDouble {
  const minus = sqrt(sub(a, ONE));
  const plus = sqrt(add(a, ONE));
  return complex(asinh(minus.real * plus.real + minus.imag * plus.imag), 2 * Math.atan2(minus.imag, plus.real));
}

export function cacos(a: ComplexDouble): ComplexDouble {
  const minus = sqrt(complex(1 - a.real, -a.imag));
  const plus = sqrt(complex(1 + a.real, a.imag));
  return complex(2 * Math.atan2(minus.real, plus.real), asinh(plus.real * minus.imag - plus.imag * minus.real));
}

export const casin = (a: ComplexDouble): ComplexDouble => over_i(casinh(times_i(a)));

export function catanh({ real, imag }: ComplexDouble): ComplexDouble {
  const size = (1 - real) * (1 - real) + imag * imag;
  const part = Math.log1p((4 * real) / size) / 4;
  return complex(part, atan2(2 * imag, (1 - real) * (1 + real) - imag * imag) / 2);
}
export const catan = (a: ComplexDouble): ComplexDouble => over_i(catanh(times_i(a)));

export const is_nan = (a: ComplexDouble): boolean => Number.isNaN(a.real) || Number.isNaN(a.imag);
export const is_finite = (a: ComplexDouble): boolean => Number.isFinite(a.real) && Number.isFinite(a.imag);
export const is_inf = (a: ComplexDouble): boolean =>
  Math.abs(a.real) === Number.POSITIVE_INFINITY || Math.abs(a.imag) === Number.POSITIVE_INFINITY;
