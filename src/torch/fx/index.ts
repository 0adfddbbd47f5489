/**
 * @file `torch.fx`: graphs of what functions and modules do, their code, and passes over them.
 * @mirrors torch/fx/__init__.py
 */
export * as _pytree from "./_pytree.ts";
export * as _symbolic_trace from "./_symbolic_trace/index.ts";
export { PH, symbolic_trace, Tracer, wrap } from "./_symbolic_trace/index.ts";
export * as experimental from "./experimental/index.ts";
export * as graph from "./graph/all.ts";
export { CodeGen, Graph } from "./graph/all.ts";
export * as graph_module from "./graph_module.impl.ts";
export { GraphModule } from "./graph_module.ts";
export * as immutable_collections from "./immutable_collections.ts";
export * as interpreter from "./interpreter.ts";
export { Interpreter, Transformer } from "./interpreter.ts";
export * as node from "./node.ts";
export { has_side_effect, map_arg, Node } from "./node.ts";
export * as operator_schemas from "./operator_schemas.ts";
export * as passes from "./passes/index.ts";
export * as proxy from "./proxy/index.ts";
export { Proxy } from "./proxy/index.ts";
export * as subgraph_rewriter from "./subgraph_rewriter.ts";
export { replace_pattern } from "./subgraph_rewriter.ts";
export * as traceback from "./traceback.ts";
