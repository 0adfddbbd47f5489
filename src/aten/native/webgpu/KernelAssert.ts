/**
 * @file WGSL functions for assertions in a kernel: `in_bounds(index, limit)` and `kernel_assert(condition, k)`. The
 * first invocation that fails writes this to the device's assertion words.
 * @mirrors c10/cuda/CUDADeviceAssertion.h
 * @differs Ours lets the kernel continue; CUDA stops it, and the process can no longer use the device.
 * @see c10/webgpu/interface.ts, Note [An assertion of a kernel]
 */

/** WGSL of `in_bounds`: whether 0 <= index < `limit`. `p.assertion` is the operator's number. */
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

/**
 * WGSL of `kernel_assert`. `p.assertion` is the number of the kernel's first condition. `main` must have called
 * `here(block, thread)` first.
 */
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

/** Line for `main` in kernels that call `kernel_assert`: it records which block and thread runs. */
export function here(block: string, thread: string): string {
  return `  block_and_thread = vec2<u32>(${block}, ${thread});`;
}
