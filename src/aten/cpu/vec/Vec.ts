/**
 * @file The language of kernel text in `@vec` files: vectors with operators, addresses, and the few functions of the
 * machine. To TypeScript they are numbers; tools/codegen/kernels/compile_vec.ts compiles the text to WebAssembly.
 * @mirrors aten/src/ATen/cpu/vec/vec_base.h
 * @differs C++ overloads the operators of `Vectorized<T>`; here codegen reads them. Called directly, these functions only throw.
 */

// Note [Kernel text with Vec]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
//   /** @file ... @vec SumKernel: float32, float64 */     in the header: one module for each dtype, in which `scalar_t` is it
//   export function f(x: ptr, n: int): float            the driver can call it; the file's other functions are internal
//   /** @inline */ function g(v: Vec): Vec               written into its callers; returns at its end or not at all
//
//   statements    const, let, for, while, if, return, break, continue, calls, assignments
//   Vec           + - * / and comparisons, which give a Mask; `mask ? a : b` by lane; && || ! of masks. Both sides are always computed
//   int, ptr      32 bits; a ptr is an address in bytes and is compared unsigned. No / and no %: shift, or mask
//   float         one scalar_t. If it is an integer, there is no /, and no intrinsic of floats
//   literals      take the type of the other operand: for a Vec, the number in every lane; `const` of a literal is that literal
//
// A vector has 16 bytes: four float32 or int32, two float64 or int64. Halves are computed as floats: `load` and similar
// functions convert them to floats, `store` and similar functions round, so a vector of halves takes 8 bytes of memory
// (`vec_bytes`). Codegen evaluates conditions on `sizeof<scalar_t>()`; such an `if` leaves no trace in the code.

// Note [Parameters of a vector kernel]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A WebAssembly function takes numbers and nothing else, so a kernel lists every address, length and step of its operands. They could be
// put into memory and passed as one address, but then each call would first need memory and write them there, and the kernel would
// load them again, where now they arrive in registers. The driver beside a kernel has names for groups of them (a geometry, options).

/** The dtype of the module: float32, float64, int32, int64, float16 or bfloat16. */
export type scalar_t = number;
/** A vector of 16 bytes of scalar_t; for halves, of floats. */
export type Vec = number;
/** Integers as wide as scalar_t, as many as in a Vec. */
export type IntVec = number;
/** A mask: all bits or none in each lane. */
export type Mask = boolean;
export type int = number;
/** One scalar_t; for halves, a float. */
export type float = number;
/** An address in the heap, in bytes. */
export type ptr = number;

function onlyInKernelText(): never {
  throw new Error("kernel text was called directly; call the function of its module in generated/");
}

/** Loads as many scalar_t as a Vec has; they need not be aligned. */
export const load: (at: ptr) => Vec = onlyInKernelText;
export const store: (at: ptr, v: Vec) => void = onlyInKernelText;
/** Loads 16 bytes, and the first element of them, in the type of computation: for halves, floats. */
export const load_opmath: (at: ptr) => Vec = onlyInKernelText;
export const store_opmath: (at: ptr, v: Vec) => void = onlyInKernelText;
export const load_one_opmath: (at: ptr) => float = onlyInKernelText;
/** Loads the one scalar_t at `at` into every lane. */
export const load_splat: (at: ptr) => Vec = onlyInKernelText;
export const load_one: (at: ptr) => float = onlyInKernelText;
export const store_one: (at: ptr, x: float) => void = onlyInKernelText;
/** Load four bytes, two, and one. */
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
/** Literals: the elements of a Vec, the bytes of an element, the bytes in memory of a Vec's elements. */
export const lanes: <_T extends scalar_t>() => number = onlyInKernelText;
export const sizeof: <_T extends scalar_t>() => number = onlyInKernelText;
export const vec_bytes: <_T extends scalar_t>() => number = onlyInKernelText;
/** a * b + c. For floats, it is rounded once if the machine has one instruction for it, else twice. */
export const fmadd: (a: Vec, b: Vec, c: Vec) => Vec = onlyInKernelText;
/** The value as if it were stored and loaded again: rounded, for halves. */
export const rounded: (v: Vec) => Vec = onlyInKernelText;
/** `b < a ? b : a` and `a < b ? b : a`: a NaN in `b` is ignored, a NaN in `a` is the result. */
export const pmin: (a: Vec, b: Vec) => Vec = onlyInKernelText;
export const pmax: (a: Vec, b: Vec) => Vec = onlyInKernelText;
export const abs: (v: Vec) => Vec = onlyInKernelText;
/** Every second lane of `a` and then `b`, from the first, or from the second. at::vec's deinterleave2 gives both. */
export const evens: (a: Vec, b: Vec) => Vec = onlyInKernelText;
export const odds: (a: Vec, b: Vec) => Vec = onlyInKernelText;
/** The lanes of `a` and `b` alternating: the first half of them, or the second. at::vec's interleave2 gives both. */
export const interleave_low: (a: Vec, b: Vec) => Vec = onlyInKernelText;
export const interleave_high: (a: Vec, b: Vec) => Vec = onlyInKernelText;
export const sqrt: (v: Vec) => Vec = onlyInKernelText;
/** The bits of each lane as an integer, and back. */
export const to_bits: (v: Vec) => IntVec = onlyInKernelText;
export const from_bits: (v: IntVec) => Vec = onlyInKernelText;
export const any: (m: Mask) => boolean = onlyInKernelText;
export const all: (m: Mask) => boolean = onlyInKernelText;
/** The smaller and the larger of two ints; the leading zero bits of one. */
export const min: (a: int, b: int) => int = onlyInKernelText;
export const max: (a: int, b: int) => int = onlyInKernelText;
export const clz: (a: int) => int = onlyInKernelText;
export const to_float: (a: int) => float = onlyInKernelText;
/** Copies `nbytes` bytes; the two ranges may overlap. */
export const copy: (to: ptr, from: ptr, nbytes: int) => void = onlyInKernelText;
export const fill: (to: ptr, byte: int, nbytes: int) => void = onlyInKernelText;
