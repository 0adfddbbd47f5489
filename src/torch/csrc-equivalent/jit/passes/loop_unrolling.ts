/**
 * @file Repeats the body of a `for` loop: as often as it runs, if that is a small constant, otherwise eight times a round, and a loop for the rest.
 * @mirrors torch/csrc/jit/passes/loop_unrolling.cpp
 */
import { IValue } from "#aten/core/ivalue";
import { IntType } from "#aten/core/jit_type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { emitBuiltinCall } from "../frontend/schema_matching.ts";
import { SourceRange } from "../frontend/source_range.ts";
import { toIValue } from "../ir/constants.ts";
import { type Block, type Graph, type Node, type Value, withInsertPoint } from "../ir/ir.ts";
import { NamedValue } from "../ir/named_value.ts";
import { EliminateDeadCode, EliminateDeadCodeOfBlock } from "./dead_code_elimination.ts";

/** Copies of the body in one round. */
const kUnrollFactor = 8;
/** Largest number of executed nodes of a body that is repeated. */
const kMaxBodySize = 32;
/** A constant number of rounds below this is unrolled whole. */
const kMaxBodyRepeats = 64;

function isTrueConstant(value: Value): boolean {
  const constant = toIValue(value);
  return constant?.isBool() === true && constant.toBool();
}

function isForLoop(node: Node): boolean {
  return node.kind() === "prim::Loop" && isTrueConstant(node.input(1)) && isTrueConstant(node.blocks()[0].outputs()[0]);
}

/** Number of executed nodes, also in inner blocks, but at most `limit`. */
function limitedBlockSize(block: Block, limit: number): number {
  let size = 0;
  for (const node of block.nodes()) {
    if (size >= limit) return limit;
    for (const inner of node.blocks()) size += limitedBlockSize(inner, limit - size);
    if (!node.notExecutedOp()) size++;
  }
  return Math.min(size, limit);
}

function isSmallBlock(block: Block): boolean {
  return limitedBlockSize(block, kMaxBodySize + 1) <= kMaxBodySize;
}

function insert(graph: Graph, name: string, args: readonly (Value | number)[]): Value {
  const named = args.map((arg) => new NamedValue(typeof arg === "number" ? IValue.fromInt(arg) : arg));
  return emitBuiltinCall(SourceRange.empty(), graph, name, named);
}

/** Puts the body in the place of a loop that runs exactly once. */
function inlineBody(loop: Node): void {
  const graph = loop.owningGraph();
  const [body] = loop.blocks();
  withInsertPoint(loop, () => {
    const outputs = insertBlockCopy(graph, body, [body.inputs()[0], ...loop.inputs().slice(2)]);
    for (const [i, output] of loop.outputs().entries()) output.replaceAllUsesWith(outputs[i + 1]);
  });
  // Dead code elimination might keep the loop because of side effects.
  loop.destroy();
}

/** Copies the nodes of a block to the insert point; returns the values that stand for its outputs. */
function insertBlockCopy(graph: Graph, body: Block, inputs: readonly Value[]): Value[] {
  TORCH_INTERNAL_ASSERT(inputs.length === body.inputs().length);
  const value_map = new Map<Value, Value>();
  const get_value = (value: Value): Value => value_map.get(value) ?? value;
  for (const [i, input] of body.inputs().entries()) value_map.set(input, inputs[i]);
  for (const node of body.nodes()) {
    const copy = graph.insertNode(graph.createClone(node, get_value));
    for (const [i, output] of node.outputs().entries()) value_map.set(output, copy.output(i));
  }
  return body.outputs().map(get_value);
}

/** Fills the empty block `dest` with copies of the body, each of which takes what the one before gives. */
function repeatBody(body: Block, times: number, dest: Block): void {
  TORCH_INTERNAL_ASSERT(!body.inputs()[0].hasUses(), "loop counter should be unused");
  withInsertPoint(dest, () => {
    for (const input of body.inputs()) dest.addInput().copyMetadata(input);
    let io: Value[] = [...dest.inputs()];
    for (let i = 0; i < times; i++) {
      io[0] = body.inputs()[0];
      io = insertBlockCopy(body.owningGraph(), body, io);
    }
    for (const output of io) dest.registerOutput(output);
  });
  // Otherwise constants of each copy would keep the loop around from being unrolled.
  EliminateDeadCodeOfBlock(dest, false);
}

/** Carries the counter like any other value, because the unrolled loop and the loop for the rest share it. */
function replaceLoopCounter(loop: Node): void {
  const graph = loop.owningGraph();
  const [body] = loop.blocks();
  withInsertPoint(loop, () => {
    const init_counter = graph.insertConstant(IValue.fromInt(0));
    loop.insertInput(2, init_counter);
    loop.insertOutput(0).setType(IntType);
    const internal_counter = body.insertInput(1).setType(init_counter.type());
    body.inputs()[0].replaceAllUsesWith(internal_counter);
    withInsertPoint(body.return_node(), () => body.insertOutput(1, insert(graph, "aten::add", [internal_counter, 1])));
  });
}

function unroll(loop: Node): void {
  const graph = loop.owningGraph();
  const [body] = loop.blocks();
  if (body.inputs()[0].hasUses()) replaceLoopCounter(loop);

  const constant = toIValue(loop.input(0));
  if (constant?.isInt() === true && Number(constant.payload) < kMaxBodyRepeats) {
    repeatBody(body, Number(constant.payload), loop.addBlock());
    loop.eraseBlock(0);
    inlineBody(loop);
    return;
  }
  withInsertPoint(loop, () => {
    const epilogue = graph.createClone(loop, (value) => value).insertAfter(loop);
    for (const [i, output] of loop.outputs().entries()) {
      output.replaceAllUsesWith(epilogue.output(i));
      epilogue.replaceInput(i + 2, output);
    }
    repeatBody(body, kUnrollFactor, loop.addBlock());
    loop.eraseBlock(0);

    const iter_count = loop.input(0);
    const rounds = insert(graph, "aten::__round_to_zero_floordiv", [iter_count, kUnrollFactor]);
    loop.replaceInput(0, rounds);
    const done = insert(graph, "aten::mul", [rounds, kUnrollFactor]);
    epilogue.replaceInput(0, insert(graph, "aten::sub", [iter_count, done]));
  });
}

function unrollLoops(block: Block, constant_only: boolean): boolean {
  let changed = false;
  for (const node of block.nodes()) {
    for (const inner of node.blocks()) changed = unrollLoops(inner, constant_only) || changed;
    if (!isForLoop(node)) continue;
    if (constant_only ? node.input(0).node().kind() !== "prim::Constant" : !isSmallBlock(node.blocks()[0])) continue;
    unroll(node);
    changed = true;
  }
  return changed;
}

/** Unrolls each `for` loop with a small body. Returns whether the graph changed. */
export function UnrollLoops(graph: Graph): boolean {
  const changed = unrollLoops(graph.block(), false);
  if (changed) EliminateDeadCode(graph);
  return changed;
}

/** Unrolls each `for` loop with a constant number of rounds. */
export function UnrollConstantLoops(graph: Graph): boolean {
  const changed = unrollLoops(graph.block(), true);
  if (changed) EliminateDeadCode(graph);
  return changed;
}
