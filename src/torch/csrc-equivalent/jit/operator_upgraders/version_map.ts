/**
 * @file The version of archives in which the meaning of an operator changed. An archive that calls the operator has at least that version.
 * @mirrors torch/csrc/jit/operator_upgraders/version_map.cpp
 * @differs There are no upgraders: calls in archives that are older than the change are read with their present meaning.
 */
import type { Node } from "../ir/ir.ts";

const bumped_at_version: ReadonlyMap<string, number> = new Map([
  ...["div.Tensor", "div.Scalar", "div.Tensor_mode", "div.Scalar_mode", "div.out", "div.out_mode"].map(versioned(4)),
  ...["div_.Tensor", "div_.Scalar", "div_.Tensor_mode", "div_.Scalar_mode"].map(versioned(4)),
  ...["full", "full.out"].map(versioned(5)),
  ...["linspace", "linspace.out"].map(versioned(8)),
  ...["logspace", "logspace.out"].map(versioned(9)),
  ...["gelu", "gelu.out"].map(versioned(10)),
]);

function versioned(version: number): (name: string) => readonly [string, number] {
  return (name) => [`aten::${name}`, version];
}

/** The version that a node needs; 0 if its operator always meant the same. */
export function get_min_version_for(node: Node): number {
  const schema = node.maybeSchema();
  return schema === null ? 0 : (bumped_at_version.get(String(schema.operator_name())) ?? 0);
}
