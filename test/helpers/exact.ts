/**
 * @file Errors of doubles in units of their last place, measured with integers of 200 bits behind the point: what a double cannot judge.
 * @original
 */

const BITS = 200n;
const ONE = 1n << BITS;

/** `mantissa * 2^exponent`, the mantissa with as many bits as doubles have there. */
function parts(x: number): { mantissa: bigint; exponent: bigint } {
  const bits = new BigUint64Array(new Float64Array([Math.abs(x)]).buffer)[0];
  const biased = bits >> 52n;
  const fraction = bits & ((1n << 52n) - 1n);
  const mantissa = biased === 0n ? fraction : fraction | (1n << 52n);
  return { mantissa: x < 0 ? -mantissa : mantissa, exponent: (biased === 0n ? 1n : biased) - 1075n };
}

function shifted(x: bigint, by: bigint): bigint {
  return by >= 0n ? x << by : x >> -by;
}

function fixed(x: number): bigint {
  const { mantissa, exponent } = parts(x);
  return shifted(mantissa, exponent + BITS);
}

/** ln 2 = sum of 1 / (k 2^k) */
const LN2 = ((): bigint => {
  let sum = 0n;
  for (let k = 1n; k <= BITS; k++) sum += (ONE >> k) / k;
  return sum;
})();

/** e^x = value / 2^BITS * 2^k */
function exp(x: bigint): { value: bigint; k: bigint } {
  const k = x / LN2;
  const r = x - k * LN2;
  let term = ONE;
  let sum = ONE;
  for (let n = 1n; term !== 0n; n++) {
    term = (term * r) >> BITS;
    term /= n;
    sum += term;
  }
  return { value: sum, k };
}

/** `got` less `value / 2^BITS * 2^k`, in units of got's last place. */
function ulps(got: number, value: bigint, k = 0n): number {
  const { mantissa, exponent } = parts(got);
  const more = 64n; // so that a fraction of a unit is left
  const exact = shifted(value, k - BITS - exponent + more);
  return Number((mantissa << more) - exact) / 2 ** 64;
}

/** log(1 + d) for a `d` close to 0, in units of got's last place. */
function log_of_rest(d: bigint, got: number): number {
  const log = d - ((d * d) >> (BITS + 1n));
  return Number(-(log >> 40n)) / 2 ** 160 / 2 ** Number(parts(got).exponent);
}

export const exact = {
  exp(x: number, got: number): number {
    const { value, k } = exp(fixed(x));
    return ulps(got, value, k);
  },
  /** log x - got = log(x e^-got), which is close to 0. */
  log(x: number, got: number): number {
    const { value, k } = exp(-fixed(got));
    const { mantissa, exponent } = parts(x);
    return log_of_rest(shifted(mantissa * value, exponent + k) - ONE, got);
  },
  expm1(x: number, got: number): number {
    const { value, k } = exp(fixed(x));
    return ulps(got, shifted(value, k) - ONE);
  },
  log1p(x: number, got: number): number {
    const { value, k } = exp(-fixed(got));
    return log_of_rest(shifted((ONE + fixed(x)) * value, k - BITS) - ONE, got);
  },
  tanh(x: number, got: number): number {
    const { value, k } = exp(2n * fixed(x));
    const e = shifted(value, k);
    return ulps(got, ((e - ONE) << BITS) / (e + ONE));
  },
};
