/**
 * @file Which nodes a backend can run: the question that partitioners ask.
 * @mirrors torch/fx/passes/operator_support.py
 */
import { NotImplementedError } from "#c10/util/Exception";
import { Allocated, TAKES_VALUES } from "#python/Objects/allocated";
import { each } from "#python/Objects/iterobject";
import { equal, getattr, truth } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { call_function } from "../callables.ts";
import { Node } from "../node.ts";
import { has_name } from "../qualified_names.ts";
import { CALLABLE_NODE_OPS, get_node_target } from "./tools_common.ts";

type Submodules = ReadonlyMap<unknown, unknown>;

export class OperatorSupportBase extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__: string = "torch.fx.passes.operator_support";

  is_node_supported(_submodules: Submodules, _node: Node): boolean {
    throw new NotImplementedError("");
  }
}

/** The dtype that `ShapeProp` noted for a node, or the type of its value. */
function arg_dtype(arg: Node): unknown {
  const meta = arg.meta.get("tensor_meta");
  return type_of(meta ?? null).name === "TensorMetadata" ? getattr(meta, "dtype") : (arg.meta.get("type") ?? null);
}

/** Supports what a dict lists: by target None, or the dtypes of the arguments by place and by name. */
export class OperatorSupport extends OperatorSupportBase {
  static override readonly __module__ = "torch.fx.passes.operator_support";
  readonly _support_dict: ReadonlyMap<unknown, unknown>;

  constructor(support_dict: ReadonlyMap<unknown, unknown> | null = null) {
    super();
    this._support_dict = support_dict ?? new Map();
  }

  override is_node_supported(submodules: Submodules, node: Node): boolean {
    if (!CALLABLE_NODE_OPS.has(node.op)) return true;
    const target = get_node_target(submodules, node);
    if (!this._support_dict.has(target)) return false;
    const dtypes = this._support_dict.get(target) ?? null;
    if (dtypes === null) return true;
    const [by_place, by_name] = [...each(dtypes)] as [unknown, Map<unknown, unknown>];
    const fits = (arg: unknown, allowed: unknown): boolean =>
      allowed === null || !(arg instanceof Node) || [...each(allowed)].some((dtype) => equal(dtype, arg_dtype(arg)));
    return (
      [...each(by_place)].every((allowed, i) => i >= node.args.length || fits(node.args[i], allowed)) &&
      [...by_name].every(([name, allowed]) => !node.kwargs.has(name) || fits(node.kwargs.get(name), allowed))
    );
  }
}

class FunctionalOperatorSupport extends OperatorSupportBase {
  static override readonly __module__ = "torch.fx.passes.operator_support";
  private readonly fn: unknown;
  constructor(fn: unknown) {
    super();
    this.fn = fn;
  }
  override is_node_supported(submodules: Submodules, node: Node): boolean {
    return truth(call_function(this.fn, [submodules, node]));
  }
}

/** The support that a function `(submodules, node) -> bool` decides. */
export const create_op_support = has_name(
  "torch.fx.passes.operator_support.create_op_support",
  (is_node_supported: unknown): OperatorSupportBase => new FunctionalOperatorSupport(is_node_supported),
);
/** The support that all of these give. */
export const chain = has_name(
  "torch.fx.passes.operator_support.chain",
  (...supports: OperatorSupportBase[]): OperatorSupportBase =>
    new FunctionalOperatorSupport((submodules: Submodules, node: Node) =>
      supports.every((it) => it.is_node_supported(submodules, node)),
    ),
);
/** The support that any of these gives. */
export const any_chain = has_name(
  "torch.fx.passes.operator_support.any_chain",
  (...supports: OperatorSupportBase[]): OperatorSupportBase =>
    new FunctionalOperatorSupport((submodules: Submodules, node: Node) =>
      supports.some((it) => it.is_node_supported(submodules, node)),
    ),
);

export class OpSupports {
  static readonly __module__ = "torch.fx.passes.operator_support";

  /** Refuses nodes with an input of this dtype. */
  static decline_if_input_dtype(dtype: unknown): OperatorSupportBase {
    return new FunctionalOperatorSupport(
      (_: Submodules, node: Node) => !node.all_input_nodes.some((arg) => equal(arg_dtype(arg), dtype)),
    );
  }

  /** Refuses nodes with these names. */
  static decline_if_node_in_names(disallow_set: Iterable<unknown>): OperatorSupportBase {
    const names = new Set(disallow_set);
    return new FunctionalOperatorSupport((_: Submodules, node: Node) => !names.has(node.name));
  }
}
