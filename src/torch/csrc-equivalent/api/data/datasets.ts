/**
 * @file The namespace `torch::data::datasets`.
 * @mirrors torch/csrc/api/include/torch/data/datasets.h
 */
export {
  BatchDataset,
  Dataset,
  MapDataset,
  make_shared_dataset,
  SharedBatchDataset,
  StatefulDataset,
  TensorDataset,
} from "./datasets/base.ts";
export { ChunkDataReader, ChunkDataset, ChunkDatasetOptions } from "./datasets/chunk.ts";
export { MNIST } from "./datasets/mnist.ts";
