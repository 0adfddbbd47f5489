/**
 * @file `torch._C._lazy` and `torch._C._lazy_ts_backend`: the engine's functions with the signatures that Python sees.
 * @mirrors torch/_C/_lazy.pyi
 */

import { RuntimeError } from "#c10/util/Exception";
import { with_os_errors } from "#torch/_C";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { builtin } from "../_node_builtins.ts";
import * as C from "./_C.ts";

function write_text(filename: string, text: string): void {
  const fs = builtin<typeof import("node:fs")>("node:fs");
  if (fs === undefined) throw new RuntimeError("_dump_ir_cache: no file system here");
  with_os_errors(filename, () => fs.writeFileSync(filename, text));
}

/** `torch._C._lazy` */
export const _lazy = {
  // `wait` has no meaning: everything is computed at once.
  _mark_step: def("_mark_step(device='', devices=(), wait=True)", (device: string, _devices: unknown, _wait: boolean) =>
    C._mark_step(device),
  ),
  _wait_device_ops: def("_wait_device_ops(devices=())", (_devices: unknown) => undefined),
  _reset_metrics: def("_reset_metrics()", () => C._reset_metrics()),
  _counter_names: def("_counter_names()", () => C._counter_names()),
  _counter_value: def("_counter_value(name)", (name: string) => C._counter_value(name)),
  _metrics_report: def("_metrics_report()", () => C._metrics_report()),
  _get_graph_hash: def("_get_graph_hash(tensors)", (tensors: Tensor[]) => C._get_graph_hash(tensors)),
  _sync_multi: def(
    "_sync_multi(tensors, devices, wait=True, sync_ltc_data=True)",
    (tensors: Tensor[], _devices: unknown, _wait: boolean, sync_ltc_data: boolean) =>
      C._sync_multi(tensors, sync_ltc_data),
  ),
  _get_tensor_id: def("_get_tensor_id(tensor)", (tensor: Tensor) => C._get_tensor_id(tensor)),
  _get_tensors_text: def("_get_tensors_text(tensors)", (tensors: Tensor[]) => C._get_tensors_text(tensors)),
  _get_tensors_dot: def("_get_tensors_dot(tensors)", (tensors: Tensor[]) => C._get_tensors_dot(tensors)),
  _get_tensors_backend: def("_get_tensors_backend(tensors)", (tensors: Tensor[]) => C._get_tensors_backend(tensors)),
  _get_force_fallback: def("_get_force_fallback()", () => C._get_force_fallback()),
  _set_force_fallback: def("_set_force_fallback(newval)", (newval: string) => C._set_force_fallback(newval)),
  _clear_ir_cache: def("_clear_ir_cache()", () => C._clear_ir_cache()),
  _dump_ir_cache: def("_dump_ir_cache(filename)", (filename: string) => write_text(filename, C._ir_cache_dot())),
  _set_reuse_ir: def("_set_reuse_ir(val)", (val: boolean) => C._set_reuse_ir(val)),
  _get_default_device_type: def("_get_default_device_type()", () => C._get_default_device_type()),
};

/** `torch._C._lazy_ts_backend` */
export const _lazy_ts_backend = {
  _init: def("_init()", () => C._init()),
  _get_tensors_ts_device_data_node: def("_get_tensors_ts_device_data_node(tensors)", (tensors: Tensor[]) =>
    C._get_tensors_ts_device_data_node(tensors),
  ),
  _run_cached_graph: def("_run_cached_graph(hash_str, graph_inputs)", (hash: C.GraphHash, graph_inputs: Tensor[]) =>
    C._run_cached_graph(hash, graph_inputs),
  ),
};
