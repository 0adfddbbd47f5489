/**
 * @file The fallback of the Meta key: a meta tensor has no data, so an operator without a Meta kernel throws an error
 * that says so.
 * @mirrors aten/src/ATen/core/MetaFallbackKernel.cpp
 */
import { TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import type { OperatorHandle } from "./dispatch/Dispatcher.ts";
import { CppFunction, TORCH_LIBRARY_IMPL } from "./library.ts";

function metaFallback(op: OperatorHandle): void {
  TORCH_CHECK_NOT_IMPLEMENTED(
    false,
    op.operator_name(),
    ": attempted to run this operator with Meta tensors, but there was no ",
    "fake impl or Meta kernel registered. You may have run into this message while using an operator with PT2 compilation APIs ",
    "(torch.compile/torch.export); in order to use this operator with those APIs you'll need to add a fake impl. ",
    "Please see the following for next steps:  https://pytorch.org/tutorials/advanced/custom_ops_landing_page.html",
  );
}

TORCH_LIBRARY_IMPL("_", "Meta", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(metaFallback, "metaFallback"));
});
