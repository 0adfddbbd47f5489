/**
 * @file The autocast rules of the fake device. Operators without a rule run as they are.
 * @original PyTorch's openreg: csrc/amp/autocast_mode.cpp
 */
import { fp32, KERNEL_PRIVATEUSEONE, lower_precision_fp, promote } from "#aten/autocast_mode/policies";
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";

TORCH_LIBRARY_IMPL("_", "AutocastPrivateUse1", (m) => m.fallback(CppFunction.makeFallthrough()));

TORCH_LIBRARY_IMPL("aten", "AutocastPrivateUse1", (m) => {
  for (const name of ["bmm", "addmm", "linear"]) KERNEL_PRIVATEUSEONE(m, name, lower_precision_fp);
  for (const name of ["asin", "softmax.int", "mse_loss"]) KERNEL_PRIVATEUSEONE(m, name, fp32);
  KERNEL_PRIVATEUSEONE(m, "cat", promote);
});
