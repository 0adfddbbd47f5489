/**
 * @file Comparison operators. If the second operand is a number, it becomes a wrapped tensor and takes part in type
 * promotion as a number.
 * @mirrors aten/src/ATen/native/BinaryOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { wrapped_scalar_tensor } from "#aten/ScalarOps";
import { TensorIteratorBase } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { eq_stub, ge_stub, gt_stub, le_stub, lt_stub, ne_stub } from "./index.ts";

/** `compare(self, other)`: bool, or 0 and 1 in an output of another dtype. */
abstract class ComparisonOfTensors extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    this.build_borrowing_comparison_op(this.maybe_get_output(0), self, other);
  }
}
abstract class ComparisonWithScalar extends TensorIteratorBase {
  meta(self: Tensor, other: Scalar): void {
    this.build_borrowing_except_last_argument_comparison_op(
      this.maybe_get_output(0),
      self,
      wrapped_scalar_tensor(other),
    );
  }
}

export abstract class structured_eq_Tensor extends ComparisonOfTensors {}
export abstract class structured_eq_Tensor_out extends structured_eq_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    eq_stub.call(this.device_type(), this);
  }
}
export abstract class structured_eq_Scalar extends ComparisonWithScalar {}
export abstract class structured_eq_Scalar_out extends structured_eq_Scalar {
  impl(_self: Tensor, _other: Scalar, _out: Tensor): void {
    eq_stub.call(this.device_type(), this);
  }
}

export abstract class structured_ne_Tensor extends ComparisonOfTensors {}
export abstract class structured_ne_Tensor_out extends structured_ne_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    ne_stub.call(this.device_type(), this);
  }
}
export abstract class structured_ne_Scalar extends ComparisonWithScalar {}
export abstract class structured_ne_Scalar_out extends structured_ne_Scalar {
  impl(_self: Tensor, _other: Scalar, _out: Tensor): void {
    ne_stub.call(this.device_type(), this);
  }
}

export abstract class structured_lt_Tensor extends ComparisonOfTensors {}
export abstract class structured_lt_Tensor_out extends structured_lt_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    lt_stub.call(this.device_type(), this);
  }
}
export abstract class structured_lt_Scalar extends ComparisonWithScalar {}
export abstract class structured_lt_Scalar_out extends structured_lt_Scalar {
  impl(_self: Tensor, _other: Scalar, _out: Tensor): void {
    lt_stub.call(this.device_type(), this);
  }
}

export abstract class structured_le_Tensor extends ComparisonOfTensors {}
export abstract class structured_le_Tensor_out extends structured_le_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    le_stub.call(this.device_type(), this);
  }
}
export abstract class structured_le_Scalar extends ComparisonWithScalar {}
export abstract class structured_le_Scalar_out extends structured_le_Scalar {
  impl(_self: Tensor, _other: Scalar, _out: Tensor): void {
    le_stub.call(this.device_type(), this);
  }
}

export abstract class structured_gt_Tensor extends ComparisonOfTensors {}
export abstract class structured_gt_Tensor_out extends structured_gt_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    gt_stub.call(this.device_type(), this);
  }
}
export abstract class structured_gt_Scalar extends ComparisonWithScalar {}
export abstract class structured_gt_Scalar_out extends structured_gt_Scalar {
  impl(_self: Tensor, _other: Scalar, _out: Tensor): void {
    gt_stub.call(this.device_type(), this);
  }
}

export abstract class structured_ge_Tensor extends ComparisonOfTensors {}
export abstract class structured_ge_Tensor_out extends structured_ge_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    ge_stub.call(this.device_type(), this);
  }
}
export abstract class structured_ge_Scalar extends ComparisonWithScalar {}
export abstract class structured_ge_Scalar_out extends structured_ge_Scalar {
  impl(_self: Tensor, _other: Scalar, _out: Tensor): void {
    ge_stub.call(this.device_type(), this);
  }
}

// ---- aliases

export function not_equal_Tensor(self: Tensor, other: Tensor): Tensor {
  return self.ne_Tensor(other);
}
export function not_equal__Tensor(self: Tensor, other: Tensor): Tensor {
  return self.ne__Tensor(other);
}
export function not_equal_out_Tensor_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return at.ne_Tensor_out(self, other, out);
}
export function not_equal_Scalar(self: Tensor, other: Scalar): Tensor {
  return self.ne_Scalar(other);
}
export function not_equal__Scalar(self: Tensor, other: Scalar): Tensor {
  return self.ne__Scalar(other);
}
export function not_equal_out_Scalar_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.ne_Scalar_out(self, other, out);
}

export function greater_equal_Tensor(self: Tensor, other: Tensor): Tensor {
  return self.ge_Tensor(other);
}
export function greater_equal__Tensor(self: Tensor, other: Tensor): Tensor {
  return self.ge__Tensor(other);
}
export function greater_equal_out_Tensor_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return at.ge_Tensor_out(self, other, out);
}
export function greater_equal_Scalar(self: Tensor, other: Scalar): Tensor {
  return self.ge_Scalar(other);
}
export function greater_equal__Scalar(self: Tensor, other: Scalar): Tensor {
  return self.ge__Scalar(other);
}
export function greater_equal_out_Scalar_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.ge_Scalar_out(self, other, out);
}

export function less_equal_Tensor(self: Tensor, other: Tensor): Tensor {
  return self.le_Tensor(other);
}
export function less_equal__Tensor(self: Tensor, other: Tensor): Tensor {
  return self.le__Tensor(other);
}
export function less_equal_out_Tensor_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return at.le_Tensor_out(self, other, out);
}
export function less_equal_Scalar(self: Tensor, other: Scalar): Tensor {
  return self.le_Scalar(other);
}
export function less_equal__Scalar(self: Tensor, other: Scalar): Tensor {
  return self.le__Scalar(other);
}
export function less_equal_out_Scalar_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.le_Scalar_out(self, other, out);
}

export function greater_Tensor(self: Tensor, other: Tensor): Tensor {
  return self.gt_Tensor(other);
}
export function greater__Tensor(self: Tensor, other: Tensor): Tensor {
  return self.gt__Tensor(other);
}
export function greater_out_Tensor_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return at.gt_Tensor_out(self, other, out);
}
export function greater_Scalar(self: Tensor, other: Scalar): Tensor {
  return self.gt_Scalar(other);
}
export function greater__Scalar(self: Tensor, other: Scalar): Tensor {
  return self.gt__Scalar(other);
}
export function greater_out_Scalar_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.gt_Scalar_out(self, other, out);
}

export function less_Tensor(self: Tensor, other: Tensor): Tensor {
  return self.lt_Tensor(other);
}
export function less__Tensor(self: Tensor, other: Tensor): Tensor {
  return self.lt__Tensor(other);
}
export function less_out_Tensor_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return at.lt_Tensor_out(self, other, out);
}
export function less_Scalar(self: Tensor, other: Scalar): Tensor {
  return self.lt_Scalar(other);
}
export function less__Scalar(self: Tensor, other: Scalar): Tensor {
  return self.lt__Scalar(other);
}
export function less_out_Scalar_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.lt_Scalar_out(self, other, out);
}
