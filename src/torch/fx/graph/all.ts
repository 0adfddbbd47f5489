/**
 * @file The exports of `torch.fx.graph`.
 * @mirrors torch/fx/graph.py
 */
export { CodeGen, PythonCode } from "./codegen.ts";
export { Graph } from "./index.ts";
export { inplace_methods, magic_methods, reflectable_magic_methods } from "./magic_methods.ts";
export { _Namespace, _snake_case } from "./namespace.ts";
export { _InsertPoint, _node_list } from "./node_list.ts";
export { _PyTreeCodeGen } from "./pytree_codegen.ts";
export { _parse_stack_trace } from "./stack_trace.ts";
