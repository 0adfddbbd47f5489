/**
 * @file Reads elements and lengths of lists where the list is made, if nobody writes to it.
 * @mirrors torch/csrc/jit/passes/peephole_list_idioms.cpp
 */
import { IValue } from "#aten/core/ivalue";
import { AliasDb } from "../ir/alias_analysis.ts";
import { toIValue } from "../ir/constants.ts";
import { type Block, type Graph, type Node, type Value, withInsertPoint } from "../ir/ir.ts";
import type { int64 } from "../runtime/int64.ts";
import { slice_indices_adjust } from "../runtime/slice_indices_adjust.ts";
import { type ListRefinement, RefinementWalk } from "./value_refinement_utils.ts";

/** Counts from the end if negative; null outside. */
export function normalizeIndex(index: number, length: number): number | null {
  const positive = index < 0 ? index + length : index;
  return positive >= 0 && positive < length ? positive : null;
}

/** Places that a slice takes, as the operator counts them; null if a bound is no constant. */
function slicePlaces(length: number, bounds: readonly Value[]): number[] | null {
  const values = bounds.map(toIValue);
  if (values.includes(null)) return null;
  const [start, end, step] = values.map((value) => (value?.isInt() === true ? (value.toInt() as int64) : null));
  if (step === 0) return null; // fails when the program runs
  const slice = slice_indices_adjust(length, start, end, step ?? 1);
  return Array.from({ length: slice.count }, (_, i) => slice.start + i * slice.step);
}

class ListIdioms {
  private readonly graph: Graph;
  private readonly alias_db: AliasDb;
  private readonly mutated_lists = new Set<Value>();

  constructor(graph: Graph) {
    this.graph = graph;
    this.alias_db = new AliasDb(graph);
  }

  run(refine_list_len: boolean): boolean {
    this.collectMutatedLists(this.graph.block());
    const changed = this.runBlock(this.graph.block());
    return (refine_list_len && new ListLenRefiner(this.graph, this.mutated_lists).run()) || changed;
  }

  private collectMutatedLists(block: Block): void {
    const check = (value: Value): void => {
      if (value.type().kind() === "ListType" && this.alias_db.hasWriters(value)) this.mutated_lists.add(value);
    };
    for (const input of block.inputs()) check(input);
    for (const node of block.nodes()) {
      for (const output of node.outputs()) check(output);
      for (const inner of node.blocks()) this.collectMutatedLists(inner);
    }
  }

  private runBlock(block: Block): boolean {
    let changed = false;
    for (const node of block.nodes()) {
      for (const inner of node.blocks()) changed = this.runBlock(inner) || changed;
      if (node.inputs().length === 0 || node.input(0).type().kind() !== "ListType") continue;
      if (this.mutated_lists.has(node.input(0))) continue;
      if (node.input(0).node().kind() === "prim::ListConstruct") changed = this.simplify(node) || changed;
    }
    return changed;
  }

  private simplify(node: Node): boolean {
    const elements = node.input(0).node().inputs();
    switch (node.kind()) {
      case "aten::len":
        withInsertPoint(node, () =>
          node.output().replaceAllUsesWith(this.graph.insertConstant(IValue.fromInt(elements.length))),
        );
        return true;
      case "aten::__getitem__": {
        const index = toIValue(node.input(1));
        const place = index === null ? null : normalizeIndex(Number(index.payload), elements.length);
        if (place === null) return false;
        node.output().replaceAllUsesWith(elements[place]);
        return true;
      }
      case "prim::ListUnpack":
        if (elements.length !== node.outputs().length) return false; // fails when the program runs
        for (const [i, output] of node.outputs().entries()) output.replaceAllUsesWith(elements[i]);
        return elements.length > 0;
      case "aten::add": {
        if (node.inputs().length !== 2) return false;
        const second = node.input(1);
        if (this.mutated_lists.has(second) || second.node().kind() !== "prim::ListConstruct") return false;
        return this.replaceByList(node, [...elements, ...second.node().inputs()]);
      }
      case "aten::slice": {
        const places = slicePlaces(elements.length, node.inputs().slice(1));
        if (places === null) return false;
        return this.replaceByList(
          node,
          places.map((place) => elements[place]),
        );
      }
      default:
        return false;
    }
  }

  private replaceByList(node: Node, elements: readonly Value[]): true {
    withInsertPoint(node, () => {
      const list = this.graph.insertNode(this.graph.create("prim::ListConstruct", elements)).output();
      list.setType(node.output().type());
      node.output().replaceAllUsesWith(list);
      if (this.mutated_lists.has(node.output())) this.mutated_lists.add(list);
    });
    return true;
  }
}

/** Lengths that a condition tells: behind `if len(x) == 3` the length is 3. */
class ListLenRefiner extends RefinementWalk {
  private readonly graph: Graph;
  private readonly mutated_lists: ReadonlySet<Value>;
  /** Lists whose length is asked for more than once. */
  private readonly lists_to_refine = new Set<Value>();
  private changed = false;

  constructor(graph: Graph, mutated_lists: ReadonlySet<Value>) {
    super();
    this.graph = graph;
    this.mutated_lists = mutated_lists;
  }

  run(): boolean {
    this.collectListsToRefine(this.graph.block(), new Set());
    if (this.lists_to_refine.size > 0) this.walk(this.graph.block(), new Map());
    return this.changed;
  }

  private collectListsToRefine(block: Block, asked: Set<Value>): void {
    for (const node of block.nodes()) {
      for (const inner of node.blocks()) this.collectListsToRefine(inner, asked);
      if (node.kind() !== "aten::len") continue;
      const list = node.input(0);
      if (list.type().kind() !== "ListType" || this.mutated_lists.has(list)) continue;
      if (asked.has(list)) this.lists_to_refine.add(list);
      else asked.add(list);
    }
  }

  protected override refinementOf(node: Node): ListRefinement | null {
    const refinement: ListRefinement = new Map();
    for (const i of [0, 1]) {
      const constant = toIValue(node.input(i));
      const len = node.input(1 - i).node();
      if (constant?.isInt() !== true || !len.matches("aten::len.t(t[] a) -> int")) continue;
      if (this.lists_to_refine.has(len.input())) refinement.set(len.input(), Number(constant.payload));
    }
    return refinement.size === 0 ? null : refinement;
  }

  protected override visit(node: Node): void {
    if (node.kind() !== "aten::len") return;
    const length = this.tryFindRefinement(node.input(0));
    if (length === null) return;
    this.changed = true;
    withInsertPoint(node, () => node.output().replaceAllUsesWith(this.graph.insertConstant(IValue.fromInt(length))));
  }
}

/** @param refine_list_len Whether conditions on lengths are used too. */
export function PeepholeOptimizeListIdioms(graph: Graph, refine_list_len = false): boolean {
  return new ListIdioms(graph).run(refine_list_len);
}
