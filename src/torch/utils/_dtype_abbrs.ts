/**
 * @file Short names of dtypes, for annotations such as `f32[2, 3]`.
 * @mirrors torch/utils/_dtype_abbrs.py
 */

/** By the dtype's name without `torch.`. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  uint8: "u8",
  int8: "i8",
  int16: "i16",
  int32: "i32",
  int64: "i64",
  float16: "f16",
  float32: "f32",
  float64: "f64",
  complex32: "c32",
  complex64: "c64",
  complex128: "c128",
  bool: "b8",
  bfloat16: "bf16",
  uint16: "u16",
  uint32: "u32",
  uint64: "u64",
};

/** `f32` for `torch.float32`. */
export function dtype_abbrs(dtype: unknown): string {
  const name = String(dtype).replace("torch.", "");
  return ABBREVIATIONS[name] ?? name;
}
