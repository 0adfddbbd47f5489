/**
 * @file The construction of `torch._C`: one init function after the other adds its part to the module.
 * @mirrors torch/csrc/Module.cpp
 * @differs The steps of parts that do not exist here (ONNX, distributed, TensorExpr, ...) are omitted; PyTorch's other
 * steps keep their order.
 */
import * as at from "#aten/Context/index";
import * as sdp from "#aten/Context/SDP";
import { AutoDispatchBelowAutograd } from "#aten/core/LegacyTypeDispatch";
import { getAccelerator } from "#aten/DeviceAccelerator";
import { get_cpu_capability_name } from "#aten/native/DispatchStub";
import { get_num_threads, set_num_threads } from "#aten/ParallelNative";
import { get_num_interop_threads, set_num_interop_threads } from "#aten/ParallelThreadPoolNative";
import { Device } from "#c10/core/Device";
import { DeviceType, get_privateuse1_backend, register_privateuse1_backend } from "#c10/core/DeviceType";
import { get_warnAlways, set_warnAlways, TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import { initFFTFunctions } from "./autograd/generated/python_fft_functions.ts";
import { initLinalgFunctions } from "./autograd/generated/python_linalg_functions.ts";
import { initNNFunctions, THPNNVariableFunctionsModule } from "./autograd/generated/python_nn_functions.ts";
import { initReturnTypes } from "./autograd/generated/python_return_types.ts";
import { initSpecialFunctions } from "./autograd/generated/python_special_functions.ts";
import * as autograd_functions from "./autograd/init/index.ts";
import { THPEngine_initModule } from "./autograd/python_engine.ts";
import { THPFunction_initModule } from "./autograd/python_function.ts";
import { THPVariable_initModule } from "./autograd/python_variable/index.ts";
import { TensorBase } from "./autograd/python_variable/type.ts";
import { THPVariable_Wrap } from "./autograd/python_variable/wrap.ts";
import { THPModule_parse_to } from "./autograd/python_variable_methods_manual.ts";
import { _cpu_memoryStats, _cpu_resetPeakMemoryStats } from "./cpu/Module.ts";
import { THPDevice, THPDevice_init, THPDevice_New } from "./Device.ts";
import * as device_accelerator from "./DeviceAccelerator.ts";
import { THPDtype, THPDtype_init } from "./Dtype.ts";
import { getTHPDtype } from "./DynamicTypes.ts";
import { THPEvent, THPEvent_init } from "./Event.ts";
import { THPException_init } from "./Exceptions.ts";
import { THPGenerator, THPGenerator_init, THPGenerator_initDefaultGenerator } from "./Generator.ts";
import { initJITBindings } from "./jit/python/init.ts";
import { THPLayout, THPLayout_init } from "./Layout.ts";
import { THPMemoryFormat, THPMemoryFormat_init } from "./MemoryFormat.ts";
import { THPSize_init } from "./Size.ts";
import { StorageBase, THPStorage_init } from "./Storage.ts";
import { THPStream_init } from "./Stream.impl.ts";
import { THPStream } from "./Stream.ts";
import { THPDTypeInfo_init } from "./TypeInfo.ts";
import {
  get_default_device,
  get_default_dispatch_key,
  get_default_scalar_type,
  initialize_python_bindings,
  py_set_default_dtype,
  py_set_default_tensor_type,
} from "./tensor/python_tensor.ts";
import { mark_as_of_this_copy } from "./utils/copies.ts";
import { set_requires_device_init } from "./utils/device_lazy_init.ts";
import {
  DisableTorchDispatch,
  DisableTorchFunction,
  DisableTorchFunctionSubclass,
  disabled_torch_dispatch,
  disabled_torch_function,
  NotImplemented,
} from "./utils/disable_torch_function.ts";
import { PythonArgParser, take_kwargs } from "./utils/python_arg_parser.ts";
import { initDispatchBindings } from "./utils/python_dispatch.ts";
import { Float, python_type, THPUtils_checkLong, THPUtils_unpackLong } from "./utils/python_numbers.ts";
import { initializeDtypes } from "./utils/tensor_dtypes.ts";
import { initializeLayouts } from "./utils/tensor_layouts.ts";
import { initializeMemoryFormats } from "./utils/tensor_memoryformats.ts";
import { legacy_tensor_ctor } from "./utils/tensor_new.ts";

export type Module = Record<string, unknown>;

/** Runs one step of the sequence; a trace shows it as an `init` event. */
function step(name: string, init: (module: Module) => void, module: Module): void {
  if (tracer !== null) traceCall("init", name, init, [module]);
  else init(module);
}

function THPModule_setNumThreads(arg: unknown): void {
  TORCH_CHECK(THPUtils_checkLong(arg), "set_num_threads expects an int, but got ", python_type(arg));
  const nthreads = THPUtils_unpackLong(arg);
  TORCH_CHECK(nthreads > 0, "set_num_threads expects a positive integer");
  set_num_threads(nthreads);
}

function THPModule_setNumInteropThreads(arg: unknown): void {
  TORCH_CHECK(THPUtils_checkLong(arg), "set_num_interop_threads expects an int, but got ", python_type(arg));
  const nthreads = THPUtils_unpackLong(arg);
  TORCH_CHECK(nthreads > 0, "set_num_interop_threads expects a positive integer");
  set_num_interop_threads(nthreads);
}

function THPModule_setFlushDenormal(arg: unknown): boolean {
  TORCH_CHECK(typeof arg === "boolean", "flush_denormal expects a bool, but got ", python_type(arg));
  return !arg;
}

/** A function that sets a bool flag; `text` is the beginning of the error for any other argument. */
const set_flag =
  (set: (e: boolean) => void, text: string) =>
  (arg: unknown): void => {
    TORCH_CHECK(typeof arg === "boolean", text, python_type(arg));
    set(arg);
  };

const THPModule_setUserEnabledCuDNN = set_flag(at.setUserEnabledCuDNN, "set_enabled_cudnn expects a bool, but got ");

const THPModule_setDeterministicCuDNN = set_flag(
  at.setDeterministicCuDNN,
  "set_deterministic_cudnn expects a bool, but got ",
);

const THPModule_setBenchmarkCuDNN = set_flag(at.setBenchmarkCuDNN, "set_benchmark_cudnn expects a bool, but got ");

const THPModule_setUserEnabledMkldnn = set_flag(at.setUserEnabledMkldnn, "set_enabled_mkldnn expects a bool, but got ");

const THPModule_setDeterministicMkldnn = set_flag(
  at.setDeterministicMkldnn,
  "set_deterministic_mkldnn expects a bool, but got ",
);

/** Only warns: TF32 is a feature of Intel GPUs, which a PyTorch for the CPU alone does not support. */
function THPModule_setAllowTF32OneDNN(arg: unknown): void {
  TORCH_CHECK(typeof arg === "boolean", "_set_onednn_allow_tf32 expects a bool, but got ", python_type(arg));
  TORCH_WARN(
    "TF32 acceleration on top of oneDNN is available for Intel GPUs. The current Torch version does not have Intel GPU Support.",
  );
}

const THPModule_setUserEnabledNNPACK = set_flag(at.setUserEnabledNNPACK, "set_enabled_NNPACK expects a bool, but got ");

/** PyTorch copied the message of the kernel `math` to the other kernels. */
const of_math = "set_sdp_use_math expects a bool, but got ";

const THPModule_setAllowTF32CuDNN = set_flag(at.setAllowTF32CuDNN, "set_allow_tf32_cublas expects a bool, but got ");

function THPModule_setFloat32MatmulPrecision(arg: unknown): void {
  TORCH_CHECK(typeof arg === "string", "set_float32_matmul_precision expects a str, but got ", python_type(arg));
  at.setFloat32MatmulPrecision(arg);
}

let deterministic_parser: PythonArgParser | null = null;

function THPModule_setDeterministicAlgorithms(...args: unknown[]): void {
  const kwargs = take_kwargs(args);
  deterministic_parser ??= new PythonArgParser(["_set_deterministic_algorithms(bool mode, *, bool warn_only=False)"]);
  const r = deterministic_parser.parse(null, args, kwargs);
  at.setDeterministicAlgorithms(r.toBool(0), r.toBool(1));
}

function THPModule_setDeterministicFillUninitializedMemory(arg: unknown): void {
  TORCH_CHECK(typeof arg === "boolean", "expected a bool, but got ", python_type(arg));
  at.setDeterministicFillUninitializedMemory(arg);
}

/** The accelerator's device, or the CPU if there is none. */
function THPModule_getAccelerator(): THPDevice {
  return THPDevice_New(Device.of(getAccelerator() ?? DeviceType.CPU));
}

const module: Module = {};

export function initModule(): Module {
  if (tracer !== null) return traceCall("init", "initModule", init, []);
  return init();
}

function init(): Module {
  step("torch::autograd::python_functions", addMethods, module);
  step("THPGenerator_init", THPGenerator_init, module);
  step("THPException_init", THPException_init, module);
  step("THPSize_init", THPSize_init, module);
  step("THPDtype_init", THPDtype_init, module);
  step("THPDTypeInfo_init", THPDTypeInfo_init, module);
  step("THPLayout_init", THPLayout_init, module);
  step("THPMemoryFormat_init", THPMemoryFormat_init, module);
  step("THPDevice_init", THPDevice_init, module);
  step("THPStream_init", THPStream_init, module);
  step("THPEvent_init", THPEvent_init, module);
  step("THPVariable_initModule", THPVariable_initModule, module);
  step("THPFunction_initModule", THPFunction_initModule, module);
  step("THPEngine_initModule", THPEngine_initModule, module);
  step("torch::accelerator::initModule", (m) => void Object.assign(m, device_accelerator), module);
  step("torch::jit::initJITBindings", initJITBindings, module);
  step("torch::impl::dispatch::initDispatchBindings", initDispatchBindings, module);
  step("torch::autograd::initReturnTypes", initReturnTypes, module);
  step("torch::autograd::initNNFunctions", initNNFunctions, module);
  step("torch::autograd::initFFTFunctions", initFFTFunctions, module);
  step("torch::autograd::initLinalgFunctions", initLinalgFunctions, module);
  step("torch::autograd::initSpecialFunctions", initSpecialFunctions, module);
  step("THPStorage_init", THPStorage_init, module);
  step("THPGenerator_initDefaultGenerator", THPGenerator_initDefaultGenerator, module);
  mark_as_of_this_copy(TensorBase, StorageBase, THPGenerator, THPDtype, THPLayout, THPMemoryFormat, THPDevice);
  mark_as_of_this_copy(THPStream, THPEvent, Float as unknown as { readonly prototype: object });
  return module;
}

/** The functions of the module itself: `TorchMethods` and those of `torch.autograd`. */
function addMethods(m: Module): void {
  Object.assign(m, autograd_functions, {
    _initExtension: THPModule_initExtension,
    get_default_dtype: () => getTHPDtype(get_default_scalar_type()),
    _set_default_dtype: py_set_default_dtype,
    _set_default_tensor_type: py_set_default_tensor_type,
    set_flush_denormal: THPModule_setFlushDenormal,
    _get_default_device: () => get_default_device().str(),
    _AutoDispatchBelowAutograd: AutoDispatchBelowAutograd,
    _set_warnAlways: set_warnAlways,
    _get_warnAlways: get_warnAlways,
    _get_cpu_capability: get_cpu_capability_name,
    _get_flash_sdp_enabled: sdp.userEnabledFlashSDP,
    _set_sdp_use_flash: set_flag(sdp.setSDPUseFlash, of_math),
    _get_mem_efficient_sdp_enabled: sdp.userEnabledMemEfficientSDP,
    _set_sdp_use_mem_efficient: set_flag(sdp.setSDPUseMemEfficient, of_math),
    _get_math_sdp_enabled: sdp.userEnabledMathSDP,
    _set_sdp_use_math: set_flag(sdp.setSDPUseMath, of_math),
    _get_cudnn_sdp_enabled: sdp.userEnabledCuDNNSDP,
    _set_sdp_use_cudnn: set_flag(sdp.setSDPUseCuDNN, "set_sdp_use_cudnn expects a bool, but got %s"),
    _get_overrideable_sdp_enabled: sdp.userEnabledOverrideableSDP,
    _set_sdp_use_overrideable: set_flag(sdp.setSDPUseOverrideable, of_math),
    _get_sdp_priority_order: sdp.sDPPriorityOrder,
    _set_sdp_priority_order: sdp.setSDPPriorityOrder,
    _get_mkldnn_enabled: at.userEnabledMkldnn,
    _set_mkldnn_enabled: THPModule_setUserEnabledMkldnn,
    _get_mkldnn_deterministic: at.deterministicMkldnn,
    _set_mkldnn_deterministic: THPModule_setDeterministicMkldnn,
    _get_onednn_allow_tf32: (): null => null,
    _set_onednn_allow_tf32: THPModule_setAllowTF32OneDNN,
    _get_nnpack_enabled: at.userEnabledNNPACK,
    _set_nnpack_enabled: THPModule_setUserEnabledNNPACK,
    _get_cudnn_enabled: at.userEnabledCuDNN,
    _set_cudnn_enabled: THPModule_setUserEnabledCuDNN,
    _get_cudnn_deterministic: at.deterministicCuDNN,
    _set_cudnn_deterministic: THPModule_setDeterministicCuDNN,
    _get_cudnn_benchmark: at.benchmarkCuDNN,
    _set_cudnn_benchmark: THPModule_setBenchmarkCuDNN,
    _get_cudnn_allow_tf32: at.allowTF32CuDNN,
    _set_cudnn_allow_tf32: THPModule_setAllowTF32CuDNN,
    _get_float32_matmul_precision: at.float32MatmulPrecision,
    _set_float32_matmul_precision: THPModule_setFloat32MatmulPrecision,
    _get_deterministic_algorithms: at.deterministicAlgorithms,
    _get_deterministic_algorithms_warn_only: at.deterministicAlgorithmsWarnOnly,
    _set_deterministic_algorithms: THPModule_setDeterministicAlgorithms,
    _get_deterministic_fill_uninitialized_memory: at.deterministicFillUninitializedMemory,
    _set_deterministic_fill_uninitialized_memory: THPModule_setDeterministicFillUninitializedMemory,
    get_num_threads,
    set_num_threads: THPModule_setNumThreads,
    get_num_interop_threads,
    set_num_interop_threads: THPModule_setNumInteropThreads,
    _cpu_memoryStats,
    _cpu_resetPeakMemoryStats,
    _rename_privateuse1_backend: register_privateuse1_backend,
    _get_privateuse1_backend_name: () => get_privateuse1_backend(),
    _get_accelerator: THPModule_getAccelerator,
    _set_requires_device_init: set_requires_device_init,
    DisableTorchFunctionSubclass,
    DisableTorchFunction,
    _disabled_torch_function_impl: disabled_torch_function,
    _disabled_torch_dispatch_impl: disabled_torch_dispatch,
    _DisableTorchDispatch: DisableTorchDispatch,
    NotImplemented,
  });
  THPNNVariableFunctionsModule["_parse_to"] = (...args: unknown[]) => {
    const kwargs = take_kwargs(args);
    return THPModule_parse_to(args, kwargs);
  };
}

/** `torch._C._initExtension()`: dtypes, layouts, memory formats, legacy tensor types. */
export function THPModule_initExtension(): void {
  step("THPModule_initExtension", initExtension, module);
}

function initExtension(m: Module): void {
  step("torch::utils::initializeLayouts", initializeLayouts, m);
  step("torch::utils::initializeMemoryFormats", initializeMemoryFormats, m);
  step("torch::utils::initializeDtypes", initializeDtypes, m);
  step("torch::tensors::initialize_python_bindings", init_legacy_types, m);
}

function init_legacy_types(m: Module): void {
  initialize_python_bindings(m, (dtype, args) => {
    const kwargs = take_kwargs(args);
    return THPVariable_Wrap(legacy_tensor_ctor(get_default_dispatch_key(), dtype, args, kwargs));
  });
}
