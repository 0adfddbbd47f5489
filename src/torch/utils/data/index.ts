/**
 * @file `torch.utils.data`: datasets, samplers, and the loader that makes batches of them.
 * @mirrors torch/utils/data/__init__.py
 * @differs Ours has no data pipes; PyTorch has them, but they are deprecated.
 */

export { default_collate, default_convert } from "./_utils/collate.ts";
export { _DatasetKind } from "./_utils/fetch.ts";
export * as _utils from "./_utils/index.ts";
export { get_worker_info } from "./_utils/worker_info.ts";
export { DataLoader } from "./dataloader/index.ts";
export {
  ChainDataset,
  ConcatDataset,
  Dataset,
  IterableDataset,
  random_split,
  StackDataset,
  Subset,
  TensorDataset,
} from "./dataset.ts";
export * as distributed from "./distributed.ts";
export { DistributedSampler } from "./distributed.ts";
export {
  BatchSampler,
  RandomSampler,
  Sampler,
  SequentialSampler,
  SubsetRandomSampler,
  WeightedRandomSampler,
} from "./sampler.ts";
