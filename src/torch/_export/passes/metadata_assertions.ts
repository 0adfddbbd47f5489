/**
 * @file Checks before each conversion of an exported graph that the tensor has the dtype and the device that it had in the trace.
 * @mirrors torch/_export/utils.py#_insert_aten_to_metadata_assert_pass
 *
 * `x.to(dtype)` gives `x` itself if it has that dtype, and a copy otherwise: the graph is right for one of the two.
 */
import { dict_of } from "#python/Objects/dictobject";
import { tuple } from "#python/Objects/tupleobject";
import { ops } from "#torch/_ops";
import { Tensor } from "#torch/_tensor/index";
import type { GraphModule } from "#torch/fx/graph_module";
import type { Node } from "#torch/fx/node";
import { inserting_before } from "../utils.ts";

export function insert_metadata_assertions(gm: GraphModule): void {
  const conversions: readonly unknown[] = [ops.aten.to.device, ops.aten.to.dtype, ops.aten.to.dtype_layout];
  const assertion = ops.aten._assert_tensor_metadata.default;
  for (const node of [...gm.graph.nodes]) {
    if (!conversions.includes(node.target)) continue;
    const [source] = node.args as unknown as [Node];
    const { prev } = node;
    if (prev.target === (assertion as unknown) && prev.args[0] === (source as unknown)) continue;
    const val: unknown = source.meta.get("val");
    if (!(val instanceof Tensor)) continue;
    const { dtype, device, layout } = val;
    const kwargs = dict_of(Object.entries({ dtype, device, layout }));
    const check = inserting_before(node, () =>
      gm.graph.create_node("call_function", assertion, tuple([source]), kwargs, null, null),
    );
    check.meta.set("val", null);
    for (const key of ["stack_trace", "nn_module_stack"])
      if (node.meta.has(key)) check.meta.set(key, node.meta.get(key));
  }
}
