/**
 * @file Helpers for all drivers of this folder: the functions of a WebAssembly module on the heap, and the trace event
 * of a SIMD loop.
 * @original PyTorch's kernels are C++ and need no driver, and PyTorch has no trace events.
 */
import type { VecModules } from "#aten/cpu/vec/modules";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { heap_memory } from "#c10/core/CPUHeap";
import { ScalarType, toString } from "#c10/core/ScalarType";
import type { TraceData } from "#c10/util/Trace";

const CPU = "src/aten/native/cpu";

const relaxed = get_cpu_capability() >= CPUCapability.RELAXED_SIMD;

/** Functions of the module for `dtype`. Precondition: there is a heap, and `modules` has the dtype. */
export function functions_of<F>(modules: VecModules<F>, dtype: ScalarType): F {
  return modules.get(dtype, heap_memory() as WebAssembly.Memory, relaxed);
}

/** Dtype whose lanes can move elements of this size, or null if there is none. */
export function lanes_for(nbytes: number): ScalarType | null {
  if (nbytes === 4) return ScalarType.Float;
  return nbytes === 8 ? ScalarType.Double : null;
}

/**
 * Fields of the trace event for a loop of `cpu/vec/FILE.ts`; FILE is, for example, `softmax/kernel`. `lanes` is the
 * dtype of the module that runs, if it is not `dtype`.
 */
export function vector_loop(
  symbol: string,
  file: string,
  modules: VecModules<unknown>,
  dtype: ScalarType,
  shape: readonly number[],
  memory: "heap" | "staged" = "heap",
  lanes = dtype,
): TraceData {
  const capability = modules.capability(lanes, relaxed);
  const path = `${CPU}/vec/${file}.ts`;
  return {
    dtype: toString(dtype),
    shape: shape.slice(),
    scalar: `at::native::${symbol}`,
    file: path,
    capability,
    memory,
  };
}
