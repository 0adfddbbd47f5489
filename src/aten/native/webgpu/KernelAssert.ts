/**
 * @file What a kernel's text calls where something must be true: `in_bounds(index, limit)` and `kernel_assert(condition, k)`. The first invocation to find
 * it false says so in the device's words.
 * @mirrors c10/cuda/CUDADeviceAssertion.h
 * @differs The kernel goes on, where CUDA's stops and its device is lost to the process.
 * @see c10/webgpu/interface.ts, Note [An assertion of a kernel]
 */

/** Whether an index is within `limit`. `p.assertion` is the operator's. */
export function in_bounds(slot: number): string {
  return `fn in_bounds(index: i32, limit: u32) -> bool {
  if ((index >= 0i) && (u32(index) < limit)) {
    return true;
  }
  if (atomicMax(&m${slot}[0], 1u) == 0u) {
    atomicStore(&m${slot}[1], p.assertion);
    atomicStore(&m${slot}[2], bitcast<u32>(index));
    atomicStore(&m${slot}[3], limit);
  }
  return false;
}`;
}

/** The k-th of the kernel's conditions, of which `p.assertion` is the first; `main` has told who runs: `here(block, thread)`. */
export function kernel_assert(slot: number): string {
  return `var<private> block_and_thread: vec2<u32>;
fn kernel_assert(condition: bool, k: u32) {
  if (condition || (atomicMax(&m${slot}[0], 1u) != 0u)) {
    return;
  }
  atomicStore(&m${slot}[1], p.assertion + k);
  atomicStore(&m${slot}[2], block_and_thread.x);
  atomicStore(&m${slot}[3], block_and_thread.y);
}`;
}

/** A line of `main`, for kernels that call `kernel_assert`. */
export function here(block: string, thread: string): string {
  return `  block_and_thread = vec2<u32>(${block}, ${thread});`;
}
