/**
 * @file int64 in WGSL: two u32, the low word first, as in memory. It wraps as in C++ on every machine that PyTorch
 * supports; division by 0 gives CUDA's result. `i64_to_index` converts a value that is no int32 to the smallest int32,
 * which is out of all bounds.
 * @original Other machines have 64-bit integers.
 */
export const INT64_HELPERS = /* wgsl */ `
fn i64_from_i32(x: i32) -> vec2<u32> {
  return vec2<u32>(bitcast<u32>(x), bitcast<u32>(x >> 31u));
}

fn i64_to_index(x: vec2<u32>) -> i32 {
  return select(-2147483647i - 1i, bitcast<i32>(x.x), x.y == bitcast<u32>(bitcast<i32>(x.x) >> 31u));
}
fn i64_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn i64_sub(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn i64_neg(x: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(~x.x + 1u, ~x.y + select(0u, 1u, x.x == 0u));
}

fn i64_abs(x: vec2<u32>) -> vec2<u32> {
  return select(x, i64_neg(x), (x.y >> 31u) == 1u);
}

fn u32_mul_wide(a: u32, b: u32) -> vec2<u32> {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let left = (a >> 16u) * (b & 0xffffu);
  let right = (a & 0xffffu) * (b >> 16u);
  let middle = (low >> 16u) + (left & 0xffffu) + (right & 0xffffu);
  let high = (a >> 16u) * (b >> 16u) + (left >> 16u) + (right >> 16u) + (middle >> 16u);
  return vec2<u32>((low & 0xffffu) | (middle << 16u), high);
}

fn i64_mul(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = u32_mul_wide(a.x, b.x);
  return vec2<u32>(low.x, low.y + a.x * b.y + a.y * b.x);
}

fn u64_lt(a: vec2<u32>, b: vec2<u32>) -> bool {
  return (a.y < b.y) || ((a.y == b.y) && (a.x < b.x));
}

fn i64_lt(a: vec2<u32>, b: vec2<u32>) -> bool {
  return (bitcast<i32>(a.y) < bitcast<i32>(b.y)) || ((a.y == b.y) && (a.x < b.x));
}

fn pmin_i64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return select(a, b, i64_lt(b, a));
}

fn pmax_i64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return select(a, b, i64_lt(a, b));
}

fn i64_shl(x: vec2<u32>, by: u32) -> vec2<u32> {
  if (by >= 32u) {
    return vec2<u32>(0u, x.x << (by - 32u));
  }
  return vec2<u32>(x.x << by, select((x.y << by) | (x.x >> ((32u - by) & 31u)), x.y, by == 0u));
}

fn i64_shr_u(x: vec2<u32>, by: u32) -> vec2<u32> {
  if (by >= 32u) {
    return vec2<u32>(x.y >> (by - 32u), 0u);
  }
  return vec2<u32>(select((x.x >> by) | (x.y << ((32u - by) & 31u)), x.x, by == 0u), x.y >> by);
}

fn i64_shr_s(x: vec2<u32>, by: u32) -> vec2<u32> {
  let sign = bitcast<u32>(bitcast<i32>(x.y) >> 31u);
  if (by >= 32u) {
    return vec2<u32>(bitcast<u32>(bitcast<i32>(x.y) >> (by - 32u)), sign);
  }
  let low = select((x.x >> by) | (x.y << ((32u - by) & 31u)), x.x, by == 0u);
  return vec2<u32>(low, bitcast<u32>(bitcast<i32>(x.y) >> by));
}

fn u64_divide(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
  if ((a.y == 0u) && (b.y == 0u) && (b.x != 0u)) {
    return vec4<u32>(a.x / b.x, 0u, a.x % b.x, 0u);
  }
  var quotient = a;
  var rest = vec2<u32>(0u, 0u);
  for (var i = 0u; i < 64u; i++) {
    let carried = (rest.y >> 31u) == 1u;
    rest = vec2<u32>((rest.x << 1u) | (quotient.y >> 31u), (rest.y << 1u) | (rest.x >> 31u));
    quotient = vec2<u32>(quotient.x << 1u, (quotient.y << 1u) | (quotient.x >> 31u));
    if (carried || !u64_lt(rest, b)) {
      rest = i64_sub(rest, b);
      quotient.x |= 1u;
    }
  }
  return vec4<u32>(quotient, rest);
}

fn i64_div(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let quotient = u64_divide(i64_abs(a), i64_abs(b)).xy;
  return select(quotient, i64_neg(quotient), ((a.y ^ b.y) >> 31u) == 1u);
}

fn i64_rem(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let rest = u64_divide(i64_abs(a), i64_abs(b)).zw;
  return select(rest, i64_neg(rest), (a.y >> 31u) == 1u);
}

fn u64_leading_zeros(x: vec2<u32>) -> u32 {
  return select(countLeadingZeros(x.y), 32u + countLeadingZeros(x.x), x.y == 0u);
}

fn i64_to_f32(x: vec2<u32>) -> f32 {
  let magnitude = i64_abs(x);
  if ((magnitude.x | magnitude.y) == 0u) {
    return 0.0f;
  }
  let zeros = u64_leading_zeros(magnitude);
  let normal = i64_shl(magnitude, zeros);
  let mantissa = normal.y >> 8u;
  let rest = normal.y & 255u;
  let above = (rest > 128u) || ((rest == 128u) && ((normal.x != 0u) || ((mantissa & 1u) == 1u)));
  let bits = ((190u - zeros) << 23u) + (mantissa & 0x7fffffu) + select(0u, 1u, above);
  return bitcast<f32>(bits | (x.y & 0x80000000u));
}

fn f32_to_i64(x: f32) -> vec2<u32> {
  if (!((x >= -9223372036854775808.0f) && (x < 9223372036854775808.0f))) {
    return vec2<u32>(0u, 0x80000000u);
  }
  let bits = bitcast<u32>(x);
  let exponent = (bits >> 23u) & 255u;
  let mantissa = vec2<u32>((bits & 0x7fffffu) | 0x800000u, 0u);
  if (exponent < 127u) {
    return vec2<u32>(0u, 0u);
  }
  var magnitude: vec2<u32>;
  if (exponent < 150u) {
    magnitude = i64_shr_u(mantissa, 150u - exponent);
  } else {
    magnitude = i64_shl(mantissa, exponent - 150u);
  }
  return select(magnitude, i64_neg(magnitude), (bits >> 31u) == 1u);
}

fn powi_i64(base: vec2<u32>, exponent: vec2<u32>) -> vec2<u32> {
  let one = vec2<u32>(1u, 0u);
  if ((exponent.y >> 31u) == 1u) {
    let is_minus_one = all(base == vec2<u32>(0xffffffffu, 0xffffffffu));
    let sign = select(one, base, (exponent.x & 1u) == 1u);
    return select(select(vec2<u32>(0u, 0u), one, all(base == one)), sign, is_minus_one);
  }
  var result = one;
  var power = base;
  var left = exponent;
  while ((left.x | left.y) != 0u) {
    if ((left.x & 1u) == 1u) {
      result = i64_mul(result, power);
    }
    power = i64_mul(power, power);
    left = i64_shr_u(left, 1u);
  }
  return result;
}

fn calc_gcd_i64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  var x = i64_abs(a);
  var y = i64_abs(b);
  while ((x.x | x.y) != 0u) {
    let rest = u64_divide(y, x).zw;
    y = x;
    x = rest;
  }
  return y;
}
`;
