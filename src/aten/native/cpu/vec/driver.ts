/**
 * @file What all drivers of this folder need: the functions of a module on the heap, and what a recording says of a loop that has vectors.
 * @original In C++ a kernel calls its own functions, and PyTorch has no trace events.
 */
import type { VecModules } from "#aten/cpu/vec/modules";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { heap_memory } from "#c10/core/CPUHeap";
import { ScalarType, toString } from "#c10/core/ScalarType";
import type { TraceData } from "#c10/util/Trace";

const CPU = "src/aten/native/cpu";

const relaxed = get_cpu_capability() >= CPUCapability.RELAXED_SIMD;

/** Precondition: there is a heap, and `modules` has the dtype. */
export function functions_of<F>(modules: VecModules<F>, dtype: ScalarType): F {
  return modules.get(dtype, heap_memory() as WebAssembly.Memory, relaxed);
}

/** Which dtype's lanes carry elements of so many bytes that are only moved; null where none does. */
export function lanes_for(nbytes: number): ScalarType | null {
  if (nbytes === 4) return ScalarType.Float;
  return nbytes === 8 ? ScalarType.Double : null;
}

/** The fields of a loop of `cpu/vec/FILE.ts`; FILE is `softmax/kernel`, say. `lanes`: whose module runs, where it is another dtype's. */
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
