/**
 * @file The number of threads that would run operators beside each other.
 * @mirrors aten/src/ATen/ParallelThreadPoolNative.cpp
 * @differs Only the number is kept, because `torch.jit.fork` is not built; PyTorch runs forked tasks in this pool.
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { intraop_default_num_threads } from "./ParallelNative.ts";

let num_interop_threads = 0;

export function set_num_interop_threads(nthreads: number): void {
  TORCH_CHECK(nthreads > 0, "Expected positive number of threads");
  TORCH_CHECK(
    num_interop_threads === 0,
    "Error: cannot set number of interop threads after parallel work has started or set_num_interop_threads called",
  );
  num_interop_threads = nthreads;
}

/** The number of inter-op threads: by default the number of intra-op threads. */
export function get_num_interop_threads(): number {
  return num_interop_threads === 0 ? intraop_default_num_threads() : num_interop_threads;
}
