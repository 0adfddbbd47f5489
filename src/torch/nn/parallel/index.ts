/**
 * @file `torch.nn.parallel`: modules over several devices or processes.
 * @mirrors torch/nn/parallel/__init__.py
 * @differs Ours has no `DistributedDataParallel`; PyTorch trains one module in several processes with it.
 */
import { type NotBuilt, not_built } from "#torch/_not_built";

export { DataParallel } from "./data_parallel.ts";

/** @throws {NotImplementedError} always */
export const DistributedDataParallel: NotBuilt = not_built(
  "torch.nn.parallel.DistributedDataParallel",
  "DistributedDataParallel(module: object, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, **kwargs)",
  "a program runs in one process: call the module itself",
);
