/**
 * @file Replaces writes by new values: `y = f(x); y.add_(1)` by `y = f(x).add(1)`, and `append` by a longer list.
 * @mirrors torch/csrc/jit/passes/remove_mutation.cpp
 */

import { IValue } from "#aten/core/ivalue";
import { FloatType } from "#aten/core/jit_type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { emitBuiltinCall } from "../frontend/schema_matching.ts";
import { SourceRange } from "../frontend/source_range.ts";
import { AliasDb } from "../ir/alias_analysis.ts";
import { toIValue } from "../ir/constants.ts";
import { type Block, type Graph, type Node, OperatorMap, type Value, withInsertPoint } from "../ir/ir.ts";
import { getAllOperatorsFor } from "../runtime/operator.ts";
import { normalizeIndex } from "./peephole_list_idioms.ts";
import { activation_type_promotion_mapping, hasSideEffectOrAlias } from "./restore_mutation.ts";

/** Operators whose result does not depend on the values that they overwrite. */
const special_mapped_ops = new OperatorMap<string>([
  ["aten::zero_(Tensor(a!) self) -> Tensor(a!)", "aten::zeros_like"],
  ["aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)", "aten::full_like"],
  [
    "aten::normal_(Tensor(a!) self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor(a!)",
    "aten::normal",
  ],
]);

export class MutationRemover {
  private readonly graph: Graph;
  private readonly mutation_filter: ((node: Node) => boolean) | null;
  private alias_db_: AliasDb | null = null;

  constructor(graph: Graph, mutation_filter: ((node: Node) => boolean) | null = null) {
    this.graph = graph;
    this.mutation_filter = mutation_filter;
  }

  removeListMutation(): boolean {
    return this.removeListMutationIn(this.graph.block());
  }
  removeTensorMutation(): boolean {
    return this.removeTensorMutationIn(this.graph.block());
  }

  private alias_db(): AliasDb {
    this.alias_db_ ??= new AliasDb(this.graph);
    return this.alias_db_;
  }

  /** Whether the operator is `name_`, writes to its first input only, and there is a `name`. */
  private inplaceOpVariant(node: Node): boolean {
    if (!node.kind().startsWith("aten::")) return false;
    if (special_mapped_ops.contains(node)) return true;
    if (!node.kind().endsWith("_") || node.outputs().length !== 1 || node.inputs().length === 0) return false;
    const [self, ...rest] = node.inputs();
    if (!this.alias_db().writesToAlias(node, [self]) || this.alias_db().writesToAlias(node, rest)) return false;
    return getAllOperatorsFor(node.kind().slice(0, -1)).length > 0;
  }

  /** `%l.append(...)` directly on a `prim::ListConstruct`. */
  private listMutationFollowingListConstruct(node: Node): boolean {
    const kind = node.kind();
    if (!["aten::append", "aten::insert", "aten::_set_item", "aten::pop"].includes(kind)) return false;
    const list = node.input(0).node();
    if (list.kind() !== "prim::ListConstruct") return false;
    if (kind === "aten::append") return true;
    const index = node.inputs().length > 1 ? toIValue(node.input(1)) : null;
    if (index?.isInt() !== true) return false;
    const size = list.inputs().length;
    if (kind === "aten::insert") return true;
    return normalizeIndex(index.toInt(), size) !== null;
  }

  private tryMakeCreationAndMutationAtomic(value: Value, mutating_op: Node): boolean {
    if (hasSideEffectOrAlias(value, this.alias_db())) return false;
    return this.alias_db().moveBeforeTopologicallyValid(value.node(), mutating_op);
  }

  /** The value is what an If gives, new memory in both branches, and used for nothing else there. */
  private tryMakeUnaliasedIfOutputAndMutationAtomic(value: Value, mutating_op: Node): boolean {
    const if_node = value.node();
    if (if_node.kind() !== "prim::If") return false;
    const sources = if_node.blocks().map((block) => block.outputs()[value.offset()]);
    if (sources.some((source) => source.uses().length > 1 || hasSideEffectOrAlias(source, this.alias_db())))
      return false;
    return this.alias_db().moveBeforeTopologicallyValid(if_node, mutating_op);
  }

