/**
 * @file `torch._lazy.debug`: graphs as text.
 * @mirrors torch/_lazy/debug.py
 */
import { RuntimeError } from "#c10/util/Exception";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { _lazy } from "./_C_lazy.ts";

/** The graph in the dot language, which tools draw. */
export const render_ir_graph = def("render_ir_graph(tensors)", (tensors: Tensor[]) => _lazy._get_tensors_dot(tensors));

/** @param ir_format "text": the nodes; "backend": the graph of TorchScript */
export const dump_ir = def("dump_ir(tensors, ir_format)", (tensors: Tensor[], ir_format: string): string => {
  if (ir_format === "text") return _lazy._get_tensors_text(tensors);
  if (ir_format === "backend") return _lazy._get_tensors_backend(tensors);
  throw new RuntimeError(`Unrecognized IR format: ${ir_format}`);
});
