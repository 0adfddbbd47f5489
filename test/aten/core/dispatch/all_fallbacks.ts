/**
 * @file Every backend fallback and no operator: what the tests of the dispatcher alone need.
 */
import "../../../../src/aten/ConjugateFallback.ts";
import "../../../../src/aten/FunctionalizeFallbackKernel.ts";
import "../../../../src/aten/LegacyBatchingRegistrations.ts";
import "../../../../src/aten/VmapModeRegistrations.ts";
import "../../../../src/aten/ZeroTensorFallback.ts";
import "../../../../src/aten/autocast_mode.ts";
import "../../../../src/aten/functorch/DynamicLayer.ts";
import "../../../../src/aten/functorch/LegacyBatchingRegistrations.ts";
import "../../../../src/aten/functorch/TensorWrapper.ts";
import "../../../../src/aten/functorch/VmapModeRegistrations.ts";
import "../../../../src/aten/core/BackendSelectFallbackKernel.ts";
import "../../../../src/aten/core/MetaFallbackKernel.ts";
import "../../../../src/aten/core/PythonFallbackKernel.ts";
import "../../../../src/aten/core/VariableFallbackKernel.ts";
import "../../../../src/aten/native/NegateFallback.ts";
import "../../../../src/torch/csrc-equivalent/autograd/TraceTypeManual.ts";
