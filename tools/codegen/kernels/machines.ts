/**
 * @file The machines that graphs are made for, and in what they differ: which functions they have of their own, and what they can do.
 *
 *   SIMD128   all lanes run together: what some lanes would do longer than others is no value; numbers that come with the call are doubles
 *   WGSL      lanes may part, so integers are divided, and loops are values; there are no doubles, and nothing can be thrown: what is
 *             asserted is told later
 *
 * @original PyTorch compiles with one compiler a machine.
 */
import type { Helper } from "./source.ts";
import { VECTOR_FUNCTIONS, VectorFunctions } from "./vector_functions.ts";

export interface Machine {
  readonly name: "SIMD128" | "WGSL";
  readonly functions: VectorFunctions;
  /** What a number is that comes with the call. */
  readonly number: "f32" | "f64";
  /** Whether integers are divided. */
  readonly divides: boolean;
  /** Whether the machine's own functions are called; else their bodies stand in place. */
  readonly calls: boolean;
  /** Whether checks are left out, as in CUDA: nothing stops a thread. */
  readonly ignores_checks: boolean;
  /** Whether assertions are told. */
  readonly asserts: boolean;
}

const COMMON = ["fmadd", "pmin", "pmax"];

/** Bodies without doubles; and no sums that a compiler with `fast math` may take apart. */
export const WGSL_FUNCTIONS: readonly string[] = [
  "src/aten/webgpu/math/bits.ts",
  "src/aten/webgpu/math/elementary.ts",
  "src/aten/webgpu/math/pow.ts",
  "src/aten/webgpu/math/trigonometry.ts",
  "src/aten/webgpu/math/special.ts",
  "src/aten/webgpu/math/division.ts",
  "src/aten/webgpu/math/int32.ts",
  "src/aten/webgpu/math/int64.ts",
];

/** Functions that are written in WGSL (aten/webgpu/wgsl/helpers.ts), because they loop. */
export const WGSL_BUILT_IN: ReadonlySet<string> = new Set(["powi", "calc_gcd", "trig_quadrant", "trig_rest"]);

export interface Machines {
  readonly SIMD128: Machine;
  readonly WGSL: Machine;
}

/** `modules`: texts of all modules that kernel text may call. */
export function machines(modules: ReadonlyMap<string, string>, helpers: ReadonlyMap<string, Helper>): Machines {
  const simd = new VectorFunctions(modules, helpers, VECTOR_FUNCTIONS, new Set(COMMON), new Set());
  const own = [...VECTOR_FUNCTIONS, ...WGSL_FUNCTIONS];
  const wgsl = new VectorFunctions(modules, helpers, own, new Set([...COMMON, "nearest"]), WGSL_BUILT_IN);
  return {
    SIMD128: {
      name: "SIMD128",
      functions: simd,
      number: "f64",
      divides: false,
      calls: false,
      ignores_checks: false,
      asserts: false,
    },
    WGSL: {
      name: "WGSL",
      functions: wgsl,
      number: "f32",
      divides: true,
      calls: true,
      ignores_checks: true,
      asserts: true,
    },
  };
}
