/**
 * @file `eye`: a matrix of zeros with ones on the diagonal.
 * @mirrors aten/src/ATen/native/TensorFactories.cpp
 */
import { check_all_types_and3 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { fill_stub } from "#aten/native/Fill";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { TensorIterator } from "#aten/TensorIterator";
import type { Device } from "#c10/core/Device";
import type { Layout } from "#c10/core/Layout";
import { Scalar } from "#c10/core/Scalar";
import type { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { optionsOf } from "./index.ts";

type Options = [dtype: ScalarType | null, layout: Layout | null, device: Device | null, pin_memory: boolean | null];

// eye(SymInt n, *, <options>) -> Tensor                                          CompositeExplicitAutograd
export function eye(n: number, ...options: Options): Tensor {
  return at.eye_m(n, n, optionsOf(...options));
}

// eye.m(SymInt n, SymInt m, *, <options>) -> Tensor                              CompositeExplicitAutograd
export function eye_m(n: number, m: number, ...options: Options): Tensor {
  return at.eye_m_out(n, m, at.empty_memory_format([0], optionsOf(...options)));
}

// eye.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)                             CPU, Meta
export function eye_out_cpu_out(n: number, result: Tensor): Tensor {
  return eye_out_cpu_m_out(n, n, result);
}

// eye.m_out(SymInt n, SymInt m, *, Tensor(a!) out) -> Tensor(a!)                 CPU, Meta
export function eye_out_cpu_m_out(n: number, m: number, result: Tensor): Tensor {
  TORCH_CHECK(n >= 0, "n must be greater or equal to 0, got ", n);
  TORCH_CHECK(m >= 0, "m must be greater or equal to 0, got ", m);
  result.resize_([n, m]);
  if (result.is_meta()) return result;
  result.zero_();
  check_all_types_and3(result.scalar_type(), "eye");
  const [stride0, stride1] = result.strides();
  const diagonal = as_strided_tensorimpl(result, [Math.min(n, m)], [stride0 + stride1], null);
  const iter = TensorIterator.borrowing_nullary_op(diagonal);
  fill_stub.call(iter.device_type(0), iter, Scalar.ONE);
  return result;
}
