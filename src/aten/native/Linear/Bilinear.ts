/**
 * @file `bilinear`, and the sum of products of three tensors that it uses.
 * @mirrors aten/src/ATen/native/Linear.cpp#bilinear
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { defined } from "#aten/TensorMethods";
import { dim_list_to_bitset } from "#aten/WrapDimUtilsMulti";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";
import { sumproduct_pair } from "./Contractions.ts";

// _trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int unroll_dim=1) -> Tensor   CompositeExplicitAutogradNonFunctional
// Each input gets dims of size 1 where its `expand` list says so. Then `i1 * i2 * i3` is summed over `sumdim`, one
// slice along `unroll_dim` at a time.
export function _trilinear(
  i1_: Tensor,
  i2_: Tensor,
  i3_: Tensor,
  expand1_: number[],
  expand2_: number[],
  expand3_: number[],
  sumdim_: number[],
  unroll_dim: number,
): Tensor {
  const total_dim = i1_.dim() + expand1_.length;
  TORCH_CHECK(unroll_dim >= 0 && unroll_dim < total_dim, "unroll_dim must be in [0,", total_dim - 1, "]");
  const expand1 = dim_list_to_bitset(expand1_, total_dim);
  const expand2 = dim_list_to_bitset(expand2_, total_dim);
  const expand3 = dim_list_to_bitset(expand3_, total_dim);
  const sumdim = dim_list_to_bitset(sumdim_, total_dim);
  let [i1, i2, i3] = [i1_, i2_, i3_];
  const output_size: number[] = [];
  const sum_dims_12: number[] = [];
  const sum_dims_23: number[] = [];
  let unroll_size = -1;
  for (let i = 0; i < total_dim; i++) {
    let s = 0;
    if (expand1[i]) i1 = i1.unsqueeze(i);
    else s = i1.size(i);
    if (expand2[i]) i2 = i2.unsqueeze(i);
    else s = i2.size(i);
    if (expand3[i]) i3 = i3.unsqueeze(i);
    else s = i3.size(i);
    // A dim that i3 does not have is summed before i3 is multiplied.
    if (sumdim[i] && i !== unroll_dim) (expand3[i] ? sum_dims_12 : sum_dims_23).push(i);
    output_size.push(sumdim[i] ? 1 : s);
    if (i === unroll_dim) unroll_size = s;
  }
  const output = at.zeros(output_size, i1.options());
  if (i1.numel() !== 0 && i2.numel() !== 0 && i3.numel() !== 0) {
    const slice = (t: Tensor, expand: readonly boolean[], k: number) =>
      t.narrow(unroll_dim, expand[unroll_dim] ? 0 : k, 1);
    for (let k = 0; k < unroll_size; k++) {
      const buf = sumproduct_pair(slice(i1, expand1, k), slice(i2, expand2, k), sum_dims_12);
      const product = sumproduct_pair(buf, slice(i3, expand3, k), sum_dims_23);
      const to = sumdim[unroll_dim] ? output : output.narrow(unroll_dim, k, 1);
      to.add__Tensor(product, Scalar.fromInt(1));
    }
  }
  for (let i = output.dim() - 1; i >= 0; i--) if (sumdim[i]) output.squeeze__dim(i);
  return output;
}

// bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor                 CompositeImplicitAutograd
export function bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias_opt: Tensor | null): Tensor {
  // (*, in1), (*, in2), (out, in1, in2), (out)
  const bias = defined(bias_opt);
  const told = [input1, input2, weight, ...(bias === null ? [] : [bias])].map((t) => typeMetaName(t.dtype()));
  TORCH_CHECK(
    told.every((name) => name === told[0]),
    `All tensors must have the same dtype, got input1: ${told[0]}, input2: ${told[1]}, weight: ${told[2]}`,
    bias === null ? "" : `, bias: ${told[3]}`,
  );
  TORCH_CHECK(
    input1.dim() === input2.dim(),
    "bilinear(): input dimensions do not match: got ",
    input1.dim(),
    " and ",
    input2.dim(),
  );
  const last = input1.dim() - 1;
  for (let i = 0; i < last; i++)
    TORCH_CHECK(
      input1.size(i) === input2.size(i),
      "bilinear(): input batch dimensions do not match at dim ",
      i,
      ": got ",
      input1.size(i),
      " and ",
      input2.size(i),
    );
  const check = (name: string, size: number, expected: number) =>
    TORCH_CHECK(
      size === expected,
      `bilinear(): ${name} size does not match weight size: got ${size} but expected ${expected}`,
    );
  // The weight's size is read first, because C++ does so in a comparison of two SymInts.
  const [in1, in1_of_input] = [weight.size(1), input1.size(last)];
  check("input1", in1_of_input, in1);
  const [in2, in2_of_input] = [weight.size(2), input2.size(last)];
  check("input2", in2_of_input, in2);
  const out = weight.size(0);
  if (bias !== null) check("bias", bias.size(0), out);
  const output_size = [...input1.sizes().slice(0, -1), weight.size(0)];
  const flattened = (t: Tensor) => t.reshape([-1, t.size(last)]);
  const product = at._trilinear(flattened(input1), weight, flattened(input2), [1, 3], [0], [1, 2], [2, 3]);
  const output = product.reshape(output_size);
  return bias === null ? output : at.add_Tensor(output, bias, Scalar.fromInt(1));
}
