/**
 * @file Imports every file of CPU kernels for effect: each registers its kernels with the stubs.
 * @original The linker gathers these registrations in PyTorch.
 */
import "./Activation.ts";
import "./BinaryOpsKernel.ts";
import "./BlasKernel.ts";
import "./CatKernel.ts";
import "./CopyKernel.ts";
import "./DistributionKernels.ts";
import "./FillKernel.ts";
import "./IndexKernel.ts";
import "./LossNLL2dKernel.ts";
import "./LossNLLKernel.ts";
import "./MaskedFillKernel.ts";
import "./MaskedSelectKernel.ts";
import "./PowKernel.ts";
import "./RangeFactoriesKernel.ts";
import "./ReduceAllOpsKernel.ts";
import "./ReduceOpsKernel.ts";
import "./ScatterGatherKernel.ts";
import "./SoftMaxKernel.ts";
import "./SumKernel.ts";
import "./TensorCompareKernel.ts";
import "./TensorCompareReduceKernel.ts";
import "./UnaryOpsKernel.ts";
import "./vec/gemm_driver.ts";
import "./vec/gemv_driver.ts";
import "./vec/ReduceAllOpsKernel.ts";
import "./vec/SoftMaxKernel.ts";
import "./vec/SumKernel.ts";
