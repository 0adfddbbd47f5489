/**
 * @file Fallback for the conj and neg bits: a lazy conj or neg is a bit on a view. For an operator that ignores this
 * bit, the fallback computes the values first.
 * @mirrors aten/src/ATen/native/MathBitsFallback.h
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { IValue } from "#aten/core/ivalue";
import type { Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { resize_output } from "./Resize.ts";

// Note [Math bits and mutation]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Inputs with the bit are replaced by clones with the actual values. A written input must finally hold the result *as
// seen through its bit*. So it is cloned too, the operator runs on the clone, and the result is copied back (`copy_`
// handles the bit). If the bit were cleared in place instead, other inputs with the same memory would read other
// values.
export abstract class MathOpFallback {
  private readonly key: DispatchKey;
  private readonly op_name: string;

  constructor(key: DispatchKey, op_name: string) {
    this.key = key;
    this.op_name = op_name;
  }

  protected abstract is_bit_set(tensor: Tensor): boolean;

  fallback_impl(op: OperatorHandle, dispatch_keys: DispatchKeySet, stack: Stack): void {
    const below = dispatch_keys.and(DispatchKeySet.FULL_AFTER(this.key));
    const args = op.schema().arguments();
    if (this.isView(op)) {
      op.redispatchBoxed(below, stack); // a view keeps the bit in its key set
      return;
    }
    const start = stack.length - args.length;
    let written: { tensor: Tensor; resolved: Tensor } | null = null;
    for (let i = 0; i < args.length; i++) {
      const value = stack[start + i];
      const mutable = args[i]?.alias_info() !== null;
      if (value.isTensor() && this.is_bit_set(value.toTensor())) {
        const tensor = value.toTensor();
        const resolved = at.clone(tensor);
        if (mutable) {
          TORCH_CHECK(
            written === null,
            this.op_name,
            " fallback does not support operators with more than one mutable tensors with ",
            this.op_name,
            "bit set to true.",
          );
          written = { tensor, resolved };
        }
        stack[start + i] = IValue.fromTensor(resolved);
      } else if (value.isTensorList()) {
        this.resolveList(op, value, mutable);
      }
    }
    op.redispatchBoxed(below, stack);
    if (written !== null) this.copyBack(written, stack, start);
  }

  private resolveList(op: OperatorHandle, value: IValue, mutable: boolean): void {
    const list = value.toList();
    for (let j = 0; j < list.size(); j++) {
      const tensor = list.get(j).toTensor();
      if (!this.is_bit_set(tensor)) continue;
      TORCH_CHECK(
        !mutable,
        " fallback doesn't currently support mutable TensorLists with ",
        this.op_name,
        " inputs. Please materialize all the ",
        this.op_name,
        " input tensor(s) in the mutable TensorList inputs before calling ",
        op.schema().name(),
      );
      list.set(j, IValue.fromTensor(at.clone(tensor)));
    }
  }

  private copyBack(written: { tensor: Tensor; resolved: Tensor }, stack: Stack, start: number): void {
    const output = stack[start].toTensor();
    TORCH_INTERNAL_ASSERT(output.is_same(written.resolved));
    resize_output(written.tensor, output.sizes()); // an out= argument may have had another size
    written.tensor.copy_(output);
    stack[start] = IValue.fromTensor(written.tensor);
  }

  /** Whether the operator aliases without writing. A schema with both kinds is not supported by this fallback. */
  private isView(op: OperatorHandle): boolean {
    const writes = op
      .schema()
      .arguments()
      .flatMap((arg) => arg.alias_info()?.isWrite() ?? []);
    TORCH_CHECK(
      writes.every((write) => write === writes[0]),
      "Unsupported operator for ",
      this.op_name,
      " fallback: ",
      op.schema().name(),
      this.op_name,
      " fallback doesn't work for operators with a mix mutable and non-mutable inputs that alias with outputs, ",
      "this must be implemented manually.  If you got this error on a core op, please report a bug to PyTorch.",
    );
    return writes.length > 0 && writes[0] === false;
  }
}
