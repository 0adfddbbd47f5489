/**
 * @file The check of gradients against the metadata of the next nodes, with the repairs that autograd allows: sum,
 * cast, move a scalar.
 * @mirrors torch/csrc/autograd/engine.cpp#validate_outputs
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { Layout, toString as layoutToString } from "#c10/core/Layout";
import { isComplexType, isFloatingType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT, unmet } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";
import { AccumulateGrad } from "#torch/csrc-equivalent/autograd/functions/accumulate_grad";
import type { InputMetadata } from "#torch/csrc-equivalent/autograd/input_metadata";
import type { edge_list, variable_list } from "#torch/csrc-equivalent/autograd/node";
import { isDifferentiableType } from "#torch/csrc-equivalent/autograd/variable/index";

/** Replaces entries of `grads` in place. `format_error` puts the node's name before a message. */
export function validate_outputs(
  edges: edge_list,
  grads: variable_list,
  format_error: (message: string) => string,
): void {
  if (grads.length !== edges.length) {
    TORCH_CHECK(false, format_error(`invalid number of gradients - expected ${edges.length}, but got ${grads.length}`));
  }
  for (let i = 0; i < edges.length; i++) {
    const edge = edges[i];
    if (edge.function === null) continue;
    const grad = grads[i];
    if (!grad.defined()) continue;
    const metadata = edge.function.input_metadata(edge.input_nr);
    if (is_as_expected(metadata, grad)) continue;
    const fits = edge.function instanceof AccumulateGrad && edge.function.fits_present_shape(grad);
    grads[i] = validate_output(i, fits ? metadata.with_shape_of(grad) : metadata, grad, format_error);
  }
}

/** Whether the gradient needs no repair, the usual case. A dense tensor is one with a storage. */
function is_as_expected(metadata: InputMetadata, grad: Tensor): boolean {
  const impl = grad.impl_;
  const dtype = impl.dtype();
  return (
    dtype === metadata.dtype() &&
    dtype === metadata.grad_dtype() &&
    metadata.layout() === Layout.Strided &&
    impl.storage_.storage_impl_ !== null &&
    impl.device_opt() === metadata.device() &&
    metadata.is_same_shape(grad) &&
    isDifferentiableType(dtype)
  );
}

function validate_output(
  index: number,
  metadata: InputMetadata,
  grad: Tensor,
  format_error: (message: string) => string,
): Tensor {
  if (!metadata.was_default_constructed()) grad = metadata.maybe_reduce(index, grad, format_error);
  const input_is_complex = isComplexType(metadata.dtype());
  const grad_is_complex = isComplexType(grad.scalar_type());
  TORCH_CHECK(
    isFloatingType(grad.scalar_type()) || input_is_complex === grad_is_complex,
    unmet("isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex)"),
  );
  const grad_dtype = metadata.grad_dtype();
  if (grad_dtype !== null) {
    if (grad.scalar_type() !== grad_dtype) grad = grad.to_dtype(grad_dtype);
    if (grad.scalar_type() !== grad_dtype) {
      fail(index, "dtype", typeMetaName(grad_dtype), typeMetaName(grad.scalar_type()), format_error);
    }
  }
  if (grad.layout() !== metadata.layout()) {
    fail(index, "layout", layoutToString(metadata.layout()), layoutToString(grad.layout()), format_error);
  }
  if (!grad.device().eq(metadata.device())) {
    if (grad.dim() === 0) {
      grad = grad.to_dtype_layout(new TensorOptions(null, null, metadata.device()));
    } else {
      fail(index, "device", metadata.device().str(), grad.device().str(), format_error);
    }
  }
  // A tensor that cannot be differentiated must not have a graph.
  TORCH_INTERNAL_ASSERT(isDifferentiableType(grad.scalar_type()));
  return grad;
}

function fail(
  index: number,
  what: string,
  expected: string,
  got: string,
  format_error: (message: string) => string,
): never {
  TORCH_CHECK(false, format_error(`invalid gradient at index ${index} - expected ${what} ${expected} but got ${got}`));
}
