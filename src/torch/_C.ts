/**
 * @file The extension module `torch._C`, through which alone the front end reaches the engine. Importing it registers every operator and
 * kernel, then builds the module.
 * @mirrors torch/_C/__init__.pyi
 * @see csrc-equivalent/Module.ts, which says in which order
 */
import type { AcceleratorError, LinAlgError, OutOfMemoryError } from "#c10/util/Exception";
import "#aten/generated/RegisterAll";
import "./csrc-equivalent/autograd/generated/RegisterAll.ts";
import type { FFTFunctions } from "./_C/generated/_fft.ts";
import type { LinalgFunctions } from "./_C/generated/_linalg.ts";
import type { NNFunctions } from "./_C/generated/_nn.ts";
import type { SpecialFunctions } from "./_C/generated/_special.ts";
import type { VariableFunctions } from "./_C/generated/_VariableFunctions.ts";
import type { TensorBaseMethods } from "./_C/generated/TensorBase.ts";
import type { Tensor } from "./_tensor/index.ts";
import type * as autograd_functions from "./csrc-equivalent/autograd/init/index.ts";
import type { THPCppFunction } from "./csrc-equivalent/autograd/python_cpp_function.ts";
import { THPFunction } from "./csrc-equivalent/autograd/python_function.ts";
import { TensorBase as THPVariable } from "./csrc-equivalent/autograd/python_variable/type.ts";
import type { ToConversion } from "./csrc-equivalent/autograd/python_variable_methods_manual.ts";
import type { THPDevice } from "./csrc-equivalent/Device.ts";
import type * as device_accelerator from "./csrc-equivalent/DeviceAccelerator.ts";
import type { THPDtype } from "./csrc-equivalent/Dtype.ts";
import type { THPEvent } from "./csrc-equivalent/Event.ts";
import type { THPGenerator } from "./csrc-equivalent/Generator.ts";
import type * as jit_python from "./csrc-equivalent/jit/python/init.ts";
import type { THPStream } from "./csrc-equivalent/Stream.ts";
import { PyInit__C } from "./csrc-equivalent/stub.ts";
import type { THPFInfo, THPIInfo } from "./csrc-equivalent/TypeInfo.ts";
import type {
  DisableTorchDispatch,
  DisableTorchFunction,
  DisableTorchFunctionSubclass,
  disabled_torch_dispatch,
  disabled_torch_function,
  NotImplemented,
} from "./csrc-equivalent/utils/disable_torch_function.ts";
import type * as python_dispatch from "./csrc-equivalent/utils/python_dispatch.ts";

