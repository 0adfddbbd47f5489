/**
 * @file `torch._C._compile_graph_to_code_table`: the instructions of a graph, as a table of nested tuples.
 * @mirrors torch/csrc/jit/python/init.cpp#initJITBindings
 */
import { pybind_def } from "#torch/csrc-equivalent/utils/pybind";
import type { Graph } from "../ir/ir.ts";
import { MobileCodeImpl } from "../runtime/interpreter/mobile_code_impl.ts";
import { codeTable } from "../serialization/export_bytecode.ts";
import { toPyObject } from "./pybind_utils.ts";

const signatures = { _compile_graph_to_code_table: "(arg0: str, arg1: torch::jit::Graph) -> object" } as const;

/** Adds the function to `torch._C`. */
export function initCodeTable(m: Record<string, unknown>): void {
  pybind_def(m, signatures, {
    _compile_graph_to_code_table: (name: string, graph: Graph) =>
      toPyObject(codeTable(new MobileCodeImpl(graph, name))),
  });
}
