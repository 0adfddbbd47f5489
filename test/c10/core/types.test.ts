/** @file Dtypes, scalars, devices, options, thread-local guards, half precision. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { GradMode, NoGradGuard } from "#c10/core/GradMode";
import { InferenceMode } from "#c10/core/InferenceMode";
import {
  ExcludeDispatchKeyGuard,
  IncludeDispatchKeyGuard,
  tls_excluded,
  tls_included,
} from "#c10/core/impl/LocalDispatchKeySet";
import { Layout } from "#c10/core/Layout";
import { Scalar } from "#c10/core/Scalar";
import { canCast, elementSize, getDtypeNames, promoteTypes, ScalarType } from "#c10/core/ScalarType";
import { computeDispatchKey, TensorOptions } from "#c10/core/TensorOptions";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { f32_from_bits, round_to_nearest_even } from "#c10/util/BFloat16";
import { fp16_ieee_from_fp32_value, fp16_ieee_to_fp32_value } from "#c10/util/Half";

const path = new URL("../../fixtures/dispatch/facts.json.gz", import.meta.url);
const { promote } = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {
  promote: Record<string, Record<string, string>>;
};
const all = Object.values(ScalarType).filter((t) => t !== ScalarType.Undefined);
const byName = new Map(all.map((t) => [getDtypeNames(t)[0], t]));

test("promotion is PyTorch's, table and errors", () => {
  for (const [a, row] of Object.entries(promote)) {
    for (const [b, expected] of Object.entries(row)) {
      const run = () => promoteTypes(byName.get(a) as ScalarType, byName.get(b) as ScalarType);
      if (expected.startsWith("error: ")) expect(run).toThrow(expected.slice(7));
      else expect(`${a} ${b} ${getDtypeNames(run())[0]}`).toBe(`${a} ${b} ${expected}`);
    }
  }
});

test("casts go up the families only", () => {
  expect(canCast(ScalarType.Float, ScalarType.Long)).toBe(false);
  expect(canCast(ScalarType.Double, ScalarType.Half)).toBe(true);
  expect(canCast(ScalarType.Byte, ScalarType.Bool)).toBe(false);
  expect(canCast(ScalarType.ComplexFloat, ScalarType.Float)).toBe(false);
  expect([ScalarType.ComplexDouble, ScalarType.Long, ScalarType.BFloat16, ScalarType.Bool].map(elementSize)).toEqual([
    16, 8, 2, 1,
  ]);
});

test("a Scalar converts as PyTorch's, or says it does not fit", () => {
  expect(Scalar.fromInt(-1).to(ScalarType.Byte)).toBe(255);
  expect(() => Scalar.fromInt(-256).to(ScalarType.Byte)).toThrow(
    "value cannot be converted to type uint8_t without overflow",
  );
  expect(() => Scalar.fromInt(2 ** 40).to(ScalarType.Int)).toThrow("type int without overflow");
  expect(() => Scalar.fromDouble(Infinity).to(ScalarType.Long)).toThrow("type int64_t without overflow");
  expect(() => Scalar.fromDouble(1e60).to(ScalarType.Float)).toThrow("type float without overflow");
  expect(() => Scalar.fromDouble(65519).to(ScalarType.Half)).toThrow("type c10::Half without overflow");
  expect(() => Scalar.fromDouble(-0.5).to(ScalarType.Byte)).toThrow("type uint8_t without overflow");
  expect(Scalar.fromDouble(Infinity).to(ScalarType.Half)).toBe(Infinity);
  expect(Scalar.fromDouble(NaN).to(ScalarType.Bool)).toBe(1);
  expect(Scalar.fromDouble(0.1).to(ScalarType.Float)).toBe(Math.fround(0.1));
  expect(Scalar.fromInt(2n ** 63n - 1n).to(ScalarType.Long)).toBe(2n ** 63n - 1n);
  expect(Scalar.fromInt(2n ** 63n).type()).toBe(ScalarType.UInt64);
  expect(Scalar.fromBool(true).to(ScalarType.Long)).toBe(1n);
  expect(Scalar.fromBool(true).equal(1)).toBe(false);
  expect(Scalar.fromInt(1).equal(1)).toBe(true);
  expect(Scalar.fromDouble(2).neg().toDouble()).toBe(-2);
  expect(Object.is(Scalar.fromInt(0).neg().toNumber(), 0)).toBe(true);
});

test("device strings", () => {
  expect(Device.parse("cuda:1").str()).toBe("cuda:1");
  expect(Device.parse("cpu").eq(Device.of(DeviceType.CPU))).toBe(true);
  for (const bad of ["cpu:-1", "cuda:01", "cuda:1:2", "cuda:", "1cuda", "cu da", "cpu:x"]) {
    expect(() => Device.parse(bad)).toThrow(`Invalid device string: '${bad}'`);
  }
  expect(() => Device.parse("")).toThrow("Device string must not be empty");
  expect(() => Device.parse("foo")).toThrow(
    "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: foo",
  );
});

test("options choose a backend", () => {
  expect(computeDispatchKey(null, null, null)).toBe(DispatchKey.CPU);
  expect(computeDispatchKey(ScalarType.QInt8, null, null)).toBe(DispatchKey.QuantizedCPU);
  expect(computeDispatchKey(null, Layout.Sparse, Device.of(DeviceType.CUDA))).toBe(DispatchKey.SparseCUDA);
  expect(computeDispatchKey(null, null, Device.of(DeviceType.Meta))).toBe(DispatchKey.Meta);
  const options = TensorOptions.EMPTY.dtype(ScalarType.Long).device(DeviceType.Meta);
  expect(options.dtype()).toBe(ScalarType.Long);
  expect(options.layout()).toBe(Layout.Strided);
  expect(options.merge_in(TensorOptions.EMPTY.dtype(ScalarType.Int)).device().is_meta()).toBe(true);
});

test("guards put back what they changed", () => {
  const included = tls_included;
  const guard = new ExcludeDispatchKeyGuard(DispatchKeySet.of(DispatchKey.AutogradOther));
  const inner = new ExcludeDispatchKeyGuard(DispatchKey.AutogradOther); // already excluded: changes nothing
  inner.restore();
  expect(tls_excluded.has(DispatchKey.AutogradOther)).toBe(true);
  guard.restore();
  expect(tls_excluded.has(DispatchKey.AutogradOther)).toBe(false);
  const include = new IncludeDispatchKeyGuard(DispatchKey.Tracer);
  expect(tls_included.has(DispatchKey.Tracer)).toBe(true);
  include.restore();
  expect(tls_included.eq(included)).toBe(true);
});

test("inference mode is PyTorch's pair of sets, and ends", () => {
  const guard = new InferenceMode();
  try {
    expect(tls_included.raw_hex()).toBe("0x4000000");
    expect(tls_excluded.raw_hex()).toBe("0x1ffb800000000");
    expect(GradMode.is_enabled()).toBe(false);
  } finally {
    guard.restore();
  }
  expect(tls_included.raw_hex()).toBe("0x404000000");
  const noGrad = new NoGradGuard();
  expect(GradMode.is_enabled()).toBe(false);
  noGrad.restore();
  expect(GradMode.is_enabled()).toBe(true);
});

test("dimensions wrap", () => {
  expect(maybe_wrap_dim(-1, 3)).toBe(2);
  expect(maybe_wrap_dim(-1, 0)).toBe(0);
  expect(() => maybe_wrap_dim(1, 0)).toThrow("Dimension out of range (expected to be in range of [-1, 0], but got 1)");
  expect(() => maybe_wrap_dim(0, 0, false)).toThrow("Dimension specified as 0 but tensor has no dimensions");
});

test("every half and bfloat16 survives the round trip; ties go to even", () => {
  const lost: number[] = [];
  for (let h = 0; h < 65536; h++) {
    const half = fp16_ieee_to_fp32_value(h);
    if (!Number.isNaN(half) && fp16_ieee_from_fp32_value(half) !== h) lost.push(h);
    const b = f32_from_bits(h);
    if (!Number.isNaN(b) && round_to_nearest_even(b) !== h) lost.push(h);
  }
  expect(lost).toEqual([]);
  expect(fp16_ieee_to_fp32_value(fp16_ieee_from_fp32_value(2049))).toBe(2048);
  expect(fp16_ieee_to_fp32_value(fp16_ieee_from_fp32_value(2051))).toBe(2052);
  expect(fp16_ieee_from_fp32_value(65519)).toBe(0x7bff);
  expect(fp16_ieee_from_fp32_value(65520)).toBe(0x7c00);
  expect(fp16_ieee_from_fp32_value(2 ** -25)).toBe(0);
  expect(fp16_ieee_from_fp32_value(2 ** -25 * 1.001)).toBe(1);
  expect(fp16_ieee_from_fp32_value(-0)).toBe(0x8000);
  expect(round_to_nearest_even(NaN)).toBe(0x7fc0);
});
