/**
 * @file Settings of Inductor.
 * @mirrors torch/_inductor/config.py
 * @differs Ours has the settings that change something here; PyTorch has several hundred.
 */
export const config = {
  /** A loop with more reads than this is stored before others use it. */
  realize_reads_threshold: 4,
  /** A loop with more operations than this is stored before others use it. */
  realize_opcount_threshold: 30,
  /** A loop that reads more buffers than this is stored at once. */
  realize_acc_reads_threshold: 8,
  /** Nodes in one kernel, at most. */
  max_fusion_size: 64,
  /** Shared bytes below which two kernels that do not use each other stay apart. */
  score_fusion_memory_threshold: 10,
  /** Rounds of fusion. */
  max_fusion_rounds: 10,
  /** Whether memory of buffers that nobody needs any more is used again. */
  allow_buffer_reuse: true,
  cpp: {
    /** Nodes in one kernel of nodes that do not use each other, at most. */
    max_horizontal_fusion_size: 16,
    descriptive_names: "original_aten" as const,
  },
};
