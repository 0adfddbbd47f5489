/**
 * @file Lets activations write into their input, where nobody else sees it: `relu` becomes `relu_`.
 * @mirrors torch/csrc/jit/passes/restore_mutation.cpp
 */
import { tensor_facts } from "#aten/core/tensor_type";
import { AliasDb } from "../ir/alias_analysis.ts";
import type { Block, Graph, Node, Value } from "../ir/ir.ts";

/** Activations, and whether the result may have another dtype than the input. */
export const activation_type_promotion_mapping: ReadonlyMap<string, boolean> = new Map([
  ["aten::sigmoid", true],
  ["aten::tanh", true],
  ["aten::celu", false],
  ["aten::elu", false],
  ["aten::gelu", false],
  ["aten::glu", false],
  ["aten::hardshrink", false],
  ["aten::hardsigmoid", false],
  ["aten::hardswish", false],
  ["aten::hardtanh", false],
  ["aten::leaky_relu", false],
  ["aten::prelu", false],
  ["aten::relu6", false],
  ["aten::relu", false],
  ["aten::rrelu", false],
  ["aten::selu", false],
  ["aten::silu", false],
]);

/** Whether it cannot be said that a value is new memory of a node without effects. */
export function hasSideEffectOrAlias(value: Value, alias_db: AliasDb): boolean {
  const node = value.node();
  const unhandled =
    node.blocks().length > 0 || node.hasAttribute("Subgraph") || node.hasSideEffects() || node.kind() === "prim::Param";
  if (unhandled) return true;
  // A list that is made here is new, though its elements are not.
  return node.kind() !== "prim::ListConstruct" && alias_db.mayContainAlias(node.inputs(), [value]);
}

class FunctionalToInplaceRewriter {
  private readonly graph: Graph;
  private alias_db_: AliasDb | null = null;

  constructor(graph: Graph) {
    this.graph = graph;
  }

  private alias_db(): AliasDb {
    this.alias_db_ ??= new AliasDb(this.graph);
    return this.alias_db_;
  }

  private CanBeInplace(node: Node): boolean {
    const promotes = activation_type_promotion_mapping.get(node.kind());
    if (promotes === undefined) return false;
    const input = node.input(0);
    if (promotes) {
      const before = tensor_facts(input.type()).scalarType;
      if (before === null || before !== tensor_facts(node.output().type()).scalarType) return false;
    }
    return !hasSideEffectOrAlias(input, this.alias_db()) && input.uses().length === 1;
  }

  FunctionalToInplace(block: Block): boolean {
    let changed = false;
    for (const node of block.nodes()) {
      for (const inner of node.blocks()) changed = this.FunctionalToInplace(inner) || changed;
      if (!this.CanBeInplace(node)) continue;
      changed = true;
      const inplace = node.replaceWithNewSymbol(`${node.kind()}_`);
      inplace.output().replaceAllUsesWith(node.input(0));
      this.alias_db().replaceWithNewValue(node.output(), inplace.output());
      node.destroy();
    }
    return changed;
  }
}

export function FunctionalToInplaceActivation(graph: Graph): boolean {
  return new FunctionalToInplaceRewriter(graph).FunctionalToInplace(graph.block());
}
