/**
 * @file `torch._lazy.ir_cache`: nodes that later steps use again.
 * @mirrors torch/_lazy/ir_cache.py
 */
import { def } from "#torch/_signature";
import { _lazy } from "./_C_lazy.ts";

/** Writes the nodes in the dot language. */
export const dump = def("dump(dot_file_name)", (dot_file_name: string) => _lazy._dump_ir_cache(dot_file_name));

/** Forgets all nodes. */
export const reset = def("reset()", () => _lazy._clear_ir_cache());
