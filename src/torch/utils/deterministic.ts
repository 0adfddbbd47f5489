/**
 * @file `torch.utils.deterministic`: the treatment of uninitialized memory under `torch.use_deterministic_algorithms`.
 * @mirrors torch/utils/deterministic.py
 */
import { _C } from "../_C.ts";

export const deterministic = {
  /** Whether uninitialized memory is filled: with NaN, with the largest number of an integer dtype, or with true. True by default. */
  get fill_uninitialized_memory(): boolean {
    return _C._get_deterministic_fill_uninitialized_memory();
  },
  set fill_uninitialized_memory(mode: boolean) {
    _C._set_deterministic_fill_uninitialized_memory(mode);
  },
};
