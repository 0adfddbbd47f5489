/**
 * @file Replaces loads and stores of variables by values: branches and loops get outputs, `break` and `continue` become values.
 * @mirrors torch/csrc/jit/frontend/convert_to_ssa.cpp
 */
import { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import { unifyTypes } from "#aten/core/type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { type Block, type Graph, type Node, type Value, withInsertPoint } from "../ir/ir.ts";
import { TransformExits } from "./exit_transforms.ts";
import { InlineBlockBeforeNode, InlineLoopCondition } from "./inline_loop_condition.ts";
import { meaningfulName } from "./meaningful_name.ts";
import { MiniEnvironment } from "./mini_environment.ts";

// An idea in miniature:
//
//   while c:          Loop(max)                       Loop(max, %c, %x.1)
//       x = x + 1       block0():                       block0(%x : int):
//                         %1 : int = Load["x"]            %2 : int = add(%x, 1)
//                         %2 : int = add(%1, 1)           -> (%c, %2)
//                         Store["x"](%2)
//
// 1. Each `if` and loop gets, for each variable that it sets, loads and stores at its borders.
// 2. `break` and `continue` become LoopContinuation(next condition, variables).
// 3. The condition of a loop moves before the loop and to the end of its body.
// 4. Loads are replaced by what was stored; loads and stores disappear.
// 5. exit_transforms.ts removes LoopContinuation and ReturnStmt.

/** Step 1. */
class ControlFlowLoadStores {
  private readonly graph: Graph;
  private environment_stack: MiniEnvironment<Type> | null = null;

  constructor(graph: Graph) {
    this.graph = graph;
  }

  run(): void {
    this.addControlFlowLoadStores(this.graph.block());
  }

  private addBlockInput(b: Block, type: Type, name: string): void {
    const input = b.addInput(name).setType(type);
    this.graph.createStore(name, input).insertAfter(b.param_node());
  }

  private addBlockOutput(exit_block: Block, type: Type, name: string): void {
    withInsertPoint(exit_block, () => {
      exit_block.registerOutput(this.graph.insertNode(this.graph.createLoad(name, type)).output());
    });
  }

  private addNodeOutput(n: Node, type: Type, name: string): void {
    const out = n.addOutput().setType(type);
    if (meaningfulName(name)) out.setDebugName(name);
    this.graph.createStore(name, out).insertAfter(n);
  }

  private addNodeInput(n: Node, type: Type, name: string): void {
    n.addInput(this.graph.createLoad(name, type).insertBefore(n).output());
  }

  private addIfLoadStores(n: Node): void {
    const [true_block, false_block] = n.blocks();
    const true_vars = this.addControlFlowLoadStores(true_block);
    const false_vars = this.addControlFlowLoadStores(false_block);
    const mutated = new Set([
      ...true_vars.definedVariables().filter((name) => false_vars.findInAnyFrame(name) !== null),
      ...false_vars.definedVariables().filter((name) => true_vars.findInAnyFrame(name) !== null),
    ]);
    for (const name of [...mutated].sort((a, b) => (a < b ? -1 : 1))) {
      const true_type = true_vars.findInAnyFrame(name) as Type; // both sides know a mutated variable
      const false_type = false_vars.findInAnyFrame(name) as Type;
      const unified = unifyTypes(true_type, false_type, true);
      if (unified === null) continue;
      this.addBlockOutput(true_block, true_type, name);
      this.addBlockOutput(false_block, false_type, name);
      this.addNodeOutput(n, unified, name);
    }
  }

  private addLoopLoadStores(n: Node): void {
    const [body] = n.blocks();
    const loop_vars = this.addControlFlowLoadStores(body);
    for (const name of loop_vars.definedVariables()) {
      const parent_type = this.environment_stack?.findInAnyFrame(name) ?? null;
      if (parent_type === null) continue; // the variable lives in the body only
      const block_type = loop_vars.findInThisFrame(name) as Type;
      const unified = unifyTypes(parent_type, block_type);
      TORCH_INTERNAL_ASSERT(unified !== null);
      this.addNodeInput(n, parent_type, name);
      this.addBlockInput(body, unified, name);
      this.addBlockOutput(body, block_type, name);
      this.addNodeOutput(n, unified, name);
    }
  }

  private addControlFlowLoadStores(block: Block): MiniEnvironment<Type> {
    const frame = new MiniEnvironment<Type>(block, this.environment_stack);
    this.environment_stack = frame;
    for (let n = block.param_node().next(); n !== block.return_node(); n = n.next()) {
      switch (n.kind()) {
        case "prim::If":
          this.addIfLoadStores(n);
          break;
        case "prim::Loop":
          this.addLoopLoadStores(n);
          break;
        case "prim::Closure":
          for (const b of n.blocks()) this.addControlFlowLoadStores(b);
          break;
        case "prim::Store":
          frame.setVar(n.s("name"), n.input().type());
          break;
        case "prim::ComprehensionScope":
          this.addControlFlowLoadStores(n.blocks()[0]);
          break;
      }
    }
    this.environment_stack = frame.next;
    return frame;
  }
}

/** Step 4. */
function eraseBlockLoadStores(block: Block, parent: MiniEnvironment<Value> | null): void {
  const frame = new MiniEnvironment<Value>(block, parent);
  for (const n of block.nodes()) {
    switch (n.kind()) {
      case "prim::Store":
        frame.setVar(n.s("name"), n.input());
        n.destroy();
        break;
      case "prim::Load": {
        const value = frame.findInAnyFrame(n.s("name"));
        TORCH_INTERNAL_ASSERT(value !== null, "Typechecking should ensure the variable name is set");
        n.output().replaceAllUsesWith(value);
        n.destroy();
        break;
      }
      case "prim::ComprehensionScope": {
        const [body] = n.blocks();
        eraseBlockLoadStores(body, frame);
        for (const inner of body.nodes()) inner.moveBefore(n);
        n.destroy();
        break;
      }
      default:
        for (const b of n.blocks()) eraseBlockLoadStores(b, frame);
    }
  }
}

/** Step 2. */
class LoopContinuations {
  private readonly graph: Graph;
  private readonly false_val_: Value;
  private curr_loop_: Node | null = null;

  constructor(b: Block) {
    this.graph = b.owningGraph();
    this.false_val_ = withInsertPoint(b.param_node().next(), () => this.graph.insertConstant(IValue.False));
    this.assignExitContinuations(b);
  }

  private currentLoop(): Node {
    TORCH_INTERNAL_ASSERT(this.curr_loop_ !== null);
    return this.curr_loop_;
  }

  private addLoopCarriedOutputs(n: Node): void {
    withInsertPoint(n, () => {
      const continuation = this.currentLoop().blocks()[0].return_node();
      for (const out of continuation.inputs()) {
        const load = out.node();
        TORCH_INTERNAL_ASSERT(load.kind() === "prim::Load");
        n.addInput(this.graph.insertNode(this.graph.createClone(load, (v) => v)).output());
      }
    });
  }

  private assignExitContinuations(block: Block): void {
    for (const n of block.nodes()) {
      switch (n.kind()) {
        case "prim::If":
          for (const b of n.blocks()) this.assignExitContinuations(b);
          break;
        case "prim::Closure":
          new LoopContinuations(n.blocks()[0]);
          break;
        case "prim::Loop": {
          const prev_loop = this.curr_loop_;
          this.curr_loop_ = n;
          this.assignExitContinuations(n.blocks()[0]);
          this.curr_loop_ = prev_loop;
          break;
        }
        case "prim::ContinueStmt": {
          const continuation = this.graph.create("prim::LoopContinuation", 0).insertAfter(n);
          const header = continuation.addBlock();
          header.cloneFrom(this.currentLoop().blocks()[1], (v) => v);
          InlineBlockBeforeNode(n, header);
          continuation.addInput(header.outputs()[0]);
          continuation.eraseBlock(0);
          this.addLoopCarriedOutputs(continuation);
          n.destroy();
          break;
        }
        case "prim::BreakStmt": {
          const exit = this.graph.create("prim::LoopContinuation", 0).insertAfter(n);
          exit.addInput(this.false_val_); // do not go on
          this.addLoopCarriedOutputs(exit);
          n.destroy();
          break;
        }
      }
    }
  }
}

export function ConvertToSSA(graph: Graph): void {
  new ControlFlowLoadStores(graph).run();
  new LoopContinuations(graph.block());
  InlineLoopCondition(graph);
  eraseBlockLoadStores(graph.block(), null);
  TransformExits(graph);
}