export { getStepCallbacksUnlessEmpty, RecordFunction, RecordScope } from "#aten/record_function";
// Note [One door]
// ~~~~~~~~~~~~~~~
// Python sees the members of its extension module, and nothing else of C++. This list names everything that the front end uses: first
// members of the module; then things that a Python file gets from the interpreter or from a C++ slot of a type (how a subclass is wrapped,
// which class a new tensor has); last, Python built-ins that JavaScript lacks (`repr`, dicts, floats).
export { node_fs } from "#caffe2/serialize/node_fs";
export * from "#caffe2/serialize/os_error";
export { ReplacedFile } from "#caffe2/serialize/replaced_file";
export { float_repr } from "#python/Objects/floatobject";
export { Tag } from "./csrc-equivalent/autograd/generated/python_enum_tag.ts";
export * from "./csrc-equivalent/autograd/init/index.ts";
export {
  _disable_profiler,
  _enable_profiler,
  type ProfilerResult,
} from "./csrc-equivalent/autograd/profiler_kineto.ts";
export { subclass_data } from "./csrc-equivalent/autograd/python_variable/subclass.ts";
export {
  kWrap,
  set_ParameterClass,
  set_THPVariableClass,
  THPVariable_Check,
  THPVariable_CheckExact,
  type THPVariableType,
} from "./csrc-equivalent/autograd/python_variable/type.ts";
export { THPVariable_NewWithVar, THPVariable_Wrap } from "./csrc-equivalent/autograd/python_variable/wrap.ts";
export type { IndexNumber, NestedIndex, PySlice } from "./csrc-equivalent/autograd/python_variable_indexing.ts";
export { try_get_grad_accumulator } from "./csrc-equivalent/autograd/variable/impl.ts";
export {
  device_or_inside,
  set_device_context,
  type THPDevice,
  THPDevice_Check,
  THPDevice_pynew,
} from "./csrc-equivalent/Device.ts";
export { python_types, THPDtype, THPDtype_Check } from "./csrc-equivalent/Dtype.ts";
export { getTHPDtype } from "./csrc-equivalent/DynamicTypes.ts";
export type { THPEvent } from "./csrc-equivalent/Event.ts";
export { current_recorder, recorder } from "./csrc-equivalent/jit/frontend/tracing.ts";
export {
  PyTorchFileReader,
  PyTorchFileWriter,
  type ReadableFile,
  read_bytes,
  tell,
  type WritableFile,
} from "./csrc-equivalent/jit/python/file_reader.ts";
export * from "./csrc-equivalent/jit/python/init.ts";
export { toPyObject } from "./csrc-equivalent/jit/python/pybind_utils.ts";
export { THPLayout } from "./csrc-equivalent/Layout.ts";
export { THPMemoryFormat } from "./csrc-equivalent/MemoryFormat.ts";
export { setFindTorchDispatchRule } from "./csrc-equivalent/PyInterpreter.ts";
export { THPSize, THPSize_NewFromSizes, THPSize_repr } from "./csrc-equivalent/Size.ts";
export { isStorage, StorageBase, THPStorage_postInit } from "./csrc-equivalent/Storage.ts";
export { THPStorage_fromBuffer, THPStorage_get, THPStorage_set } from "./csrc-equivalent/StorageMethods.ts";
export type { THPStream } from "./csrc-equivalent/Stream.ts";
export { type_string } from "./csrc-equivalent/tensor/python_tensor.ts";
export { AbstractContextManager } from "./csrc-equivalent/utils/context_manager.ts";
export {
  is_attribute,
  is_of_another_copy,
  is_of_this_copy,
  mark_as_of_this_copy,
} from "./csrc-equivalent/utils/copies.ts";
export { maybe_initialize_device } from "./csrc-equivalent/utils/device_lazy_init.ts";
export type { TorchDispatch } from "./csrc-equivalent/utils/disable_torch_function.ts";
export {
  check_has_torch_function,
  DisableTorchFunction,
  DisableTorchFunctionSubclass,
  has_torch_function_among,
  NotImplemented,
  type TorchFunction,
  torch_function_attr,
} from "./csrc-equivalent/utils/disable_torch_function.ts";
export {
  fallthrough_kernel,
  type PythonFunction,
  setGetTorchApiFunction,
} from "./csrc-equivalent/utils/PythonKernelHolder.ts";
export {
  having,
  is_sparse_list,
  PyNumber_Multiply,
  PyNumber_Remainder,
  PyObject_RichCompareBool,
  PyObject_Size,
  PySequence_Tuple,
  refuse_other_copies,
  refuse_sparse,
  with_method,
} from "./csrc-equivalent/utils/python_abstract.ts";
export { take_kwargs } from "./csrc-equivalent/utils/python_arg_parser.ts";
export {
  append_overloaded_arg,
  should_allow_numbers_as_tensors,
  type_of_overloaded_arg,
} from "./csrc-equivalent/utils/python_arg_parser_parameter.ts";
export {
  handle_torch_function_no_python_arg_parser,
  property_function,
  WRITTEN_LIST,
} from "./csrc-equivalent/utils/python_arg_parser_torch_function.ts";
export { class_name, class_repr } from "./csrc-equivalent/utils/python_class.ts";
export * from "./csrc-equivalent/utils/python_dispatch.ts";
export {
  Float,
  isDict,
  isFloat,
  PyNumber_Float,
  PyObject_IsTrue,
  python_type,
  THPUtils_checkDouble,
  THPUtils_checkLong,
  THPUtils_unpackDouble,
  THPUtils_unpackLong,
  written_as_ints,
} from "./csrc-equivalent/utils/python_numbers.ts";
export { py_format, py_str, repr } from "./csrc-equivalent/utils/python_repr.ts";
export { load_scalar } from "./csrc-equivalent/utils/python_scalars.ts";
export { new_structseq_type } from "./csrc-equivalent/utils/structseq.ts";
export type { NumberArray } from "./csrc-equivalent/utils/tensor_numpy.ts";

// Classes of the module, with the types that `__init__.pyi` gives them. C++ does not know the tensor of the front end, since imports go
// down only.

/** `THPVariable` with the methods that THPVariable_initModule adds to its prototype. */
export interface TensorBase extends THPVariable, TensorBaseMethods {}
export const TensorBase = THPVariable as unknown as new (...args: unknown[]) => TensorBase;

/** `THPGenerator` whose state is a tensor of the front end. */
export interface Generator extends THPGenerator {
  get_state(): Tensor;
  set_state(new_state: Tensor): this;
  clone_state(): Generator;
  graphsafe_get_state(): Generator;
}

/** `THPFunction` that saves tensors of the front end. */
export interface _FunctionBase extends THPFunction {
  readonly saved_tensors: (Tensor | null)[];
}
export const _FunctionBase = THPFunction as abstract new () => _FunctionBase;

/** `torch.autograd.graph.GradientEdge`, the class that C++ is handed: a node, and which of its outputs. */
export interface GradientEdge {
  readonly node: THPCppFunction | _FunctionBase;
  readonly output_nr: number;
  readonly ownership_token: THPCppFunction | _FunctionBase | null;
}

type JITFunctions = {
  readonly [K in keyof typeof jit_python as K extends `_${string}` | "parse_schema"
    ? K
    : never]: (typeof jit_python)[K];
};
type DispatchFunctions = {
  readonly [K in keyof typeof python_dispatch as K extends `_${string}` | "DispatchKey" | "DispatchKeySet"
    ? K
    : never]: (typeof python_dispatch)[K];
};

