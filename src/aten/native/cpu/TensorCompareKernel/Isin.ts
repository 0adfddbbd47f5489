/**
 * @file Kernel of `isin`.
 * @mirrors aten/src/ATen/native/cpu/TensorCompareKernel.cpp
 */
import { AT_DISPATCH, type data, load, type scalar_t, store, type uint8 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { isin_default_instances } from "#aten/native/cpu/generated/TensorCompareKernel/Isin";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { isin_default_stub } from "#aten/native/TensorCompare/Isin";
import { result_type } from "#aten/native/TypeProperties";

/** @template isin_default_cpu: all types and halves */
export function isin_default(
  out: data<uint8>,
  out_offset: number,
  elements: data<scalar_t>,
  elements_offset: number,
  n: number,
  test_elements: data<scalar_t>,
  test_offset: number,
  test_n: number,
  invert: number,
): void {
  for (let i = 0; i < n; i++) {
    const element = load(elements, elements_offset + i);
    let found = invert;
    for (let j = 0; j < test_n; j++) {
      if (element === load(test_elements, test_offset + j)) {
        found = 1 - invert;
        break;
      }
    }
    store(out, out_offset + i, found);
  }
}

function isin_default_kernel_cpu(elements: Tensor, test_elements: Tensor, invert: boolean, out: Tensor): void {
  const common_type = result_type(elements, test_elements);
  const promoted_elements = elements.to_dtype(common_type).contiguous();
  const test_flat = test_elements.to_dtype(common_type).view([-1]).contiguous();
  const target = out.is_contiguous() ? out : out.contiguous();
  AT_DISPATCH(isin_default_instances, common_type)(
    target.data_view() as Uint8Array,
    target.data_offset(),
    promoted_elements.data_view(),
    promoted_elements.data_offset(),
    promoted_elements.numel(),
    test_flat.data_view(),
    test_flat.data_offset(),
    test_flat.numel(),
    invert ? 1 : 0,
  );
  if (target !== out) out.copy_(target);
}

REGISTER_DEFAULT_DISPATCH(isin_default_stub, isin_default_kernel_cpu, "isin_default_kernel_cpu");
