/**
 * @file The intermediate representation: graphs, blocks, nodes, values. One header, as in PyTorch; the classes stand in the folder `ir/`.
 * @mirrors torch/csrc/jit/ir/ir.h
 */
export { Block } from "./ir/block.ts";
export {
  createTupleUnpack,
  findAllNodes,
  Graph,
  insertGraph,
  type MatchedCall,
  unpackOutputs,
  WithCurrentScope,
  WithInsertPoint,
  withInsertPoint,
} from "./ir/graph.ts";
export { Node } from "./ir/node.ts";
export { OperatorMap, OperatorSet } from "./ir/operator_set.ts";
export { type Use, Value } from "./ir/value.ts";
