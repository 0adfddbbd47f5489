/**
 * @file The settings of lazy tensors.
 * @mirrors torch/csrc/lazy/core/config.h
 * @differs Only the settings that something here reads; PyTorch also has those of its threads and of XLA.
 */
export const FLAGS: {
  /** Whether a new node may be an equal node of the previous step: see trie.ts. */
  torch_lazy_reuse_ir: boolean;
  /** Number of compiled graphs that are kept. */
  torch_lazy_compilation_cache_size: number;
  /** Number of scalars that are kept on the device. */
  torch_lazy_device_data_cache_size: number;
  /** The length of a graph is examined once in so many assignments. */
  torch_lazy_trim_graph_check_frequency: number;
  /** A graph with more nodes is executed without waiting for a read. */
  torch_lazy_trim_graph_size: number;
  /** Number of samples that a metric keeps. */
  torch_lazy_metrics_samples: number;
  /** Full name of an operator (`aten::add`) that is computed eagerly; empty: none. */
  ltc_force_fallback: string;
} = {
  torch_lazy_reuse_ir: false,
  torch_lazy_compilation_cache_size: 1024,
  torch_lazy_device_data_cache_size: 128,
  torch_lazy_trim_graph_check_frequency: 5000,
  torch_lazy_trim_graph_size: 100_000,
  torch_lazy_metrics_samples: 1024,
  ltc_force_fallback: "",
};
