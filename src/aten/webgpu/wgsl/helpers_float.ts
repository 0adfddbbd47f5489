/**
 * @file Conversions between float32 and sixteen-bit types in WGSL. They use integers, because WGSL leaves denormals and
 * ties of its own conversions undefined.
 * @mirrors c10/util/Half.h
 * @mirrors c10/util/BFloat16.h
 * @differs Sixteen-bit numbers are converted with integers, because SwiftShader and many phones lack `shader-f16`; PyTorch uses
 * the processor's instructions where it has them. Both compute in float32.
 */
export const FLOAT_HELPERS = /* wgsl */ `
var<private> infinity_bits: u32 = 0x7f800000u;
var<private> nan_bits: u32 = 0x7fc00000u;

fn inf() -> f32 {
  return bitcast<f32>(infinity_bits);
}

fn nan() -> f32 {
  return bitcast<f32>(nan_bits);
}

fn ne_f32(a: f32, b: f32) -> bool {
  return !(a == b) || isnan_f32(a) || isnan_f32(b);
}

fn times_zero_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  return select(bitcast<f32>(bits & 0x80000000u), nan(), (bits & 0x7f800000u) == 0x7f800000u);
}

fn pmin_f32(a: f32, b: f32) -> f32 {
  return select(a, b, b < a);
}

fn pmax_f32(a: f32, b: f32) -> f32 {
  return select(a, b, a < b);
}

fn pmin_i32(a: i32, b: i32) -> i32 {
  return min(a, b);
}

fn pmax_i32(a: i32, b: i32) -> i32 {
  return max(a, b);
}

fn f32_to_i32(x: f32) -> i32 {
  return select(i32(-2147483648), i32(x), (x >= -2147483648.0f) && (x < 2147483648.0f));
}

fn f32_to_u8(x: f32) -> i32 {
  let whole = trunc(x);
  return f32_to_i32(whole - floor(whole * 0.00390625f) * 256.0f) & 255i;
}

fn f16_to_f32(half: u32) -> f32 {
  let magnitude = half & 0x7fffu;
  let sign = (half & 0x8000u) << 16u;
  let number = (magnitude << 13u) + 0x38000000u;
  let special = (magnitude << 13u) | 0x7f800000u;
  let denormal = bitcast<u32>(f32(magnitude) * 5.9604644775390625e-8f);
  let bits = select(select(number, special, magnitude >= 0x7c00u), denormal, magnitude < 0x400u);
  return bitcast<f32>(bits | sign);
}

fn f32_to_f16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let magnitude = bits & 0x7fffffffu;
  let sign = (bits >> 16u) & 0x8000u;
  if (magnitude > 0x7f800000u) {
    return sign | 0x7e00u;
  }
  if (magnitude >= 0x477ff000u) {
    return sign | 0x7c00u;
  }
  if (magnitude >= 0x38800000u) {
    let number = magnitude - 0x38000000u;
    return sign | ((number + 0xfffu + ((number >> 13u) & 1u)) >> 13u);
  }
  let exponent = magnitude >> 23u;
  if (exponent < 102u) {
    return sign;
  }
  let mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  let shift = 126u - exponent;
  let whole = mantissa >> shift;
  let rest = mantissa & ((1u << shift) - 1u);
  let tie = 1u << (shift - 1u);
  return sign | (whole + select(0u, 1u, (rest > tie) || ((rest == tie) && ((whole & 1u) == 1u))));
}

fn round_float16(x: f32) -> f32 {
  return f16_to_f32(f32_to_f16(x));
}

fn bf16_to_f32(bits: u32) -> f32 {
  return bitcast<f32>(bits << 16u);
}

fn f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let rounded = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(rounded, 0x7fc0u, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn round_bfloat16(x: f32) -> f32 {
  return bf16_to_f32(f32_to_bf16(x));
}
`;
