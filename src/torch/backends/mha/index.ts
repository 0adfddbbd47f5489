/**
 * @file The switch for the fast path of attention and transformer layers in evaluation.
 * @mirrors torch/backends/mha/__init__.py
 */
import { def } from "#torch/_signature";

let _is_fastpath_enabled = true;

/** Whether the fast path is allowed. */
export const get_fastpath_enabled = def("get_fastpath_enabled()", (): boolean => _is_fastpath_enabled);

/** Sets whether the fast path is allowed. */
export const set_fastpath_enabled = def("set_fastpath_enabled(value)", (value: boolean): void => {
  _is_fastpath_enabled = value;
});