type AutogradFunctions = typeof autograd_functions;
type AcceleratorFunctions = typeof device_accelerator;

/** The members of the module; a test compares these names with the module itself. */
export interface ExtensionModule extends DispatchFunctions, JITFunctions, AutogradFunctions, AcceleratorFunctions {
  readonly _VariableFunctions: VariableFunctions;
  readonly _linalg: LinalgFunctions;
  readonly _LinAlgError: typeof LinAlgError;
  readonly AcceleratorError: typeof AcceleratorError;
  readonly OutOfMemoryError: typeof OutOfMemoryError;
  readonly _fft: FFTFunctions;
  readonly _special: SpecialFunctions;
  readonly _nn: NNFunctions & { _parse_to(...args: unknown[]): ToConversion };
  readonly _return_types: Readonly<Record<string, unknown>>;
  readonly TensorBase: typeof TensorBase;
  readonly finfo: { (type?: THPDtype): THPFInfo; new (type?: THPDtype): THPFInfo };
  readonly iinfo: { (type: THPDtype): THPIInfo; new (type: THPDtype): THPIInfo };
  readonly Size: { (sizes?: Iterable<number>): number[]; new (sizes?: Iterable<number>): number[] };
  readonly Generator: new (device?: unknown) => Generator;
  readonly default_generator: Generator;
  readonly NotImplemented: typeof NotImplemented;
  readonly DisableTorchFunction: typeof DisableTorchFunction;
  readonly DisableTorchFunctionSubclass: typeof DisableTorchFunctionSubclass;
  readonly _disabled_torch_function_impl: typeof disabled_torch_function;
  readonly _disabled_torch_dispatch_impl: typeof disabled_torch_dispatch;
  readonly _DisableTorchDispatch: typeof DisableTorchDispatch;
  _initExtension(): void;
  get_default_dtype(): THPDtype;
  _set_default_dtype(dtype: unknown): void;
  _get_default_device(): string;
  _set_warnAlways(setting: boolean): void;
  _get_warnAlways(): boolean;
  _get_cpu_capability(): string;
  _set_default_tensor_type(t: unknown): void;
  set_flush_denormal(mode: boolean): boolean;
  _get_cudnn_enabled(): boolean;
  _set_cudnn_enabled(enabled: boolean): void;
  _get_cudnn_deterministic(): boolean;
  _set_cudnn_deterministic(deterministic: boolean): void;
  _get_cudnn_benchmark(): boolean;
  _set_cudnn_benchmark(benchmark: boolean): void;
  _get_cudnn_allow_tf32(): boolean;
  _set_cudnn_allow_tf32(allow: boolean): void;
  _get_mkldnn_enabled(): boolean;
  _set_mkldnn_enabled(enabled: boolean): void;
  _get_mkldnn_deterministic(): boolean;
  _set_mkldnn_deterministic(deterministic: boolean): void;
  _get_onednn_allow_tf32(): null;
  _set_onednn_allow_tf32(allow: boolean | null): void;
  _get_nnpack_enabled(): boolean;
  _set_nnpack_enabled(enabled: boolean): void;
  _get_flash_sdp_enabled(): boolean;
  _set_sdp_use_flash(enabled: boolean): void;
  _get_mem_efficient_sdp_enabled(): boolean;
  _set_sdp_use_mem_efficient(enabled: boolean): void;
  _get_math_sdp_enabled(): boolean;
  _set_sdp_use_math(enabled: boolean): void;
  _get_cudnn_sdp_enabled(): boolean;
  _set_sdp_use_cudnn(enabled: boolean): void;
  _get_overrideable_sdp_enabled(): boolean;
  _set_sdp_use_overrideable(enabled: boolean): void;
  _get_sdp_priority_order(): readonly number[];
  _set_sdp_priority_order(order: readonly number[]): void;
  _get_float32_matmul_precision(): string;
  _set_float32_matmul_precision(precision: string): void;
  _get_deterministic_algorithms(): boolean;
  _get_deterministic_algorithms_warn_only(): boolean;
  _set_deterministic_algorithms(mode: boolean, kwargs?: { warn_only?: boolean }): void;
  _get_deterministic_fill_uninitialized_memory(): boolean;
  _set_deterministic_fill_uninitialized_memory(mode: boolean): void;
  get_num_threads(): number;
  set_num_threads(nthreads: unknown): void;
  get_num_interop_threads(): number;
  set_num_interop_threads(nthreads: unknown): void;
  _cpu_memoryStats(): Record<string, unknown>;
  _cpu_resetPeakMemoryStats(): void;
  _rename_privateuse1_backend(name: string): void;
  _get_privateuse1_backend_name(): string;
  _get_accelerator(): THPDevice;
  /** Sets the function that initializes a device at its first use. */
  _set_requires_device_init(device_type: number, init: () => void): void;
  readonly Stream: typeof THPStream;
  readonly Event: typeof THPEvent;
}

export const _C = PyInit__C() as unknown as ExtensionModule;
