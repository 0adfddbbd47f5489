/**
 * @file `torch.utils.data._utils`: what loaders are made of. A worker finds here what it is to do.
 * @mirrors torch/utils/data/_utils/__init__.py
 */
export * as collate from "./collate.ts";
export * as fetch from "./fetch.ts";
export * as worker from "./worker.ts";
