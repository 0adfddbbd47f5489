/**
 * @file Reads values and lengths of dicts where the dict is made, if nobody writes to it and its keys are constants.
 * @mirrors torch/csrc/jit/passes/peephole_dict_idioms.cpp
 */
import { IValue } from "#aten/core/ivalue";
import { AliasDb } from "../ir/alias_analysis.ts";
import { toIValue } from "../ir/constants.ts";
import { type Block, type Graph, type Node, type Value, withInsertPoint } from "../ir/ir.ts";

/** Values by constant key. `overlap`: a key occurs twice or is no constant, so the length is not known. */
interface KnownDict {
  readonly values: Map<string, Value>;
  readonly overlap: boolean;
}

const keyOf = (key: IValue): string => `${key.tag} ${key}`;

function known(construct: Node): KnownDict {
  const values = new Map<string, Value>();
  let overlap = false;
  for (let i = 0; i + 1 < construct.inputs().length; i += 2) {
    const key = toIValue(construct.input(i));
    if (key === null) return { values: new Map(), overlap: true };
    if (values.has(keyOf(key))) overlap = true;
    values.set(keyOf(key), construct.input(i + 1));
  }
  return { values, overlap };
}

class DictIdioms {
  private readonly graph: Graph;
  private readonly alias_db: AliasDb;
  private readonly mutated_dicts = new Set<Value>();

  constructor(graph: Graph) {
    this.graph = graph;
    this.alias_db = new AliasDb(graph);
    this.collectMutatedDicts(graph.block());
  }

  private collectMutatedDicts(block: Block): void {
    const check = (value: Value): void => {
      if (value.type().kind() === "DictType" && this.alias_db.hasWriters(value)) this.mutated_dicts.add(value);
    };
    for (const input of block.inputs()) check(input);
    for (const node of block.nodes()) {
      for (const output of node.outputs()) check(output);
      for (const inner of node.blocks()) this.collectMutatedDicts(inner);
    }
  }

  run(block: Block): boolean {
    let changed = false;
    for (const node of block.nodes()) {
      for (const inner of node.blocks()) changed = this.run(inner) || changed;
      if (node.inputs().length === 0 || node.input(0).type().kind() !== "DictType") continue;
      if (this.mutated_dicts.has(node.input(0)) || node.input(0).node().kind() !== "prim::DictConstruct") continue;
      changed = this.simplify(node) || changed;
    }
    return changed;
  }

  private simplify(node: Node): boolean {
    const dict = known(node.input(0).node());
    if (node.kind() === "aten::len") {
      if (dict.overlap) return false;
      withInsertPoint(node, () =>
        node.output().replaceAllUsesWith(this.graph.insertConstant(IValue.fromInt(dict.values.size))),
      );
      return true;
    }
    if (node.kind() !== "aten::__getitem__") return false;
    const key = toIValue(node.input(1));
    const value = key === null ? undefined : dict.values.get(keyOf(key));
    if (value === undefined) return false;
    node.output().replaceAllUsesWith(value);
    return true;
  }
}

export function PeepholeOptimizeDictIdioms(graph: Graph): boolean {
  return new DictIdioms(graph).run(graph.block());
}
