/**
 * @file Functions written directly in WGSL because they loop or must be exact: remainders, integer powers, and the
 * reduction of angles by pi / 2, which multiplies the 24 bits of a float by 96 bits of 2 / pi.
 * @mirrors c10/cuda/CUDAMathCompat.h
 * @differs These are written in WGSL; CUDA calls libdevice.
 */
export const MATH_HELPERS = /* wgsl */ `
fn rem_f32(a: f32, b: f32) -> f32 {
  let sign = bitcast<u32>(a) & 0x80000000u;
  let x = bitcast<u32>(a) & 0x7fffffffu;
  let y = bitcast<u32>(b) & 0x7fffffffu;
  if ((x >= 0x7f800000u) || (y > 0x7f800000u) || (y == 0u)) {
    return nan();
  }
  if (x < y) {
    return a;
  }
  let x_exponent = max(x >> 23u, 1u);
  let y_exponent = max(y >> 23u, 1u);
  let divisor = (y & 0x7fffffu) | select(0x800000u, 0u, y < 0x800000u);
  var rest = ((x & 0x7fffffu) | select(0x800000u, 0u, x < 0x800000u)) % divisor;
  var left = x_exponent - y_exponent;
  while (left >= 8u) {
    rest = (rest << 8u) % divisor;
    left -= 8u;
  }
  rest = (rest << left) % divisor;
  if (rest == 0u) {
    return bitcast<f32>(sign);
  }
  let shift = countLeadingZeros(rest) - 8u;
  if (shift < y_exponent) {
    return bitcast<f32>(sign | ((y_exponent - shift) << 23u) | ((rest << shift) & 0x7fffffu));
  }
  return bitcast<f32>(sign | (rest << (y_exponent - 1u)));
}

fn powi_i32(base: i32, exponent: i32) -> i32 {
  if (exponent < 0i) {
    return select(select(0i, 1i, base == 1i), select(1i, -1i, (exponent & 1i) == 1i), base == -1i);
  }
  var result = 1i;
  var power = base;
  var left = exponent;
  while (left != 0i) {
    if ((left & 1i) == 1i) {
      result *= power;
    }
    power *= power;
    left >>= 1u;
  }
  return result;
}

fn calc_gcd_i32(a: i32, b: i32) -> i32 {
  var x = bitcast<u32>(abs(a));
  var y = bitcast<u32>(abs(b));
  while (x != 0u) {
    let rest = y % x;
    y = x;
    x = rest;
  }
  return bitcast<i32>(y);
}

const two_by_pi = array<u32, 8>(
  0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu
);

fn trig_reduce(x: f32) -> vec2<f32> {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  if (bits <= 0x3f490fdbu) {
    return vec2<f32>(0.0f, x);
  }
  if (bits >= 0x7f800000u) {
    return vec2<f32>(0.0f, nan());
  }
  let mantissa = (bits & 0x7fffffu) | 0x800000u;
  let start = (bits >> 23u) - 120u;
  let word = start >> 5u;
  let shift = start & 31u;
  var words = two_by_pi;
  let w0 = words[word];
  let w1 = words[word + 1u];
  let w2 = words[word + 2u];
  let w3 = words[word + 3u];
  let back = (32u - shift) & 31u;
  let a = select((w0 << shift) | (w1 >> back), w0, shift == 0u);
  let b = select((w1 << shift) | (w2 >> back), w1, shift == 0u);
  let c = select((w2 << shift) | (w3 >> back), w2, shift == 0u);
  let low = u32_mul_wide(mantissa, c);
  let middle = i64_add(u32_mul_wide(mantissa, b), vec2<u32>(low.y, 0u));
  let high = mantissa * a + middle.y;
  let fraction = vec2<u32>((middle.x << 2u) | (low.x >> 30u), (high << 2u) | (middle.x >> 30u));
  let above = (fraction.y >> 31u) == 1u;
  let quadrant = ((high >> 30u) + select(0u, 1u, above)) & 3u;
  let magnitude = select(fraction, i64_neg(fraction), above);
  let zeros = u64_leading_zeros(magnitude);
  let normal = i64_shl(magnitude, zeros);
  let first = f32(normal.y >> 8u);
  let second = f32(((normal.y & 255u) << 16u) | (normal.x >> 16u)) * 5.9604644775390625e-8f;
  let product = fma(first, 1.57079637f, fma(first, -4.37113883e-8f, second * 1.57079637f));
  let rest = product * bitcast<f32>((103u - zeros) << 23u);
  let is_negative = (bitcast<u32>(x) >> 31u) == 1u;
  let signed_rest = select(rest, -rest, above != is_negative);
  return vec2<f32>(f32(select(quadrant, (4u - quadrant) & 3u, is_negative)), signed_rest);
}

fn trig_quadrant_f32(x: f32) -> f32 {
  return trig_reduce(x).x;
}

fn trig_rest_f32(x: f32) -> f32 {
  return trig_reduce(x).y;
}
`;
