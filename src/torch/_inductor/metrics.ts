/**
 * @file Counts of what Inductor made since the last `reset()`.
 * @mirrors torch/_inductor/metrics.py
 */
export const metrics = {
  generated_kernel_count: 0,
  generated_cpp_vec_kernel_count: 0,
  ir_nodes_pre_fusion: 0,
  num_bytes_accessed: 0,

  /** Sets all counts to zero. */
  reset(): void {
    metrics.generated_kernel_count = 0;
    metrics.generated_cpp_vec_kernel_count = 0;
    metrics.ir_nodes_pre_fusion = 0;
    metrics.num_bytes_accessed = 0;
  },
};
