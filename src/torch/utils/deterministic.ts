/**
 * @file `torch.utils.deterministic`: what `torch.use_deterministic_algorithms` does with memory that nobody has written.
 * @mirrors torch/utils/deterministic.py
 */
import { _C } from "../_C.ts";

export const deterministic = {
  /** Whether it is filled: with NaN, with the largest number of an integral dtype, with true. It is, unless set to false. */
  get fill_uninitialized_memory(): boolean {
    return _C._get_deterministic_fill_uninitialized_memory();
  },
  set fill_uninitialized_memory(mode: boolean) {
    _C._set_deterministic_fill_uninitialized_memory(mode);
  },
};
