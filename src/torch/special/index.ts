/**
 * @file `torch.special`: mathematical functions, mostly with SciPy's names.
 * @mirrors torch/special/__init__.py
 * @differs Ours has only functions whose kernels are built; PyTorch has all.
 */
import { _C } from "../_C.ts";

const { _special } = _C;

/** The derivative of `gammaln`.   `(*) -> (*)` */
export const digamma = _special.special_digamma;
/** The error function: the probability that a normal variable of mean 0 and variance 1/2 lies between -x and x.   `(*) -> (*)` */
export const erf = _special.special_erf;
/** `1 - erf(x)`, computed without cancellation.   `(*) -> (*)` */
export const erfc = _special.special_erfc;
/** `e^(x^2) erfc(x)`, also where a factor would overflow or underflow.   `(*) -> (*)` */
export const erfcx = _special.special_erfcx;
/** The inverse of `erf`.   `(*) -> (*)` */
export const erfinv = _special.special_erfinv;
/** 2 to the power of each element.   `(*) -> (*)` */
export const exp2 = _special.special_exp2;
/** `1 / (1 + e^-x)`, the same function as `torch.sigmoid`.   `(*) -> (*)` */
export const expit = _special.special_expit;
/** `e^x - 1`, computed without cancellation.   `(*) -> (*)` */
export const expm1 = _special.special_expm1;
/** The regularized lower incomplete gamma function: the part of the integral of `t^(input-1) e^-t` below `other`.   `(*), (*) -> (*)` */
export const gammainc = _special.special_gammainc;
/** The regularized upper incomplete gamma function: the part of the integral of `t^(input-1) e^-t` above `other`.   `(*), (*) -> (*)` */
export const gammaincc = _special.special_gammaincc;
/** The logarithm of the absolute value of the gamma function.   `(*) -> (*)` */
export const gammaln = _special.special_gammaln;
/** The modified Bessel function of the first kind of order 0.   `(*) -> (*)` */
export const i0 = _special.special_i0;
/** The modified Bessel function of the first kind of order 1.   `(*) -> (*)` */
export const i1 = _special.special_i1;
/** `log(1 + x)`, computed without cancellation.   `(*) -> (*)` */
export const log1p = _special.special_log1p;
/** The logarithm of `softmax`, along `dim`.   `(*) -> (*)` */
export const log_softmax = _special.special_log_softmax;
/** `log(sum(exp(input)))` along `dim`, computed without overflow. */
export const logsumexp = _special.special_logsumexp;
/** `log(x / (1 - x))`, the inverse of `expit`.   `(*) -> (*)` */
export const logit = _special.special_logit;
/** The logarithm of the multivariate gamma function with `p` dimensions.   `(*) -> (*)` */
export const multigammaln = _special.special_multigammaln;
/** The cumulative distribution function of the standard normal distribution.   `(*) -> (*)` */
export const ndtr = _special.special_ndtr;
/** The `n`-th derivative of `digamma`.   `(*) -> (*)` */
export const polygamma = _special.special_polygamma;
/** Another name of `digamma`.   `(*) -> (*)` */
export const psi = _special.special_psi;
/** Each element rounded to the nearest integer, or to `decimals` digits after the decimal point.   `(*) -> (*)` */
export const round = _special.special_round;
/** `sin(πx) / (πx)`; 1 at 0.   `(*) -> (*)` */
export const sinc = _special.special_sinc;
/** Exponentials along `dim`, divided by their sum.   `(*) -> (*)` */
export const softmax = _special.special_softmax;
/** `input * log(1 + other)`; 0 where `input` is 0.   `(*), (*) -> (*)` */
export const xlog1py = _special.special_xlog1py;
/** `input * log(other)`; 0 where `input` is 0.   `(*), (*) -> (*)` */
export const xlogy = _special.special_xlogy;
/** The Hurwitz zeta function: the sum of `(other + k)^-input` over k = 0, 1, ...   `(*), (*) -> (*)` */
export const zeta = _special.special_zeta;
