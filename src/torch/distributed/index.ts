/**
 * @file `torch.distributed`: a program asks whether it runs in several processes, and goes on in one.
 * @mirrors torch/distributed/__init__.py
 * @differs A build without it: of the functions that need one, the first says so.
 */
import { type NotBuilt, not_built } from "#torch/_not_built";
import { def } from "#torch/_signature";

/** Whether processes can work together: not here. */
export const is_available = def("is_available()", (): boolean => false);
/** Whether they do: never. */
export const is_initialized = def("is_initialized()", (): boolean => false);

/** @throws {NotImplementedError} always */
export const init_process_group: NotBuilt = not_built(
  "torch.distributed.init_process_group",
  "init_process_group(backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None, group_name='')",
  "a program runs in one process; its kernels share the machine by torch.set_num_threads",
);
