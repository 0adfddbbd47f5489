/**
 * @file Where in the traced program a node was recorded.
 * @mirrors torch/csrc/jit/frontend/tracer.cpp#recordSourceLocation
 */
import type { Node } from "../../ir/ir.ts";

let record_source_location: (node: Node) => void = () => {};

export function recordSourceLocation(node: Node): void {
  record_source_location(node);
}

export function setRecordSourceLocation(record: (node: Node) => void): void {
  record_source_location = record;
}
