/**
 * @file Check that the tensors of a convolution have one dtype.
 * @mirrors aten/src/ATen/native/Convolution.cpp#check_input_same_type_as_parameters
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

type MaybeTensor = Tensor | null;

/** Type names as `Tensor.toString` gives them: types that are older than the dispatcher keep their old names. */
function type_name(t: Tensor): string {
  const name = toString(t.scalar_type());
  return /^(Float|Double|Half|Long|Int|Short|Char|Byte)$/.test(name) ? `torch.${name}Tensor` : `CPU${name}Type`;
}

/** A check that oneDNN makes. */
export function check_input_same_type_as_parameters(input: Tensor, weight: Tensor, bias: MaybeTensor): void {
  const check = (t: MaybeTensor, what: string) =>
    TORCH_CHECK(
      t === null || t.scalar_type() === input.scalar_type(),
      `Input type (${type_name(input)}) and ${what} type (${t === null ? "" : type_name(t)}) should be the same`,
      ` or input should be a MKLDNN tensor and ${what} is a dense tensor`,
    );
  check(weight, "weight");
  check(bias, "bias");
}
