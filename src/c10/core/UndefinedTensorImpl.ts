/**
 * @file The impl of an undefined `at.Tensor`: one object for all of them, without dtype, device or storage.
 * @mirrors c10/core/UndefinedTensorImpl.h
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { DispatchKeySet } from "./DispatchKeySet.ts";
import { ScalarType } from "./ScalarType.ts";
import { Storage } from "./Storage.ts";
import { TensorImpl } from "./TensorImpl/index.ts";

export class UndefinedTensorImpl extends TensorImpl {
  private constructor() {
    // There is no backend, so it carries the autograd key of "other" backends: an undefined optional argument adds it
    // to the key set of a call.
    super(new Storage(null), DispatchKeySet.EMPTY, ScalarType.Undefined);
  }

  static readonly singleton_ = new UndefinedTensorImpl();

  static singleton(): TensorImpl {
    return UndefinedTensorImpl.singleton_;
  }

  override strides(): never {
    TORCH_CHECK(false, "strides() called on an undefined Tensor");
  }

  override set_storage_offset(): void {
    TORCH_CHECK(false, "set_storage_offset() called on an undefined Tensor");
  }

  override tensorimpl_type_name(): string {
    return "UndefinedTensorImpl";
  }
}
