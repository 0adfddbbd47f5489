/**
 * @file `ShapeProp`: runs a graph and notes shape, dtype and strides of every tensor in `node.meta["tensor_meta"]`.
 * @mirrors torch/fx/passes/shape_prop.py
 */
import { RuntimeError } from "#c10/util/Exception";
import { PyDict } from "#python/Objects/dictobject";
import { getattr, str } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { import_module } from "#python/vm/import";
import { format_exception } from "#python/vm/print_exception";
import { def_methods } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { call_method } from "../callables.ts";
import type { GraphModule } from "../graph_module.ts";
import { Interpreter } from "../interpreter.ts";
import { named_tuple } from "../named_tuple.ts";
import { map_aggregate_, type Node } from "../node.ts";
import { has_name } from "../qualified_names.ts";

const metadata = named_tuple("torch.fx.passes.shape_prop", "TensorMetadata", [
  "shape",
  "dtype",
  "requires_grad",
  "stride",
  "memory_format",
  "is_quantized",
  "qparams",
]);

/** The description of a tensor: a named tuple. */
export const TensorMetadata = metadata.cls;

/** The first memory format in which the tensor is contiguous, or None. */
function memory_format_of(t: Tensor): unknown {
  for (const memory_format of [torch.contiguous_format, torch.channels_last, torch.channels_last_3d]) {
    if (memory_format === torch.channels_last && t.dim() !== 4) continue;
    if (memory_format === torch.channels_last_3d && t.dim() !== 5) continue;
    if (t.is_contiguous({ memory_format })) return memory_format;
  }
  return null;
}

export const _extract_tensor_metadata = has_name(
  "torch.fx.passes.shape_prop._extract_tensor_metadata",
  (t: Tensor, include_contiguity = true): unknown =>
    metadata.make(
      t.shape,
      t.dtype,
      t.requires_grad,
      tuple(t.stride() as number[]),
      include_contiguity ? memory_format_of(t) : null,
      false,
      new PyDict(),
    ),
);

export class ShapeProp extends Interpreter {
  static override readonly __module__: string = "torch.fx.passes.shape_prop";

  static {
    def_methods(ShapeProp, { run_node: "(self, n)", propagate: "(self, *args)" });
  }

  constructor(gm: GraphModule, _fake_mode: unknown = null) {
    super(gm);
  }

  override run_node(n: Node): unknown {
    let result: unknown;
    try {
      result = (super.run_node as (n: Node) => unknown).call(this, n);
    } catch (error) {
      call_method(getattr(import_module("sys"), "stderr"), "write", [format_exception(error)]);
      const line = (n.format_node as () => string | null).call(n);
      throw new RuntimeError(`ShapeProp error for: node=${line} with meta=${str(n.meta)}`);
    }
    let found_tensor = false;
    const meta = map_aggregate_(result, (leaf) => {
      if (!(leaf instanceof Tensor)) return leaf;
      found_tensor = true;
      return _extract_tensor_metadata(leaf);
    });
    if (found_tensor) n.meta.set("tensor_meta", meta);
    n.meta.set("type", type_of(result ?? null).cls);
    return result;
  }

  /** Runs the graph with these arguments. */
  propagate(args: readonly unknown[]): unknown {
    return (this.run as (...args: readonly unknown[]) => unknown).apply(this, [...args]);
  }
}
