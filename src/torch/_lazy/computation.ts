/**
 * @file `torch._lazy.computation`: compiled graphs, to be run without making their nodes again.
 * @mirrors torch/_lazy/computation.py
 */
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import type { GraphHash } from "./_C.ts";
import { _lazy, _lazy_ts_backend } from "./_C_lazy.ts";

/** Numbers of the tensors at the leaves of the graph, and their values on the CPU. */
export const get_tensors_ts_device_data_node = def("get_tensors_ts_device_data_node(tensors)", (tensors: Tensor[]) =>
  _lazy_ts_backend._get_tensors_ts_device_data_node(tensors),
);

/** The hash under which the graph is compiled, 16 bytes. */
export const get_graph_hash = def("get_graph_hash(tensors)", (tensors: Tensor[]) => _lazy._get_graph_hash(tensors));

/** Runs a compiled graph. @throws {RuntimeError} if it has been forgotten */
export const run_cached_graph = def(
  "run_cached_graph(hash_str, graph_inputs)",
  (hash: GraphHash, graph_inputs: Tensor[]) => _lazy_ts_backend._run_cached_graph(hash, graph_inputs),
);