  private removeListMutationIn(block: Block): boolean {
    let changed = false;
    for (const node of block.nodes()) {
      for (const inner of node.blocks()) changed = this.removeListMutationIn(inner) || changed;
      if (!this.listMutationFollowingListConstruct(node)) continue;
      const list = node.input(0);
      if (!this.tryMakeCreationAndMutationAtomic(list, node)) continue;
      changed = true;
      this.applyToList(node, list.node());
      if (node.outputs().length > 0 && node.kind() !== "aten::pop") node.output().replaceAllUsesWith(list);
      this.alias_db().removeWrites(node);
      node.destroy();
    }
    return changed;
  }

  private applyToList(node: Node, list: Node): void {
    const size = list.inputs().length;
    const index = node.inputs().length > 2 || node.kind() === "aten::pop" ? (toIValue(node.input(1))?.toInt() ?? 0) : 0;
    switch (node.kind()) {
      case "aten::append":
        list.addInput(node.input(1));
        break;
      case "aten::insert": {
        const place = Math.min(Math.max(index < 0 ? index + size : index, 0), size);
        list.insertInput(place, node.input(2));
        break;
      }
      case "aten::_set_item":
        list.replaceInput(normalizeIndex(index, size) as number, node.input(2));
        break;
      case "aten::pop": {
        const place = normalizeIndex(index, size) as number;
        node.output().replaceAllUsesWith(list.input(place));
        list.removeInput(place);
        break;
      }
      default:
        TORCH_INTERNAL_ASSERT(false);
    }
  }

  private removeTensorMutationIn(block: Block): boolean {
    let changed = false;
    for (const node of block.nodes()) {
      for (const inner of node.blocks()) changed = this.removeTensorMutationIn(inner) || changed;
      if (this.mutation_filter !== null && !this.mutation_filter(node)) continue;
      if (!this.inplaceOpVariant(node)) continue;
      const mutated = node.input(0);
      if (
        !this.tryMakeCreationAndMutationAtomic(mutated, node) &&
        !this.tryMakeUnaliasedIfOutputAndMutationAtomic(mutated, node)
      )
        continue;
      changed = true;
      const replacement = this.createFunctional(node);
      mutated.replaceAllUsesAfterNodeWith(node, replacement.output());
      node.output().replaceAllUsesWith(replacement.output());
      // The new value has the aliases of the old one, which is fresh memory now.
      this.alias_db().replaceWithNewValue(mutated, replacement.output());
      this.alias_db().createValue(mutated);
      this.alias_db().removeWrites(node);
      node.destroy();
    }
    return changed;
  }

  private createFunctional(node: Node): Node {
    const special = special_mapped_ops.find(node);
    let replacement: Node;
    if (special === null) {
      replacement = this.graph.create(node.schema().name().slice(0, -1), 1).insertBefore(node);
      for (const input of node.inputs()) replacement.addInput(input);
    } else {
      replacement = withInsertPoint(node, () => this.createSpecial(node, special));
    }
    replacement.copyMetadata(node);
    replacement.output().setType(node.output().type());
    return replacement;
  }

  private createSpecial(node: Node, name: string): Node {
    const insert = (callee: string, args: readonly Value[]): Node =>
      emitBuiltinCall(SourceRange.empty(), this.graph, callee, args).node();
    if (name !== "aten::normal") return insert(name, node.inputs().slice(0, name === "aten::full_like" ? 2 : 1));
    const size = insert("aten::size", [node.input(0)]).output();
    const none = this.graph.insertConstant(IValue.None);
    const normal = this.graph.insertNode(
      this.graph.create("aten::normal", [node.input(1), node.input(2), size, node.input(3), none, none, none, none]),
    );
    TORCH_INTERNAL_ASSERT(node.input(1).type().isSubtypeOf(FloatType));
    return normal;
  }
}

/** Returns whether the graph changed. */
export function RemoveListMutation(graph: Graph): boolean {
  return new MutationRemover(graph).removeListMutation();
}

/** @param mutation_filter Says which writing nodes may be replaced; all if it is not given. */
export function RemoveTensorMutation(graph: Graph, mutation_filter: ((node: Node) => boolean) | null = null): boolean {
  return new MutationRemover(graph, mutation_filter).removeTensorMutation();
}

/** `relu_` becomes `relu`, for activations. */
export function InplaceToFunctionalActivation(graph: Graph): boolean {
  return RemoveTensorMutation(graph, (node) => activation_type_promotion_mapping.has(node.kind().replace(/_$/, "")));
}
