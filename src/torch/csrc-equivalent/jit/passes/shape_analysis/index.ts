import type { Graph } from "../../ir/ir.ts";
export function PropagateInputShapes(_graph: Graph): void {}
