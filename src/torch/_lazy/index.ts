/**
 * @file `torch._lazy`: tensors whose operators are recorded and computed when a value is read.
 * @mirrors torch/_lazy/__init__.py
 */
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { save as torch_save } from "../serialization/index.ts";
import * as pytree from "../utils/_pytree/index.ts";
import { _lazy } from "./_C_lazy.ts";
import { run_step_closures } from "./closure.ts";

export * as closure from "./closure.ts";
export { add_step_closure } from "./closure.ts";
export * as computation from "./computation.ts";
export * as config from "./config.ts";
export * as debug from "./debug.ts";
export * as ir_cache from "./ir_cache.ts";
export * as metrics from "./metrics.ts";
export * as ts_backend from "./ts_backend.ts";

/**
 * Ends a step: all tensors that the program holds are computed, in one graph. If an earlier step had the same graph, it is not compiled
 * again.
 */
export const mark_step = def("mark_step(device='', wait=False)", (device: string, wait: boolean) => {
  _lazy._mark_step(device, [], wait);
  run_step_closures();
});

/** Waits until devices have computed what was asked for. Here they always have. */
export const wait_device_ops = def("wait_device_ops(devices=None)", (devices: unknown) => {
  _lazy._wait_device_ops(devices ?? []);
});

/** Computes these tensors. */
export const sync_multi = def("sync_multi(tensors, devices)", (tensors: Tensor[], devices: unknown) => {
  _lazy._sync_multi(tensors, devices);
});

/** A number that no other lazy tensor has. */
export const get_tensor_id = def("get_tensor_id(tensor)", (tensor: Tensor) => _lazy._get_tensor_id(tensor));

/** All tensors of a structure on the CPU; they are computed in one graph. */
export const to_cpu = def("to_cpu(tensors, devices=None)", (tensors: unknown, devices: unknown) => {
  const [flattened, spec] = pytree.tree_flatten(tensors) as [Tensor[], unknown];
  _lazy._sync_multi(flattened, devices ?? ["lazy"]);
  return pytree.tree_unflatten(
    flattened.map((tensor) => tensor.to("cpu")),
    spec as never,
  );
});

/** `torch.save` of the tensors on the CPU. */
export const save = def("save(tensors, f)", (tensors: unknown, f: Parameters<typeof torch_save>[1]) =>
  torch_save(to_cpu(tensors), f),
);
