/**
 * @file The compiler of scripts, as the front end of `torch.jit` sees it. Loading it registers the operators of scripts.
 * @mirrors torch/csrc/jit/python/init.cpp
 */
import "../csrc-equivalent/autograd/TraceTypeKernels.ts";
import "../csrc-equivalent/autograd/generated/TraceType.ts";
import "../csrc-equivalent/jit/frontend/builtin_functions.ts";
import "../csrc-equivalent/jit/runtime/register_prim_ops/index.ts";
import "../csrc-equivalent/jit/runtime/register_batch_mm_ops.ts";
import "../csrc-equivalent/jit/runtime/register_prim_ops_fulljit.ts";
import "../csrc-equivalent/jit/runtime/register_special_ops.ts";
import "../csrc-equivalent/jit/runtime/register_tensor_members.ts";

export { CompilationUnit } from "../csrc-equivalent/jit/api/compilation_unit.ts";
export { GraphFunction } from "../csrc-equivalent/jit/api/function_impl.ts";
export { ModuleObject } from "../csrc-equivalent/jit/api/module.ts";
export {
  ConcreteModuleType,
  ConcreteModuleTypeBuilder,
  type IterableModuleKind,
} from "../csrc-equivalent/jit/frontend/concrete_module_type.ts";
export { ErrorReport } from "../csrc-equivalent/jit/frontend/error_report.ts";
export type { Kind } from "../csrc-equivalent/jit/frontend/lexer.ts";
export { Source, SourceRange } from "../csrc-equivalent/jit/frontend/source_range.ts";
export { getNumelOf, getSizeOf, module_scopes } from "../csrc-equivalent/jit/frontend/tracer/recorder.ts";
export {
  getTracingState,
  isTracing,
  setTracingState,
  warn_callback,
  without_recording,
} from "../csrc-equivalent/jit/frontend/tracer/state.ts";
export { WARN_PYTHON_DATAFLOW } from "../csrc-equivalent/jit/frontend/tracing.ts";
export { Compound } from "../csrc-equivalent/jit/frontend/tree.ts";
export * from "../csrc-equivalent/jit/frontend/tree_views.ts";
export type { Graph } from "../csrc-equivalent/jit/ir/ir.ts";
export {
  get_mobile_model_contained_types,
  get_model_bytecode_version,
  get_model_ops_and_info,
} from "../csrc-equivalent/jit/mobile/compatibility/model_compatibility.ts";
export { freeze_module } from "../csrc-equivalent/jit/passes/freeze_module/index.ts";
export { inlined } from "../csrc-equivalent/jit/passes/inliner.ts";
export { graph_for, PyGraphExecutorState, set_fusion_strategy } from "../csrc-equivalent/jit/python/executor.ts";
export { type InferredType, tryToInferType } from "../csrc-equivalent/jit/python/infer_type.ts";
export {
  LiteScriptModule,
  load_lite_module,
  OperatorInfo,
} from "../csrc-equivalent/jit/python/lite_script_module.ts";
export { module_frontend } from "../csrc-equivalent/jit/python/module_value.ts";
export { jit_passes } from "../csrc-equivalent/jit/python/passes.ts";
export {
  createPyObjectForStack,
  createStackForSchema,
  splitKwargs,
  toIValue,
} from "../csrc-equivalent/jit/python/pybind_utils.ts";
export { type PythonFrontend, python_frontend } from "../csrc-equivalent/jit/python/python_sugared_value.ts";
export {
  createGraphByTracing,
  createGraphByTracingWithDict,
  python_callstack,
  runAndInsertCall,
  type StackEntry,
  type TracedFunction,
  toTraceableStack,
} from "../csrc-equivalent/jit/python/python_tracer.ts";
export {
  create_hooks,
  create_methods_and_properties,
  type FunctionDefaults,
  get_python_cu,
  type MethodStub,
  PythonResolver,
  type ResolutionCallback,
  script_class_compile,
  script_compile_function,
  script_compile_overloaded_function,
} from "../csrc-equivalent/jit/python/script_init.ts";
export { ScriptMethod, ScriptModule } from "../csrc-equivalent/jit/python/script_module.ts";
export { script_object_of } from "../csrc-equivalent/jit/python/script_objects.ts";
export { result_for_python, toPythonObject } from "../csrc-equivalent/jit/python/script_values.ts";

import "../csrc-equivalent/jit/python/python_interpreter.ts";
import "../csrc-equivalent/jit/runtime/profiling_graph_executor_impl.ts";

export { executor_of, lastExecutedOptimizedGraph } from "../csrc-equivalent/jit/runtime/graph_executor/index.ts";
export { JITException } from "../csrc-equivalent/jit/runtime/jit_exception.ts";
export { getAllOperatorsFor } from "../csrc-equivalent/jit/runtime/operator.ts";
export { code_of } from "../csrc-equivalent/jit/serialization/python_print/index.ts";
export { incompatible_constructor, pybind_def } from "../csrc-equivalent/utils/pybind.ts";
export type AttributeSlotKind = "PARAMETER" | "BUFFER";
export type { Device } from "#c10/core/Device";
export { FileAdapter } from "#caffe2/serialize/file_adapter";
export { MemoryReadAdapter } from "#caffe2/serialize/in_memory_adapter";
export { PyTorchStreamReader } from "#caffe2/serialize/PyTorchStreamReader";
export { ReplacedFile } from "#caffe2/serialize/replaced_file";
export { toDevice } from "../csrc-equivalent/Device.ts";
export { export_opnames as _export_opnames } from "../csrc-equivalent/jit/serialization/export_bytecode.ts";
export {
  ExportModule,
  type ExportOptions,
  module_of_function,
} from "../csrc-equivalent/jit/serialization/export_module.ts";
export { import_ir_module } from "../csrc-equivalent/jit/serialization/import.ts";
