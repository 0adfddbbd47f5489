/**
 * @file The capabilities of this machine's WebAssembly, found by validating a module that uses them.
 * @mirrors aten/src/ATen/cpu/Utils.h
 * @differs They are tested with a small module; PyTorch asks the processor (cpuinfo).
 */
import { assemble, type WasmFunction } from "./assembler.ts";

const limits = { initial: 1, maximum: 1, shared: false };

function understands(body: readonly string[]): boolean {
  const f: WasmFunction = { name: "f", params: [["x", "v128"]], results: ["v128"], locals: [], body };
  return typeof WebAssembly === "object" && WebAssembly.validate(assemble([f], limits));
}

/** Vectors of 128 bits. */
export function is_simd128_supported(): boolean {
  return understands(["local.get $x", "local.get $x", "f32x4.add"]);
}

/** Multiply-add as one instruction, fused where the processor has it. */
export function is_relaxed_simd_supported(): boolean {
  return understands(["local.get $x", "local.get $x", "local.get $x", "f32x4.relaxed_madd"]);
}
