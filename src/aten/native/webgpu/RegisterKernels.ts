/**
 * @file Imports of all kernels of the device, for their side effects: they register themselves with stubs, and
 * operators with the dispatcher.
 * @original In PyTorch the linker includes the kernels.
 */
import "./ActivationKernels.ts";
import "./AdaptiveMaxPooling.ts";
import "./AveragePool2d.ts";
import "./AveragePool3d.ts";
import "./BinaryOpsKernel.ts";
import "./DilatedMaxPool2d.ts";
import "./DilatedMaxPool3d.ts";
import "./DistributionTemplates.ts";
import "./FractionalMaxPooling.ts";
import "./GridSampler.ts";
import "./group_norm_kernel.ts";
import "./IndexKernel.ts";
import "./MaskedFill.ts";
import "./MaxUnpooling.ts";
import "./MultinomialKernel.ts";
import "./NLLLoss.ts";
import "./Padding.ts";
import "./PointwiseOpsKernel.ts";
import "./RangeFactories.ts";
import "./ReduceOpsKernel.ts";
import "./ScanKernels.ts";
import "./SoftMax.ts";
import "./Sorting.ts";
import "./TriangularOps.ts";
import "./UnaryOpsKernel.ts";
import "./UpSample.ts";
import "./generated/RegisterPrivateUse1_0.ts";
import "./generated/RegisterPrivateUse1_1.ts";
import "./generated/RegisterPrivateUse1_2.ts";
import "./generated/RegisterPrivateUse1_3.ts";
import "./WebGPUFallback.ts";
