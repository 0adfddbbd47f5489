/**
 * @file The compiler of scripts, as the front end of `torch.jit` sees it. Loading it registers the operators of scripts.
 * @mirrors torch/csrc/jit/python/init.cpp
 */
import "../csrc-equivalent/jit/frontend/builtin_functions.ts";
import "../csrc-equivalent/jit/runtime/register_prim_ops/index.ts";
import "../csrc-equivalent/jit/runtime/register_prim_ops_fulljit.ts";
import "../csrc-equivalent/jit/runtime/register_special_ops.ts";
import "../csrc-equivalent/jit/runtime/register_tensor_members.ts";

export { CompilationUnit } from "../csrc-equivalent/jit/api/compilation_unit.ts";
export type { GraphFunction } from "../csrc-equivalent/jit/api/function_impl.ts";
export { ErrorReport } from "../csrc-equivalent/jit/frontend/error_report.ts";
export type { Kind } from "../csrc-equivalent/jit/frontend/lexer.ts";
export { Source, SourceRange } from "../csrc-equivalent/jit/frontend/source_range.ts";
export { Compound } from "../csrc-equivalent/jit/frontend/tree.ts";
export * from "../csrc-equivalent/jit/frontend/tree_views.ts";
export type { Graph } from "../csrc-equivalent/jit/ir/ir.ts";
export { inlined } from "../csrc-equivalent/jit/passes/inliner.ts";
export {
  createPyObjectForStack,
  createStackForSchema,
  splitKwargs,
  toIValue,
} from "../csrc-equivalent/jit/python/pybind_utils.ts";
export { type PythonFrontend, python_frontend } from "../csrc-equivalent/jit/python/python_sugared_value.ts";
export {
  type FunctionDefaults,
  get_python_cu,
  PythonResolver,
  type ResolutionCallback,
  script_class_compile,
  script_compile_function,
  script_compile_overloaded_function,
} from "../csrc-equivalent/jit/python/script_init.ts";
export { executor_of } from "../csrc-equivalent/jit/runtime/graph_executor.ts";
export { JITException } from "../csrc-equivalent/jit/runtime/jit_exception.ts";
export { getAllOperatorsFor } from "../csrc-equivalent/jit/runtime/operator.ts";
export { code_of } from "../csrc-equivalent/jit/serialization/python_print/index.ts";
