/**
 * @file `torch.distributed`: a program can ask whether it runs in several processes, and continue in one.
 * @mirrors torch/distributed/__init__.py
 * @differs Ours is like a build without distributed support, and `init_process_group` raises; PyTorch connects processes.
 */
import { type NotBuilt, not_built } from "#torch/_not_built";
import { def } from "#torch/_signature";

/** Whether distributed support is available: always false. */
export const is_available = def("is_available()", (): boolean => false);
/** Whether a process group was initialized: always false. */
export const is_initialized = def("is_initialized()", (): boolean => false);

/** @throws {NotImplementedError} always */
export const init_process_group: NotBuilt = not_built(
  "torch.distributed.init_process_group",
  "init_process_group(backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None, group_name='')",
  "a program runs in one process; torch.set_num_threads sets the number of threads of its kernels",
);
