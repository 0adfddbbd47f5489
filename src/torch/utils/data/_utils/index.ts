/**
 * @file `torch.utils.data._utils`: the parts of loaders, and the code that a worker runs.
 * @mirrors torch/utils/data/_utils/__init__.py
 */
export * as collate from "./collate.ts";
export * as fetch from "./fetch.ts";
export * as worker from "./worker.ts";
