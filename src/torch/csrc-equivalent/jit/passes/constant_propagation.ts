/**
 * @file Computes what depends on constants alone, chooses branches by constant conditions, removes loops that do not run.
 * @mirrors torch/csrc/jit/passes/constant_propagation.cpp
 * @differs A string of more than a million characters is left to the run; PyTorch puts it into the graph, however long it is.
 */
import type { ClassType } from "#aten/core/class_type";
import type { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import type { Stack } from "#aten/core/stack";
import { AliasDb } from "../ir/alias_analysis.ts";
import { toIValue, tryInsertConstant } from "../ir/constants.ts";
import { type Block, type Graph, type Node, type Value, withInsertPoint } from "../ir/ir.ts";
import { EqualNode } from "../ir/node_hashing.ts";
import {
  createObject,
  dictConstruct,
  isinstance,
  listConstruct,
  listUnpack,
  namedTupleConstruct,
  tupleConstruct,
} from "../runtime/vararg_functions.ts";
import { EliminateDeadCode } from "./dead_code_elimination.ts";

/** A constant is compared and printed as a whole, and `a + a` doubles a string at each step. */
const LONGEST_STRING = 1 << 20;

/** Runs a node whose inputs are all constants. Null if one is not, or the node cannot be run now. */
export function runNodeIfInputsAreConstant(n: Node): IValue[] | null {
  const inputs: IValue[] = [];
  for (const input of n.inputs()) {
    const value = toIValue(input);
    if (value === null) return null;
    inputs.push(value);
  }
  let results: IValue[] | null;
  try {
    results = runNode(n, inputs);
  } catch {
    return null; // it fails when the program runs, if it ever comes here
  }
  for (const value of results ?? []) {
    if (value.isTensor() && value.toTensor().defined() && value.toTensor().requires_grad()) return null;
    if (value.tag === "Object") return null;
    if (value.isString() && value.toStringRef().length > LONGEST_STRING) return null;
  }
  return results;
}

/** Runs a node. Null if it is of a kind that cannot be run alone. */
function runNode(n: Node, inputs: readonly IValue[]): IValue[] | null {
  const stack: Stack = [...inputs];
  const count = n.inputs().length;
  switch (n.kind()) {
    case "prim::ListUnpack":
      if (stack[stack.length - 1].toList().size() !== n.outputs().length) return null;
      listUnpack(stack, n.outputs().length);
      break;
    case "prim::TupleConstruct":
      if (n.output().type().fieldNames() !== null) namedTupleConstruct(stack, n.output().type(), count);
      else tupleConstruct(stack, count);
      break;
    case "prim::ListConstruct":
      listConstruct(stack, n.output().type(), count);
      break;
    case "prim::DictConstruct":
      dictConstruct(stack, n.output().type(), count);
      break;
    case "prim::CreateObject":
      createObject(stack, n.output().type() as ClassType);
      break;
    case "prim::GetAttr":
      stack.push((stack.pop() as IValue).toObject().getAttr(n.s("name")));
      break;
    case "prim::isinstance":
      isinstance(stack, n.tys("types") as readonly Type[]);
      break;
    default:
      if (n.maybeSchema()?.is_vararg()) return null;
      n.getOperation()(stack);
  }
  return stack;
}

const skip_list = new Set([
  "prim::If",
  "prim::Loop",
  "prim::Closure",
  "prim::Constant",
  "prim::AutogradZero",
  "prim::Uninitialized",
  "prim::Guard",
  "prim::profile",
  "prim::profile_ivalue",
  "prim::unchecked_unwrap_optional",
  "prim::awaitable",
  "aten::dequantize",
]);

class ConstantPropagator {
  private readonly graph: Graph;
  /** False: a node with a mutable input or output is left as it is, and no alias information is needed. */
  private readonly aliasing_types: boolean;
  private alias_db: AliasDb | null = null;
  made_change = false;

  constructor(graph: Graph, aliasing_types: boolean) {
    this.graph = graph;
    this.aliasing_types = aliasing_types;
  }

  run(): boolean {
    this.propagateBlock(this.graph.block());
    return this.made_change;
  }

  private propagateBlock(block: Block): void {
    for (const n of block.nodes()) this.propagate(n);
  }

  private propagate(n: Node): void {
    const constant_inputs = n.inputs().every((input) => input.node().kind() === "prim::Constant");
    if (n.kind() === "prim::If") {
      if (constant_inputs) {
        this.inlineIf(n);
      } else {
        for (const block of n.blocks()) this.propagateBlock(block);
        this.removeExtraIfOutputs(n);
      }
    } else if (n.kind() === "prim::Loop") {
      if (loopWillNotRun(n)) {
        for (const [i, output] of n.outputs().entries()) output.replaceAllUsesWith(n.input(i + 2));
        n.destroy();
        this.made_change = true;
      } else {
        for (const block of n.blocks()) this.propagateBlock(block);
        this.removeExtraLoopOutputs(n);
      }
    } else if (constant_inputs && this.supportedNode(n)) {
      this.propagateNode(n);
    } else {
      for (const block of n.blocks()) this.propagateBlock(block);
    }
  }

  private supportedNode(n: Node): boolean {
    if (skip_list.has(n.kind()) || n.blocks().length > 0) return false;
    if (n.isNondeterministic() || n.hasSideEffects()) return false;
    if (!this.aliasing_types) return ![...n.inputs(), ...n.outputs()].some((value) => AliasDb.isMutableType(value));
    this.alias_db ??= new AliasDb(this.graph);
    return !this.alias_db.hasWriters(n);
  }

  private propagateNode(n: Node): void {
    const results = runNodeIfInputsAreConstant(n);
    if (results === null) return;
    withInsertPoint(n, () => {
      results.forEach((result, i) => {
        const constant = tryInsertConstant(n.owningGraph(), result);
        if (constant === null) return;
        this.made_change = true;
        const output = n.outputs()[i];
        if (result.isNone()) constant.setType(output.type());
        output.replaceAllUsesWith(constant);
      });
    });
  }

  private inlineIf(n: Node): void {
    const condition = toIValue(n.input()) as IValue; // a constant
    const body = n.blocks()[condition.toBool() ? 0 : 1];
    this.propagateBlock(body);
    for (const node of body.nodes()) node.moveBefore(n);
    for (const [i, output] of n.outputs().entries()) output.replaceAllUsesWith(body.outputs()[i]);
    n.destroy();
    this.made_change = true;
  }

  /** Outputs that are the same in both branches need no branch. */
  private removeExtraIfOutputs(n: Node): void {
    const [true_block, false_block] = n.blocks();
    withInsertPoint(n, () => {
      for (let i = 0; i < true_block.outputs().length; ) {
        const t_out = true_block.outputs()[i];
        const f_out = false_block.outputs()[i];
        let replacement: Value | null = t_out === f_out ? t_out : null;
        if (replacement === null) {
          const constant = toIValue(t_out);
          if (constant !== null && EqualNode(t_out.node(), f_out.node())) {
            replacement = n.owningGraph().insertConstant(constant);
          }
        }
        if (replacement === null) {
          i++;
          continue;
        }
        n.outputs()[i].replaceAllUsesWith(replacement);
        n.eraseOutput(i);
        true_block.eraseOutput(i);
        false_block.eraseOutput(i);
        this.made_change = true;
      }
    });
  }

  /** A carried value that the body hands on as it is need not be carried. */
  private removeExtraLoopOutputs(n: Node): void {
    const [body] = n.blocks();
    for (let i = n.outputs().length - 1; i >= 0; i--) {
      if (body.inputs()[i + 1] !== body.outputs()[i + 1]) continue;
      const input = n.input(i + 2);
      n.outputs()[i].replaceAllUsesWith(input);
      body.inputs()[i + 1].replaceAllUsesWith(input);
      n.eraseOutput(i);
      n.removeInput(i + 2);
      body.eraseInput(i + 1);
      body.eraseOutput(i + 1);
      this.made_change = true;
    }
  }
}

function loopWillNotRun(n: Node): boolean {
  const trip_count = toIValue(n.input(0));
  const start_cond = toIValue(n.input(1));
  const never = trip_count?.isInt() === true && Number(trip_count.toInt()) <= 0;
  return never || (start_cond?.isBool() === true && !start_cond.toBool());
}

/** Folds constants, also of mutable types that nobody writes to. Returns whether the graph changed. */
export function ConstantPropagation(graph: Graph): boolean {
  const changed = new ConstantPropagator(graph, true).run();
  if (changed) EliminateDeadCode(graph);
  return changed;
}

/** Folds constants of immutable types. Returns whether the graph changed. */
export function ConstantPropagationImmutableTypes(graph: Graph): boolean {
  const changed = new ConstantPropagator(graph, false).run();
  if (changed) EliminateDeadCode(graph);
  return changed;
}
