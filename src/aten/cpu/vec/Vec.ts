/**
 * @file What kernel text of `@vec` files is written in: vectors that have operators, addresses, and the few functions that a machine has
 * beside them. To TypeScript they are numbers; tools/codegen/kernels/compile_vec.ts makes WebAssembly of the text.
 * @mirrors aten/src/ATen/cpu/vec/vec_base.h
 * @differs C++ overloads the operators of `Vectorized<T>`; here codegen reads them. Called directly, these functions only throw.
 */

// Note [Kernel text with Vec]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
//   /** @file ... @vec SumKernel: float32, float64 */     in the header: one module for each dtype, in which `scalar_t` is it
//   export function f(x: ptr, n: int): float            the driver can call it; others of the file only serve it
//   /** @inline */ function g(v: Vec): Vec               written into its callers; returns at its end or not at all
//
//   statements    const, let, for, while, if, return, break, continue, calls, assignments
//   Vec           + - * / and comparisons, which give a Mask; `mask ? a : b` lane by lane; && || ! of masks. Both sides are always computed
//   int, ptr      32 bits; a ptr is an address in bytes and is compared unsigned. No / and no %: shift, or mask
//   float         one scalar_t, whatever it is. Where it is a whole number there is no /, and no intrinsic that only floats have
//   literals      become what they meet, a Vec with the number in every lane, too; `const` of a literal is that literal
//
// A vector has 16 bytes: four float32 or int32, two float64 or int64. Halves are computed in float: `load` and its kin make floats of them,
// `store` and its kin round, so that a vector of them takes 8 bytes of memory (`vec_bytes`). What is true of `sizeof<scalar_t>()` is decided by codegen, and `if` on it leaves no trace.

// Note [Parameters of a vector kernel]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A WebAssembly function takes numbers and nothing else, so a kernel lists every address, length and step of its operands. They could be
// put into memory and passed as one address, but then each call would first need memory and write them there, and the kernel would
// load them again, where now they arrive in registers. The driver beside a kernel has names for groups of them (a geometry, options).

/** The dtype of the module: float32, float64, int32, int64, float16 or bfloat16. */
export type scalar_t = number;
/** 16 bytes of scalar_t; of halves, of floats. */
export type Vec = number;
/** Whole numbers as wide as scalar_t, as many as in a Vec. */
export type IntVec = number;
/** All bits or none, by lane. */
export type Mask = boolean;
export type int = number;
/** One scalar_t; of halves, a float. */
export type float = number;
/** An address in the heap, in bytes. */
export type ptr = number;

function onlyInKernelText(): never {
  throw new Error("kernel text was called directly; call the function of its module in generated/");
}

/** As many scalar_t as a Vec has, aligned or not. */
export const load: (at: ptr) => Vec = onlyInKernelText;
export const store: (at: ptr, v: Vec) => void = onlyInKernelText;
/** 16 bytes, and the first of them, as they are computed with: of halves, floats. */
export const load_opmath: (at: ptr) => Vec = onlyInKernelText;
export const store_opmath: (at: ptr, v: Vec) => void = onlyInKernelText;
export const load_one_opmath: (at: ptr) => float = onlyInKernelText;
/** The one scalar_t at `at`, in every lane. */
export const load_splat: (at: ptr) => Vec = onlyInKernelText;
export const load_one: (at: ptr) => float = onlyInKernelText;
export const store_one: (at: ptr, x: float) => void = onlyInKernelText;
/** Four bytes, two, and one. */
export const load_int: (at: ptr) => int = onlyInKernelText;
export const store_int: (at: ptr, x: int) => void = onlyInKernelText;
export const load_short: (at: ptr) => int = onlyInKernelText;
export const store_short: (at: ptr, x: int) => void = onlyInKernelText;
export const load_byte: (at: ptr) => int = onlyInKernelText;
export const store_byte: (at: ptr, x: int) => void = onlyInKernelText;
export const splat: (x: float) => Vec = onlyInKernelText;
export const splat_int: (x: int) => IntVec = onlyInKernelText;
/** Lane `k` of `v`; `k` is a literal. */
export const lane: (v: Vec, k: number) => float = onlyInKernelText;
/** Elements of a Vec, bytes of an element, and of as many elements as a Vec has: literals. */
export const lanes: <_T extends scalar_t>() => number = onlyInKernelText;
export const sizeof: <_T extends scalar_t>() => number = onlyInKernelText;
export const vec_bytes: <_T extends scalar_t>() => number = onlyInKernelText;
/** a * b + c, rounded once where the machine can do that in one instruction, else twice. */
export const fmadd: (a: Vec, b: Vec, c: Vec) => Vec = onlyInKernelText;
/** As if stored and loaded again: of halves, what they can be. */
export const rounded: (v: Vec) => Vec = onlyInKernelText;
/** `b < a ? b : a` and `a < b ? b : a`: a NaN in `b` is passed over, one in `a` stays. */
export const pmin: (a: Vec, b: Vec) => Vec = onlyInKernelText;
export const pmax: (a: Vec, b: Vec) => Vec = onlyInKernelText;
export const abs: (v: Vec) => Vec = onlyInKernelText;
/** Of the lanes of `a`, then those of `b`: every second from the first, from the second on. at::vec's deinterleave2 gives both. */
export const evens: (a: Vec, b: Vec) => Vec = onlyInKernelText;
export const odds: (a: Vec, b: Vec) => Vec = onlyInKernelText;
/** Lanes of `a` and `b` in turns: the first half of them, the second. at::vec's interleave2 gives both. */
export const interleave_low: (a: Vec, b: Vec) => Vec = onlyInKernelText;
export const interleave_high: (a: Vec, b: Vec) => Vec = onlyInKernelText;
export const sqrt: (v: Vec) => Vec = onlyInKernelText;
/** The bits of each lane as a whole number, and back. */
export const to_bits: (v: Vec) => IntVec = onlyInKernelText;
export const from_bits: (v: IntVec) => Vec = onlyInKernelText;
export const any: (m: Mask) => boolean = onlyInKernelText;
export const all: (m: Mask) => boolean = onlyInKernelText;
/** The least and the greatest of two ints; leading zero bits of one. */
export const min: (a: int, b: int) => int = onlyInKernelText;
export const max: (a: int, b: int) => int = onlyInKernelText;
export const clz: (a: int) => int = onlyInKernelText;
export const to_float: (a: int) => float = onlyInKernelText;
/** `nbytes` bytes; they may overlap. */
export const copy: (to: ptr, from: ptr, nbytes: int) => void = onlyInKernelText;
export const fill: (to: ptr, byte: int, nbytes: int) => void = onlyInKernelText;
