/**
 * @file The incomplete gamma functions.
 * @mirrors aten/src/ATen/native/BinaryOps.cpp
 * @see index.ts; ../Math/Igamma.ts computes them
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { TensorIteratorBase } from "#aten/TensorIterator";

type binary_fn = (iter: TensorIteratorBase) => void;
export const igamma_stub = DEFINE_DISPATCH<binary_fn>("igamma_stub");
export const igammac_stub = DEFINE_DISPATCH<binary_fn>("igammac_stub");

export abstract class structured_igamma extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
  }
}
export abstract class structured_igamma_out extends structured_igamma {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    igamma_stub.call(this.device_type(), this);
  }
}

export abstract class structured_igammac extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
  }
}
export abstract class structured_igammac_out extends structured_igammac {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    igammac_stub.call(this.device_type(), this);
  }
}

export function special_gammainc(self: Tensor, other: Tensor): Tensor {
  return self.igamma(other);
}
export function special_gammainc_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return at.igamma_out(self, other, out);
}

export function special_gammaincc(self: Tensor, other: Tensor): Tensor {
  return self.igammac(other);
}
export function special_gammaincc_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return at.igammac_out(self, other, out);
}
