/**
 * @file Every backend fallback and no operator: what the tests of the dispatcher alone need.
 */
import "#aten/ConjugateFallback";
import "#aten/FunctionalizeFallbackKernel";
import "#aten/LegacyBatchingRegistrations";
import "#aten/VmapModeRegistrations";
import "#aten/ZeroTensorFallback";
import "#aten/autocast_mode/index";
import "#aten/functorch/DynamicLayer.impl";
import "#aten/functorch/LegacyBatchingRegistrations";
import "#aten/functorch/TensorWrapper.impl";
import "#aten/functorch/VmapModeRegistrations";
import "#aten/core/BackendSelectFallbackKernel";
import "#aten/core/MetaFallbackKernel";
import "#aten/core/PythonFallbackKernel";
import "#aten/core/VariableFallbackKernel";
import "#aten/native/NegateFallback";
import "#torch/csrc-equivalent/autograd/TraceTypeManual";
