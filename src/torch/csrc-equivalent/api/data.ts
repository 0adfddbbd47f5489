/**
 * @file The namespace `torch::data`.
 * @mirrors torch/csrc/api/include/torch/data.h
 */
export {
  DataLoaderBase,
  DataLoaderOptions,
  make_data_loader,
  StatefulDataLoader,
  StatelessDataLoader,
} from "./data/dataloader.ts";
export * as datasets from "./data/datasets.ts";
export { Example, TensorExample } from "./data/example.ts";
export * as samplers from "./data/samplers.ts";
export * as transforms from "./data/transforms.ts";
