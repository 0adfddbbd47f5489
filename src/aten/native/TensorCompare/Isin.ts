/**
 * @file `isin`: which elements occur among others.
 * @mirrors aten/src/ATen/native/TensorCompare.cpp
 * @see cpu/TensorCompareKernel/Isin.ts (the comparisons one by one)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { scalar_tensor_static, wrapped_scalar_tensor } from "#aten/ScalarOps";
import { MetaBase } from "#aten/TensorMeta";
import { Scalar } from "#c10/core/Scalar";
import { isComplexType, ScalarType, toString } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";

export const isin_default_stub =
  DEFINE_DISPATCH<(elements: Tensor, test_elements: Tensor, invert: boolean, out: Tensor) => void>("isin_default_stub");

/** Refuses dtypes that cannot be sorted, however few elements there are. */
function check_for_unsupported_isin_dtype(type: ScalarType): void {
  TORCH_CHECK(
    type !== ScalarType.Bool && !isComplexType(type),
    "Unsupported input type encountered for isin(): ",
    toString(type),
  );
}

/**
 * Sorts all elements together: one that equals its successor occurs in both. `elements` come first, so equal ones keep
 * this order.
 */
function isin_sorting(
  elements: Tensor,
  test_elements: Tensor,
  assume_unique: boolean,
  invert: boolean,
  out: Tensor,
): void {
  let [elements_flat, unique_order] = [elements, elements];
  let test_elements_flat = test_elements;
  if (assume_unique) {
    elements_flat = elements.ravel();
    test_elements_flat = test_elements.ravel();
  } else {
    [elements_flat, unique_order] = at._unique(elements, false, true);
    [test_elements_flat] = at._unique(test_elements, false);
  }
  const all_elements = at.cat([elements_flat, test_elements_flat]);
  const [sorted_elements, sorted_order] = all_elements.sort_stable(true, 0, false);

  const duplicate_mask = at.empty_like(sorted_elements, new TensorOptions(ScalarType.Bool));
  const sorted_except_first = sorted_elements.slice_Tensor(0, 1, null);
  const sorted_except_last = sorted_elements.slice_Tensor(0, 0, -1);
  const mask_except_last = duplicate_mask.slice_Tensor(0, 0, -1);
  mask_except_last.copy_(
    invert ? sorted_except_first.ne_Tensor(sorted_except_last) : sorted_except_first.eq_Tensor(sorted_except_last),
  );
  const mask_last = duplicate_mask.select_int(0, -1);
  mask_last.copy_(scalar_tensor_static(Scalar.fromBool(invert), ScalarType.Bool, mask_last.device()));

  const mask = at.empty_like(duplicate_mask);
  mask.index_copy_(0, sorted_order, duplicate_mask);
  if (assume_unique) out.copy_(mask.slice_Tensor(0, 0, elements.numel()).view_as(out));
  else out.copy_(at.index_Tensor(mask, [unique_order]));
}

export abstract class structured_isin_Tensor_Tensor extends MetaBase {
  meta(elements: Tensor, test_elements: Tensor, _assume_unique: boolean, _invert: boolean): void {
    check_for_unsupported_isin_dtype(elements.scalar_type());
    check_for_unsupported_isin_dtype(test_elements.scalar_type());
    this.set_output_raw_strided(0, elements.sizes(), [], elements.options().dtype(ScalarType.Bool));
  }
}
// isin.Tensor_Tensor_out                                                            CPU
export abstract class structured_isin_Tensor_Tensor_out extends structured_isin_Tensor_Tensor {
  impl(elements: Tensor, test_elements: Tensor, assume_unique: boolean, invert: boolean, out: Tensor): void {
    if (elements.numel() === 0) return;
    // NumPy's rule: if there are few elements, they are compared one by one.
    if (test_elements.numel() < Math.trunc(10 * elements.numel() ** 0.145)) {
      out.fill__Scalar(Scalar.fromBool(invert));
      isin_default_stub.call(elements.device().type(), elements, test_elements, invert, out);
    } else {
      isin_sorting(elements, test_elements, assume_unique, invert, out);
    }
  }
}

export abstract class structured_isin_Tensor_Scalar extends MetaBase {
  meta(elements: Tensor, test_element: Scalar, _assume_unique: boolean, _invert: boolean): void {
    check_for_unsupported_isin_dtype(elements.scalar_type());
    check_for_unsupported_isin_dtype(test_element.type());
    this.set_output_raw_strided(0, elements.sizes(), [], elements.options().dtype(ScalarType.Bool));
  }
}
// isin.Tensor_Scalar_out                                                            CPU
export abstract class structured_isin_Tensor_Scalar_out extends structured_isin_Tensor_Scalar {
  impl(elements: Tensor, test_element: Scalar, _assume_unique: boolean, invert: boolean, out: Tensor): void {
    if (invert) at.ne_Scalar_out(elements, test_element, out);
    else at.eq_Scalar_out(elements, test_element, out);
  }
}

export abstract class structured_isin_Scalar_Tensor extends MetaBase {
  meta(element: Scalar, test_elements: Tensor, _assume_unique: boolean, _invert: boolean): void {
    check_for_unsupported_isin_dtype(element.type());
    check_for_unsupported_isin_dtype(test_elements.scalar_type());
    this.set_output_raw_strided(0, [], [], test_elements.options().dtype(ScalarType.Bool));
  }
}
// isin.Scalar_Tensor_out                                                            CPU
export abstract class structured_isin_Scalar_Tensor_out extends structured_isin_Scalar_Tensor {
  impl(element: Scalar, test_elements: Tensor, assume_unique: boolean, invert: boolean, out: Tensor): void {
    at.isin_Tensor_Tensor_out(
      wrapped_scalar_tensor(element, test_elements.device()),
      test_elements,
      assume_unique,
      invert,
      out,
    );
  }
}
