/**
 * @file `lerp`: linear interpolation between two tensors.
 * @mirrors aten/src/ATen/native/Lerp.cpp
 * @differs Ours has one class for meta and impl, because the YAML names the kernels `lerp_Scalar` and `lerp_Tensor`,
 * like the metas; in PyTorch the two are in different namespaces.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TensorIteratorConfigBase } from "#aten/iterator/TensorIteratorConfig";
import { TensorIteratorBase } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

export const lerp_kernel_scalar_weight =
  DEFINE_DISPATCH<(iter: TensorIteratorBase, weight: Scalar) => void>("lerp_kernel_scalar_weight");
export const lerp_kernel_tensor_weight =
  DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("lerp_kernel_tensor_weight");

function check_dtype(self: Tensor, name: string, other: Tensor): void {
  TORCH_CHECK(
    self.scalar_type() === other.scalar_type(),
    "expected dtype ",
    typeMetaName(self.scalar_type()),
    ` for \`${name}\` but got dtype `,
    typeMetaName(other.scalar_type()),
  );
}

/** If the weight is a single number, it may have another dtype. */
export abstract class structured_lerp_Tensor extends TensorIteratorBase {
  meta(self: Tensor, end: Tensor, weight: Tensor): void {
    check_dtype(self, "end", end);
    const promote_weight = weight.dim() === 0;
    if (!promote_weight) check_dtype(self, "weight", weight);
    this.build(
      new TensorIteratorConfigBase()
        .allow_cpu_scalars(true)
        .promote_inputs_to_common_dtype(promote_weight)
        .enforce_safe_casting_to_output(promote_weight)
        .cast_common_dtype_to_outputs(promote_weight)
        .add_output(this.maybe_get_output(0))
        .add_const_input(self)
        .add_const_input(end)
        .add_const_input(weight),
    );
  }
  impl(_self: Tensor, _end: Tensor, _weight: Tensor, _out: Tensor): void {
    lerp_kernel_tensor_weight.call(this.device_type(), this);
  }
}

export abstract class structured_lerp_Scalar extends TensorIteratorBase {
  meta(self: Tensor, end: Tensor, _weight: Scalar): void {
    check_dtype(self, "end", end);
    this.build_binary_op(this.maybe_get_output(0), self, end);
  }
  impl(_self: Tensor, _end: Tensor, weight: Scalar, _out: Tensor): void {
    lerp_kernel_scalar_weight.call(this.device_type(), this, weight);
  }
}
