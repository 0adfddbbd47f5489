/**
 * @file Reports a cut to a trace: the nodes that are computed, as text. Without a recording nothing here does more than test whether
 * there is one.
 * @original
 * @see src/c10/util/Trace.ts#CapturedGraph
 */
import { type CapturedGraph, current_tracer, traceInstant } from "#c10/util/Trace";
import type { Node } from "./ir.ts";
import { DumpUtil } from "./ir_dump_util.ts";

/** Tells that nodes are computed now. @param roots the nodes of the tensors @param is_known whether their graph was compiled before */
export function cut_recorded(post_order: readonly Node[], roots: readonly Node[], is_known: boolean): void {
  if (current_tracer() === null) return;
  const text = DumpUtil.ToText(roots);
  const nodes = post_order.map((node, i) => ({ id: String(i), op: String(node.op()), line: i + 2 }));
  const captured: CapturedGraph = { ir: "lazy", text: () => text, nodes: () => nodes };
  traceInstant("capture", "torch::lazy::LazyGraphExecutor::SyncTensorsGraph", {
    graphs: { captured },
    note: `cut: ${nodes.length} nodes, ${is_known ? "CachedCompile" : "UncachedCompile"}`,
  });
}
