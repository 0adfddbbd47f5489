/**
 * @file All kernels of the device, imported for their effect: they register themselves with stubs, operators with the dispatcher.
 * @original PyTorch's kernels are linked.
 */
import "./ActivationKernels.ts";
import "./BinaryOpsKernel.ts";
import "./PointwiseOpsKernel.ts";
import "./ReduceOpsKernel.ts";
import "./SoftMax.ts";
import "./UnaryOpsKernel.ts";
import "./generated/RegisterPrivateUse1_0.ts";
import "./generated/RegisterPrivateUse1_1.ts";
import "./generated/RegisterPrivateUse1_2.ts";
import "./generated/RegisterPrivateUse1_3.ts";
import "./WebGPUFallback.ts";
