/**
 * @file Removes `return`, `break` and `continue` from a graph: a flag tells that a block was left, and what follows runs only if not.
 * @mirrors torch/csrc/jit/frontend/exit_transforms.cpp
 */
import { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import * as types from "#aten/core/jit_type";
import { unifyTypes } from "#aten/core/type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { toIValue } from "../ir/constants.ts";
import { type Block, type Graph, type Node, type Value, withInsertPoint } from "../ir/ir.ts";
import { allNodes } from "../runtime/graph_iterator.ts";

// An idea in miniature:
//
//   if c:                 %exited : bool, %value : int = prim::If(%c)
//       return 1            block0():                     block1():
//   f()                       -> (%true, %1)                -> (%false, %uninitialized)
//   return 2              %3 : int = prim::If(%exited)
//                           block0():                     block1():
//                             -> (%value)                    f()  -> (%2)
//
// If the flags of the first `if` are constants, as here, the second `if` moves into the first.

/** WILL, MIGHT, WONT: the exit is always, perhaps, never reached. THROWS: an exception is always raised. */
type ExitStatus = "WILL" | "MIGHT" | "WONT" | "THROWS";

/** Whether the exit was reached, as a value, and the values that it carries. */
interface ExitPair {
  readonly hasExited: Value;
  readonly exitValues: readonly Value[];
}

type ExitKind = "prim::ReturnStmt" | "prim::LoopContinuation";

class ExitTransformer {
  private readonly graph_: Graph;
  private readonly current_exit_kind_: ExitKind;
  private readonly true_val_: Value;
  private readonly false_val_: Value;
  /** Stands for "throws"; it is never read. */
  private readonly throws_val_: Value;
  /** One uninitialized value for each type. */
  private readonly unit_values_ = new Map<string, Value>();
  /** The block that the exits leave: of the loop, of the closure, or of the graph. */
  private target_block_: Block | null = null;

  constructor(graph: Graph, kind: ExitKind) {
    this.graph_ = graph;
    this.current_exit_kind_ = kind;
    const front = graph.block().param_node().next();
    const constant = (value: IValue) => withInsertPoint(front, () => graph.insertConstant(value));
    this.true_val_ = constant(IValue.True);
    this.false_val_ = constant(IValue.False);
    this.throws_val_ = this.getUnitValue(types.BoolType);
  }

  run(): void {
    this.transformExits(this.graph_.block());
  }

  private getUnitValue(type: Type): Value {
    let unit = this.unit_values_.get(type.key());
    if (unit === undefined) {
      unit = this.graph_.createUninitialized(type).insertAfter(this.graph_.param_node()).output();
      this.unit_values_.set(type.key(), unit);
    }
    return unit;
  }

  private matchValuesWithUnitialized(values: readonly Value[]): Value[] {
    return values.map((value) => this.getUnitValue(value.type()));
  }

  private wont(): ExitPair {
    return { hasExited: this.false_val_, exitValues: [] };
  }

  private throws(): ExitPair {
    return { hasExited: this.throws_val_, exitValues: [] };
  }

  private statusOf({ hasExited }: ExitPair): ExitStatus {
    if (hasExited === this.true_val_) return "WILL";
    if (hasExited === this.false_val_) return "WONT";
    return hasExited === this.throws_val_ ? "THROWS" : "MIGHT";
  }

  private addIfOutputs(n: Node, true_outs: readonly Value[], false_outs: readonly Value[]): void {
    const [then_block, else_block] = n.blocks();
    for (const out of true_outs) then_block.registerOutput(out);
    for (const out of false_outs) else_block.registerOutput(out);
    true_outs.forEach((out, i) => {
      const type = unifyTypes(out.type(), false_outs[i].type(), true);
      TORCH_INTERNAL_ASSERT(type !== null);
      n.addOutput().setType(type);
    });
  }

  /** A loop ends when its body leaves it, and hands the flag and the values on. */
  private transformLoop(node: Node): ExitPair {
    const [body] = node.blocks();
    const exit_pair = this.transformExits(body);
    const status = this.statusOf(exit_pair);
    if (status === "WONT" || status === "THROWS") return this.wont(); // the loop may not be entered at all
    withInsertPoint(body, () => {
      const new_if = this.graph_.insertNode(this.graph_.create("prim::If", 0));
      new_if.addInput(exit_pair.hasExited);
      new_if.addBlock().registerOutput(this.false_val_);
      new_if.addBlock().registerOutput(body.outputs()[0]);
      const new_condition = new_if.addOutput().setType(types.BoolType);
      body.eraseOutput(0);
      body.insertOutput(0, new_condition);
    });
    node.addInput(this.false_val_);
    body.addInput().setType(types.BoolType);
    body.registerOutput(exit_pair.hasExited);
    const hasExited = node.addOutput().setType(types.BoolType);
    const exitValues = exit_pair.exitValues.map((value) => {
      const type = value.type();
      node.addInput(this.getUnitValue(type));
      const output = node.addOutput().setType(type);
      body.addInput().setType(type);
      body.registerOutput(value);
      return output;
    });
    return { hasExited, exitValues };
  }

  private transformIf(node: Node): ExitPair {
    const [then_block, else_block] = node.blocks();
    let then_pair = this.transformExits(then_block);
    let else_pair = this.transformExits(else_block);
    const then_status = this.statusOf(then_pair);
    const else_status = this.statusOf(else_pair);
    const if_status = calcIfExitStatus(then_status, else_status);
    if (if_status === "THROWS") return this.throws();
    if (if_status === "WONT") return this.wont();
    // A branch that does not leave hands on values that are never read.
    if (then_status === "WONT" || then_status === "THROWS") {
      then_pair = { ...then_pair, exitValues: this.matchValuesWithUnitialized(else_pair.exitValues) };
    } else if (else_status === "WONT" || else_status === "THROWS") {
      else_pair = { ...else_pair, exitValues: this.matchValuesWithUnitialized(then_pair.exitValues) };
    }
    let hasExited = this.true_val_;
    if (if_status !== "WILL") {
      this.addIfOutputs(node, [then_pair.hasExited], [else_pair.hasExited]);
      hasExited = node.outputs()[node.outputs().length - 1];
    }
    this.addIfOutputs(node, then_pair.exitValues, else_pair.exitValues);
    const first = node.outputs().length - then_pair.exitValues.length;
    return { hasExited, exitValues: node.outputs().slice(first) };
  }

  /** Puts the nodes from `first` to the end of the block under `if not exited`. */
  private guardBlockNodes(block: Block, exit_pair: ExitPair, first: Node): ExitPair {
    const new_if = this.graph_.create("prim::If", 0).insertBefore(first);
    new_if.addInput(exit_pair.hasExited);
    const exit_block = new_if.addBlock();
    const guard_block = new_if.addBlock();
    for (let node = first; node !== block.return_node(); ) {
      const next = node.next();
      node.moveBefore(guard_block.return_node());
      node = next;
    }
    const exit_values = this.matchValuesWithUnitialized(block.outputs());
    block.outputs().forEach((output, i) => {
      exit_block.registerOutput(exit_values[i]);
      guard_block.registerOutput(output);
      new_if.addOutput().setType(output.type());
    });
    while (block.outputs().length > 0) block.eraseOutput(0);
    for (const output of new_if.outputs()) block.registerOutput(output);
    this.graph_.create(this.current_exit_kind_, exit_pair.exitValues, 0).insertBefore(exit_block.return_node());
    return this.transformIf(new_if);
  }

  /** Removes the nodes from `first` on, which are never reached. A use that remains is never read. */
  private deleteAfterExitNodes(block: Block, first: Node): void {
    if (first === block.return_node()) return;
    const nodes: Node[] = [];
    for (let node = first; node !== block.return_node(); node = node.next()) nodes.push(node);
    withInsertPoint(block.param_node().next(), () => {
      for (const node of nodes.reverse()) {
        for (const output of node.outputs()) {
          if (output.hasUses()) output.replaceAllUsesWith(this.getUnitValue(output.type()));
        }
        node.destroy();
      }
    });
  }

  private isTarget(block: Block): boolean {
    const owner = block.owningNode()?.kind() ?? null;
    if (this.current_exit_kind_ === "prim::LoopContinuation") return owner === "prim::Loop";
    return owner === null || owner === "prim::Closure";
  }

  private transformNode(node: Node, before: ExitPair): ExitPair {
    switch (node.kind()) {
      case "prim::RaiseException":
        return this.throws();
      case "prim::ReturnStmt":
      case "prim::LoopContinuation": {
        if (node.kind() !== this.current_exit_kind_) return before;
        const exitValues = [...node.inputs()];
        node.destroy();
        return { hasExited: this.true_val_, exitValues };
      }
      case "prim::If":
        return this.transformIf(node);
      case "prim::With":
        return this.transformExits(node.blocks()[0]);
      case "prim::Closure":
        this.transformExits(node.blocks()[0]); // its exits stay inside
        return before;
      case "prim::Loop":
        return this.transformLoop(node);
      default:
        return before;
    }
  }

  private transformExits(block: Block): ExitPair {
    const prev_target = this.target_block_;
    if (this.isTarget(block)) this.target_block_ = block;
    let exit_pair = this.wont();
    for (let node = block.param_node().next(); node !== block.return_node(); ) {
      const next = node.next();
      exit_pair = this.transformNode(node, exit_pair);
      const status = this.statusOf(exit_pair);
      if (status === "WILL" || status === "THROWS") {
        this.deleteAfterExitNodes(block, next);
        break;
      }
      if (status === "MIGHT") {
        if (next !== block.return_node()) exit_pair = this.guardBlockNodes(block, exit_pair, next);
        break;
      }
      node = next;
    }
    if (this.target_block_ === block) {
      this.setTargetOutputs(block, exit_pair);
      exit_pair = this.wont(); // an exit reaches its target and no further
    }
    this.target_block_ = prev_target;
    return exit_pair;
  }

  /** The block that exits lead to gives their values, or its own if none was reached. */
  private setTargetOutputs(block: Block, exit_pair: ExitPair): void {
    const status = this.statusOf(exit_pair);
    let outputs: readonly Value[];
    if (status === "MIGHT") {
      const new_if = this.graph_.create("prim::If", 0).insertBefore(block.return_node());
      new_if.addBlock();
      new_if.addBlock();
      new_if.addInput(exit_pair.hasExited);
      this.addIfOutputs(new_if, exit_pair.exitValues, block.outputs());
      outputs = new_if.outputs();
    } else if (status === "WILL") {
      outputs = exit_pair.exitValues;
    } else {
      return;
    }
    while (block.outputs().length > 0) block.eraseOutput(0);
    for (const output of outputs) block.registerOutput(output);
  }
}

function calcIfExitStatus(then_status: ExitStatus, else_status: ExitStatus): ExitStatus {
  if (then_status === "THROWS") return else_status;
  if (else_status === "THROWS") return then_status;
  return then_status === else_status ? then_status : "MIGHT";
}

/** Moves the `if` behind `node` into it, where its condition is known in each branch. Returns whether it did. */
function inlineConsecutiveIf(node: Node): boolean {
  const second = node.next();
  if (node.kind() !== "prim::If" || second.kind() !== "prim::If") return false;
  const cond = second.input(0);
  if (cond.node() !== node) return false;
  const known = node.blocks().map((block) => toIValue(block.outputs()[cond.offset()])?.toBool() ?? null);
  if (known[0] === null || known[1] === null || known[0] === known[1]) return false;
  node.blocks().forEach((block, i) => {
    const moved = second.blocks()[known[i] ? 0 : 1];
    // What the second `if` uses of the first is, in this branch, the branch's own output.
    block.cloneFrom(moved, (value) => (value.node() === node ? block.outputs()[value.offset()] : value));
  });
  for (const output of second.outputs()) {
    output.replaceAllUsesWith(node.addOutput().copyMetadata(output));
  }
  second.destroy();
  return true;
}

function inlineConsecutiveIfs(block: Block): void {
  for (let node = block.param_node().next(); node !== block.return_node(); ) {
    for (const b of node.blocks()) inlineConsecutiveIfs(b);
    if (!inlineConsecutiveIf(node)) node = node.next();
  }
}

/** Puts what stands between `Enter` and `Exit` into a `With` node, so that an exit does not skip `Exit`. */
function convertEnterExitNodesToWithBlocks(graph: Graph): void {
  const pairs: [Node, Node][] = [];
  const entered: Node[] = [];
  for (const node of allNodes(graph)) {
    if (node.kind() === "prim::Enter") {
      entered.push(node);
    } else if (node.kind() === "prim::Exit") {
      const enter = entered.pop();
      TORCH_INTERNAL_ASSERT(enter !== undefined && enter.input(0) === node.input(0));
      pairs.push([enter, node]);
    }
  }
  TORCH_INTERNAL_ASSERT(entered.length === 0);
  for (const [enter, exit] of pairs) {
    const with_node = graph.create("prim::With", 0);
    const body = with_node.addBlock();
    const exit_block = with_node.addBlock();
    for (let node = enter.next(); node !== exit; ) {
      const next = node.next();
      node.moveBefore(body.return_node());
      node = next;
    }
    exit.moveBefore(exit_block.return_node());
    with_node.insertAfter(enter);
  }
}

function convertWithBlocksToEnterExitNodes(graph: Graph): void {
  for (const with_node of allNodes(graph).filter((node) => node.kind() === "prim::With")) {
    for (const block of with_node.blocks()) for (const node of block.nodes()) node.moveBefore(with_node);
    with_node.destroy();
  }
}

export function TransformExits(graph: Graph): void {
  convertEnterExitNodesToWithBlocks(graph);
  new ExitTransformer(graph, "prim::LoopContinuation").run();
  new ExitTransformer(graph, "prim::ReturnStmt").run();
  inlineConsecutiveIfs(graph.block());
  convertWithBlocksToEnterExitNodes(graph);
}
