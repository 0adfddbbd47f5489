/**
 * @file `torch.special`: functions of mathematics, most under the names that SciPy gives them.
 * @mirrors torch/special/__init__.py
 * @differs Only functions whose kernels are here.
 */
import { _C } from "../_C.ts";

const { _special } = _C;

/** The derivative of `gammaln`.   `(*) -> (*)` */
export const digamma = _special.special_digamma;
/** The share of the normal distribution of variance 1/2 between -x and x.   `(*) -> (*)` */
export const erf = _special.special_erf;
/** `1 - erf(x)`, without its cancellation.   `(*) -> (*)` */
export const erfc = _special.special_erfc;
/** `e^(x^2) erfc(x)`, where neither factor could be told.   `(*) -> (*)` */
export const erfcx = _special.special_erfcx;
/** The number that has this `erf`.   `(*) -> (*)` */
export const erfinv = _special.special_erfinv;
/** 2 to the power of each element.   `(*) -> (*)` */
export const exp2 = _special.special_exp2;
/** `1 / (1 + e^-x)`, as `torch.sigmoid`.   `(*) -> (*)` */
export const expit = _special.special_expit;
/** `e^x - 1`, without its cancellation.   `(*) -> (*)` */
export const expm1 = _special.special_expm1;
/** The share of the integral of `t^(input-1) e^-t` below `other`.   `(*), (*) -> (*)` */
export const gammainc = _special.special_gammainc;
/** The share of the integral of `t^(input-1) e^-t` above `other`.   `(*), (*) -> (*)` */
export const gammaincc = _special.special_gammaincc;
/** The logarithm of the gamma function's magnitude.   `(*) -> (*)` */
export const gammaln = _special.special_gammaln;
/** The modified Bessel function of order 0.   `(*) -> (*)` */
export const i0 = _special.special_i0;
/** The modified Bessel function of order 1.   `(*) -> (*)` */
export const i1 = _special.special_i1;
/** `log(1 + x)`, without its cancellation.   `(*) -> (*)` */
export const log1p = _special.special_log1p;
/** The logarithm of `softmax`, along `dim`.   `(*) -> (*)` */
export const log_softmax = _special.special_log_softmax;
/** `log(sum(exp(input)))` along `dim`, without overflow. */
export const logsumexp = _special.special_logsumexp;
/** `log(x / (1 - x))`, which `expit` undoes.   `(*) -> (*)` */
export const logit = _special.special_logit;
/** The logarithm of the gamma function of `p` dimensions.   `(*) -> (*)` */
export const multigammaln = _special.special_multigammaln;
/** The share of the normal distribution below x.   `(*) -> (*)` */
export const ndtr = _special.special_ndtr;
/** The `n`-th derivative of `digamma`.   `(*) -> (*)` */
export const polygamma = _special.special_polygamma;
/** Another name of `digamma`.   `(*) -> (*)` */
export const psi = _special.special_psi;
/** To the nearest integer, or to `decimals` digits behind the point.   `(*) -> (*)` */
export const round = _special.special_round;
/** `sin(πx) / (πx)`; 1 at 0.   `(*) -> (*)` */
export const sinc = _special.special_sinc;
/** Powers of e, scaled to a sum of 1 along `dim`.   `(*) -> (*)` */
export const softmax = _special.special_softmax;
/** `input * log(1 + other)`; 0 where `input` is 0.   `(*), (*) -> (*)` */
export const xlog1py = _special.special_xlog1py;
/** `input * log(other)`; 0 where `input` is 0.   `(*), (*) -> (*)` */
export const xlogy = _special.special_xlogy;
/** Hurwitz's zeta: the sum of `(other + k)^-input` over k from 0 on.   `(*), (*) -> (*)` */
export const zeta = _special.special_zeta;
