/**
 * @file The machines for which graphs are made, and their differences: their own functions and their abilities.
 *
 *   SIMD128   all lanes run together, so a loop of varying length is no value; numbers passed with the call are doubles
 *   WGSL      lanes may diverge, so integers are divided, and loops are values; there are no doubles, and nothing can be
 *             thrown: failed assertions are reported later
 *
 * @original PyTorch uses one compiler per machine.
 */
import type { Helper } from "./source.ts";
import { VECTOR_FUNCTIONS, VectorFunctions } from "./vector_functions.ts";

export interface Machine {
  readonly name: "SIMD128" | "WGSL";
  readonly functions: VectorFunctions;
  /** The type of a number that is passed with the call. */
  readonly number: "f32" | "f64";
  /** Whether integers can be divided. */
  readonly divides: boolean;
  /** Whether the machine's own functions are called; if not, their bodies are put in place. */
  readonly calls: boolean;
  /** Whether checks are omitted, as in CUDA, where nothing stops a thread. */
  readonly ignores_checks: boolean;
  /** Whether assertions are reported. */
  readonly asserts: boolean;
}

const COMMON = ["fmadd", "pmin", "pmax"];

/** Files whose bodies use no doubles, and no sums that a `fast math` compiler may reorder. */
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

/** @param modules texts of all modules that kernel text may call */
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
