/**
 * @file `torch._lazy.config`
 * @mirrors torch/_lazy/config.py
 */
import { def } from "#torch/_signature";
import { _lazy } from "./_C_lazy.ts";

/** The operator that is computed eagerly, though it has a node. */
export const get_force_fallback = def("get_force_fallback()", () => _lazy._get_force_fallback());

/** @param configval full name of an operator, `aten::add`; empty for none */
export const set_force_fallback = def("set_force_fallback(configval)", (configval: string) =>
  _lazy._set_force_fallback(configval),
);

/** Whether nodes of earlier steps are used again, which saves the time to make them. */
export const set_reuse_ir = def("set_reuse_ir(val)", (val: boolean) => _lazy._set_reuse_ir(val));
